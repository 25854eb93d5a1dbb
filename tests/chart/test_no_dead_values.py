"""Every value changes some rendered object in some context, but for those that say why they do not.

The trees are evaluated in Python, which helm's output is held against elsewhere: that is a thousand renderings in seconds.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from support import judged

from chartgen.components import chart as components
from chartgen.harness.cases import assignments
from chartgen.harness.cases.assignments import Assignment
from chartgen.harness.cases.contexts import CONTEXTS
from chartgen.schema.model import UNSET, Field, Kind, Type
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator

DRA = "resource.k8s.io/v1/DeviceClass"
# Values that no object shows, and why they are there.
WITHOUT_EFFECT: Mapping[str, str] = {
    "enabled": "the key of an umbrella's condition; Helm reads it",
    "fullnameOverride": "a standard key; the names of objects are fixed, as selectors and tools know them",
    "driver.workload.updateStrategy": "replacing a driver stops all GPU work of its node: always OnDelete",
    "extraObjects": "printed by a template of text, which is no tree; its test renders it",
}
# Objects of Kubernetes that are copied as they are: one value each.
WHOLE = ("affinity", "dnsConfig", "nodeAffinity", "podSecurityContext", "resources", "securityContext")


def leaves(field: Field) -> Iterator[Field]:
    """The values below a field that can be set on their own."""
    if field.deprecated is not None or field.name == "node-feature-discovery":
        return
    if field.type.kind is Kind.OBJECT and field.children and field.type.name not in WHOLE:
        for child in field.children:
            yield from leaves(child)
        return
    yield field


LEAVES = {leaf.path: leaf for top in judged.schema().fields.values() for leaf in leaves(top)}


def sample(type_: Type, number: int) -> Any:
    """Some value of a type."""
    match type_.kind:
        case Kind.BOOLEAN:
            return bool(number % 2)
        case Kind.INTEGER | Kind.INT_OR_STRING:
            return (type_.minimum or 0) + number + 1
        case Kind.LIST:
            return [sample(type_.items.type, number)] if type_.items else ["x"]
        case Kind.MAP:
            return {"key": sample(type_.values.type, number) if type_.values else "x"}
        case Kind.OBJECT:
            names = type_.required or tuple(type_.properties)[:1]
            return {name: sample(type_.properties[name].type, number) for name in names} or {"key": "x"}
        case _:
            members = [member for member in type_.enum if member]
            return members[number % len(members)] if members else f"{'ab'[number]}{number}"


def others(field: Field) -> Iterator[Any]:
    """Values that may differ from what a context has, the likeliest first."""
    candidates = [
        field.example,
        sample(field.type, 0),
        sample(field.type, 1),
        "" if field.type.enum else None,
        field.default,
    ]
    yield from (candidate for candidate in candidates if candidate is not UNSET)


@functools.cache
def _machine() -> tuple[Index, Any]:
    schema = judged.schema()
    return Index.of(schema), components.manifests(schema)


def objects(given: Assignment) -> str:
    """Everything that the chart renders, as text to compare."""
    index, manifests = _machine()
    served = frozenset({DRA, *assignments.apis(given)})
    context = Context(judged.coalesced(assignments.nest(given)), app_version="v26.7.0", api_versions=served)
    evaluator = Evaluator(index, context)
    found = [one for manifest in manifests for one in evaluator.objects(manifest)]
    return json.dumps(found, sort_keys=True, default=str)


@functools.cache
def before(context: str) -> str:
    return objects(CONTEXTS[context])


def changes_something(field: Field) -> bool:
    for value in others(field):
        for name, given in CONTEXTS.items():
            if objects({**given, field.path: value}) != before(name):
                return True
    return False


@pytest.mark.parametrize("path", LEAVES)
def test_changes_an_object(path: str) -> None:
    """In at least one context, unless there is a reason why not."""
    assert changes_something(LEAVES[path]) is not (path in WITHOUT_EFFECT)
