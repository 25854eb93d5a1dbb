"""The API server has nothing to add to a custom resource of the chart, and nothing to refuse, whatever the values.

A resource that is stored as it was written shows no drift in a GitOps tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import charts, resources

from chartgen.harness import compare, strategies
from chartgen.schema.model import Field, Kind, Surface
from chartgen.tree import forms
from chartgen.tree.forms import Form


def _paths(surface: Surface) -> dict[str, Field]:
    """Every value that a resource depends on, objects included."""
    found = {field.path: field for field in resources.SCHEMA.walk() if field.surfaces.get(surface)}
    return {**found, "global": resources.INDEX.field("global"), "nameOverride": resources.INDEX.field("nameOverride")}


FIELDS = {surface: _paths(surface) for surface in Surface}
# What decides whether a resource is written; `resources.WRITTEN` holds it fixed.
SWITCHES = ("driver", "driver.enabled", "driver.nvidiaDriverCRD", "driver.nvidiaDriverCRD.enabled", "gpuCluster")
# The JSON Schema takes no null for a strict boolean, nor for a member of these: one of their members must be there.
INCOMPLETE = ("appArmorProfile.", "seccompProfile.", "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms")
ALL = [
    (surface, path)
    for surface, fields in FIELDS.items()
    for path, field in fields.items()
    if path not in SWITCHES and not field.type.strict and not any(part in path for part in INCOMPLETE)
]
IDS = [f"{surface.value}:{path}" for surface, path in ALL]


def _nulls(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, member in value.items():
            yield from _nulls(member, f"{path}.{key}")
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from _nulls(member, f"{path}[{number}]")
    elif value is None:
        yield path


def _faults(surface: Surface, values: Mapping[str, Any]) -> list[Any]:
    """What the API server would add to the resource or refuse in it, and where it is null."""
    found = resources.evaluated(surface, values)
    stored = resources.defaulted(resources.crd(surface), found)
    faults: list[Any] = list(compare.differences(found, stored))
    faults += [f"{error.instance_path}: {error.message}" for error in resources.validator(surface).iter_errors(found)]
    return faults + list(_nulls(found))


@pytest.mark.parametrize("surface", Surface)
def test_defaults_are_complete(surface: Surface) -> None:
    """With no value set."""
    assert _faults(surface, {}) == []


@pytest.mark.parametrize(("surface", "path"), ALL, ids=IDS)
def test_a_null_leaves_no_gap(surface: Surface, path: str) -> None:
    """Any value or object may be cleared; the JSON Schema takes that."""
    assert not list(resources.VALUES_SCHEMA.iter_errors(resources.merged(surface, charts.nested(path, None))))
    assert _faults(surface, charts.nested(path, None)) == []


@pytest.mark.parametrize("surface", Surface)
def test_all_nulls_at_once_leave_no_gap(surface: Surface) -> None:
    """Every top-level value cleared, and every leaf."""
    tops = {path: None for path in FIELDS[surface] if "." not in path and path not in SWITCHES}
    assert _faults(surface, tops) == []
    leaves: dict[str, Any] = {}
    for _, path in (case for case in ALL if case[0] is surface):
        if not FIELDS[surface][path].children:
            leaves = charts.merged(leaves, charts.nested(path, None))
    assert _faults(surface, leaves) == []


def _random_values(surface: Surface) -> st.SearchStrategy[dict[str, Any]]:
    """Up to some ten values that the JSON Schema takes, each at a place of its own."""
    leaves = [path for path, field in FIELDS[surface].items() if not field.children and path not in SWITCHES]
    one = st.sampled_from(leaves).flatmap(
        lambda path: strategies.nullable(FIELDS[surface][path].type).map(lambda value: charts.nested(path, value))
    )
    return st.lists(one, max_size=10).map(lambda found: charts.merged(*found))


@pytest.mark.parametrize("surface", Surface)
@given(data=st.data())
def test_random_values_leave_no_gap(surface: Surface, data: st.DataObject) -> None:
    """In any combination, odd strings and numbers included, as far as the JSON Schema lets them through."""
    values = data.draw(_random_values(surface))
    refused = list(resources.VALUES_SCHEMA.iter_errors(resources.merged(surface, values)))
    if not refused:
        assert _faults(surface, values) == []


def _of_form(surface: Surface, form: Form) -> list[tuple[Surface, str]]:
    return [
        (surface, path)
        for path, field in FIELDS[surface].items()
        if forms.form(field) is form and not field.children and not field.type.strict and path not in SWITCHES
    ]


def _named(cases: list[tuple[Surface, str]]) -> list[str]:
    return [f"{surface.value}:{path}" for surface, path in cases]


ENVS = [case for surface in Surface for case in _of_form(surface, Form.ENV)]
TEXTS = [case for surface in Surface for case in _of_form(surface, Form.TEXT)]
SWITCHED = [
    (surface, path)
    for surface in Surface
    for _, path in _of_form(surface, Form.BOOLEAN)
    if path != "operator.use_ocp_driver_toolkit"  # off is never written
]


def _arrives(surface: Surface, path: str, value: Any) -> Any:
    found = resources.evaluated(surface, charts.nested(path, value))
    return resources.lookup(found["spec"], resources.INDEX.field(path).surfaces[surface])


@pytest.mark.parametrize(("surface", "path"), ENVS, ids=_named(ENVS))
def test_numbers_and_booleans_in_an_environment_arrive_as_strings(surface: Surface, path: str) -> None:
    """Whatever YAML made of them; and of two with one name the later one's value counts."""
    given_ = [
        {"name": "A", "value": True},
        {"name": "B", "value": 20260101},
        {"name": "C", "value": "y"},
        {"name": "D"},
        {"name": "E", "value": None},
        {"name": "A", "value": 0},
    ]
    assert _arrives(surface, path, given_) == [
        {"name": "A", "value": "0"},
        {"name": "B", "value": "20260101"},
        {"name": "C", "value": "y"},
        {"name": "D"},
        {"name": "E"},
    ]


@pytest.mark.parametrize(("surface", "path"), TEXTS, ids=_named(TEXTS))
def test_a_number_for_a_version_arrives_as_a_string(surface: Surface, path: str) -> None:
    """The very digits, also of a large number that a template would write as 2.0260101e+07."""
    assert _arrives(surface, path, 20260101) == "20260101"
    assert _arrives(surface, path, 580.0) == "580"


@pytest.mark.parametrize(("surface", "path"), SWITCHED, ids=_named(SWITCHED))
def test_a_quoted_boolean_arrives_as_a_boolean(surface: Surface, path: str) -> None:
    """It means what it spells."""
    for quoted, value in (("true", True), ("false", False)):
        assert _arrives(surface, path, quoted) is value


def _components() -> list[str]:
    """Values with an image of their own that can be switched off."""
    return [
        field.path
        for field in resources.SCHEMA.walk()
        if {"enabled", "image"} <= set(field.type.properties)
        and field.type.properties["enabled"].surfaces.get(Surface.CLUSTER_POLICY)
    ]


def test_components_with_an_image_are_found() -> None:
    """So that the next test is about something."""
    assert {"driver", "toolkit", "devicePlugin", "dcgm", "gds", "vgpuManager", "ccManager"} <= set(_components())


@pytest.mark.parametrize("component", _components())
def test_a_component_that_is_off_keeps_its_image(component: str) -> None:
    """It may be switched on in the ClusterPolicy, by hand, without looking the image up."""
    policy = Surface.CLUSTER_POLICY
    spec = resources.evaluated(policy, charts.nested(f"{component}.enabled", False))["spec"]
    written = resources.lookup(spec, resources.INDEX.field(component).surfaces[policy])
    assert written["enabled"] is False
    for part in ("repository", "image", "version", "imagePullPolicy"):
        default = resources.INDEX.field(f"{component}.{part}").default
        if isinstance(default, str) and default:
            assert written[part] == default


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ({}, {"ClusterPolicy"}),
        ({"clusterPolicy": {"deployCR": False}}, set()),
        ({"clusterPolicy": {"deployCR": "false"}}, set()),
        ({"driver": {"nvidiaDriverCRD": {"enabled": True}}}, {"ClusterPolicy", "NVIDIADriver"}),
        ({"driver": {"nvidiaDriverCRD": {"enabled": True, "deployDefaultCR": False}}}, {"ClusterPolicy"}),
        ({"driver": {"enabled": False, "nvidiaDriverCRD": {"enabled": True}}}, {"ClusterPolicy"}),
        (resources.WRITTEN[Surface.GPU_CLUSTER], {"NVIDIADriver", "GPUCluster"}),
        ({"operator": {"enabled": False}, "cluster": {"os": "rhel9"}}, set()),
    ],
)
def test_which_resources_there_are(gpu_operator: charts.Chart, values: dict[str, Any], kinds: set[str]) -> None:
    """One of each kind at most, under its fixed name, and none where no operator runs."""
    names = {"ClusterPolicy": "cluster-policy", "NVIDIADriver": "default", "GPUCluster": "gpu-cluster"}
    found = {charts.identity(one) for one in gpu_operator.objects(values) if one["kind"] in names}
    assert found == {f"{kind}/{names[kind]}" for kind in kinds}


def test_every_kind_of_value_is_drawn() -> None:
    """The random values above cover each kind of field that resources have."""
    kinds = {field.type.kind for surface in Surface for field in FIELDS[surface].values() if not field.children}
    assert kinds == set(Kind) - {Kind.OBJECT, Kind.REFERENCE, Kind.ANY}
