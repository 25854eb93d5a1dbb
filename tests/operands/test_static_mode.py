"""Where no operator runs, operands go where the node labels say, Prometheus finds them, and upgrades leave them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from support import charts

from chartgen.components.chart import OF_OPERATOR, OPERANDS
from chartgen.harness import values
from chartgen.schema import loader
from chartgen.schema.paths import Index
from chartgen.tree import presence
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import EnvMerge, Node

_SCHEMA = loader.load(charts.ROOT / "schemas")
_CHART = values.load(charts.CHART)
_EVERYTHING: dict[str, Any] = {
    "cluster": {"openshiftVersion": "4.18", "containerRuntime": "crio"},
    "daemonsets": {"labels": {"app": "mine", "team": "a"}, "annotations": {"note": 1}},
    "dcgm": {"enabled": True},
    "nodeStatusExporter": {"enabled": True},
}
# Written by GPU Feature Discovery, where its configuration asks for it.
_OF_DISCOVERY = {"nvidia.com/mps.capable"}


def _objects(given: dict[str, Any]) -> list[dict[str, Any]]:
    twin = charts.merged({"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}}, given)
    context = Context(
        values.coalesce(_CHART, twin, 4), app_version="v1", api_versions=frozenset(["monitoring.coreos.com/v1"])
    )
    evaluator = Evaluator(Index.of(_SCHEMA), context)
    return [found for manifest in OPERANDS for found in evaluator.objects(manifest)]


@pytest.fixture(params=[{}, _EVERYTHING], ids=["default", "everything"])
def objects(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """All objects of the operands."""
    return _objects(request.param)


def _daemonsets(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [found for found in objects if found["kind"] == "DaemonSet"]


def test_the_rule_sets_every_label_that_a_daemonset_selects_by(objects: list[dict[str, Any]]) -> None:
    """Otherwise its pods would run nowhere."""
    (rule,) = (found for found in objects if found["kind"] == "NodeFeatureRule")
    labels = {label for one in rule["spec"]["rules"] for label in one["labels"].items()}
    wanted = {label for found in _daemonsets(objects) for label in _pod(found)["nodeSelector"].items()}
    assert {label for label in wanted - labels if label[0] not in _OF_DISCOVERY} == set()


def test_a_node_that_opted_out_is_spared(objects: list[dict[str, Any]]) -> None:
    """By each DaemonSet, as long as the chart labels the nodes."""
    expression = {"key": "nvidia.com/gpu.deploy.operands", "operator": "NotIn", "values": ["false"]}
    for found in _daemonsets(objects):
        terms = charts.at(
            _pod(found), "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
        )
        assert all(expression in term["matchExpressions"] for term in terms), found["metadata"]["name"]


def test_nodes_that_the_user_labels_are_left_to_the_user() -> None:
    """No rule, and no affinity that knows better."""
    found = _objects({"cluster": {"labelNodes": False}})
    assert "NodeFeatureRule" not in {one["kind"] for one in found}
    assert all("nodeAffinity" not in _pod(one).get("affinity", {}) for one in _daemonsets(found))


def test_services_select_pods_whatever_labels_a_user_adds(objects: list[dict[str, Any]]) -> None:
    """Pods carry the labels that their Service selects by."""
    pods = [found["spec"]["template"]["metadata"]["labels"] for found in _daemonsets(objects)]
    for service in (found for found in objects if found["kind"] == "Service"):
        assert any(service["spec"]["selector"].items() <= labels.items() for labels in pods)


def test_monitors_select_a_service_and_a_port_of_it(objects: list[dict[str, Any]]) -> None:
    """A ServiceMonitor goes by the labels of a Service and the name of a port."""
    services = [found for found in objects if found["kind"] == "Service"]
    for monitor in (found for found in objects if found["kind"] == "ServiceMonitor"):
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        (service,) = (one for one in services if wanted <= one["metadata"]["labels"].items())
        ports = {port["name"] for port in service["spec"]["ports"]}
        assert {endpoint["port"] for endpoint in monitor["spec"]["endpoints"]} <= ports


def test_a_pod_template_says_nothing_of_the_chart(objects: list[dict[str, Any]]) -> None:
    """Two versions of the chart with the same images do not restart anything."""
    for found in _daemonsets(objects):
        labels = found["spec"]["template"]["metadata"]["labels"]
        assert not {key for key in labels if key.startswith(("helm.sh/", "app.kubernetes.io/version"))}


def test_environments_have_names_of_their_own() -> None:
    """Two templates of one name would be one template to Helm, the last one."""
    trees = [document.tree for manifest in (*OPERANDS, *OF_OPERATOR) for document in manifest.documents]
    names = [node.define for tree in trees for node in _all(tree) if isinstance(node, EnvMerge)]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def _all(node: Node) -> Iterator[Node]:
    yield node
    for part in presence.parts(node):
        yield from _all(part)


def _pod(daemonset: dict[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = daemonset["spec"]["template"]["spec"]
    return pod
