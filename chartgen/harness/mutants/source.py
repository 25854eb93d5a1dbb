"""A file of a chart, and changes of its text: what every kind of fault is made with."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Edit:
    """A piece of text in place of another.

    Attributes:
        start: offset of the first character that goes.
        end: offset of the first one that stays.
        text: what comes in.
    """

    start: int
    end: int
    text: str = ""


@dataclass(frozen=True)
class Source:
    """A file.

    Attributes:
        file: its path in the chart's folder.
        text: what is in it.
    """

    file: str
    text: str

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset of each line."""
        found = [0]
        found += [number + 1 for number, sign in enumerate(self.text) if sign == "\n"]
        return tuple(found[:-1] if found[-1] == len(self.text) else found)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, without their ends."""
        return tuple(self.text[start : self.end(number)] for number, start in enumerate(self.starts))

    def end(self, number: int) -> int:
        """The offset of a line's end.

        Args:
            number: of the line, from 0.
        """
        following = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text) + 1
        end = following - 1
        return end - 1 if end == len(self.text) and self.text.endswith("\n") else end

    def line_of(self, offset: int) -> int:
        """The number of the line that an offset is in, from 0."""
        return bisect.bisect_right(self.starts, offset) - 1

    def without_lines(self, first: int, last: int) -> Edit:
        """Takes whole lines away, both ends included."""
        end = self.starts[last + 1] if last + 1 < len(self.starts) else len(self.text)
        return Edit(self.starts[first], end)

    def without(self, start: int, end: int) -> Edit:
        """Takes a span away, and its lines with it where nothing else is on them."""
        first, last = self.line_of(start), self.line_of(max(start, end - 1))
        alone = not self.text[self.starts[first] : start].strip() and not self.text[end : self.end(last)].strip()
        return self.without_lines(first, last) if alone else Edit(start, end)

    def block(self, number: int) -> int:
        """The last of the lines that are indented deeper than a line and follow it at once; the line itself if there is none."""
        own = indent(self.lines[number])
        last = number
        for below in range(number + 1, len(self.lines)):
            line = self.lines[below]
            if line.strip() and indent(line) <= own:
                break
            if line.strip():
                last = below
        return last

    def edited(self, edits: Sequence[Edit]) -> str:
        """The text after some edits, which must not overlap."""
        parts: list[str] = []
        at = 0
        for edit in sorted(edits, key=lambda each: each.start):
            parts += [self.text[at : edit.start], edit.text]
            at = edit.end
        return "".join([*parts, self.text[at:]])


def indent(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))
