"""Cases that Helm must refuse, each for one fault and in the words that tell of it.

* **Rules**: for each refusing rule, of the chart and of its subcharts, values that break it and no other. They are not
  written by hand: a box of `forbidden` is where the rule is broken, and what other rules say besides is got around.
* **Keys** that are no values, yet known to be written: refused with the sentence that names the right one. Those that were
  values once are taken, so they are no cases here.
* **Faults** of the JSON Schemas, see `faults`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartgen.harness import oracle
from chartgen.harness.case import Case, Group, Refusal
from chartgen.harness.cases import assignments, faults, parameters, smallest
from chartgen.harness.cases.assignments import Assignment
from chartgen.harness.cases.built import Built
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.cases.forbidden import Box, Forbidden
from chartgen.schema.model import Rule, Severity
from chartgen.tree.context import Context

# Ways to break a rule that are tried before the least bad one is taken.
_TRIES = 200


@dataclass(frozen=True)
class Witness:
    """An assignment that breaks a rule.

    Attributes:
        chart: whose rule it is; empty for the chart itself.
        rule: the rule.
        assignment: the values; empty if there are none.
        others: names of rules that it breaks too.
    """

    chart: str
    rule: Rule
    assignment: Assignment
    others: tuple[str, ...] = ()


def build(trees: oracle.Trees, feasibility: Feasibility, helms: Sequence[str], kubes: Sequence[str]) -> Built:
    """The cases.

    Args:
        trees: the chart's description.
        feasibility: judges assignments for the chart.
        helms: Helm versions, which take turns.
        kubes: Kubernetes minors; the first is taken, since nothing is rendered.
    """
    found = witnesses(trees, feasibility)
    drafts = [*_of_rules(found), *_of_keys(trees), *_of_faults(trees, feasibility.context({}))]
    cases = tuple(
        Case(
            name=f"{Group.REFUSAL.value}/{draft.name}",
            group=Group.REFUSAL,
            helm=helm,
            kube=kubes[0],
            values=draft.values,
            refusal=draft.refusal,
            api_versions=draft.apis,
        )
        for draft, helm in zip(drafts, itertools.cycle(helms), strict=False)
    )
    left_out = {
        each.rule.name: "no values that the JSON Schema takes break it" for each in found if not each.assignment
    }
    return Built(cases, Counter(draft.name.partition("/")[0] for draft in drafts), left_out)


@dataclass(frozen=True)
class _Draft:
    """A case without what surrounds it."""

    name: str
    values: Mapping[str, Any]
    refusal: Refusal
    apis: tuple[str, ...] = ()


def _of_rules(found: Sequence[Witness]) -> Iterator[_Draft]:
    for each in found:
        if each.assignment:
            name = "/".join(part for part in ("rule", each.chart, each.rule.name) if part)
            refusal = Refusal(each.rule.paths[0], (each.rule.text,))
            yield _Draft(name, assignments.nest(each.assignment), refusal, assignments.apis(each.assignment))


def _of_keys(trees: oracle.Trees) -> Iterator[_Draft]:
    for stray in trees.schema.strays.values():
        if not stray.retired:
            values = assignments.nest({stray.path: True})
            yield _Draft(f"key/{stray.path}", values, Refusal(stray.path, (stray.text,)))


def _of_faults(trees: oracle.Trees, context: Context) -> Iterator[_Draft]:
    for chart in trees.charts:
        standing = context.values.get(chart.name, {}) if chart.name else context.values
        for fault in faults.find(chart.schema, standing):
            values = smallest.at((chart.name,), fault.values) if chart.name else fault.values
            name = "/".join(part for part in (fault.sort.value, chart.name, fault.name) if part)
            yield _Draft(name, values, Refusal(fault.path, (f"{chart.part.name}:", fault.words)))


def witnesses(trees: oracle.Trees, feasibility: Feasibility) -> list[Witness]:
    """An assignment for each refusing rule, that breaks no other if that can be; an empty one if nothing breaks it."""
    varied = parameters.build(trees, feasibility, ("",), ("",))
    search = _Search(Forbidden(trees, varied), feasibility)
    rules = [(chart.name, rule) for chart in trees.charts for rule in chart.schema.rules]
    return [search.witness(chart, rule) for chart, rule in rules if rule.severity is Severity.REFUSE]


class _Search:
    """Looks for values that break one rule.

    Args:
        forbidden: where rules are broken.
        feasibility: whether they are, as the chart says.
    """

    def __init__(self, forbidden: Forbidden, feasibility: Feasibility) -> None:
        self._forbidden = forbidden
        self._feasibility = feasibility

    def witness(self, chart: str, rule: Rule) -> Witness:
        """The first way that breaks the rule alone, else the one that breaks fewest others."""
        best: Witness | None = None
        boxes = [box for box in self._forbidden.boxes if (box.chart, box.rule) == (chart, rule)]
        for levels in itertools.islice(self._ways(boxes), _TRIES):
            assignment = self._forbidden.assignment(levels)
            broken = [each.name for each in self._feasibility.broken(self._feasibility.context(assignment))]
            if rule.name not in broken:
                continue
            others = tuple(name for name in broken if name != rule.name)
            if best is None or len(others) < len(best.others):
                best = Witness(chart, rule, assignment, others)
            if not others:
                break
        return best or Witness(chart, rule, {})

    def _ways(self, boxes: Sequence[Box]) -> Iterator[Mapping[int, int]]:
        """Corners of the boxes, those with most defaults first, each with what gets around the other rules."""
        for box in boxes:
            sides = [[level for level in range(mask.bit_length()) if mask >> level & 1] for mask in box.sides.values()]
            for corner in itertools.product(*sides):
                levels = dict(zip(box.sides, corner, strict=True))
                yield self._forbidden.around(levels, box.rule)
