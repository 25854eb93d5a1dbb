"""Chart.yaml and values.yaml say what the chart's description says: versions, switches of subcharts, and every default value.

Whatever else is judged starts from these files, templates and oracle alike, so that a mistake in them is on both sides. It
is asked where nobody gives a value, since that is what defaults are for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from chartgen.harness import compare, given, values
from chartgen.harness.case import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.oracle import FACTS, Oracle, Promise
from chartgen.harness.results import Finding, invalid, skipped, verdict

_CHART = "Chart.yaml"
_VALUES = "values.yaml"


@dataclass(frozen=True)
class ChartFiles:
    """Compares files with promises.

    Attributes:
        chart: what was read from the files.
        oracle: what is promised; None for a chart without trees.
    """

    chart: values.Chart
    oracle: Oracle | None
    name: str = "chart-files"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        if self.oracle is None:
            return [skipped("there is no description to hold the chart's files against")]
        if given.of(case).keys:
            return [skipped("asked where no values are given")]
        charts = {"": self.chart, **{each.name: each for each in self.chart.charts}}
        findings: list[Finding] = []
        for promise in self.oracle.promises():
            folder = f"charts/{promise.name}/" if promise.name else ""
            chart = charts.get(promise.name)
            if chart is None:
                findings.append(invalid(f"{folder}{_CHART}", "the chart is described, and is not there"))
            else:
                findings += _compared(chart, promise, folder)
        return verdict(findings)


def _compared(chart: values.Chart, promise: Promise, folder: str) -> Iterator[Finding]:
    told: Mapping[str, str] = dict(
        zip(FACTS, (chart.name, chart.version, chart.app_version, chart.kube_version), strict=True)
    )
    for path, left, right in compare.differences(told, promise.facts):
        yield invalid(f"{folder}{_CHART}", f"{path} is {left}, and {right} is expected")
    switches = {each.called: ",".join(each.conditions) for each in chart.declared}
    for path, left, right in compare.differences(switches, promise.switches):
        yield invalid(f"{folder}{_CHART}", f"the condition of {path} is {left}, and {right} is expected")
    for path, left, right in compare.differences(chart.values, promise.values):
        yield invalid(f"{folder}{_VALUES}", f"{path} is {left}, and {right} is expected")
