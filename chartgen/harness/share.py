"""So many of so many: the number that coverage, arrays and refusals are told in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    reached: int = 0
    possible: int = 0

    def __str__(self) -> str:
        return f"{self.reached:,} of {self.possible:,}"

    @property
    def percent(self) -> int:
        """Rounded down, so that only all is 100; of nothing, all is reached."""
        return self.reached * 100 // self.possible if self.possible else 100

    @property
    def rate(self) -> float:
        """From 0 to 1."""
        return self.reached / self.possible if self.possible else 1.0

    @classmethod
    def total(cls, shares: Iterable[Share]) -> Share:
        """All of them together."""
        found = list(shares)
        return cls(sum(share.reached for share in found), sum(share.possible for share in found))


NOTHING = Share()
