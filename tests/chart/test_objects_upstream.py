"""The chart renders what NVIDIA's renders, but for what the table of differences tells, line by line."""

from __future__ import annotations

import fnmatch

import pytest
from support import charts, upstream

from chartgen import yamlio
from chartgen.emit import differences

_CHART_FACTS = yamlio.load((charts.CHART / "Chart.yaml").read_text())
FACTS = upstream.load(
    {
        "release": "gpu-operator",
        "namespace": "gpu",
        "chart": f"gpu-operator-{_CHART_FACTS['version']}",
        "appVersion": "v26.7.0",
    }
)
_TABLE = differences.table()


def _told(found: upstream.Difference) -> list[differences.Difference]:
    """The lines of the table that tell of a difference."""
    return [
        line
        for line in _TABLE
        if line.change == found.change
        and any(fnmatch.fnmatchcase(found.object, pattern) for pattern in line.objects)
        and (any(upstream.matches(path, found.path) for path in line.paths) if line.paths else not found.path)
    ]


@pytest.mark.parametrize("context", FACTS.contexts)
def test_every_difference_is_in_the_table(gpu_operator: charts.Chart, context: str) -> None:
    """In every context: an object, a field or a grant that differs has one line that says why."""
    found = FACTS.differences(context, gpu_operator.by_name(FACTS.contexts[context]))
    untold = [one for one in sorted(found) if len(_told(one)) != 1]
    assert not untold, "\n".join(map(str, untold))


def test_every_line_of_the_table_tells_of_something(newest: charts.Chart) -> None:
    """Each object and each path of each line: a reason whose difference is gone goes with it."""
    found: set[upstream.Difference] = set()
    for context, values in FACTS.contexts.items():
        found |= FACTS.differences(context, newest.by_name(values))
    idle: list[str] = []
    for line in _TABLE:
        mine = [one for one in found if line in _told(one)]
        idle += [each for each in line.objects if not any(fnmatch.fnmatchcase(one.object, each) for one in mine)]
        idle += [each for each in line.paths if not any(upstream.matches(each, one.path) for one in mine)]
    assert not idle


def test_the_page_has_a_row_for_each_line() -> None:
    """DIFFERENCES.md is the table."""
    page = (charts.CHART / "DIFFERENCES.md").read_text()
    assert page == differences.emit().text
    assert all(line.reason.strip() in page for line in _TABLE)


def test_without_values_the_objects_are_upstreams(gpu_operator: charts.Chart) -> None:
    """The default render: upstream's objects under upstream's names, less one hook, and those of `helm test`."""
    rendered = gpu_operator.objects()
    tests = {charts.identity(one) for one in rendered if charts.annotation(one, "helm.sh/hook") == "test"}
    assert {charts.identity(one) for one in rendered} - tests == {
        "ClusterPolicy/cluster-policy",
        "ClusterRole/gpu-operator",
        "ClusterRole/gpu-operator-upgrade-crd-hook-role",
        "ClusterRoleBinding/gpu-operator",
        "ClusterRoleBinding/gpu-operator-upgrade-crd-hook-binding",
        "Deployment/gpu-operator",
        "Job/gpu-operator-upgrade-crd",
        "Role/gpu-operator",
        "RoleBinding/gpu-operator",
        "ServiceAccount/gpu-operator",
        "ServiceAccount/gpu-operator-upgrade-crd-hook-sa",
    }
    assert tests == {
        "ClusterRole/gpu-operator-test",
        "ClusterRoleBinding/gpu-operator-test",
        "Pod/gpu-operator-test",
        "ServiceAccount/gpu-operator-test",
    }
