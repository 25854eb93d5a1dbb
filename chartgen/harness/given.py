"""What stands in a case's values: a name, an image or a brace that the user wrote is no fault of the chart."""

from __future__ import annotations

import fnmatch
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chartgen.harness import values
from chartgen.harness.case import Case
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.memo import Memo
from chartgen.harness.results import Finding, verdict

_EXPRESSION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_NAME = r"[A-Za-z0-9_.-]"


@dataclass(frozen=True)
class Given:
    """The strings of a case's values.

    Attributes:
        strings: what the keys are set to; numbers as text.
        keys: the keys.
        declined: keys of parts that are not to be made: above a ``create`` that is false.
    """

    strings: frozenset[str]
    keys: frozenset[str]
    declined: frozenset[str] = frozenset()

    def declines(self, patterns: Iterable[str]) -> bool:
        """Whether one of these parts is not to be made: the user has it already, under the name that the chart would give it."""
        names = [name.lower() for name in self.declined]
        return any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns)

    def says(self, text: str) -> bool:
        """Whether the text is a part of any string or key."""
        return any(text in string for string in self.strings | self.keys)

    def names(self, name: str) -> bool:
        """Whether the name is a word of any string, or what an expression in one may come to.

        Keys do not count: most are the chart's own, and are words such as config and name.
        """
        if not name:
            return False
        if name in self.strings:
            return True
        word = re.compile(f"(?<!{_NAME}){re.escape(name)}(?!{_NAME})")
        return any(word.search(string) or _may_become(string, name) for string in self.strings)


def of(case: Case) -> Given:
    """What a case gives: its files and its own values."""
    found = _Found()
    found.take(case.values)
    for file in case.files:
        each = _of_text(file.read_text(encoding="utf-8"))
        found.strings |= each.strings
        found.keys |= each.keys
        found.declined |= each.declined
    return found.given()


@functools.lru_cache(maxsize=256)
def _of_text(text: str) -> Given:
    found = _Found()
    found.take(values.read(text))
    return found.given()


@dataclass
class _Found:
    """What was found so far, see `Given`."""

    strings: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    declined: set[str] = field(default_factory=set)

    def take(self, value: Any, name: str = "") -> None:
        """Look at a value and all in it; `name` is its key."""
        if isinstance(value, Mapping):
            if value.get("create") in (False, "false"):
                self.declined.add(name)
            for key, member in value.items():
                self.keys.add(str(key))
                self.take(member, str(key))
        elif isinstance(value, list | tuple):
            for item in value:
                self.take(item)
        elif value is not None and not isinstance(value, bool):
            self.strings.add(str(value))

    def given(self) -> Given:
        """All of it."""
        return Given(frozenset(self.strings), frozenset(self.keys), frozenset(self.declined))


def _may_become(string: str, name: str) -> bool:
    """Whether a string with expressions of Helm in it can be rendered as the name."""
    if "{{" not in string:
        return False
    parts = [re.escape(part) for part in _EXPRESSION.split(string)]
    return any(parts) and re.fullmatch(".*".join(parts), name, re.DOTALL) is not None


@dataclass(frozen=True)
class Doubt:
    """Something that is wrong unless the user asked for it.

    Attributes:
        finding: what is wrong.
        text: what in the values would show that they did.
        is_name: whether it must be a word of its own there.
        declined: patterns of parts whose absence they would ask for, see `Given.declines`.
    """

    finding: Finding
    text: str
    is_name: bool = False
    declined: tuple[str, ...] = ()

    def holds(self, given: Given) -> bool:
        """Whether it is wrong all the same."""
        if given.declines(self.declined):
            return False
        return not (given.names(self.text) if self.is_name else given.says(self.text))


@dataclass
class EachDocumentUnlessGiven:
    """Like `chartgen.harness.check.EachDocument`, for what is wrong in one case and asked for in another.

    Attributes:
        name: see `chartgen.harness.check.Check`.
        judge: what there is to say about a document; findings that always hold, and doubts.
    """

    name: str
    judge: Callable[[Document], Iterable[Finding | Doubt]]
    _found: Memo[Finding | Doubt] = field(init=False)

    def __post_init__(self) -> None:
        self._found = Memo(self.judge)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        said = [each for document in rendered.documents for each in self._found(document)]
        return verdict(settle(said, case))


def settle(said: Iterable[Finding | Doubt], case: Case) -> list[Finding]:
    """The findings, with those doubts that the case's values do not do away with."""
    given: Given | None = None
    findings: list[Finding] = []
    for each in said:
        if isinstance(each, Finding):
            findings.append(each)
            continue
        given = given or of(case)
        if each.holds(given):
            findings.append(each.finding)
    return findings
