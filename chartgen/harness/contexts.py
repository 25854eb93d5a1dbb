"""What the chart's templates see in a case, for all who compute what Helm renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chartgen.harness import values
from chartgen.harness.case import Case
from chartgen.tree.context import Context


@dataclass
class Contexts:
    """Makes the context of a case; that of the last one is kept, since several ask for it.

    Attributes:
        chart: the chart, for its default values and its versions.
        api_versions: Helm version -> what that Helm takes every cluster to serve.
    """

    chart: values.Chart
    api_versions: Mapping[str, frozenset[str]]
    _last: tuple[Case, Context] | None = field(default=None)

    def of(self, case: Case) -> Context | None:
        """The context; None when what the case's Helm takes a cluster to serve is not known."""
        last = self._last
        if last is not None and last[0] is case:
            return last[1]
        served = self.api_versions.get(case.helm)
        if served is None:
            return None
        context = self._made(case, served)
        self._last = (case, context)
        return context

    def _made(self, case: Case, served: frozenset[str]) -> Context:
        given = values.given(case.files, case.values)
        chart = self.chart
        if case.parent:
            chart = values.alone_in(chart, case.parent)
            given = {case.parent: given}
        merged = values.coalesce(chart, given, case.helm_major)
        return Context(
            values=merged[case.parent] if case.parent else merged,
            release_name=case.release,
            namespace=case.namespace,
            chart_name=case.parent or self.chart.name,
            chart_version=self.chart.version,
            app_version=self.chart.app_version,
            api_versions=served | set(case.api_versions),
        )
