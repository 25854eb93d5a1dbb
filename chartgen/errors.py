"""Problems as records: what a person needs to know to mend bad input.

Every layer reports with these, and the command line prints them. Nothing raises on the first mistake: a reader
collects all it finds and raises once, because half a list costs its reader another run.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in one place.

    Attributes:
        where: file and line, ``schemas/driver.yaml:41``.
        path: dotted path inside the file or the values, ``driver.upgradePolicy``; empty for the file as a whole.
        found: what stands there.
        expected: what should stand there.
        hint: the way out, when there is one to name.
    """

    where: str
    path: str
    found: str
    expected: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.where}: {self.path}: " if self.path else f"{self.where}: "
        text = f"{place}{self.found}; expected {self.expected}"
        return f"{text} ({self.hint})" if self.hint else text


class ChartgenError(Exception):
    """Bad input: carries every problem found, sorted and without repeats.

    Attributes:
        problems: at least one record.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems), key=_by_place))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def _by_place(problem: Problem) -> tuple[str, int, Problem]:
    """Sort key: file, then line as a number, so that line 9 comes before line 41; then everything else."""
    file, _, line = problem.where.rpartition(":")
    return (file, int(line), problem) if line.isdigit() else (problem.where, 0, problem)


def meant(name: str, known: Iterable[str]) -> str:
    """The hint for a name that nobody knows: ``did you mean references?``; empty when no known name is like it."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}?" if near else ""
