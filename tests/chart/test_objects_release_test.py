"""The pod of `helm test` asks for what the values ask for."""

from __future__ import annotations

from typing import Any

import pytest
from support import charts

POD = "Pod/gpu-operator-test"
READY = "--for=jsonpath={.status.state}=ready"
DRIVER = charts.nested("driver.nvidiaDriverCRD.enabled", True)
DRA = charts.merged(DRIVER, {"clusterPolicy": {"deployCR": False}, "gpuCluster": {"deployCR": True}})
POLICY = ["clusterpolicies.nvidia.com/cluster-policy", READY]
NODES = ["nodes", "--selector=nvidia.com/gpu.deploy.device-plugin=true"]
GPU = r"--for=jsonpath={.status.allocatable.nvidia\.com/gpu}"
SLICES = ["resourceslices.resource.k8s.io", "--field-selector=spec.driver=gpu.nvidia.com"]
QUESTIONS: dict[str, tuple[dict[str, Any], list[list[str]]]] = {
    "default": ({}, [POLICY, [*NODES, GPU]]),
    "NVIDIADriver": (DRIVER, [POLICY, ["nvidiadrivers.nvidia.com/default", READY], [*NODES, GPU]]),
    "GPUCluster": (
        DRA,
        [
            ["nvidiadrivers.nvidia.com/default", READY],
            ["gpuclusters.nvidia.com/gpu-cluster", READY],
            [*SLICES, "--for=jsonpath={.spec.devices[0].name}"],
        ],
    ),
    "no device plugin": ({"devicePlugin": {"enabled": "false"}}, [POLICY]),
    "mixed MIG": ({"mig": {"strategy": "mixed"}}, [POLICY]),
    "mixed MIG and a resource": (
        {"mig": {"strategy": "mixed"}, "tests": {"resource": "nvidia.com/mig-1g.10gb"}},
        [POLICY, [*NODES, r"--for=jsonpath={.status.allocatable.nvidia\.com/mig-1g\.10gb}"]],
    ),
    "renamed": (
        {"tests": {"resource": "nvidia.com/gpu.shared"}},
        [POLICY, [*NODES, r"--for=jsonpath={.status.allocatable.nvidia\.com/gpu\.shared}"]],
    ),
    "no operator": ({"operator": {"enabled": False}, "cluster": {"os": "rhel9"}}, [[*NODES, GPU]]),
}


@pytest.mark.parametrize("case", QUESTIONS)
def test_it_asks_what_the_values_ask_for(gpu_operator: charts.Chart, case: str) -> None:
    """Each question is a container of its own, with a name of its own, and waits as long as it is told."""
    values, questions = QUESTIONS[case]
    pod = gpu_operator.by_name(charts.merged(values, {"tests": {"timeout": "90s"}}))[POD]["spec"]
    assert [one["args"] for one in pod["containers"]] == [
        ["wait", *question, "--timeout=90s"] for question in questions
    ]
    names = [one["name"] for one in pod["containers"]]
    assert len(names) == len(set(names))
    assert pod["restartPolicy"] == "Never"


@pytest.mark.parametrize("case", QUESTIONS)
def test_it_may_ask_just_that(gpu_operator: charts.Chart, case: str) -> None:
    """Its role reads the kinds of its questions and no others."""
    values, questions = QUESTIONS[case]
    role = gpu_operator.by_name(values)["ClusterRole/gpu-operator-test"]
    granted = {
        f"{resource}.{group}".rstrip(".")
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }
    assert granted == {question[0].partition("/")[0] for question in questions}
    assert {verb for rule in role["rules"] for verb in rule["verbs"]} == {"get", "list", "watch"}


def test_with_nothing_to_ask_there_is_no_test(gpu_operator: charts.Chart) -> None:
    """A pod without a container would not be one."""
    values = {"clusterPolicy": {"deployCR": False}, "devicePlugin": {"enabled": False}}
    assert not [name for name in gpu_operator.by_name(values) if name.endswith("/gpu-operator-test")]


def test_it_pulls_from_the_mirror_with_its_credentials(gpu_operator: charts.Chart) -> None:
    """The one image that is not among those of the operands."""
    values = {
        "global": {"imageRegistry": "mirror.example.com", "imagePullSecrets": ["all"]},
        "tests": {"version": "sha256:" + "b" * 64, "imagePullSecrets": [{"name": "own"}]},
    }
    pod = gpu_operator.by_name(values)[POD]["spec"]
    assert {one["image"] for one in pod["containers"]} == {f"mirror.example.com/kubectl@sha256:{'b' * 64}"}
    assert pod["imagePullSecrets"] == [{"name": "own"}, {"name": "all"}]
