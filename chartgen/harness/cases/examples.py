"""Cases made at random: a few fields of the whole chart with values of their types, tried until one is found that fails.

What is found is shrunk to the smallest values that still fail. The cases are only known while they are judged, since each
depends on what came of the last, so this asks for outcomes instead of giving a list. Values that a rule forbids must be
refused in the words of the rule; the evaluation of the trees knows which those are.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st

from chartgen.harness import oracle, strategies
from chartgen.harness.case import Case, Group, Refusal
from chartgen.harness.cases import assignments
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.session import Outcome
from chartgen.schema.model import Field, Kind

_MOST_PATHS = 12
_STATIC = {"operator.enabled": False, "cluster.os": "ubuntu22.04"}


@dataclass
class Explorer:
    """Looks for values that break the chart.

    Attributes:
        trees: the chart's description.
        feasibility: tells which rules some values break.
        helms: Helm versions; they take turns.
        kube: Kubernetes minor version, the newest that is judged for.
        judge: gives the outcome of a case.
        found: case and outcome of everything that passed, and last of the smallest that failed.
    """

    trees: oracle.Trees
    feasibility: Feasibility
    helms: Sequence[str]
    kube: str
    judge: Callable[[Case], Outcome]
    found: dict[str, tuple[Case, Outcome]] = field(default_factory=dict)
    _failed: tuple[Case, Outcome] | None = None

    def explore(self, tries: int, seed: int) -> list[tuple[Case, Outcome]]:
        """Everything that was tried, each different set of values once; of what failed only the smallest.

        Args:
            tries: how many sets of values.
            seed: the same gives the same values.
        """
        attempt = hypothesis.given(self._strategy())(self._attempt)
        attempt = hypothesis.seed(seed)(_settings(tries)(attempt))
        with contextlib.suppress(_Found):
            attempt()
        return [*self.found.values(), *([self._failed] if self._failed else [])]

    def _strategy(self) -> st.SearchStrategy[dict[str, Any]]:
        """A few paths with values, on top of the chart's defaults or of a mode without an operator."""
        fields = {
            described.path(field.path): field
            for described in self.trees.charts
            for field in described.schema.walk()
            if _is_drawn(field)
        }
        paths = st.lists(st.sampled_from(sorted(fields)), max_size=_MOST_PATHS, unique=True)
        chosen = paths.flatmap(
            lambda some: st.fixed_dictionaries({path: strategies.nullable(fields[path].type) for path in some})
        )
        return st.tuples(st.sampled_from(({}, _STATIC)), chosen).map(lambda both: {**both[0], **both[1]})

    def _attempt(self, assignment: Mapping[str, Any]) -> None:
        values = assignments.nest(assignment)
        context = self.feasibility.of_values(values)
        if not self.feasibility.fits_schema(context):
            return  # a parent that is null or a subchart's own schema: refusals are cases of their own
        case = self._case(values)
        broken = self.feasibility.broken(context)
        if broken:
            case = replace(case, refusal=Refusal(broken[0].paths[0], (broken[0].message,)))
        outcome = self.judge(case)
        if outcome.failed:
            self._failed = (case, outcome)
            raise _Found
        self.found[case.name] = (case, outcome)

    def _case(self, values: Mapping[str, Any]) -> Case:
        text = json.dumps(values, sort_keys=True, ensure_ascii=False)
        name = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
        turn = int(name, 16)
        return Case(
            name=f"{Group.EXAMPLE.value}/{name}",
            group=Group.EXAMPLE,
            helm=self.helms[turn % len(self.helms)],
            kube=self.kube,
            values=values,
        )


class _Found(AssertionError):
    """An example failed; Hypothesis makes it smaller."""


def _is_drawn(field: Field) -> bool:
    """Whether a field gets values of its own: one that is a switch, a text or a list, and no object of such."""
    return not field.children and field.type.kind is not Kind.ANY and field.deprecated is None


def _settings(tries: int) -> Callable[[Any], Any]:
    return hypothesis.settings(
        max_examples=tries,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
