"""A run's outcome, as text and as an exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from chartgen.harness.results import Result, State

_SHOWN_CASES = 3


@dataclass(frozen=True)
class Report:
    """A finished run.

    Attributes:
        chart: the chart's folder, name and version.
        tools: the programs that judged, with their versions.
        cases: names of all cases, sorted.
        commands: case -> helm's command, ready to paste.
        results: everything that the checks said, in an order that does not depend on the run.
        documents: how many documents were judged.
        distinct: how many of them differed from all others.
        seconds: wall time.
    """

    chart: str
    tools: tuple[str, ...]
    cases: tuple[str, ...]
    commands: Mapping[str, str]
    results: tuple[Result, ...]
    documents: int
    distinct: int
    seconds: float

    @property
    def failures(self) -> tuple[Result, ...]:
        """What keeps the run from passing: invalid things, things that could not be judged, cases that nothing spoke for."""
        bad = tuple(result for result in self.results if result.state in (State.INVALID, State.ERROR))
        spoken_for = {result.case for result in self.results if result.state is State.VALID} | {
            result.case for result in bad
        }
        silent = tuple(
            Result(case, "run", State.ERROR, "", "no check came to the conclusion that anything is valid")
            for case in self.cases
            if case not in spoken_for
        )
        return bad + silent

    @property
    def exit_code(self) -> int:
        """0 when everything was judged and is valid, else 1."""
        return 1 if self.failures or not self.cases else 0

    def text(self) -> str:
        """Plain lines: each finding once with the cases it is in and a command that shows it, then what was skipped, then the counts."""
        lines = [f"chart: {self.chart}", f"judged by: {', '.join(self.tools)}", ""]
        shown = ""
        for group in _grouped(self.failures):
            first = group[0]
            lines += [f"{first.state.value.upper()}  {first.check}  {_said(first)}", f"    in {_in(group)}"]
            command = self.commands.get(first.case, "")
            if command not in ("", shown, *_commands(first)):
                lines.append(f"    $ {command}")
                shown = command
            lines.append("")
        skipped = _grouped(tuple(result for result in self.results if result.state is State.SKIPPED))
        lines += [f"skipped  {group[0].check}  {_said(group[0])} ({_in(group)})" for group in skipped]
        lines += [self._summary(), "FAILED" if self.exit_code else "passed"]
        return "\n".join(lines)

    def _summary(self) -> str:
        states = Counter(result.state for result in self.results)
        told = ", ".join(f"{states[state]} {state.value}" for state in State)
        repeated = f"{self.documents} documents, {self.distinct} distinct"
        return f"{len(self.cases)} cases, {repeated}; results: {told}; {self.seconds:.1f} s"


def _said(result: Result) -> str:
    return f"{result.subject}: {result.message}" if result.subject else result.message


def _in(group: tuple[Result, ...]) -> str:
    names = [result.case for result in group]
    rest = len(names) - _SHOWN_CASES
    return ", ".join(names[:_SHOWN_CASES]) + (f" and {rest} more" if rest > 0 else "")


def _grouped(results: tuple[Result, ...]) -> list[tuple[Result, ...]]:
    """Results that say the same of different cases, together."""
    groups: dict[tuple[State, str, str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.state, result.check, result.subject, _without_command(result)), []).append(result)
    return [tuple(group) for group in groups.values()]


def _commands(result: Result) -> list[str]:
    """The commands that the message itself shows."""
    return [line[2:] for line in result.message.splitlines() if line.startswith("$ ")]


def _without_command(result: Result) -> str:
    """The message without the lines that show a command, which differ from case to case."""
    return "\n".join(line for line in result.message.splitlines() if not line.startswith("$ "))
