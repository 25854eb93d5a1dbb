"""What each switch adds and takes away, given as booleans and as the words that real add-ons send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from support import charts


@dataclass(frozen=True)
class Switch:
    """A value and the objects that hang on it.

    Attributes:
        path: of the switch.
        default: what it is when nobody says.
        on: objects that are there with it, and not without.
        off: objects that are there without it, and not with it.
        given: values that the switch needs beside itself.
    """

    path: str
    default: bool
    on: frozenset[str]
    off: frozenset[str] = frozenset()
    given: Mapping[str, Any] = field(default_factory=dict)


def _hook(name: str) -> frozenset[str]:
    """A hook's Job and what comes with it."""
    job = f"gpu-operator-{name}"
    return frozenset(
        {
            f"Job/{job}",
            f"ServiceAccount/{job}-hook-sa",
            f"ClusterRole/{job}-hook-role",
            f"ClusterRoleBinding/{job}-hook-binding",
        }
    )


def _only(*names: str) -> frozenset[str]:
    return frozenset(names)


_DRA = charts.merged(
    charts.nested("clusterPolicy.deployCR", False),
    charts.nested("gpuCluster.deployCR", True),
    charts.nested("driver.nvidiaDriverCRD.enabled", True),
)
_TEMPLATES = charts.nested("crds.install", "templates")
_CREATE = {
    "devicePlugin": charts.nested("devicePlugin.config", {"name": "plugin", "data": {"one": "version: v1"}}),
    "migManager": charts.nested("migManager.config", {"name": "mig", "data": {"config.yaml": "version: v1"}}),
    "dcgmExporter": charts.nested("dcgmExporter.config", {"name": "metrics", "data": "A, gauge, a.\n"}),
}
_METRICS = charts.nested("operator.metrics.create", True)
_FILES = _only("ConfigMap/gpu-operator-upgrade-crd-hook-files")
_CRD = "CustomResourceDefinition"
_TEST = _only(*(f"{kind}/gpu-operator-test" for kind in ("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Pod")))
_ROLES = _only("ClusterRole/gpu-operator-view", "ClusterRole/gpu-operator-edit")

SWITCHES = (
    Switch("operator.upgradeCRD", True, _hook("upgrade-crd")),
    Switch("operator.cleanupCRD", False, _hook("cleanup-crd")),
    Switch("operator.serviceAccount.create", True, _only("ServiceAccount/gpu-operator")),
    Switch("operator.podDisruptionBudget.enabled", False, _only("PodDisruptionBudget/gpu-operator")),
    Switch("operator.networkPolicy.enabled", False, _only("NetworkPolicy/gpu-operator")),
    Switch("operator.metrics.create", False, _only("Service/gpu-operator-metrics", "ServiceMonitor/gpu-operator-metrics")),
    Switch("operator.metrics.serviceMonitor.enabled", True, _only("ServiceMonitor/gpu-operator-metrics"), given=_METRICS),
    Switch("clusterPolicy.deployCR", True, _only("ClusterPolicy/cluster-policy")),
    Switch(
        "gpuCluster.deployCR",
        False,
        _hook("cleanup-gpucluster") | _FILES | _only("GPUCluster/gpu-cluster"),
        given=charts.merged(_DRA, charts.nested("gpuCluster.deployCR", None)),
    ),
    Switch("driver.nvidiaDriverCRD.enabled", False, _only("NVIDIADriver/default")),
    Switch("platform.openshift", False, _only("SecurityContextConstraints/restricted-readonly")),
    Switch("nfd.nodefeaturerules", False, _only("NodeFeatureRule/nvidia-kernel-modules")),
    Switch("namespace.create", False, _only("Namespace/gpu")),
    Switch("userRoles.create", False, _ROLES),
    Switch("tests.enabled", True, _TEST),
    Switch("devicePlugin.config.create", False, _only("ConfigMap/plugin"), given=_CREATE["devicePlugin"]),
    Switch("migManager.config.create", False, _only("ConfigMap/mig"), given=_CREATE["migManager"]),
    Switch("dcgmExporter.config.create", False, _only("ConfigMap/metrics"), given=_CREATE["dcgmExporter"]),
    Switch("crds.clusterPolicies", True, _only(f"{_CRD}/clusterpolicies.nvidia.com"), given=_TEMPLATES),
    Switch("crds.nvidiaDrivers", True, _only(f"{_CRD}/nvidiadrivers.nvidia.com"), given=_TEMPLATES),
    Switch("crds.gpuClusters", True, _only(f"{_CRD}/gpuclusters.nvidia.com"), given=_TEMPLATES),
    Switch("crds.computeDomains", True, _only(f"{_CRD}/computedomains.resource.nvidia.com"), given=_TEMPLATES),
    Switch("crds.computeDomainCliques", True, _only(f"{_CRD}/computedomaincliques.resource.nvidia.com"), given=_TEMPLATES),
)  # fmt: skip


def _objects(chart: charts.Chart, switch: Switch, value: Any) -> set[str]:
    return set(chart.by_name(charts.merged(switch.given, charts.nested(switch.path, value))))


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.path)
def test_a_switch_adds_its_objects_and_no_others(gpu_operator: charts.Chart, switch: Switch) -> None:
    """Both sides, spelled both ways."""
    with_it = _objects(gpu_operator, switch, True)
    without = _objects(gpu_operator, switch, False)
    assert with_it - without == switch.on
    assert without - with_it == switch.off
    assert _objects(gpu_operator, switch, "true") == with_it
    assert _objects(gpu_operator, switch, "false") == without


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.path)
def test_what_nobody_says_is_the_default(newest: charts.Chart, switch: Switch) -> None:
    """Without the value, and with null for it, it is as if the default had been given."""
    default = _objects(newest, switch, switch.default)
    given = set(newest.by_name(switch.given))
    assert given == default


def test_without_the_operator_none_of_its_objects_is_left(newest: charts.Chart) -> None:
    """Whatever else is on."""
    values = charts.merged(
        *(charts.nested(path, True) for path in ("operator.cleanupCRD", "operator.metrics.create", "userRoles.create")),
        charts.nested("operator.podDisruptionBudget.enabled", True),
        charts.nested("operator.networkPolicy.enabled", True),
        charts.nested("platform.openshift", True),
        _TEMPLATES,
    )
    rendered = newest.objects(
        charts.merged(values, charts.nested("operator.enabled", "false"), charts.nested("cluster.os", "rhel9"))
    )
    mine = {f"Namespace/{'gpu'}", *_TEST}
    assert {charts.identity(one) for one in rendered if one["metadata"]["name"].startswith("gpu-operator")} <= mine


def test_an_existing_account_gets_the_permissions(gpu_operator: charts.Chart) -> None:
    """`operator.serviceAccount` without create: the pod, the bindings and OpenShift's constraints name it."""
    values = {
        "operator": {"serviceAccount": {"create": "false", "name": "mine"}},
        "platform": {"openshift": True},
    }
    found = gpu_operator.by_name(values)
    assert charts.at(found["Deployment/gpu-operator"], "spec.template.spec.serviceAccountName") == "mine"
    for binding in ("ClusterRoleBinding/gpu-operator", "RoleBinding/gpu-operator"):
        assert found[binding]["subjects"] == [{"kind": "ServiceAccount", "name": "mine", "namespace": "gpu"}]
    assert found["SecurityContextConstraints/restricted-readonly"]["users"] == ["system:serviceaccount:gpu:mine"]
    assert not [
        name for name in found if name.startswith("ServiceAccount/") and "hook" not in name and "test" not in name
    ]


def test_a_created_account_has_its_name_and_annotations(gpu_operator: charts.Chart) -> None:
    """As cloud providers want them for workload identity."""
    values = charts.nested("operator.serviceAccount", {"name": "mine", "annotations": {"iam/role": "x", "n": 20260101}})
    assert gpu_operator.by_name(values)["ServiceAccount/mine"]["metadata"]["annotations"] == {
        "iam/role": "x",
        "n": "20260101",
    }


def test_more_replicas_than_one_are_led_and_spread(gpu_operator: charts.Chart) -> None:
    """Replicas, leader election, spread and a disruption budget by number or by share."""
    spread = [
        {
            "maxSkew": 1,
            "topologyKey": "kubernetes.io/hostname",
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app": "gpu-operator"}},
        }
    ]
    budget = {"enabled": True, "minAvailable": "50%"}
    values = {"operator": {"replicas": 2, "topologySpreadConstraints": spread, "podDisruptionBudget": budget}}
    found = gpu_operator.by_name(values)
    deployment = found["Deployment/gpu-operator"]["spec"]
    assert deployment["replicas"] == 2
    assert deployment["template"]["spec"]["topologySpreadConstraints"] == spread
    assert "--leader-elect" in charts.at(deployment, "template.spec.containers.0.args")
    selector = {"matchLabels": {"app": "gpu-operator", "app.kubernetes.io/component": "gpu-operator"}}
    assert found["PodDisruptionBudget/gpu-operator"]["spec"] == {"minAvailable": "50%", "selector": selector}
    budget = {"enabled": True}
    found = gpu_operator.by_name({"operator": {"podDisruptionBudget": budget}})
    assert found["PodDisruptionBudget/gpu-operator"]["spec"] == {"maxUnavailable": 1, "selector": selector}


def test_the_network_policy_is_for_the_operator_alone(gpu_operator: charts.Chart) -> None:
    """It selects the operator's pod and no hook, test or operand; an empty list closes a direction."""
    values = charts.nested("operator.networkPolicy", {"enabled": True, "ingress": None})
    found = gpu_operator.by_name(charts.merged(values, charts.nested("operator.cleanupCRD", True)))
    policy = found["NetworkPolicy/gpu-operator"]["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in policy
    assert {port["port"] for port in policy["egress"][0]["ports"]} == {53, 443, 6443}
    wanted = policy["podSelector"]["matchLabels"].items()
    selected = [
        name
        for name, one in found.items()
        for labels in [_pod_labels(one)]
        if labels is not None and wanted <= labels.items()
    ]
    assert selected == ["Deployment/gpu-operator"]


def _pod_labels(given: charts.Object) -> dict[str, str] | None:
    """The labels of the pods that an object is or makes; None for any other."""
    path = {
        "Pod": "metadata.labels",
        "Deployment": "spec.template.metadata.labels",
        "Job": "spec.template.metadata.labels",
    }
    found: dict[str, str] | None = charts.at(given, path[given["kind"]]) if given["kind"] in path else None
    return found


def test_the_service_monitor_finds_its_service(gpu_operator: charts.Chart) -> None:
    """Selector and port fit the Service, the Service the pod; settings and labels of the values arrive."""
    monitor = {"interval": "30s", "honorLabels": "true", "additionalLabels": {"release": "prometheus"}}
    found = gpu_operator.by_name({"operator": {"metrics": {"create": True, "serviceMonitor": monitor}}})
    service, made = found["Service/gpu-operator-metrics"], found["ServiceMonitor/gpu-operator-metrics"]
    assert made["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert made["spec"]["endpoints"] == [
        {"port": "metrics", "path": "/metrics", "interval": "30s", "honorLabels": True}
    ]
    assert made["spec"]["namespaceSelector"] == {"matchNames": ["gpu"]}
    assert made["metadata"]["labels"]["release"] == "prometheus"
    pod = found["Deployment/gpu-operator"]["spec"]["template"]
    assert service["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    ports = {port["name"] for port in pod["spec"]["containers"][0]["ports"]}
    assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports


def test_roles_for_people_look_or_change(gpu_operator: charts.Chart) -> None:
    """The view role only reads; both join Kubernetes' own roles unless told not to."""
    found = gpu_operator.by_name({"userRoles": {"create": True}})
    view, edit = found["ClusterRole/gpu-operator-view"], found["ClusterRole/gpu-operator-edit"]
    assert {verb for rule in view["rules"] for verb in rule["verbs"]} == {"get", "list", "watch"}
    assert view["metadata"]["labels"]["rbac.authorization.k8s.io/aggregate-to-view"] == "true"
    assert {key for key in edit["metadata"]["labels"] if "aggregate" in key} == {
        "rbac.authorization.k8s.io/aggregate-to-admin",
        "rbac.authorization.k8s.io/aggregate-to-edit",
    }
    found = gpu_operator.by_name({"userRoles": {"create": True, "aggregate": "false"}})
    assert not [key for one in found.values() for key in one["metadata"]["labels"] if "aggregate" in key]


def test_the_namespace_lets_operands_in(gpu_operator: charts.Chart) -> None:
    """Pod Security labels of the wanted level, kept when the release goes, the user's labels beside them."""
    values = {
        "namespace": {"create": "true", "labels": {"team": "x", "pod-security.kubernetes.io/enforce": "restricted"}}
    }
    made = gpu_operator.by_name(values)["Namespace/gpu"]
    levels = {
        key.rpartition("/")[2]: value for key, value in made["metadata"]["labels"].items() if "pod-security" in key
    }
    assert levels == {"enforce": "privileged", "audit": "privileged", "warn": "privileged"}
    assert made["metadata"]["labels"]["team"] == "x"
    assert charts.annotation(made, "helm.sh/resource-policy") == "keep"
    made = gpu_operator.by_name({"namespace": {"create": True, "podSecurity": "baseline"}})["Namespace/gpu"]
    assert made["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "baseline"
