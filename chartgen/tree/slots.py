"""Where a node is printed: as a member of a mapping, as an item of a list, or as a part of what surrounds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A member of a mapping: ``key: value``, or the value below the key."""

    key: str

    def inline(self, text: str, pad: str) -> list[str]:
        """Text behind the key."""
        return [f"{pad}{self.key}: {text}"]

    def block(self, lines: list[str], pad: str) -> list[str]:
        """Lines below the key."""
        return [f"{pad}{self.key}:", *lines]


@dataclass(frozen=True)
class Item:
    """An item of a list: ``- value``, its block starting on the dash's line where a mapping can."""

    def inline(self, text: str, pad: str) -> list[str]:
        """Text behind the dash."""
        return [f"{pad}- {text}"]

    def block(self, lines: list[str], pad: str) -> list[str]:
        """Lines that start behind the dash, or below it when the first is an action."""
        if lines and lines[0].startswith(f"{pad}  ") and not lines[0].lstrip().startswith("{{-"):
            return [f"{pad}- {lines[0].lstrip()}", *lines[1:]]
        return [f"{pad}-", *lines]


@dataclass(frozen=True)
class Part:
    """A part of an `Extend`: its block stands at the place of the whole."""

    def inline(self, text: str, pad: str) -> list[str]:
        """An empty literal adds nothing to the whole."""
        return []

    def block(self, lines: list[str], pad: str) -> list[str]:
        """The lines as they are."""
        return lines


Slot = Entry | Item | Part
