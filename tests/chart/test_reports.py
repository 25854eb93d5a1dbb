"""What users of charts like this one reported: a test named after each kind of fault, or the place where it is tested.

``tests/data/reports.yaml`` is the table. Reports that need a cluster, a node or a GPU to show are not in it.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from support import charts, judged
from support.judged import DRA, Rendered

from chartgen import yamlio

TABLE: list[dict[str, Any]] = yamlio.load((judged.ROOT / "tests" / "data" / "reports.yaml").read_text())
PROFILES = sorted((judged.ROOT / "values").glob("*.yaml"))
GPU_CLUSTER: dict[str, Any] = {
    "clusterPolicy": {"deployCR": False},
    "gpuCluster": {"deployCR": True},
    "driver": {"nvidiaDriverCRD": {"enabled": True}},
}


def resource(rendered: Rendered, kind: str, given: dict[str, Any], *flags: str) -> dict[str, Any]:
    """The spec of the one object of a kind."""
    specs = [one["spec"] for one in rendered.objects(given, *flags) if one["kind"] == kind]
    assert len(specs) == 1
    spec: dict[str, Any] = specs[0]
    return spec


def strings(tree: Any) -> list[str]:
    """All strings inside an object."""
    if isinstance(tree, str):
        return [tree]
    members = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return [found for member in members for found in strings(member)]


def nulls(tree: Any) -> int:
    """How many nulls are inside an object."""
    if tree is None:
        return 1
    members = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return sum(nulls(member) for member in members)


def test_the_table_is_whole() -> None:
    """Each report once, with tests that exist or a reason."""
    names = [row["report"] for row in TABLE]
    assert len(names) == len(set(names)) == 70
    assert [row["report"] for row in TABLE if not row.get("tests") and not row.get("not")] == []
    for row in TABLE:
        for test in row.get("tests", ()):
            path, _, name = test.rpartition("::")
            text = (judged.ROOT / (path or "tests/chart/test_reports.py")).read_text()
            assert re.search(rf"^def {name}\(", text, re.MULTILINE), test


def test_keys_of_a_sister_chart(rendered4: Rendered) -> None:
    """Keys of the exporter's own chart at the root are refused with the right place."""
    found = rendered4.refusals({"arguments": ["-f"], "serviceMonitor": {"enabled": True}, "customMetrics": "x"})
    assert [sentence.partition("; ")[2] for sentence in found] == [
        "did you mean dcgmExporter.args?",
        "did you mean dcgmExporter.serviceMonitor?",
        "did you mean dcgmExporter.config.data?",
    ]


@pytest.mark.parametrize("profile", PROFILES, ids=lambda path: path.stem)
def test_nothing_is_null_in_any_profile(rendered4: Rendered, profile: Any) -> None:
    """A strict API server refuses a null in a custom resource."""
    found = rendered4.objects(yamlio.load(profile.read_text()) or {}, "--api-versions", DRA)
    assert [charts.identity(one) for one in found if nulls(one)] == []


def test_empty_lists_leave_nothing_behind(rendered: Rendered) -> None:
    """No dummy entry is needed to get past an empty list, and none becomes null."""
    given = {"validator": {"plugin": {"env": []}}, "toolkit": {"env": []}, "driver": {"imagePullSecrets": []}}
    spec = resource(rendered, "ClusterPolicy", given)
    assert spec["validator"].get("plugin") in (None, {})
    assert not spec["toolkit"].get("env")
    assert nulls(spec) == 0
    assert "plugin" not in spec["validator"] or spec["validator"]["plugin"] is not None


def test_what_is_off_has_its_image(rendered: Rendered) -> None:
    """Somebody who switches it on in the resource later finds repository, image and version there."""
    spec = resource(rendered, "ClusterPolicy", {})
    for name in ("gds", "gdrcopy", "dcgm", "nodeStatusExporter"):
        assert spec[name]["enabled"] is False
        assert all(spec[name][key] for key in ("repository", "image", "version"))


def test_common_settings_reach_the_driver_resource(rendered: Rendered) -> None:
    """Labels, annotations, tolerations and priority class of all operands are those of the driver too."""
    common = {
        "labels": {"team": "x"},
        "annotations": {"a": "b"},
        "tolerations": [{"key": "a", "operator": "Exists"}],
        "priorityClassName": "important",
    }
    given = {"daemonsets": common, "driver": {"nvidiaDriverCRD": {"enabled": True}}}
    spec = resource(rendered, "NVIDIADriver", given)
    assert common["labels"].items() <= spec["labels"].items()
    assert {key: spec[key] for key in common if key != "labels"} == {
        key: value for key, value in common.items() if key != "labels"
    }


def test_side_containers_of_the_driver_resource(rendered: Rendered) -> None:
    """GDRCopy and GPUDirect Storage stand in it whole."""
    given = {
        "driver": {"nvidiaDriverCRD": {"enabled": True}, "kernelModuleType": "open"},
        "gdrcopy": {"enabled": True, "env": [{"name": "A", "value": "b"}], "version": "v2.6"},
        "gds": {"enabled": True, "version": "2.29.4"},
    }
    spec = resource(rendered, "NVIDIADriver", given)
    assert spec["gdrcopy"]["enabled"] is True
    assert spec["gdrcopy"]["version"] == "v2.6"
    assert spec["gdrcopy"]["env"] == [{"name": "A", "value": "b"}]
    assert spec["gds"]["version"] == "2.29.4"


def test_required_members_are_always_there(rendered: Rendered) -> None:
    """What CRDs require of a ClusterPolicy is written even when its values are cleared."""
    names = [
        "daemonsets",
        "dcgm",
        "dcgmExporter",
        "devicePlugin",
        "driver",
        "gfd",
        "nodeStatusExporter",
        "operator",
        "toolkit",
    ]
    assert set(names) <= set(resource(rendered, "ClusterPolicy", {}))
    cleared = dict.fromkeys(names) | {"operator": {"image": "i"}}
    assert set(names) <= set(resource(rendered, "ClusterPolicy", cleared))


def test_commands_are_plain() -> None:
    """No documented command has a flag that switches checks or hooks off, or a name that an upgrade cannot know."""
    pages = [judged.ROOT / "README.md", judged.CHART / "README.md", judged.CHART / "templates" / "NOTES.txt"]
    text = "\n".join(page.read_text() for page in pages)
    commands = re.findall(r"^\s*(?:\$ )?helm .*$", text, re.MULTILINE)
    assert commands
    for flag in ("--generate-name", "--no-hooks", "--disable-openapi-validation"):
        assert [command for command in commands if flag in command] == []


def test_crds_are_upgraded_by_default(rendered: Rendered) -> None:
    """By a hook, which can be switched off."""
    jobs = [one for one in rendered.objects({}) if one["kind"] == "Job"]
    hooks = [one["metadata"]["annotations"]["helm.sh/hook"] for one in jobs if "crd" in one["metadata"]["name"]]
    assert "pre-upgrade" in hooks
    found = rendered.objects({"operator": {"upgradeCRD": False}})
    assert "gpu-operator-upgrade-crd" not in [one["metadata"]["name"] for one in found]


def test_a_mirror_leaves_no_other_registry(rendered: Rendered) -> None:
    """With one setting, nothing names a public registry: operands, init containers, hooks, discovery and the test pod."""
    given: dict[str, Any] = {
        "global": {"imageRegistry": "mirror.example.com"},
        "gds": {"enabled": True},
        "gdrcopy": {"enabled": True},
        "sandboxWorkloads": {"enabled": True},
        "operator": {"cleanupCRD": True},
    }
    for values, flags in (
        (given, ()),
        (charts.merged(GPU_CLUSTER, {"global": given["global"]}), ("--api-versions", DRA)),
    ):
        found = [one for one in rendered.objects(values, *flags) if one["kind"] != "CustomResourceDefinition"]
        public = re.compile(r"(^|[^a-z.])(nvcr\.io|registry\.k8s\.io|ghcr\.io|docker\.io|quay\.io)/")
        assert [text for one in found for text in strings(one) if public.search(text)] == []


def test_certificates_say_what_they_are_for() -> None:
    """They are for package mirrors, and not for the registry, which the node has to trust."""
    (description,) = (field.description for field in judged.schema().walk() if field.path == "driver.certConfig.name")
    assert "package mirror" in description


def test_keys_of_the_subchart_are_shown() -> None:
    """The parent's values.yaml has the keys that its users need."""
    values = yamlio.load((judged.CHART / "values.yaml").read_text())
    worker = values["node-feature-discovery"]["worker"]
    assert {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"} in worker["tolerations"]


def test_the_operator_pod_can_be_hardened(rendered: Rendered) -> None:
    """Security contexts and DNS settings are values, and by default it does not run as root."""
    given = {
        "operator": {
            "securityContext": {"readOnlyRootFilesystem": True},
            "podSecurityContext": {"fsGroup": 1},
            "dnsConfig": {"nameservers": ["10.96.0.10"]},
        }
    }
    pods = []
    for values in ({}, given):
        found = rendered.objects(values)
        (deployment,) = (one for one in found if charts.identity(one) == "Deployment/gpu-operator")
        pods.append(deployment["spec"]["template"]["spec"])
    untouched, pod = pods
    assert untouched["securityContext"]["runAsNonRoot"] is True
    assert pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"] is True
    assert pod["securityContext"]["fsGroup"] == 1
    assert pod["dnsConfig"] == {"nameservers": ["10.96.0.10"]}


def test_a_quota_can_come_along(rendered: Rendered) -> None:
    """Where system classes need a ResourceQuota, the release brings it."""
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "gpu-operator-quota", "namespace": "{{ .Release.Namespace }}"},
        "spec": {"hard": {"pods": "100"}},
    }
    found = rendered.objects({"extraObjects": [quota]})
    assert next(one["metadata"] for one in found if one["kind"] == "ResourceQuota")["name"] == "gpu-operator-quota"


def test_node_selectors_are_told_what_to_do(rendered4: Rendered) -> None:
    """Operands are kept off a node by its label; a selector in the values is refused with that."""
    for key in ("nodeSelector", "daemonsets.nodeSelector", "daemonsets.affinity"):
        (sentence,) = rendered4.refusals(judged.nested({key: {"pool": "gpu"}}))
        assert "nvidia.com/gpu.deploy.operands=false" in sentence


def test_driver_settings_move_with_the_switch(rendered: Rendered) -> None:
    """The same values fill the ClusterPolicy's driver section or the NVIDIADriver."""
    settings = {
        "version": "580.95.05",
        "kernelModuleType": "open",
        "env": [{"name": "A", "value": "b"}],
        "secretEnv": "tokens",
        "kernelModuleConfig": {"name": "params"},
        "certConfig": {"name": "certs"},
    }
    policy = resource(rendered, "ClusterPolicy", {"driver": settings})["driver"]
    driver = resource(rendered, "NVIDIADriver", {"driver": {**settings, "nvidiaDriverCRD": {"enabled": True}}})
    for key, value in settings.items():
        assert policy[key] == driver[key] == value


@pytest.mark.parametrize(
    ("profile", "names", "place"),
    [
        ("k3s", {"CONTAINERD_CONFIG", "CONTAINERD_SOCKET"}, "/var/lib/rancher/k3s"),
        ("rke2", {"CONTAINERD_CONFIG", "CONTAINERD_SOCKET", "RUNTIME_CONFIG_SOURCE"}, "/var/lib/rancher/rke2"),
        ("microk8s", {"CONTAINERD_CONFIG", "CONTAINERD_SOCKET"}, "/var/snap/microk8s"),
        ("k0s", {"CONTAINERD_SOCKET"}, "/run/k0s"),
    ],
)
def test_distributions_have_a_profile(rendered: Rendered, profile: str, names: set[str], place: str) -> None:
    """Where their containerd keeps its files, without editing a DaemonSet."""
    given = yamlio.load((judged.ROOT / "values" / f"{profile}.yaml").read_text())
    env = resource(rendered, "ClusterPolicy", given)["toolkit"]["env"]
    assert names <= {one["name"] for one in env}
    assert [one for one in env if place in one["value"]]


def test_metrics_of_ones_own(rendered: Rendered) -> None:
    """A list in the values becomes the file that the exporter reads."""
    rows = "DCGM_FI_DEV_GPU_UTIL, gauge, GPU utilization (in %).\n"
    given = {"dcgmExporter": {"config": {"create": True, "name": "metrics", "data": rows}}}
    found = [one for one in rendered.objects(given) if charts.identity(one) == "ConfigMap/metrics"]
    assert [one["data"] for one in found] == [{"dcgm-metrics.csv": rows}]
    assert resource(rendered, "ClusterPolicy", given)["dcgmExporter"]["config"] == {"name": "metrics"}


def test_labels_for_the_monitor(rendered: Rendered) -> None:
    """Prometheus selects monitors by label, without a fork of the chart."""
    given = {"dcgmExporter": {"serviceMonitor": {"additionalLabels": {"release": "prometheus"}}}}
    monitor = resource(rendered, "ClusterPolicy", given)["dcgmExporter"]["serviceMonitor"]
    assert monitor["additionalLabels"] == {"release": "prometheus"}
