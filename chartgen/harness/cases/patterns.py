"""Texts that a regular expression matches, and one that it does not.

Fields have patterns and rules ask for them, so that a case needs values on both sides of each. The expressions here are
those that Python and RE2 read alike: alternatives, groups, classes, dots, anchors and quantifiers. `examples` walks an
expression once for each of its alternatives and keeps what really matches, so that a form it does not know costs an
example and never a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# An expression may have more alternatives than anybody wants to try.
_MOST = 48
# What is put around a match where the expression does not say where a text begins or ends.
_AROUND = (("", ""), ("x", ""), ("", "x"), ("x", "x"), ("/x", ""), ("registry.example.com/x", ""))
_ODD = ("", "~", "-", ",", "x", "_", "/ /", "0", "é", " ", "\n", "A-", "10 %")
_ONE_OF_CLASS = {"d": "0", "w": "x", "s": " ", "D": "x", "W": "-", "S": "x"}


@cache
def examples(pattern: str) -> tuple[str, ...]:
    """Texts in which the expression matches, one at least for each of its alternatives; the plainest first."""
    found: list[str] = []
    for text in _Reader(pattern).alternatives():
        for before, after in _AROUND:
            whole = f"{before}{text}{after}"
            if whole not in found and re.search(pattern, whole):
                found.append(whole)
    return tuple(found)


@cache
def misfit(pattern: str) -> str | None:
    """A text in which the expression does not match; not the empty one if there is another, None if it matches all."""
    fails = [text for text in _ODD if not re.search(pattern, text)]
    return next((text for text in fails if text), fails[0] if fails else None)


class _Reader:
    """Reads an expression from left to right; each method gives texts that its part matches."""

    def __init__(self, pattern: str) -> None:
        self._rest = pattern

    def alternatives(self) -> list[str]:
        """Up to the end or a closing bracket."""
        found = self._sequence()
        while self._take("|"):
            found += self._sequence()
        return list(dict.fromkeys(found))[:_MOST]

    def _sequence(self) -> list[str]:
        parts: list[list[str]] = []
        while self._rest and self._rest[0] not in "|)":
            parts.append(self._quantified(self._atom()))
        return _each_once(parts)

    def _atom(self) -> list[str]:
        head, self._rest = self._rest[0], self._rest[1:]
        match head:
            case "(" if flags := re.match(r"\?[aimsx]+\)", self._rest):
                self._rest = self._rest[flags.end() :]
                return [""]
            case "(":
                self._rest = re.sub(r"^\?:", "", self._rest)
                found = self.alternatives()
                self._take(")")
                return found
            case "[":
                return self._members()
            case "^" | "$":
                return [""]
            case ".":
                return ["x"]
            case "\\":
                return [self._escaped()]
            case _:
                return [head]

    def _escaped(self) -> str:
        head, self._rest = self._rest[0], self._rest[1:]
        return _ONE_OF_CLASS.get(head, head)

    def _members(self) -> list[str]:
        """A class: the first character of each range and the last; of a negated one a character that it leaves."""
        negated = self._take("^")
        found: list[str] = []
        while self._rest and (self._rest[0] != "]" or not found):
            head, self._rest = self._rest[0], self._rest[1:]
            found.append(self._escaped() if head == "\\" else head)
            if self._rest[:1] == "-" and self._rest[1:2] not in ("]", ""):
                found.append(self._rest[1])
                self._rest = self._rest[2:]
        self._take("]")
        return ["x" if "x" not in found else "y"] if negated else found

    def _quantified(self, texts: list[str]) -> list[str]:
        """One text, and where it may be left out also none; a text that must come often is repeated."""
        found = re.match(r"[*+?]|\{(\d+)(,\d*)?\}", self._rest)
        if found is None:
            return texts
        self._rest = self._rest[found.end() :].removeprefix("?")
        least = int(found[1]) if found[1] else 0
        if found[0] == "+" or least == 1:
            return texts
        return [text * least for text in texts] if least else ["", *texts]

    def _take(self, text: str) -> bool:
        if not self._rest.startswith(text):
            return False
        self._rest = self._rest[len(text) :]
        return True


def _each_once(parts: Sequence[list[str]]) -> list[str]:
    """Texts of a sequence: each part varied while the others stand at their first, and all of them at their last."""
    first = [texts[0] for texts in parts]
    found = ["".join(first)]
    for number, texts in enumerate(parts):
        found += ["".join([*first[:number], text, *first[number + 1 :]]) for text in texts[1:]]
    found.append("".join(texts[-1] for texts in parts))
    return list(dict.fromkeys(found))[:_MOST]
