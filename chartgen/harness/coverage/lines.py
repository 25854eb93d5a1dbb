"""Which condition each line of a template depends on: the branches that the printer opened, put around the lines in them.

The printed text and its conditions come from one tree, so this is exact: a line is reached when the conditions around it
hold, and no template has to be changed to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from chartgen.schema import conditions
from chartgen.schema.conditions import ALWAYS, Condition
from chartgen.schema.paths import Index
from chartgen.tree import gotext
from chartgen.tree.guards import Opening
from chartgen.tree.nodes import Each, Manifest

_DEFINE = re.compile(r'{{-? define "([^"]+)"')
_INCLUDE = re.compile(r'include "([^"]+)"')
_OPENS = re.compile(r"{{-? (if|with|range|define) ")
_ELSE = re.compile(r"{{-? else\b")
_END = re.compile(r"{{-? end -?}}$")


@dataclass(frozen=True)
class Line:
    """A line that does something.

    Attributes:
        number: from 1.
        reached: when it is.
        repeated: whether that is asked for each item of the list that its object is repeated for.
    """

    number: int
    reached: Condition
    repeated: bool = False


@dataclass(frozen=True)
class Branch:
    """A line that decides.

    Attributes:
        number: from 1.
        reached: when it is asked at all.
        condition: what it asks.
        repeated: see `Line`.
    """

    number: int
    reached: Condition
    condition: Condition
    repeated: bool = False


@dataclass(frozen=True)
class File:
    """A template.

    Attributes:
        path: from the chart's folder.
        text: all of it, as the trees print it.
        lines: those that do something.
        branches: those that decide.
        each: what some of its objects are repeated for; None for most files.
    """

    path: str
    text: str
    lines: tuple[Line, ...]
    branches: tuple[Branch, ...]
    each: Each | None = None


@dataclass
class _Frame:
    """An open block: what holds inside of it now, and what its former branches asked."""

    kind: str
    holds: Condition = ALWAYS
    asked: list[Condition] = field(default_factory=list)


@dataclass
class _Reader:
    """Reads the lines of a template from top to bottom."""

    frames: list[_Frame] = field(default_factory=list)
    define: str = ""
    lines: list[tuple[int, str, Condition, bool]] = field(default_factory=list)
    branches: list[tuple[int, str, Condition, Condition, bool]] = field(default_factory=list)
    calls: list[tuple[str, str, Condition, bool]] = field(default_factory=list)

    @property
    def around(self) -> Condition:
        return conditions.all_of(*(frame.holds for frame in self.frames))

    @property
    def is_repeated(self) -> bool:
        return any(frame.kind == "range" for frame in self.frames)

    def read(self, number: int, line: str) -> None:
        """One line that does not continue another."""
        text = line.strip()
        found = _OPENS.match(text)
        if _END.match(text):
            if self.frames.pop().kind == "define":
                self.define = ""
            return
        if _ELSE.match(text):
            self._else(number, line)
        elif found and found[1] == "define":
            self.define = _DEFINE.match(text)[1]  # type: ignore[index]  # the line was just seen to define something
            self.frames.append(_Frame("define"))
        elif found:
            self._note(number, text)
            self.frames.append(_Frame(found[1]))
            self._ask(number, line)
        else:
            self._note(number, text)

    def _else(self, number: int, line: str) -> None:
        frame = self.frames[-1]
        frame.holds = conditions.all_of(*(conditions.negate(asked) for asked in frame.asked))
        if isinstance(line, Opening):
            self.lines.append((number, self.define, self.around, self.is_repeated))
            self._ask(number, line)

    def _ask(self, number: int, line: str) -> None:
        """The condition of an opening line holds in its block from here on."""
        if not isinstance(line, Opening):
            return
        frame = self.frames[-1]
        self.branches.append((number, self.define, self.around, line.condition, self.is_repeated))
        frame.asked.append(line.condition)
        frame.holds = conditions.all_of(frame.holds, line.condition)

    def _note(self, number: int, text: str) -> None:
        self.lines.append((number, self.define, self.around, self.is_repeated))
        self.calls += [(name, self.define, self.around, self.is_repeated) for name in _INCLUDE.findall(text)]


def read(manifest: Manifest, index: Index, chart: str, folder: str = "") -> File:
    """The lines of a template and what they depend on.

    Args:
        manifest: the template's trees.
        index: the fields that they read.
        chart: prefix of the helpers' names.
        folder: where the chart lies in the one that is judged; empty for that one itself.
    """
    printed = gotext.lines(manifest, index, chart)
    reader = _Reader()
    for number, line in _statements(printed):
        reader.read(number, line)
    # What stands in no definition is called always, and once.
    called = {name: _callers(name, reader) for name in {define for _, define, _, _ in reader.lines if define}}
    called[""] = (ALWAYS, False)
    lines = [
        Line(number, conditions.all_of(called[define][0], here), repeated or called[define][1])
        for number, define, here, repeated in reader.lines
    ]
    branches = [
        Branch(number, conditions.all_of(called[define][0], here), condition, repeated or called[define][1])
        for number, define, here, condition, repeated in reader.branches
    ]
    repeats = [document.each for document in manifest.documents if document.each]
    return File(
        path="/".join(part for part in (folder, "templates", manifest.file) if part),
        text="\n".join(printed) + "\n",
        lines=tuple(sorted(lines, key=lambda line: line.number)),
        branches=tuple(sorted(branches, key=lambda branch: branch.number)),
        each=repeats[0] if repeats else None,
    )


def _callers(name: str, reader: _Reader, seen: frozenset[str] = frozenset()) -> tuple[Condition, bool]:
    """When a definition is called, and whether that is for each item of a list."""
    found: list[Condition] = []
    repeated = False
    for called, define, here, is_repeated in reader.calls:
        if called != name or define in seen:
            continue
        outer, outer_repeated = _callers(define, reader, seen | {name}) if define else (ALWAYS, False)
        found.append(conditions.all_of(outer, here))
        repeated = repeated or is_repeated or outer_repeated
    return conditions.any_of(*found), repeated


def _statements(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without comments, empty ones, and those that continue an opening."""
    inside = ""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if inside:
            inside = "" if text.endswith("}}") else inside
            continue
        if text.startswith("{{") and "}}" not in text:
            inside = "comment" if "/*" in text else "opening"
            if inside == "comment":
                continue
        if text:
            yield number, line
