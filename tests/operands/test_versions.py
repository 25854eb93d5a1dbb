"""A new version of the chart with the same images restarts nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support import judged

from chartgen.components import chart

STATIC = {
    "operator": {"enabled": False},
    "cluster": {"os": "ubuntu22.04"},
    "dcgm": {"enabled": True},
    "nodeStatusExporter": {"enabled": True},
}


def templates(objects: list[dict[str, Any]]) -> dict[str, Any]:
    """Kind and name -> pod template, of everything that runs pods for good, without those of the subchart."""
    kinds = ("DaemonSet", "Deployment")
    own = (one for one in objects if one["kind"] in kinds and "node-feature-discovery" not in one["metadata"]["name"])
    return {f"{one['kind']}/{one['metadata']['name']}": one["spec"]["template"] for one in own}


@pytest.mark.parametrize("given", [STATIC, STATIC | {"commonLabels": {"team": "ml"}}])
def test_pod_templates_do_not_hold_the_charts_version(given: dict[str, Any]) -> None:
    """Without an operator the operands' pods are the same in two versions of the chart; only the metadata tells them apart."""
    context = judged.context(given)
    before = chart.objects(judged.schema(), context)
    after = chart.objects(judged.schema(), replace(context, chart_version="9.9.9"))
    assert len(templates(before)) >= 8
    assert templates(before) == templates(after)
    assert before != after


def test_the_operators_pod_does_not_hold_it() -> None:
    """Nor what the labels of every object are given besides."""
    context = judged.context({"commonLabels": {"team": "ml"}, "operator": {"podLabels": {"pod": "own"}}})
    before = templates(chart.objects(judged.schema(), context))
    after = templates(chart.objects(judged.schema(), replace(context, chart_version="9.9.9")))
    assert before == after
    labels = before["Deployment/gpu-operator"]["metadata"]["labels"]
    assert (labels["team"], labels["pod"], "helm.sh/chart" in labels) == ("ml", "own", False)


def test_the_cluster_policy_does_not_hold_it_either() -> None:
    """What the operator rolls out is the same too."""
    context = judged.context({})
    before, after = (
        next(
            one["spec"]
            for one in chart.objects(judged.schema(), replace(context, chart_version=version))
            if one["kind"] == "ClusterPolicy"
        )
        for version in ("0.1.0", "9.9.9")
    )
    assert before == after
