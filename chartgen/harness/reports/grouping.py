"""Findings that say the same of different cases, together: a person reads each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from chartgen.harness.report import Failure
from chartgen.harness.results import Result, State

Said = TypeVar("Said", Result, Failure)


def alike(results: Sequence[Said]) -> list[tuple[Said, ...]]:
    """The results in groups, in the order of the first of each."""
    groups: dict[tuple[State, str, str, str], list[Said]] = {}
    for result in results:
        key = (result.state, result.check, result.subject, _without_command(result.message))
        groups.setdefault(key, []).append(result)
    return [tuple(group) for group in groups.values()]


def commands(message: str) -> list[str]:
    """The commands that a message itself shows."""
    return [line[2:] for line in message.splitlines() if line.startswith("$ ")]


def _without_command(message: str) -> str:
    """The message without the lines that show a command, which differ from case to case."""
    return "\n".join(line for line in message.splitlines() if not line.startswith("$ "))
