"""Findings that say the same of different cases, together: a person reads each once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from chartgen.harness.report import Failure
from chartgen.harness.results import Result, State

_LONGEST_LINE = 240

Said = TypeVar("Said", Result, Failure)


@dataclass(frozen=True)
class Alike(Generic[Said]):
    """One finding of many cases.

    Attributes:
        first: as the first of them has it.
        cases: all of them, in the report's order.
    """

    first: Said
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


def alike(results: Iterable[Said]) -> list[Alike[Said]]:
    """The results in groups, in the order of the first of each."""
    groups: dict[tuple[State, str, str, str], list[Said]] = {}
    for result in results:
        key = (result.state, result.check, result.subject, _without_command(result.message))
        groups.setdefault(key, []).append(result)
    return [Alike(group[0], tuple(dict.fromkeys(each.case for each in group))) for group in groups.values()]


def commands(message: str) -> list[str]:
    """The commands that a message itself shows."""
    return [line[2:] for line in message.splitlines() if line.startswith("$ ")]


def _without_command(message: str) -> str:
    """The message without the lines that show a command, which differ from case to case."""
    return "\n".join(line for line in message.splitlines() if not line.startswith("$ "))
