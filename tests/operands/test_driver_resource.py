"""Without an operator nothing acts on an NVIDIADriver: the chart makes the driver that the default one would be."""

from __future__ import annotations

from typing import Any

import pytest
from support import charts, judged

from chartgen.components import chart, validations
from chartgen.tree.context import Context

STATIC: dict[str, Any] = {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}}
RESOURCE = charts.merged(STATIC, {"driver": {"nvidiaDriverCRD": {"enabled": True}}})
_SOME_POOL: dict[str, Any] = {"default": False, "nodeSelector": {"pool": "a"}}
_AFFINITY = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {}}]}
# Each member of driver.nvidiaDriverCRD: values that it takes, and what comes of them.
SETTINGS: dict[str, tuple[dict[str, Any], str]] = {
    "enabled": ({"enabled": False, **_SOME_POOL}, "changes objects"),
    "deployDefaultCR": ({"deployDefaultCR": False}, "changes objects"),
    "nodeSelector": (_SOME_POOL, "changes objects"),
    "nodeAffinity": ({"nodeAffinity": _AFFINITY}, "is told"),
    "driverType": ({"driverType": "vgpu-host-manager"}, "is told"),
    # It is for a choice among several, and there is one.
    "default": ({"default": False}, "is without effect"),
}


def driver(**members: Any) -> dict[str, Any]:
    """Values with members of driver.nvidiaDriverCRD."""
    return charts.merged(RESOURCE, {"driver": {"nvidiaDriverCRD": members}})


def objects(given: dict[str, Any]) -> list[dict[str, Any]]:
    """All objects of a release."""
    return chart.objects(judged.schema(), judged.context(given))


def pod(given: dict[str, Any]) -> dict[str, Any]:
    """The spec of the driver's pods."""
    (found,) = (one for one in objects(given) if one["metadata"]["name"] == "nvidia-driver-daemonset")
    spec: dict[str, Any] = found["spec"]["template"]["spec"]
    return spec


def told(context: Context) -> list[str]:
    """What is refused or warned of."""
    return [*validations.refused(judged.schema(), context), *validations.warned(judged.schema(), context)]


def test_every_setting_is_looked_at() -> None:
    """A new one needs an entry here."""
    children = next(field for field in judged.schema().walk() if field.path == "driver.nvidiaDriverCRD").children
    assert {child.name for child in children} == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_no_setting_is_ignored_in_silence(name: str) -> None:
    """It changes an object, or a sentence says that it does not, with the way out."""
    members, outcome = SETTINGS[name]
    before = driver(**_SOME_POOL) if name == "enabled" else RESOURCE
    changed = objects(driver(**members)) != objects(before)
    assert changed is (outcome == "changes objects")
    said = [one for one in told(judged.context(driver(**members))) if f"driver.nvidiaDriverCRD.{name}" in one]
    assert bool(said) is (outcome == "is told" or name == "deployDefaultCR")


def test_it_serves_the_nodes_that_the_resource_would() -> None:
    """Those of the selector, and of the pool where there are pools."""
    labels = {"nvidia.com/gpu.deploy.driver": "true", "pool": "a"}
    assert pod(driver(**_SOME_POOL))["nodeSelector"] == labels
    assert pod(driver())["nodeSelector"] == {"nvidia.com/gpu.deploy.driver": "true"}
    pools = {"nodePools": [{"name": "x", "nodeSelector": {"x": "y"}, "os": "rhel9"}]}
    found = objects(charts.merged(driver(**_SOME_POOL), {"cluster": pools}))
    (daemonset,) = (one for one in found if one["metadata"]["name"] == "nvidia-driver-daemonset-x")
    assert daemonset["spec"]["template"]["spec"]["nodeSelector"] == {**labels, "x": "y"}


def test_arguments_follow_those_of_the_image() -> None:
    """As on an NVIDIADriver; on a ClusterPolicy they stand in their place."""
    given = {"driver": {"args": ["--debug"]}}
    assert pod(charts.merged(RESOURCE, given))["containers"][0]["args"] == ["init", "--debug"]
    assert pod(charts.merged(STATIC, given))["containers"][0]["args"] == ["--debug"]
    assert pod(RESOURCE)["containers"][0]["args"] == ["init"]


def test_without_the_default_one_there_is_no_driver() -> None:
    """None of its objects is left, and the other operands stay."""
    gone = {charts.identity(one) for one in objects(RESOURCE)} - {
        charts.identity(one) for one in objects(driver(deployDefaultCR=False))
    }
    assert {"DaemonSet/nvidia-driver-daemonset", "ServiceAccount/nvidia-driver"} <= gone
    assert all("nvidia-driver" in name for name in gone)


@pytest.mark.parametrize("kind", ["gpu", "vgpu"])
def test_guests_have_the_same_driver(kind: str) -> None:
    """What is installed is in the image."""
    assert pod(driver(driverType=kind)) == pod(RESOURCE)
