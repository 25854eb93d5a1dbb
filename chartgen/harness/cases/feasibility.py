"""What a chart would say to an assignment, without asking Helm: the context that its templates see, and the rules it breaks.

Cases that must render are made so that they break none, and those that must be refused so that they break just one. Helm
has the last word on every case: what is told here only chooses them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonschema_rs

from chartgen.harness import oracle, values
from chartgen.harness.cases import assignments
from chartgen.harness.cases.assignments import Assignment
from chartgen.schema.model import Rule, Severity
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator


class Feasibility:
    """Judges assignments for a chart that has trees.

    Args:
        folder: the chart directory.
        chart: what was read from it.
        trees: the chart's description.
    """

    def __init__(self, folder: Path, chart: values.Chart, trees: oracle.Trees) -> None:
        self._folder = folder
        self.chart = chart
        self._trees = trees
        self.refusing = tuple(rule for rule in trees.schema.rules if rule.severity is Severity.REFUSE)

    def context(self, assignment: Assignment, helm_major: int = 4) -> Context:
        """What the chart's templates see; the APIs are those of the assignment alone."""
        return self.of_values(assignments.nest(assignment), frozenset(assignments.apis(assignment)), helm_major)

    def of_values(self, given: Mapping[str, Any], apis: frozenset[str] = frozenset(), helm_major: int = 4) -> Context:
        """The same for values as a user gives them."""
        return Context(
            values=values.coalesce(self.chart, given, helm_major),
            chart_name=self.chart.name,
            chart_version=self.chart.version,
            app_version=self.chart.app_version,
            api_versions=apis,
        )

    def evaluator(self, context: Context) -> Evaluator:
        """Evaluates conditions over the chart's own values."""
        return Evaluator(self._trees.index, context)

    def broken(self, context: Context) -> tuple[Rule, ...]:
        """The rules by which the chart, or a subchart that Helm takes in, refuses."""
        rules = {chart.part.name: chart.schema.rules for chart in self._trees.charts}
        found: list[Rule] = []
        for part, own in self._trees.contexts(context):
            evaluator = part.evaluator(own)
            refusing = (rule for rule in rules[part.name] if rule.severity is Severity.REFUSE)
            found += [rule for rule in refusing if evaluator.holds(rule.condition)]
        return tuple(found)

    def fits_schema(self, context: Context) -> bool:
        """Whether values.schema.json takes the values: that of the chart, and those of subcharts that Helm takes in."""
        contexts = self._trees.contexts(context)
        return all(self._validators[part.folder].is_valid(own.values) for part, own in contexts)

    @cached_property
    def _validators(self) -> dict[str, jsonschema_rs.Validator]:
        """By the folder of the chart."""
        folders = [chart.part.folder for chart in self._trees.charts]
        texts = {folder: (self._folder / folder / "values.schema.json").read_bytes() for folder in folders}
        return {folder: jsonschema_rs.validator_for(json.loads(text)) for folder, text in texts.items()}
