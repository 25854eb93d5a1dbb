"""Timing: parts that take turns, and a table of their medians and ratios."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Something to time.

    Attributes:
        name: a few words.
        work: what is timed; it returns how many pieces of work that was, and the time of one is shown.
        against: name of the part that the ratio is to; empty for none.
    """

    name: str
    work: Callable[[], int]
    against: str = ""


@dataclass(frozen=True)
class Timing:
    """What a part took.

    Attributes:
        part: the part.
        seconds: of each run, for one piece of work.
    """

    part: Part
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.seconds)


def take_turns(parts: Sequence[Part], runs: int) -> list[Timing]:
    """Time every part `runs` times, after one run that does not count since it fills caches."""
    taken: dict[str, list[float]] = {part.name: [] for part in parts}
    for turn in range(runs + 1):
        for part in parts:
            start = time.perf_counter()
            pieces = part.work()
            if turn:
                taken[part.name].append((time.perf_counter() - start) / pieces)
    return [Timing(part, tuple(taken[part.name])) for part in parts]


def table(timings: Sequence[Timing]) -> list[str]:
    """A line for each part: median, spread, and the ratio to another part."""
    medians = {timing.part.name: timing.median for timing in timings}
    width = max(len("part"), *(len(timing.part.name) for timing in timings))
    lines = [f"{'part':{width}}  median ms    min    max  ratio"]
    for timing in timings:
        low, high = min(timing.seconds) * 1000, max(timing.seconds) * 1000
        line = f"{timing.part.name:{width}}  {timing.median * 1000:9.1f} {low:6.1f} {high:6.1f}"
        if timing.part.against:
            line += f"  {timing.median / medians[timing.part.against]:5.2f} x {timing.part.against}"
        lines.append(line)
    return lines
