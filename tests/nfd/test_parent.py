"""The subchart inside the chart: what the parent sets, switches and hands down."""

from __future__ import annotations

from typing import Any

import pytest
from support import charts, nfd

from chartgen.components import chart as components
from chartgen.harness import compare, manifests, tools
from chartgen.harness import values as helm_values
from chartgen.schema import loader
from chartgen.tree.context import Context

_NFD = "node-feature-discovery"
# Kind/name of all objects with the parent's defaults, in a release called gpu-operator.
OBJECTS = {
    "ClusterRole/gpu-operator-node-feature-discovery",
    "ClusterRole/gpu-operator-node-feature-discovery-gc",
    "ClusterRole/gpu-operator-node-feature-discovery-prune",
    "ClusterRoleBinding/gpu-operator-node-feature-discovery",
    "ClusterRoleBinding/gpu-operator-node-feature-discovery-gc",
    "ClusterRoleBinding/gpu-operator-node-feature-discovery-prune",
    "ConfigMap/gpu-operator-node-feature-discovery-master-conf",
    "ConfigMap/gpu-operator-node-feature-discovery-worker-conf",
    "DaemonSet/gpu-operator-node-feature-discovery-worker",
    "Deployment/gpu-operator-node-feature-discovery-gc",
    "Deployment/gpu-operator-node-feature-discovery-master",
    "Job/gpu-operator-node-feature-discovery-prune",
    "Role/gpu-operator-node-feature-discovery-worker",
    "RoleBinding/gpu-operator-node-feature-discovery-worker",
    "ServiceAccount/gpu-operator-node-feature-discovery-prune",
    "ServiceAccount/node-feature-discovery",
}


def _rendered(parent: charts.Chart, given: dict[str, Any]) -> tuple[dict[str, nfd.Object], tools.Run]:
    done = parent.run(given)
    assert done.status == 0, done.report()
    documents = manifests.Reader().read(done).documents
    return nfd.by_name([dict(document.object) for document in documents]), done


def _of_nfd(objects: dict[str, nfd.Object]) -> set[str]:
    label = "app.kubernetes.io/name"
    return {name for name, one in objects.items() if one["metadata"].get("labels", {}).get(label) == _NFD}


def test_the_objects_of_a_default_installation(parent: charts.Chart) -> None:
    """Sixteen, three programs of which share an account, as in NVIDIA's chart."""
    objects, _ = _rendered(parent, {})
    assert _of_nfd(objects) == OBJECTS
    for name in ("DaemonSet/{}-worker", "Deployment/{}-gc", "Deployment/{}-master"):
        pod = objects[name.format(f"gpu-operator-{_NFD}")]["spec"]["template"]["spec"]
        assert pod["serviceAccountName"] == _NFD
        assert pod["priorityClassName"] == "system-node-critical"


def test_what_the_parent_sets(parent: charts.Chart) -> None:
    """The PCI classes of GPUs, the vendor's label, the label namespace, and taints of GPU nodes."""
    objects, _ = _rendered(parent, {})
    start = f"gpu-operator-{_NFD}"
    worker = objects[f"ConfigMap/{start}-worker-conf"]["data"]["nfd-worker.conf"]
    assert '"0302"' in worker
    assert worker.endswith('deviceLabelFields:\n      - "vendor"')
    assert objects[f"ConfigMap/{start}-master-conf"]["data"] == {"nfd-master.conf": 'extraLabelNs:\n  - "nvidia.com"'}
    tolerations = objects[f"DaemonSet/{start}-worker"]["spec"]["template"]["spec"]["tolerations"]
    assert [each["key"] for each in tolerations] == ["node-role.kubernetes.io/control-plane", "nvidia.com/gpu"]


@pytest.mark.parametrize(
    "given", [{"nfd": {"enabled": False}}, {"nfd": {"enabled": False}, _NFD: {"mastr": 1}}], ids=str
)
def test_switched_off_nothing_is_left(parent: charts.Chart, given: dict[str, Any]) -> None:
    """Not an object and not a reference, whatever its values say."""
    objects, done = _rendered(parent, given)
    assert not _of_nfd(objects)
    assert _NFD not in done.stdout


def test_globals_reach_its_pods(parent: charts.Chart) -> None:
    """Registry, pull secrets and tolerations."""
    objects, _ = _rendered(
        parent,
        {"global": {"imageRegistry": "m.example", "imagePullSecrets": ["s"], "tolerations": [{"operator": "Exists"}]}},
    )
    pod = objects[f"DaemonSet/gpu-operator-{_NFD}-worker"]["spec"]["template"]["spec"]
    assert pod["containers"][0]["image"] == "m.example/nfd/node-feature-discovery:v0.19.0"
    assert pod["imagePullSecrets"] == [{"name": "s"}]
    assert pod["tolerations"][-1] == {"operator": "Exists"}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"nfd": {"enabled": None}},
        {_NFD: {"topologyUpdater": {"enable": True, "createCRDs": True}, "prometheus": {"enable": "true"}}},
        {_NFD: {"worker": {"config": {"core": {"sleepInterval": "5m"}}, "tolerations": None}, "master": None}},
        {_NFD: None, "global": {"imagePullSecrets": ["a"], "other": {"a": 1}}},
    ],
    ids=str,
)
def test_the_oracle_covers_it(parent: charts.Chart, given: dict[str, Any]) -> None:
    """`components.chart.objects` computes the subchart's objects from the values that helm hands it."""
    objects, _ = _rendered(parent, given)
    chart = helm_values.load(charts.CHART)
    context = Context(
        helm_values.coalesce(chart, given, int(parent.helm.version[1])),
        "gpu-operator",
        "gpu",
        chart_version=chart.version,
        app_version=chart.app_version,
        api_versions=frozenset([charts.DRA]),
    )
    computed = nfd.by_name(components.objects(loader.load(charts.ROOT / "schemas"), context))
    assert _of_nfd(computed) == _of_nfd(objects)
    found = [
        (name, *difference)
        for name in _of_nfd(objects)
        for difference in compare.differences(objects[name], computed[name])
    ]
    assert not found


def test_an_account_made_twice_is_refused(parent: charts.Chart) -> None:
    """With the parent's one name for three accounts, only one may create it."""
    done = parent.run({_NFD: {"worker": {"serviceAccount": {"create": True}}}})
    assert "master.serviceAccount.name, worker.serviceAccount.name: both programs would create" in done.stderr


@pytest.mark.parametrize("image", [None, {"repository": None}, {"repository": ""}], ids=["no image", "null", "empty"])
def test_an_image_without_a_name_is_refused(parent: charts.Chart, image: dict[str, str | None] | None) -> None:
    """There would be nothing but a colon and a tag."""
    done = parent.run({_NFD: {"image": image}})
    assert "image.repository: without a name there is no image to pull" in done.stderr


def test_it_is_a_declared_dependency(parent: charts.Chart) -> None:
    """Helm's own look at the chart finds it in its place."""
    chart = helm_values.load(charts.CHART)
    (entry,) = chart.declared
    assert (entry.name, entry.conditions) == (_NFD, ("nfd.enabled",))
    done = tools.run(
        [str(parent.helm.program), "dependency", "list", str(charts.CHART)], tools.helm_environment(parent.helm.home)
    )
    assert "unpacked" in done.stdout
    assert "missing" not in done.stdout
