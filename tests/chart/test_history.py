"""A copy of an old values.yaml, and what other charts and add-ons send, render.

``tests/data/history`` holds upstream's defaults of each release since v22.9.0, as far as they changed.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from support import charts, helms, judged
from support.judged import Rendered

from chartgen import yamlio
from chartgen.components import validations

DATA = judged.ROOT / "tests" / "data"
HISTORY: dict[str, Any] = yamlio.load((DATA / "history" / "values.yaml").read_text())
UPSTREAM: dict[str, Any] = yamlio.load((DATA / "values" / "upstream.yaml").read_text())
RELEASES: list[str] = HISTORY["releases"]
ABSENT = "(absent)"
# Node Feature Discovery's part of the old files, which its own chart has changed since.
OLD_DISCOVERY = {
    "enableNodeFeatureApi": True,
    "worker": {
        "serviceAccount": {"name": "node-feature-discovery", "create": False},
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        "config": {"sources": {"pci": {"deviceClassWhitelist": ["02", "0200", "0207", "0300", "0302"]}}},
    },
    "master": {"serviceAccount": {"name": "node-feature-discovery"}, "config": {"extraLabelNs": ["nvidia.com"]}},
}


def values_of(release: str) -> dict[str, Any]:
    """The whole values.yaml of a release."""
    flat = {path: value for path, value in UPSTREAM["defaults"].items() if path not in HISTORY["changes"]}
    for path, changes in HISTORY["changes"].items():
        for since, value in changes.items():
            if RELEASES.index(since) <= RELEASES.index(release):
                flat[path] = value
    present = {path: value for path, value in flat.items() if value != ABSENT}
    parents = {path for path in present for other in present if other.startswith(f"{path}.")}
    return judged.nested({path: value for path, value in present.items() if path not in parents})


@pytest.mark.parametrize("release", RELEASES)
def test_a_full_copy_renders(rendered4: Rendered, release: str) -> None:
    """Every release since v22.9.0, key for key."""
    given = charts.merged(values_of(release), {"node-feature-discovery": OLD_DISCOVERY})
    assert rendered4.refusals(given) == []
    assert validations.refused(judged.schema(), judged.context(given)) == []


@pytest.mark.parametrize("release", [RELEASES[0], "v24.9.2", "v25.10.1"])
def test_a_full_copy_is_honoured(rendered: Rendered, release: str) -> None:
    """What the file pins is what the ClusterPolicy says, under each Helm."""
    given = values_of(release)
    (policy,) = (one for one in rendered.objects(given) if one["kind"] == "ClusterPolicy")
    assert policy["spec"]["driver"]["version"] == given["driver"]["version"]
    assert policy["spec"]["toolkit"]["version"] == given["toolkit"]["version"]
    assert policy["spec"]["migManager"]["config"].get("name", "") == given["migManager"]["config"]["name"]


@pytest.mark.parametrize("release", [RELEASES[0], "v24.9.2", RELEASES[-1]])
def test_reused_values_lose_no_policy(tmp_path: Path, release: str) -> None:
    """``helm upgrade --reuse-values``: the defaults of the old chart stand where this one's were.

    What is missing then is the ClusterPolicy's switch, among others. Taken for off, the upgrade would delete the
    ClusterPolicy and with it every operand.
    """
    chart = tmp_path / "chart"
    shutil.copytree(judged.CHART, chart)
    (chart / "values.yaml").write_text(yamlio.dump(values_of(release)))
    found = Rendered(helms.find(helms.MAJORS[-1], tmp_path / "home"), tmp_path, chart).objects({})
    kinds = {one["kind"] for one in found}
    assert "ClusterPolicy" in kinds
    assert "GPUCluster" not in kinds
    pods = [one["spec"] for one in found if one["kind"] == "Pod"]
    assert all(container["image"] for pod in pods for container in pod["containers"])


def test_history_is_complete() -> None:
    """Keys that came and went are among the changes, or the copies above would not have them."""
    first = values_of(RELEASES[0])
    assert first["operator"]["defaultRuntime"] == "docker"
    assert first["psp"] == {"enabled": False}
    assert first["driver"]["rollingUpdate"] == {"maxUnavailable": "1"}
    assert values_of("v24.9.2")["driver"]["useOpenKernelModules"] is False
    assert values_of("v25.3.0")["cdi"]["default"] is False
    assert "initContainer" in values_of("v25.10.1")["operator"]
    assert "initContainer" not in values_of("v26.7.0")["operator"]


def test_quoted_switches_of_an_add_on(rendered: Rendered) -> None:
    """What MicroK8s sends: words for booleans, which a template takes for true."""
    given = {
        "operator": {"defaultRuntime": "containerd"},
        "driver": {"enabled": "false"},
        "toolkit": {
            "enabled": "true",
            "env": [
                {"name": "CONTAINERD_CONFIG", "value": "/var/snap/microk8s/current/args/containerd-template.toml"},
                {"name": "CONTAINERD_SOCKET", "value": "/var/snap/microk8s/common/run/containerd.sock"},
                {"name": "CONTAINERD_SET_AS_DEFAULT", "value": "1"},
            ],
        },
    }
    (policy,) = (one for one in rendered.objects(given) if one["kind"] == "ClusterPolicy")
    assert policy["spec"]["driver"]["enabled"] is False
    assert policy["spec"]["toolkit"]["enabled"] is True
    assert policy["spec"]["toolkit"]["env"] == given["toolkit"]["env"]


@pytest.mark.parametrize("major", helms.MAJORS)
@pytest.mark.parametrize("alias", ["", "gpu"])
def test_under_an_umbrella(tmp_path: Path, major: str, alias: str) -> None:
    """A parent's condition key, its globals and its values arrive, under an alias too."""
    umbrella = tmp_path / "umbrella"
    shutil.copytree(judged.CHART, umbrella / "charts" / "gpu-operator")
    facts = yamlio.load((judged.CHART / "Chart.yaml").read_text())
    name = alias or "gpu-operator"
    dependency = {"name": "gpu-operator", "version": facts["version"], "condition": f"{name}.enabled"}
    entry = dependency | ({"alias": alias} if alias else {})
    chart = {"apiVersion": "v2", "name": "umbrella", "version": "1.0.0", "dependencies": [entry]}
    (umbrella / "Chart.yaml").write_text(yamlio.dump(chart))
    shared = {"storageClass": "fast", "postgresql": {"auth": "x"}, "imageRegistry": "registry.example.com"}
    rendered = Rendered(helms.find(major, tmp_path / "home"), tmp_path, umbrella)
    own: dict[str, Any] = {"enabled": True, "nfd": {"enabled": False}, "driver": {"version": "580.95.05"}}

    found = rendered.objects({"global": shared, name: own})
    (policy,) = (one for one in found if one["kind"] == "ClusterPolicy")
    assert policy["spec"]["driver"]["version"] == "580.95.05"
    assert policy["spec"]["driver"]["repository"] == "registry.example.com/nvidia"
    assert not [one for one in found if "node-feature-discovery" in one["metadata"]["name"]]
    assert rendered.objects({name: {**own, "enabled": False}}) == []
    (sentence,) = rendered.refusals({name: {**own, "gpuCluster": {"enabled": True}}})
    assert sentence == "gpuCluster.enabled is not a value; did you mean gpuCluster.deployCR?"
