"""The custom resources: their CRDs' leaf fields, the values that reach them, and what the API server does to an object."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
from support import charts, crd_tables

from chartgen import yamlio
from chartgen.components import custom_resources
from chartgen.emit import crds
from chartgen.emit import jsonschema as values_schema
from chartgen.emit import values as defaults
from chartgen.harness import values
from chartgen.schema import loader
from chartgen.schema.model import Field, Kind, Schema, Surface, Type
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator

SCHEMA: Schema = loader.load(charts.ROOT / "schemas")
INDEX = Index.of(SCHEMA)
KINDS = {
    Surface.CLUSTER_POLICY: "ClusterPolicy",
    Surface.NVIDIA_DRIVER: "NVIDIADriver",
    Surface.GPU_CLUSTER: "GPUCluster",
}
# Values under which the chart writes a resource.
WRITTEN: Mapping[Surface, dict[str, Any]] = {
    Surface.CLUSTER_POLICY: {},
    Surface.NVIDIA_DRIVER: {"driver": {"nvidiaDriverCRD": {"enabled": True}}},
    Surface.GPU_CLUSTER: {
        "clusterPolicy": {"deployCR": False},
        "gpuCluster": {"deployCR": True},
        "driver": {"nvidiaDriverCRD": {"enabled": True}},
    },
}
CHART = values.Chart(
    name=str(SCHEMA.chart["name"]),
    version=str(SCHEMA.chart["version"]),
    app_version=str(SCHEMA.chart["appVersion"]),
    values=yamlio.load(defaults.emit(SCHEMA).text),
)
VALUES_SCHEMA = jsonschema_rs.validator_for(values_schema.emit(SCHEMA).text)
_MANIFESTS = dict(zip(KINDS, custom_resources.manifests(SCHEMA), strict=True))  # fmt: skip
_WORDS = ("sample", "/sample", "Sample", "7s", "7%", "7", "sample=7", "10.0.0.7:7", "v7.7", "sample.example.com/x")


@dataclass(frozen=True)
class Leaf:
    """A field of a CRD's spec below which the CRD names none.

    Attributes:
        path: dotted, below ``spec``.
        node: its schema.
    """

    path: str
    node: Mapping[str, Any]


def _leaves(node: Mapping[str, Any], path: str = "") -> Iterator[Leaf]:
    if not node.get("properties"):
        yield Leaf(path, node)
    for name, member in node.get("properties", {}).items():
        yield from _leaves(member, f"{path}.{name}" if path else name)


@functools.cache
def _crds() -> dict[str, dict[str, Any]]:
    """Kind -> the schema of its whole object."""
    documents = [yamlio.load(file.text) for file in crds.emit(SCHEMA)]
    return {document["spec"]["names"]["kind"]: crd_tables.root(document) for document in documents}


@functools.cache
def crd(surface: Surface) -> dict[str, Any]:
    """The schema of a resource's whole object."""
    return _crds()[KINDS[surface]]


@functools.cache
def leaves(surface: Surface) -> tuple[Leaf, ...]:
    """Every leaf of a resource's spec."""
    return tuple(_leaves(crd(surface)["properties"]["spec"]))


@functools.cache
def fields(surface: Surface) -> dict[str, Field]:
    """Where a resource has them -> the fields of values that live there; of two spellings the one that is not deprecated."""
    ordered = sorted(SCHEMA.walk(), key=lambda field: field.deprecated is None)
    found = {field.surfaces.get(surface): field for field in ordered}
    return {path: field for path, field in found.items() if path}


@functools.cache
def validator(surface: Surface) -> jsonschema_rs.Validator:
    """Judges an object by the CRD, and refuses fields that the API server would drop."""
    return jsonschema_rs.validator_for(_closed(crd(surface)))


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    found = {key: _closed(member) for key, member in node.items()}
    if isinstance(node.get("properties"), dict) and node.get("type") == "object":
        found["additionalProperties"] = False
        if node["properties"].keys() >= {"apiVersion", "kind", "metadata"}:
            found["properties"]["metadata"] = {"type": "object"}
    return found


def defaulted(node: Mapping[str, Any], value: Any) -> Any:
    """What the API server stores: the value with the CRD's defaults for members that are missing."""
    if isinstance(value, dict):
        filled = dict(value)
        for name, member in node.get("properties", {}).items():
            if name not in filled and "default" in member:
                filled[name] = copy.deepcopy(member["default"])
        members = node.get("properties", {})
        others = node.get("additionalProperties", {})
        return {name: defaulted(members.get(name, others), member) for name, member in filled.items()}
    if isinstance(value, list):
        return [defaulted(node.get("items", {}), item) for item in value]
    return value


def merged(surface: Surface, given: Mapping[str, Any]) -> dict[str, Any]:
    """The chart's values with those that switch a resource on, and with a user's on top; nulls as Helm takes them."""
    return values.coalesce(CHART, charts.merged(WRITTEN[surface], given), helm_major=4)


def evaluated(surface: Surface, given: Mapping[str, Any]) -> dict[str, Any]:
    """The resource that the chart writes for a user's values."""
    context = Context(merged(surface, given), app_version=CHART.app_version)
    (found,) = Evaluator(INDEX, context).objects(_MANIFESTS[surface])
    return found


@functools.cache
def baseline(surface: Surface) -> dict[str, Any]:
    """The spec of the resource that the chart writes by default."""
    spec = evaluated(surface, {})["spec"]
    assert isinstance(spec, dict)
    return spec


def lookup(tree: Any, path: str) -> Any:
    """What stands at a dotted path; None when nothing does."""
    for name in path.split("."):
        tree = tree.get(name) if isinstance(tree, Mapping) else None
    return tree


def sample(type_: Type, not_: Any = None) -> Any:
    """A value of a type that is another than `not_`."""
    match type_.kind:
        case _ if type_.enum:
            return next(member for member in sorted(type_.enum, reverse=True) if member != not_)
        case Kind.BOOLEAN:
            return not_ is not True
        case Kind.INTEGER:
            low, high = type_.minimum or 0, type_.maximum if type_.maximum is not None else 10_000
            return next(number for number in (7, 8, 1234, low, high) if low <= number <= high and number != not_)
        case Kind.STRING | Kind.INT_OR_STRING:
            return next(word for word in _WORDS if re.search(type_.pattern, word) and word != not_)
        case Kind.REFERENCE:
            return "sample-name"
        case Kind.LIST if type_.items is not None:
            return [sample(type_.items.type)]
        case Kind.MAP if type_.values is not None:
            return {"sample-key": sample(type_.values.type)}
        case _:
            return {name: sample(member.type) for name, member in type_.properties.items()}
