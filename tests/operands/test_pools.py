"""Pools of nodes: whatever depends on the kind of a node is made once for each, and the pools do not get in each other's way."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from support import charts, judged

from chartgen.components import chart
from chartgen.components.operands import pools
from chartgen.schema import conditions
from chartgen.tree.context import lookup
from chartgen.tree.nodes import Document

POOLS = [
    {"name": "a", "nodeSelector": {"pool": "a"}, "os": "ubuntu22.04"},
    {"name": "b", "nodeSelector": {"pool": "b"}, "os": "rhel9.4", "containerRuntime": "crio"},
]
GIVEN: dict[str, Any] = {
    "operator": {"enabled": False},
    "cluster": {"nodePools": POOLS},
    "cdi": {"enabled": False},
    "dcgm": {"enabled": True},
    "nodeStatusExporter": {"enabled": True},
    "daemonsets": {"labels": {"nvidia.com/node-pool": "mine"}},
}
# Alike on all nodes: it looks at files of the host, and tells of nodes that are in no pool too.
OF_ALL_NODES = {"nvidia-node-status-exporter"}
_FIELDS = {field.path: field for field in judged.schema().walk()}
DOCUMENTS = [
    pytest.param(document, id=f"{manifest.file}-{number}")
    for manifest in chart.manifests(judged.schema())
    for number, document in enumerate(manifest.documents)
]


def objects(given: dict[str, Any]) -> list[dict[str, Any]]:
    """The DaemonSets of operands, and the Services."""
    found = chart.objects(judged.schema(), judged.context(given))
    return [one for one in found if one["kind"] in ("DaemonSet", "Service") and "worker" not in one["metadata"]["name"]]


def daemonsets(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The DaemonSets by name; none stands there twice."""
    found = [one for one in objects(given) if one["kind"] == "DaemonSet"]
    names = [one["metadata"]["name"] for one in found]
    assert len(set(names)) == len(names)
    return dict(zip(names, found, strict=True))


def pod(daemonset: dict[str, Any]) -> dict[str, Any]:
    """The spec of its pods."""
    found: dict[str, Any] = daemonset["spec"]["template"]["spec"]
    return found


def test_the_facts_are_those_of_the_schema() -> None:
    """All that a pool can set but for its name and its nodes; the cluster has each of them too."""
    items = _FIELDS[pools.POOLS].type.items
    assert items is not None
    facts = {name for name in items.type.properties if name not in ("name", "nodeSelector")}
    assert {f"cluster.{name}" for name in facts} == set(pools.FACTS)
    assert all(f"cluster.{name}" in _FIELDS for name in items.type.properties)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_depends_on_a_pool_is_made_for_each(document: Document) -> None:
    """And nothing else is: a new operand cannot be forgotten."""
    facts = tuple(f"{fact}." for fact in pools.FACTS)
    assert not [path for path in conditions.paths(document.condition) if f"{path}.".startswith(facts)]
    each = None if document.each is None else (document.each.items, document.each.over)
    assert each == (("cluster.nodePools", "cluster") if pools.depends(document.tree) else None)


def test_each_pool_has_daemonsets_of_its_own() -> None:
    """Named after it, on its nodes alone; those without a pool are as they were."""
    single = daemonsets(charts.merged(GIVEN, {"cluster": {"nodePools": [], "os": "ubuntu22.04"}}))
    found = daemonsets(GIVEN)
    assert set(found) == OF_ALL_NODES | {f"{name}-{one}" for name in set(single) - OF_ALL_NODES for one in "ab"}
    for name in OF_ALL_NODES:
        assert found[name] == single[name]
    for name, one in found.items():
        plain, _, pool = name.rpartition("-")
        if name in OF_ALL_NODES:
            continue
        assert pod(one)["nodeSelector"] == {**pod(single[plain])["nodeSelector"], "pool": pool}
        assert one["metadata"]["labels"]["app"] == single[plain]["metadata"]["labels"]["app"]


def test_selectors_of_pools_do_not_overlap() -> None:
    """No DaemonSet takes the pods of another for its own, whatever labels a user adds."""
    for one, other in itertools.permutations(daemonsets(GIVEN).values(), 2):
        labels = other["spec"]["template"]["metadata"]["labels"]
        assert not one["spec"]["selector"]["matchLabels"].items() <= labels.items()
    for one in daemonsets(GIVEN).values():
        assert one["spec"]["selector"]["matchLabels"].items() <= one["spec"]["template"]["metadata"]["labels"].items()


def test_a_service_reaches_the_pods_of_all_pools() -> None:
    """There is one, and the label that it goes by is on all of them."""
    services = [one for one in objects(GIVEN) if one["kind"] == "Service"]
    for service in services:
        selector = service["spec"]["selector"].items()
        there = [
            name
            for name, one in daemonsets(GIVEN).items()
            if selector <= one["spec"]["template"]["metadata"]["labels"].items()
        ]
        app = service["spec"]["selector"]["app"]
        assert there == ([app] if app in OF_ALL_NODES else [f"{app}-a", f"{app}-b"])
    assert len(services) == 3


def test_each_pool_has_its_container_runtime() -> None:
    """Its files, and its way to hand a pod to NVIDIA's runtime: without CDI, CRI-O has hooks and no runtime class."""
    found = daemonsets(GIVEN)
    for pool, runtime in (("a", "containerd"), ("b", "crio")):
        toolkit = found[f"nvidia-container-toolkit-daemonset-{pool}"]
        assert f"{runtime}-config" in {volume["name"] for volume in pod(toolkit)["volumes"]}
        for name in ("nvidia-operator-validator", "nvidia-device-plugin-daemonset", "gpu-feature-discovery"):
            wanted = "nvidia" if runtime == "containerd" else None
            assert lookup(pod(found[f"{name}-{pool}"]), "runtimeClassName") == wanted


def test_nodes_of_one_kind_can_be_some_of_the_nodes() -> None:
    """Without pools, name and nodes stand with the facts themselves."""
    alike = {"nodePools": [], "os": "ubuntu22.04"}
    found = daemonsets(charts.merged(GIVEN, {"cluster": {**alike, "name": "x", "nodeSelector": {"pool": "x"}}}))
    for name, one in found.items():
        assert name.endswith("-x") is (name not in OF_ALL_NODES)
        assert ("pool" in pod(one)["nodeSelector"]) is (name not in OF_ALL_NODES)
    single = charts.merged(GIVEN, {"cluster": alike})
    assert daemonsets(charts.merged(single, {"cluster": {"name": "", "nodeSelector": {}}})) == daemonsets(single)
