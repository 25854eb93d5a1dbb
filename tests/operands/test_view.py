"""Values become a custom resource and values again, and lose nothing on the way.

So the operator, which has only the ClusterPolicy, makes the same operands as the chart without an operator.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from operands import golden

from chartgen import yamlio
from chartgen.components import custom_resources, view
from chartgen.components.chart import OPERANDS
from chartgen.emit import values as defaults
from chartgen.schema import loader
from chartgen.schema.model import Kind, Surface, Type
from chartgen.schema.paths import Index
from chartgen.tree.context import Context, lookup
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Value

SCHEMA = loader.load(Path(__file__).resolve().parents[2] / "schemas")
INDEX = Index.of(SCHEMA)
DEFAULTS = yamlio.load(defaults.emit(SCHEMA).text)
# With NVIDIADriver resources the ClusterPolicy leaves its own driver section idle. And one switch is on where the policy
# says nothing, and off by the chart's default, which therefore is never written.
ELSEWHERE = ("driver.nvidiaDriverCRD", "operator.use_ocp_driver_toolkit")
# The chart's ClusterPolicy tells by this label who made the operands; without an operator that is Helm.
MANAGED_BY = "app.kubernetes.io/managed-by"
# Facts of the cluster, and switches of the chart: no part of the policy. Nodes are not labelled by an operand.
FACTS = {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04", "labelNodes": False}}

SPECS = {surface: custom_resources.spec(SCHEMA, surface) for surface in Surface}
FIELDS = {
    surface: {
        field.path: field
        for field in SCHEMA.walk()
        if field.surfaces.get(surface)
        and not field.children
        and not field.deprecated
        and not field.path.startswith(ELSEWHERE)
    }
    for surface in Surface
}
_BY_NAME: dict[str, list[Any]] = {
    "env": [[{"name": "A", "value": "1"}, {"name": "B", "value": True}, {"name": "A", "value": 580}]],
    "imageVersion": ["v1", 580, "sha256:" + "a" * 64],
    "absolutePath": ["/a/b", "/a"],
    "percentOrCount": [1, "25%"],
    "pullSecrets": [["a", {"name": "b"}, "a"]],
    "relabelings": [[{"targetLabel": "x"}, {"action": "drop", "regex": "a"}]],
    "resources": [{"limits": {"cpu": 1, "memory": "1Gi"}}],
    "tolerations": [[{"operator": "Exists"}]],
}
_BY_KIND: dict[Kind, list[Any]] = {
    Kind.BOOLEAN: [True, False, "true", "false"],
    Kind.INTEGER: [1, 7],
    Kind.INT_OR_STRING: [1, "25%"],
    Kind.MAP: [{"a": "b"}, {"a": "b", "c": "1"}],
    Kind.STRING: ["word", "1"],
    Kind.ANY: [{"a": 1}],
}


def _samples(type_: Type) -> list[Any]:
    if type_.enum:
        return list(type_.enum)
    if type_.name in _BY_NAME:
        return _BY_NAME[type_.name]
    if type_.kind is Kind.LIST and type_.items is not None:
        return [[_samples(type_.items.type)[0]]]
    if type_.kind is Kind.OBJECT:
        return [{name: _samples(member.type)[0] for name, member in type_.properties.items()}]
    return _BY_KIND[type_.kind]


def _nested(chosen: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for path, value in chosen.items():
        *parents, name = path.split(".")
        level = values
        for parent in parents:
            level = level.setdefault(parent, {})
        level[name] = value
    return values


def _all(surface: Surface, number: int) -> dict[str, Any]:
    return {path: _samples(field.type)[number] for path, field in FIELDS[surface].items()}


@st.composite
def _given(draw: st.DrawFn, surface: Surface) -> dict[str, Any]:
    """Some fields of a custom resource, each with a value that its form allows."""
    paths = draw(st.lists(st.sampled_from(sorted(FIELDS[surface])), max_size=25, unique=True))
    return {path: draw(st.sampled_from(_samples(FIELDS[surface][path].type))) for path in paths}


def _evaluator(values: dict[str, Any]) -> Evaluator:
    return Evaluator(INDEX, Context(values, app_version="v26.7.0"))


def _spec(surface: Surface, values: dict[str, Any]) -> dict[str, Any]:
    spec = _evaluator(values).node(SPECS[surface])
    assert isinstance(spec, dict)
    spec.get("operator", {}).pop("use_ocp_driver_toolkit", None)
    return spec


def _seen(surface: Surface, spec: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """The values that stand behind a spec, without the label that only the ClusterPolicy has."""
    seen = view.values_of(copy.deepcopy(spec), SCHEMA, surface)
    if surface is Surface.CLUSTER_POLICY and MANAGED_BY not in (lookup(values, "daemonsets.labels") or {}):
        del seen["daemonsets"]["labels"][MANAGED_BY]
    return seen


def _reads(path: str, values: dict[str, Any]) -> Any:
    """What a tree reads at a field."""
    return _evaluator(values).node(Value(path))


@pytest.mark.parametrize("surface", Surface)
@given(st.data())
def test_no_value_is_lost(surface: Surface, data: st.DataObject) -> None:
    """Every value that is given reads the same from the spec that was made of it, and that makes the same spec."""
    _check_no_value_is_lost(surface, data.draw(_given(surface)))


@pytest.mark.parametrize("number", [0, -1])
@pytest.mark.parametrize("surface", Surface)
def test_no_value_is_lost_when_all_are_given(surface: Surface, number: int) -> None:
    """As above, with every field at once."""
    _check_no_value_is_lost(surface, _all(surface, number))


def _check_no_value_is_lost(surface: Surface, chosen: dict[str, Any]) -> None:
    values = golden.merged(DEFAULTS, _nested(chosen))
    spec = _spec(surface, values)
    seen = _seen(surface, spec, values)
    for path in chosen:
        assert _reads(path, seen) == _reads(path, values), path
    assert _spec(surface, seen) == spec


@given(_given(Surface.CLUSTER_POLICY))
@example({})
@example(_all(Surface.CLUSTER_POLICY, 0))
def test_the_policy_makes_the_same_operands(chosen: dict[str, Any]) -> None:
    """What the chart renders without an operator is what the operator makes of the chart's ClusterPolicy."""
    values = golden.merged(golden.merged(DEFAULTS, _nested(chosen)), FACTS)
    spec = _spec(Surface.CLUSTER_POLICY, values)
    seen = golden.merged(_seen(Surface.CLUSTER_POLICY, spec, values), FACTS)
    for manifest in OPERANDS:
        assert _evaluator(seen).objects(manifest) == _evaluator(values).objects(manifest), manifest.file


@pytest.mark.parametrize("surface", Surface)
def test_every_member_of_a_spec_has_a_value(surface: Surface) -> None:
    """The view knows a path for all that the tree of a custom resource writes."""
    spec = _spec(surface, golden.merged(DEFAULTS, _nested(_all(surface, 0))))
    seen = view.values_of(spec, SCHEMA, surface)
    for path, field in FIELDS[surface].items():
        written = lookup(spec, field.surfaces[surface])
        assert lookup(seen, path) == written is not None, path
