"""Cases of one kind, and how much of what there is they cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chartgen.harness.case import Case


@dataclass(frozen=True)
class Built:
    """What a module that makes cases gives.

    Attributes:
        cases: with unique names, always in the same order.
        numbers: what was counted, by a name of a few words.
        left_out: what has no case, and why.
    """

    cases: tuple[Case, ...]
    numbers: Mapping[str, int]
    left_out: Mapping[str, str] = field(default_factory=dict)
