"""NOTES.txt: what it tells, when, and that it never fails or prints a null."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support import charts, helms, judged
from support.judged import DRA, Rendered

from chartgen import yamlio
from chartgen.components import validations
from chartgen.schema.model import Severity

RULES: dict[str, dict[str, Any]] = yamlio.load((judged.ROOT / "tests" / "data" / "rules.yaml").read_text())
WARNINGS = [rule for rule in judged.schema().rules if rule.severity is Severity.WARN]
RETIRED = [path for path, stray in judged.schema().strays.items() if stray.retired is not None]
TAINT = {"key": "dedicated", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}
DEFAULT = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
GPU_CLUSTER: dict[str, Any] = {
    "clusterPolicy": {"deployCR": False},
    "gpuCluster": {"deployCR": True},
    "driver": {"nvidiaDriverCRD": {"enabled": True}},
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chart, with NOTES.txt as an object."""
    return judged.with_notes(tmp_path_factory.mktemp("chart"))


@pytest.fixture(params=helms.MAJORS)
def either(request: pytest.FixtureRequest, copy: Path, tmp_path: Path) -> Rendered:
    """That copy under each Helm."""
    return Rendered(helms.find(request.param, tmp_path / "home"), tmp_path, copy)


@pytest.fixture
def newest(copy: Path, tmp_path: Path) -> Rendered:
    """That copy under the newest Helm."""
    return Rendered(helms.find(helms.MAJORS[0], tmp_path / "home"), tmp_path, copy)


def words(rendered: Rendered, given: dict[str, Any], *flags: str) -> str:
    """The notes on one line, so that wrapping does not matter."""
    return " ".join(judged.notes(rendered, given, *flags).split())


def test_defaults(either: Rendered) -> None:
    """Nothing to warn of, nothing switched off; how to watch it come up."""
    text = judged.notes(either, {})
    assert text.startswith("The GPU Operator v26.7.0 is installed in namespace gpu-operator (release gpu-operator")
    assert "kubectl label --overwrite namespace gpu-operator pod-security.kubernetes.io/enforce=privileged" in text
    assert "kubectl wait clusterpolicies.nvidia.com/cluster-policy --for=jsonpath='{.status.state}'=ready" in text
    assert "helm test gpu-operator -n gpu-operator" in text
    assert "driver, container toolkit, validator, device plugin" in text
    for heading in ("Switched off:", "Warnings:", "Values in use that are deprecated:"):
        assert heading not in text


def test_upgrade(newest: Rendered) -> None:
    """An upgrade is called one."""
    assert "is upgraded in namespace" in judged.notes(newest, {}, "--is-upgrade")


def test_what_is_switched_off(newest: Rendered) -> None:
    """With what it leaves to the nodes, quoted switches included."""
    text = words(newest, {"driver": {"enabled": "false"}, "toolkit": {"enabled": False}, "nfd": {"enabled": False}})
    assert "Switched off: * driver: the GPU nodes need one" in text
    assert "container toolkit: the container runtime of the GPU nodes" in text
    assert "kubectl get nodes -l feature.node.kubernetes.io/pci-10de.present=true" in text


def test_each_stack(newest: Rendered) -> None:
    """ClusterPolicy, NVIDIADriver and GPUCluster are watched where they are, and none is said to be none."""
    text = words(newest, GPU_CLUSTER, "--api-versions", DRA)
    assert "kubectl wait gpuclusters.nvidia.com/gpu-cluster" in text
    assert "kubectl wait nvidiadrivers.nvidia.com/default" in text
    assert "GPUCluster gpu-cluster rolls out: DRA driver, compute domains, DCGM exporter" in text
    assert "clusterpolicies" not in text
    nothing = words(newest, {"clusterPolicy": {"deployCR": False}})
    assert "There is neither a ClusterPolicy nor a GPUCluster" in nothing
    assert "kubectl wait" not in nothing
    assert "No operator runs" in words(newest, {"operator": {"enabled": False}, "driver": {"enabled": False}})


def test_who_labels_nodes_without_an_operator(newest: Rendered) -> None:
    """A rule does, by which another Node Feature Discovery labels nodes as well as the bundled one."""
    static = {"operator": {"enabled": False}, "driver": {"enabled": False}}
    foreign = charts.merged(static, {"nfd": {"enabled": False}})
    served = ("--api-versions", "nfd.k8s-sigs.io/v1alpha1")
    assert "kubectl get nodes -l nvidia.com/gpu.present=true" not in words(newest, static)
    text = words(newest, foreign, *served)
    assert "kubectl get nodes -l nvidia.com/gpu.present=true" in text
    assert "pci-10de" not in text
    assert "NodeFeatureRule" not in words(newest, charts.merged(foreign, {"cluster": {"labelNodes": False}}))


def test_how_a_driver_is_changed_without_an_operator(newest: Rendered) -> None:
    """Nobody drains nodes for it; with the operator, or with a driver of the nodes' own, there is nothing to say."""
    static = {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}}
    command = "kubectl delete pod -n gpu-operator -l app.kubernetes.io/component=nvidia-driver"
    assert command in words(newest, static)
    pods = [one for one in newest.objects(static) if one["metadata"]["name"] == "nvidia-driver-daemonset"]
    labels = [one["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"] for one in pods]
    assert labels == ["nvidia-driver"]
    assert command not in words(newest, charts.merged(static, {"driver": {"enabled": False}}))
    assert command not in words(newest, {})


def test_who_labels_the_namespace(newest: Rendered) -> None:
    """The command is gone where the operator, the chart or OpenShift sees to it."""
    for given in (
        {"psa": {"enabled": True}},
        {"namespace": {"create": True}},
        {"platform": {"openshift": True}},
        {"operator": {"enabled": False}, "cluster": {"os": "rhel9", "openshiftVersion": "4.18"}},
    ):
        assert "kubectl label --overwrite namespace" not in judged.notes(newest, given)
    assert "kubectl label --overwrite namespace" in judged.notes(
        newest, charts.merged(GPU_CLUSTER, {"psa": {"enabled": True}}), "-a", DRA
    )


def test_runtime_class(newest: Rendered) -> None:
    """Pods have to name it, or must not where there is none."""
    assert "creates the RuntimeClass other" in words(newest, {"operator": {"runtimeClass": "other"}})
    text = words(newest, {"cdi": {"nriPluginEnabled": True}})
    assert "there is no RuntimeClass: take runtimeClassName out" in text
    assert "creates the RuntimeClass" not in text


def test_objects_that_must_exist(newest: Rendered) -> None:
    """Each by kind, name, namespace and the value that names it; not those that the chart creates."""
    given = {
        "driver": {"secretEnv": "tokens", "certConfig": {"name": "certs"}},
        "devicePlugin": {"config": {"name": "sharing", "create": True, "data": {"a": "version: v1"}}},
        "migManager": {"config": {"name": "layouts"}},
    }
    text = words(newest, given)
    assert "Secret tokens in namespace gpu-operator has to exist (driver.secretEnv)" in text
    assert "ConfigMap certs in namespace gpu-operator has to exist (driver.certConfig.name)" in text
    assert "ConfigMap layouts in namespace gpu-operator has to exist (migManager.config.name)" in text
    assert "sharing" not in text


@pytest.mark.parametrize("rule", WARNINGS, ids=lambda rule: rule.name)
def test_warnings(newest: Rendered, rule: Any) -> None:
    """Each rule that warns is told while it holds, and Python says the same."""
    apis = RULES[rule.name].get("apis", ())
    flags = [word for api in apis for word in ("--api-versions", api)]
    given = judged.nested(RULES[rule.name]["holds"])
    assert rule.text in words(newest, given, *flags)
    assert rule.text in validations.warned(judged.schema(), judged.context(given, *apis))
    assert rule.text not in words(newest, judged.nested(RULES[rule.name]["passes"]), *flags)


@pytest.mark.parametrize(
    ("worker", "shared", "told"),
    [
        ([DEFAULT], [], True),
        ([DEFAULT, TAINT], [], False),
        ([DEFAULT], [TAINT], False),
        ([{"operator": "Exists"}], [], False),
        ([{"key": "dedicated", "operator": "Exists"}], [], False),
        ([DEFAULT, {**TAINT, "value": "other"}], [], True),
        ([DEFAULT, {**TAINT, "effect": "NoExecute"}], [], True),
        ([], None, True),
        (None, None, True),
    ],
)
def test_nodes_that_discovery_cannot_reach(newest: Rendered, worker: Any, shared: Any, told: bool) -> None:
    """A taint that operands tolerate and the workers do not leaves a node without labels."""
    given = {
        "daemonsets": {"tolerations": [DEFAULT, TAINT]},
        "node-feature-discovery": {"worker": {"tolerations": worker}},
        "global": {"tolerations": shared},
    }
    text = words(newest, given)
    assert ("operands tolerate dedicated=gpu:NoSchedule and the workers" in text) is told
    given["nfd"] = {"enabled": False}
    assert "and the workers of Node Feature Discovery do not" not in words(newest, given)


@pytest.mark.parametrize(
    ("given", "told"), [([TAINT], True), ([DEFAULT, TAINT], False), ([{"operator": "Exists"}], False), ([], True)]
)
def test_a_dropped_default_toleration(newest: Rendered, given: list[Any], told: bool) -> None:
    """A list of one's own replaces the default, and with it the entry for nvidia.com/gpu."""
    text = words(newest, {"daemonsets": {"tolerations": given}})
    assert ("the list given has no entry for nvidia.com/gpu:NoSchedule" in text) is told


def test_another_node_feature_discovery(newest: Rendered) -> None:
    """Told on a first installation into a cluster that has the API, and only while ours is on."""
    api = ["--api-versions", "nfd.k8s-sigs.io/v1alpha1"]
    sentence = "this cluster serves nfd.k8s-sigs.io"
    assert sentence in words(newest, {}, *api)
    assert "set nfd.enabled=false if there are more than ours" in words(newest, {}, *api)
    assert sentence not in words(newest, {})
    assert sentence not in words(newest, {}, *api, "--is-upgrade")
    assert sentence not in words(newest, {"nfd": {"enabled": False}}, *api)


def test_deprecated_values_in_use(newest: Rendered) -> None:
    """Named with what to do; not when they stand there with the default or empty."""
    given = {
        "operator": {"defaultRuntime": "docker"},
        "psp": {"enabled": False},
        "driver": {"useOpenKernelModules": True, "licensingConfig": {"configMapName": "x"}},
        "kataManager": {"repository": "nvcr.io/nvidia/cloud-native"},
        "validator": {"securityContext": {"privileged": True}},
    }
    text = words(newest, given)
    assert "operator.defaultRuntime: Deprecated since v1.9.0" in text
    assert "psp: Deprecated since" in text
    assert "true no longer forces the open ones. Use driver.kernelModuleType instead." in text
    assert "driver.licensingConfig.configMapName: Deprecated since v25.10.0" in text
    assert "kataManager: Deprecated since v26.3.0" in text
    assert "validator.securityContext: Deprecated since v1.11.0" in text
    unused = {"operator": {"defaultRuntime": ""}, "kataManager": {"enabled": "false", "env": []}, "psp": {}}
    assert "deprecated" not in words(newest, unused).lower()


def test_every_retired_key_is_told(newest: Rendered) -> None:
    """By its path."""
    text = words(newest, judged.nested({key: {"a": 1} for key in RETIRED}))
    assert [path for path in RETIRED if f"{path}: Deprecated since" not in text] == []


def cleared(tree: dict[str, Any], depth: int) -> dict[str, Any]:
    """Null for everything that has a default at a depth."""
    if depth == 1:
        return dict.fromkeys(tree)
    return {key: cleared(value, depth - 1) for key, value in tree.items() if isinstance(value, dict) and value}


def is_clean(text: str) -> bool:
    """No null and no value of Go's got into the text."""
    return re.search(r"<nil>|\bnull\b|%!|map\[|<no value>|e\+0\d", text) is None


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_nulls(either: Rendered, depth: int) -> None:
    """Null for all that has a default, level by level, neither fails nor prints."""
    defaults = yamlio.load((judged.CHART / "values.yaml").read_text())
    given = cleared(defaults, depth)
    # Helm itself reads this one; an operator needs an image.
    given["nfd"] = None
    given = charts.merged(given, {"operator": {"image": "gpu-operator", "repository": "r"}}) if depth > 1 else given
    if depth == 1:
        given = {
            key: value for key, value in given.items() if key not in ("operator", "validator", "nodeStatusExporter")
        }
    for owner in ("operator", "tests"):  # A seccomp profile without a type is none.
        if isinstance(given.get(owner), dict):
            given[owner].pop("podSecurityContext", None)
    done = either.run(given)
    if done.status and "These values cannot work" in done.stderr:
        pytest.skip("what is left cannot work, and is refused with its sentence")
    text = judged.notes(either, given)
    assert is_clean(text)


@pytest.mark.parametrize("key", sorted(yamlio.load((judged.CHART / "values.yaml").read_text())))
def test_a_top_level_null(newest: Rendered, key: str) -> None:
    """Null for one top-level value after the other."""
    done = newest.run({key: None})
    if done.status:
        assert "These values cannot work" in done.stderr
        return
    assert is_clean(judged.notes(newest, {key: None}))


def test_numbers_stay_numbers(newest: Rendered) -> None:
    """A version that YAML reads as a number is printed as it was written."""
    given = {"operator": {"version": 20260101}, "driver": {"version": 580, "nvidiaDriverCRD": {"enabled": True}}}
    text = words(newest, given)
    assert "The GPU Operator 20260101 is installed" in text
    assert "rolls out the driver 580." in text
    assert is_clean(text)


@pytest.mark.parametrize("case", [*RULES])
def test_every_case_is_clean(newest: Rendered, case: str) -> None:
    """Whatever renders has notes without a null."""
    flags = [word for api in RULES[case].get("apis", ()) for word in ("--api-versions", api)]
    assert is_clean(judged.notes(newest, judged.nested(RULES[case]["passes"]), *flags))
