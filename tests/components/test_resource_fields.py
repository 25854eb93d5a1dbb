"""Every field of every custom resource can be set through values, and arrives as it was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from support import charts, crd_tables, resources
from support.resources import Leaf

from chartgen.harness import compare
from chartgen.schema.model import Surface

LEAVES = [(surface, leaf) for surface in Surface for leaf in resources.leaves(surface)]
IDS = [f"{surface.value}:{leaf.path}" for surface, leaf in LEAVES]
# How many leaf fields there are: a number that only a change of the CRDs may change.
COUNTS = {Surface.CLUSTER_POLICY: 343, Surface.NVIDIA_DRIVER: 103, Surface.GPU_CLUSTER: 88}
TABLES = {
    Surface.CLUSTER_POLICY: "clusterpolicies",
    Surface.NVIDIA_DRIVER: "nvidiadrivers",
    Surface.GPU_CLUSTER: "gpuclusters",
}
# Fields that arrive as something else than they were given, and why.
ARRIVES_AS: Mapping[str, tuple[str, Any]] = {
    "clusterPolicy:daemonsets.labels": (
        "the chart's own label says who manages the operands",
        {"app.kubernetes.io/managed-by": "gpu-operator", "sample-key": "sample"},
    ),
}
# Fields that change more than themselves, and why.
CHANGES_MORE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "clusterPolicy:driver.useNvidiaDriverCRD": ("the policy's driver section lies idle then", ("driver.",)),
}
# Fields whose samples do not go together with the others', and why; each is set alone above.
KEPT_OUT: Mapping[str, str] = {
    "clusterPolicy:cdi.enabled": "the NRI plugin needs CDI",
    "clusterPolicy:toolkit.enabled": "the NRI plugin runs in the toolkit",
    "clusterPolicy:driver.usePrecompiled": "GDS and GDRCopy are compiled beside the driver",
    "nvidiaDriver:usePrecompiled": "GDS and GDRCopy are compiled beside the driver",
}


@dataclass(frozen=True)
class Setting:
    """A leaf, set to a sample.

    Attributes:
        values: what a user gives.
        arrives: what must stand at the leaf.
        beside: members that its parent demands, given along.
    """

    values: dict[str, Any]
    arrives: Any
    beside: tuple[str, ...]


def _setting(surface: Surface, leaf: Leaf) -> Setting:
    """A sample that differs from what is written by default; a map comes on top of the default."""
    default = resources.lookup(resources.baseline(surface), leaf.path)
    field = resources.fields(surface)[leaf.path]
    sample = resources.sample(field.type, default)
    values = charts.nested(field.path, sample)
    beside: list[str] = []
    parent = resources.INDEX.field(field.path.rpartition(".")[0]) if "." in field.path else field
    for name in set(parent.type.required) - {field.name}:
        member = parent.type.properties[name]
        values = charts.merged(values, charts.nested(member.path, resources.sample(member.type)))
        beside.append(member.surfaces[surface])
    arrives = charts.merged(default, sample) if isinstance(default, dict) else sample
    _, arrives = ARRIVES_AS.get(f"{surface.value}:{leaf.path}", ("", arrives))
    return Setting(values, arrives, tuple(beside))


@pytest.mark.parametrize("surface", Surface)
def test_the_number_of_fields(surface: Surface) -> None:
    """As counted by hand, and as in the table of the CRD."""
    table = crd_tables.expected_rows(
        yaml.safe_load((charts.ROOT / f"tests/data/crds/{TABLES[surface]}.yaml").read_text())
    )
    spec = {path.removeprefix("spec."): row for path, row in table.items() if path.startswith("spec.")}
    inner = {path.rpartition(".")[0] for path in spec}
    leaves = {path for path in spec if path not in inner and "[]" not in path and "{}" not in path}
    assert {leaf.path for leaf in resources.leaves(surface)} == leaves
    assert len(leaves) == COUNTS[surface]


@pytest.mark.parametrize(("surface", "leaf"), LEAVES, ids=IDS)
def test_a_field_is_reached_by_a_value(surface: Surface, leaf: Leaf) -> None:
    """The JSON Schema takes a value for it, it arrives unchanged, and the CRD takes the object."""
    setting = _setting(surface, leaf)
    values = resources.merged(surface, setting.values)
    assert [error.message for error in resources.VALUES_SCHEMA.iter_errors(values)] == []
    found = resources.evaluated(surface, setting.values)
    assert list(compare.differences(resources.lookup(found["spec"], leaf.path), setting.arrives)) == []
    assert [error.message for error in resources.validator(surface).iter_errors(found)] == []


@pytest.mark.parametrize(("surface", "leaf"), LEAVES, ids=IDS)
def test_a_field_changes_nothing_else(surface: Surface, leaf: Leaf) -> None:
    """But for defaults of the CRD that come with a parent which was not there before."""
    setting = _setting(surface, leaf)
    baseline = resources.baseline(surface)
    found = resources.evaluated(surface, setting.values)["spec"]
    own = (leaf.path, *setting.beside, *CHANGES_MORE.get(f"{surface.value}:{leaf.path}", ("", ()))[1])
    # What the API server would make of the default spec with this one field more.
    wanted: dict[str, Any] = dict(baseline)
    for path in (leaf.path, *setting.beside):
        wanted = charts.merged(wanted, charts.nested(path, resources.lookup(found, path)))
    wanted = resources.defaulted(resources.crd(surface)["properties"]["spec"], wanted)
    differing = {where for where, _, _ in compare.differences(wanted, found)}
    assert {where for where in differing if not where.startswith(own)} == set()


def test_exceptions_are_needed() -> None:
    """Each exception names a field that there is, and a reason."""
    reasons = {name: reason for name, (reason, _) in (*ARRIVES_AS.items(), *CHANGES_MORE.items())} | KEPT_OUT
    assert set(reasons) <= set(IDS)
    assert all(reasons.values())


def test_the_openshift_toolkit_is_switched_on_alone() -> None:
    """Off is the chart's default and never written: the operator would take it for the user's wish."""
    policy = Surface.CLUSTER_POLICY
    for value in (False, "false"):
        spec = resources.evaluated(policy, {"operator": {"use_ocp_driver_toolkit": value}})["spec"]
        assert "use_ocp_driver_toolkit" not in spec["operator"]


def _everything(surface: Surface) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values for all fields at once, and what must arrive."""
    values: dict[str, Any] = {}
    arrives: dict[str, Any] = {}
    for leaf in resources.leaves(surface):
        if f"{surface.value}:{leaf.path}" not in {**CHANGES_MORE, **KEPT_OUT}:
            setting = _setting(surface, leaf)
            values = charts.merged(setting.values, values)
            arrives[leaf.path] = setting.arrives
    return values, arrives


@pytest.mark.parametrize("surface", Surface)
def test_all_fields_at_once(surface: Surface) -> None:
    """None gets into another's way."""
    values, arrives = _everything(surface)
    spec = resources.evaluated(surface, values)["spec"]
    assert {path: resources.lookup(spec, path) for path in arrives} == arrives


@pytest.mark.parametrize("surface", Surface)
def test_helm_writes_all_fields_at_once(gpu_operator: charts.Chart, surface: Surface) -> None:
    """The same through the real program, with values checked by the JSON Schema and by the rules across fields."""
    values, arrives = _everything(surface)
    found = gpu_operator.by_name(charts.merged(values, resources.WRITTEN[surface]))
    (spec,) = [one["spec"] for name, one in found.items() if name.startswith(f"{resources.KINDS[surface]}/")]
    assert list(compare.differences({path: resources.lookup(spec, path) for path in arrives}, arrives)) == []
