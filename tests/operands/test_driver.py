"""The driver: pools of nodes, the script of its startup probe run by a shell, and the digest that spares a reinstall."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from operands import golden

from chartgen import yamlio
from chartgen.components.operands import driver_digest, driver_startup_probe
from chartgen.schema import loader
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator

ROOT = Path(__file__).resolve().parents[2]
DIGESTS: dict[str, str] = yamlio.load((ROOT / "tests" / "data" / "driver-digests.yaml").read_text())
CASES = {case.name: case for case in golden.cases("driver")}
NAME = "nvidia-driver-daemonset"


@pytest.fixture(scope="module")
def schema() -> Schema:
    """The schema of the chart."""
    return loader.load(ROOT / "schemas")


def drivers(schema: Schema, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The driver's DaemonSets for some values."""
    base = golden.values_for(CASES["baseline"], schema)
    evaluator = Evaluator(Index.of(schema), Context(golden.merged(base, values)))
    (document,) = golden.documents("driver")
    return [found for found in evaluator.repeated(document) if found is not None]


def image(daemonset: dict[str, Any]) -> str:
    """The image of the driver's container."""
    return str(daemonset["spec"]["template"]["spec"]["containers"][0]["image"])


@pytest.mark.parametrize("nodes", [{}, {"nodePools": []}, {"nodePools": None}])
def test_nodes_that_are_alike_have_one_driver(schema: Schema, nodes: dict[str, Any]) -> None:
    """Under its plain name."""
    (found,) = drivers(schema, {"cluster": nodes})
    assert found["metadata"]["name"] == NAME
    assert found["spec"]["template"]["spec"]["nodeSelector"] == {"nvidia.com/gpu.deploy.driver": "true"}


def test_each_pool_has_a_driver_of_its_own(schema: Schema) -> None:
    """For its nodes and its system, with pods that no other driver takes for its own."""
    pools = [
        {"name": "a", "nodeSelector": {"pool": "a", "n": 1}, "os": "rhel9.4"},
        {"name": "b", "nodeSelector": {"pool": "b", "nvidia.com/gpu.deploy.driver": "no"}, "os": "ubuntu24.04"},
    ]
    first, second = drivers(schema, {"cluster": {"nodePools": pools}})
    assert [found["metadata"]["name"] for found in (first, second)] == [f"{NAME}-a", f"{NAME}-b"]
    assert image(first).endswith(":580.1-rhel9")
    assert image(second).endswith(":580.1-ubuntu24.04")
    selectors = [found["spec"]["template"]["spec"]["nodeSelector"] for found in (first, second)]
    assert selectors == [
        {"nvidia.com/gpu.deploy.driver": "true", "pool": "a", "n": "1"},
        {"nvidia.com/gpu.deploy.driver": "true", "pool": "b"},
    ]
    assert first["spec"]["selector"] != second["spec"]["selector"]
    for found in (first, second):
        assert (
            found["spec"]["selector"]["matchLabels"].items() <= found["spec"]["template"]["metadata"]["labels"].items()
        )
    # Red Hat's nodes have a subscription, and those of the other pool have none.
    volumes = [{volume["name"] for volume in one["spec"]["template"]["spec"]["volumes"]} for one in (first, second)]
    assert volumes[0] - volumes[1] == {"subscription-config-0", "subscription-config-1", "subscription-config-2"}


def test_a_pool_takes_the_rest_from_the_cluster(schema: Schema) -> None:
    """The kernel of those pools that name none."""
    pools = [
        {"name": "a", "nodeSelector": {"a": "a"}, "os": "ubuntu22.04"},
        {"name": "b", "nodeSelector": {"b": "b"}, "os": "ubuntu22.04", "kernelVersion": "6.8.0-1-aws"},
    ]
    values = {"driver": {"usePrecompiled": True}, "cluster": {"kernelVersion": "5.15.0-1-aws", "nodePools": pools}}
    found = drivers(schema, values)
    assert [one["metadata"]["name"] for one in found] == [
        f"{NAME}-5.15.0-1-aws-ubuntu22.04-a",
        f"{NAME}-6.8.0-1-aws-ubuntu22.04-b",
    ]


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        ("5.14.0-427.37.1.el9_4.x86_64", "5.14.0-427.37.1.el9.4"),
        ("5.14.0-427.37.1.el9_4.aarch64_64k", "5.14.0-427.37.1.el9.4"),
        ("6.8.0-1021-nvidia-64k", "6.8.0-1021-nvidia-64k"),
        ("5.15.0-105-GENERIC", "5.15.0-105-generic"),
    ],
)
def test_a_kernel_makes_a_name(schema: Schema, kernel: str, name: str) -> None:
    """Without the processor, which the image's own manifest knows; the label that selects nodes keeps the whole."""
    values = {"driver": {"usePrecompiled": True}, "cluster": {"kernelVersion": kernel}}
    (found,) = drivers(schema, values)
    assert found["metadata"]["name"] == f"{NAME}-{name}-ubuntu22.04"
    selector = found["spec"]["template"]["spec"]["nodeSelector"]
    assert selector["feature.node.kubernetes.io/kernel-version.full"] == kernel


@pytest.mark.parametrize(
    ("given", "system", "wanted"),
    [
        ({"repository": "r", "image": "driver", "version": "550"}, "ubuntu22.04", "r/driver:550-ubuntu22.04"),
        ({"repository": "r", "image": "driver", "version": 550}, "rhel9.4", "r/driver:550-rhel9"),
        ({"repository": "r", "image": "driver", "version": "550"}, "rhcos4.18", "r/driver:550-rhcos4.18"),
        ({"repository": "r", "image": "driver", "version": "550"}, "ol9.4", "r/driver:550-ol9"),
        ({"repository": "", "image": "r/driver:550", "version": ""}, "ubuntu22.04", "r/driver:550-ubuntu22.04"),
        ({"repository": "", "image": "r/driver@sha256:abc", "version": ""}, "ubuntu22.04", "r/driver@sha256:abc"),
        ({"repository": "r", "image": "driver", "version": "sha256:abc"}, "ubuntu22.04", "r/driver@sha256:abc"),
    ],
)
def test_a_tag_ends_in_the_operating_system(schema: Schema, given: dict[str, Any], system: str, wanted: str) -> None:
    """Of the distributions whose minor releases share a driver, in the major one alone; a digest is whole already."""
    (found,) = drivers(schema, {"driver": given, "cluster": {"os": system}})
    assert image(found) == wanted


@pytest.mark.parametrize("name", DIGESTS)
def test_digests_are_those_of_the_operator(schema: Schema, name: str) -> None:
    """Another digest would drain every node when one operator follows another."""
    values = golden.values_for(CASES[name], schema)
    (document,) = golden.documents("driver")
    daemonset = Evaluator(Index.of(schema), Context(values)).document(document)
    assert daemonset is not None
    pod = driver_digest.stamped(daemonset)["spec"]["template"]["spec"]
    found = {
        container["name"]: variable["value"]
        for container in (*pod["initContainers"], *pod["containers"])
        for variable in container.get("env", [])
        if variable["name"] == driver_digest.NAME
    }
    toolkit = {"openshift-driver-toolkit-ctr"} if "toolkit" in name else set()
    assert found == dict.fromkeys({"k8s-driver-manager", "nvidia-driver-ctr"} | toolkit, DIGESTS[name])


@pytest.mark.parametrize(
    ("values", "same"),
    [
        ({"driver": {"resources": {"limits": {"cpu": 1}}}}, True),
        ({"driver": {"startupProbe": {"failureThreshold": 9}}, "daemonsets": {"labels": {"a": "b"}}}, True),
        ({"driver": {"version": "580.2"}}, False),
        ({"driver": {"env": [{"name": "A", "value": "b"}]}}, False),
        ({"gds": {"enabled": True, "repository": "r", "image": "gds", "version": "1"}}, False),
        ({"cluster": {"os": "ubuntu24.04"}}, False),
        ({"driver": {"usePrecompiled": True}, "cluster": {"kernelVersion": "6.8"}}, False),
    ],
)
def test_the_chart_has_a_digest_too(schema: Schema, values: dict[str, Any], *, same: bool) -> None:
    """It changes with what is installed, and not with how the container runs."""
    found = [
        [
            one["value"]
            for one in driver["spec"]["template"]["spec"]["containers"][0]["env"]
            if one["name"] == driver_digest.NAME
        ]
        for driver in (*drivers(schema, {}), *drivers(schema, values))
    ]
    assert (found[0] == found[1]) is same


def probed(folder: Path, *, loaded: bool, status: str | None, answers: bool, env: dict[str, str]) -> tuple[bool, str]:
    """Whether the script succeeds, and what it leaves for the validator."""
    validations, module = folder / "validations", folder / "refcnt"
    if loaded:
        module.write_text("1\n")
    if status is not None:
        validations.mkdir()
        (validations / ".driver-daemons-status").write_text(status)
    program = folder / "nvidia-smi"
    program.write_text(f"#!/bin/sh\nexit {0 if answers else 9}\n")
    program.chmod(stat.S_IRWXU)
    text = driver_startup_probe.config_map().tree["data"]["startup-probe.sh"]
    moved = (
        str(text).replace("/run/nvidia/validations", str(validations)).replace("/sys/module/nvidia/refcnt", str(module))
    )
    path = f"{folder}{os.pathsep}{os.defpath}"
    ran = subprocess.run(
        ["/bin/sh", "-c", moved], env={"PATH": path, **env}, capture_output=True, check=False, timeout=60
    )
    left = validations / ".driver-ctr-ready"
    assert not (validations / ".driver-ctr-ready.tmp").exists()
    return ran.returncode == 0, left.read_text() if left.exists() else ""


@pytest.mark.parametrize("status", [None, "Ready", "Ready\n"])
@pytest.mark.parametrize(
    ("env", "features"),
    [({}, ("false", "false", "false")), ({"GDS_ENABLED": "true", "GDRCOPY_ENABLED": ""}, ("false", "true", "false"))],
)
def test_the_probe_tells_what_the_driver_has(
    status: str | None, env: dict[str, str], features: tuple[str, str, str], tmp_path: Path
) -> None:
    """Once the module is loaded, the daemons are ready (where there are any) and the driver answers."""
    copies, storage, network = features
    wanted = f"GDRCOPY_ENABLED: {copies}\nGDS_ENABLED: {storage}\nGPU_DIRECT_RDMA_ENABLED: {network}\n"
    assert probed(tmp_path, loaded=True, status=status, answers=True, env=env) == (True, wanted)


@pytest.mark.parametrize(
    ("loaded", "status", "answers"),
    [(False, None, True), (True, "Starting", True), (True, "", True), (True, "Ready", False)],
)
def test_the_probe_fails_until_then(tmp_path: Path, status: str | None, *, loaded: bool, answers: bool) -> None:
    """And leaves nothing behind that somebody could take for a driver."""
    assert probed(tmp_path, loaded=loaded, status=status, answers=answers, env={}) == (False, "")
