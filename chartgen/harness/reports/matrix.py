"""What was judged, as tables that a person can read: checks by groups of cases, Kubernetes by Helm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from chartgen.harness.checks import registry
from chartgen.harness.report import Report, Target
from chartgen.harness.results import State

# From what counts most to what counts least: what a case is, when a check says several things of it.
_WORST = (State.INVALID, State.ERROR, State.VALID, State.SKIPPED)


@dataclass(frozen=True)
class Tally:
    """How many cases ended in which state; of a case's several results the worst counts."""

    counts: Mapping[State, int]

    @property
    def total(self) -> int:
        """All cases."""
        return sum(self.counts.values())

    @property
    def state(self) -> State:
        """The worst state that a case has; skipped when there is none."""
        return next((state for state in _WORST if self.counts.get(state)), State.SKIPPED)

    @property
    def bad(self) -> int:
        """The cases that keep the run from passing."""
        return self.counts.get(State.INVALID, 0) + self.counts.get(State.ERROR, 0)


@dataclass(frozen=True)
class Row:
    """A check.

    Attributes:
        name: the check's name.
        demand: what it demands, in a sentence.
        cells: group -> tally.
    """

    name: str
    demand: str
    cells: Mapping[str, Tally]


def checks(report: Report) -> list[Row]:
    """A row for each check that said something, in the order of the first of its results; each has a cell for each group."""
    states: dict[str, dict[str, State]] = {}
    for result in report.results:
        cases = states.setdefault(result.check, {})
        cases[result.case] = _worse(cases.get(result.case, State.SKIPPED), result.state)
    for failure in report.failures:
        states.setdefault(failure.check, {})[failure.case] = failure.state
    return [Row(check, registry.demand(check), _by_group(report, cases)) for check, cases in states.items()]


def _by_group(report: Report, cases: Mapping[str, State]) -> dict[str, Tally]:
    counts: dict[str, Counter[State]] = {group: Counter() for group in report.groups}
    for case, state in cases.items():
        counts.setdefault(case.partition("/")[0], Counter())[state] += 1
    return {group: Tally(count) for group, count in counts.items()}


def targets(report: Report) -> dict[Target, Tally]:
    """How the cases ended that were rendered for each Kubernetes by each Helm."""
    worst: dict[str, State] = {}
    for result in report.results:
        worst[result.case] = _worse(worst.get(result.case, State.SKIPPED), result.state)
    for failure in report.failures:
        worst[failure.case] = _worse(worst.get(failure.case, State.SKIPPED), failure.state)
    counts: dict[Target, Counter[State]] = {}
    for case, target in report.targets.items():
        counts.setdefault(target, Counter())[worst.get(case, State.SKIPPED)] += 1
    return {target: Tally(count) for target, count in counts.items()}


def _worse(one: State, other: State) -> State:
    return one if _WORST.index(one) <= _WORST.index(other) else other
