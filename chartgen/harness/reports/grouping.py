"""Findings that say the same of different cases, together: a person reads each once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chartgen.harness.report import Failure
from chartgen.harness.results import Result, State

_LONGEST_LINE = 240


@dataclass(frozen=True)
class Alike:
    """One finding of many cases.

    Attributes:
        first: as the first of them has it.
        cases: all of them, in the report's order.
    """

    first: Failure
    cases: tuple[str, ...]

    @property
    def text(self) -> str:
        """The subject and what is said of it."""
        return f"{self.first.subject}: {self.first.message}" if self.first.subject else self.first.message

    @property
    def headline(self) -> str:
        """The first line of that, cut where nobody reads on."""
        line = self.text.partition("\n")[0].rstrip()
        return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True)
class Skip:
    """Something that was not judged, and the one reason for it.

    Attributes:
        check: the check that skipped it.
        reason: why.
        subjects: what it would have been about, each once; empty when it was the case as a whole.
        cases: the cases, in the report's order.
    """

    check: str
    reason: str
    subjects: tuple[str, ...]
    cases: tuple[str, ...]


def skipped(results: Iterable[Result]) -> list[Skip]:
    """What was skipped, by check and reason, in the order of the first of each."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if result.state is State.SKIPPED:
            groups.setdefault((result.check, result.message), []).append(result)
    return [
        Skip(
            check,
            reason,
            tuple(dict.fromkeys(each.subject for each in group if each.subject)),
            tuple(dict.fromkeys(each.case for each in group)),
        )
        for (check, reason), group in groups.items()
    ]


def alike(failures: Iterable[Failure]) -> list[Alike]:
    """The failures in groups, in the order of the first of each."""
    groups: dict[tuple[State, str, str, str], list[Failure]] = {}
    for failure in failures:
        key = (failure.state, failure.check, failure.subject, _without_command(failure.message))
        groups.setdefault(key, []).append(failure)
    return [Alike(group[0], tuple(dict.fromkeys(each.case for each in group))) for group in groups.values()]


def commands(message: str) -> list[str]:
    """The commands that a message itself shows."""
    return [line[2:] for line in message.splitlines() if line.startswith("$ ")]


def _without_command(message: str) -> str:
    """The message without the lines that show a command, which differ from case to case."""
    return "\n".join(line for line in message.splitlines() if not line.startswith("$ "))
