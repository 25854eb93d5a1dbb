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
        self._chart = chart
        self._trees = trees
        self.refusing = tuple(rule for rule in trees.schema.rules if rule.severity is Severity.REFUSE)

    def context(self, assignment: Assignment, helm_major: int = 4) -> Context:
        """What the chart's templates see; the APIs are those of the assignment alone."""
        return self.of_values(assignments.nest(assignment), frozenset(assignments.apis(assignment)), helm_major)

    def of_values(self, given: Mapping[str, Any], apis: frozenset[str] = frozenset(), helm_major: int = 4) -> Context:
        """The same for values as a user gives them."""
        return Context(
            values=values.coalesce(self._chart, given, helm_major),
            chart_name=self._chart.name,
            chart_version=self._chart.version,
            app_version=self._chart.app_version,
            api_versions=apis,
        )

    def evaluator(self, context: Context) -> Evaluator:
        """Evaluates conditions over the chart's own values."""
        return Evaluator(self._trees.index, context)

    def broken(self, context: Context) -> tuple[Rule, ...]:
        """The rules by which the chart refuses."""
        evaluator = self.evaluator(context)
        return tuple(rule for rule in self.refusing if evaluator.holds(rule.condition))

    def fits_schema(self, context: Context) -> bool:
        """Whether values.schema.json of the chart takes the values; that of a subchart is not asked."""
        return self._validator.is_valid(context.values)

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        schema = json.loads((self._folder / "values.schema.json").read_bytes())
        return jsonschema_rs.validator_for(schema)
