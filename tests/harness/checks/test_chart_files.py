"""Chart.yaml and values.yaml against what the chart's description promises."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from support.judged import CHART, ROOT

from chartgen.harness import oracle, values
from chartgen.harness.checks.chart_files import ChartFiles
from chartgen.harness.oracle import Promise
from chartgen.harness.results import State
from chartgen.harness.values import Chart, Dependency

SUB = Chart("sub", "1.0.0", "", {"a": {"b": 1}})
WHOLE = Chart("whole", "2.0.0", "v2", {"on": True}, (Dependency("sub", "", ("sub.on",)),), (SUB,), ">= 1.29.0-0")
PROMISES = (
    Promise(
        "",
        {"name": "whole", "version": "2.0.0", "appVersion": "v2", "kubeVersion": ">= 1.29.0-0"},
        {"on": True},
        {"sub": "sub.on"},
    ),
    Promise("sub", {"name": "sub", "version": "1.0.0", "appVersion": "", "kubeVersion": ""}, {"a": {"b": 1}}, {}),
)


@dataclass(frozen=True)
class FakeOracle:
    """Promises what it is told to."""

    def promises(self) -> list[Promise]:
        return list(PROMISES)


@pytest.fixture
def plain(case, tmp_path):
    """A case without values."""
    return replace(case, files=(), values={})


def said(chart: Chart, case: Any) -> list[tuple[State, str, str]]:
    """What the check says, without diffs."""
    found = ChartFiles(chart, FakeOracle()).run(case, None)
    return [(finding.state, finding.subject, finding.message) for finding in found]


def test_files_that_say_what_is_promised(plain):
    """Of the chart and of its subcharts."""
    assert said(WHOLE, plain) == [(State.VALID, "", "")]


@pytest.mark.parametrize(
    ("changed", "subject", "message"),
    [
        ({"version": "2.0.1"}, "Chart.yaml", 'version is "2.0.1", and "2.0.0" is expected'),
        ({"kube_version": ""}, "Chart.yaml", 'kubeVersion is "", and ">= 1.29.0-0" is expected'),
        ({"values": {"on": False}}, "values.yaml", "on is false, and true is expected"),
        ({"values": {}}, "values.yaml", "on is absent, and true is expected"),
        ({"values": {"on": True, "x": 1}}, "values.yaml", "x is 1, and absent is expected"),
        ({"declared": ()}, "Chart.yaml", 'the condition of sub is absent, and "sub.on" is expected'),
        (
            {"declared": (Dependency("sub"),)},
            "Chart.yaml",
            'the condition of sub is "", and "sub.on" is expected',
        ),
        ({"charts": ()}, "charts/sub/Chart.yaml", "the chart is described, and is not there"),
        (
            {"charts": (replace(SUB, values={"a": {"b": 2}}),)},
            "charts/sub/values.yaml",
            "a.b is 2, and 1 is expected",
        ),
    ],
    ids=lambda given: "" if isinstance(given, str) else next(iter(given)),
)
def test_what_differs_is_named(plain, changed, subject, message):
    """With the file, and the path in it."""
    assert said(replace(WHOLE, **changed), plain) == [(State.INVALID, subject, message)]


def test_defaults_are_asked_for_where_nothing_is_given(plain):
    """Once is enough, and that it was not asked is no success."""
    [(state, _, _)] = said(replace(WHOLE, version="9"), replace(plain, values={"on": True}))
    assert state is State.SKIPPED


def test_other_charts_promise_nothing(plain):
    """There is no description of them."""
    [finding] = ChartFiles(WHOLE, None).run(plain, None)
    assert finding.state is State.SKIPPED


def test_the_chart_keeps_its_promises(plain):
    """Both of them, to the letter."""
    chart = values.load(CHART)
    trees = oracle.find(ROOT, chart)
    assert [promise.name for promise in trees.promises()] == ["", "node-feature-discovery"]
    assert trees.promises()[0].switches == {"node-feature-discovery": "nfd.enabled"}
    assert trees.promises()[0].facts["kubeVersion"]
    assert [finding.state for finding in ChartFiles(chart, trees).run(plain, None)] == [State.VALID]
