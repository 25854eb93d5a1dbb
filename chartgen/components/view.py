"""From a custom resource to values: the renames of the schema, read backwards.

The operator sees a ClusterPolicy and not values; the trees of operands read values paths. `values_of` gives the values
under which a chart would have written that resource.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chartgen.schema.model import Field, Kind, Schema, Surface
from chartgen.tree.context import lookup


def values_of(spec: Mapping[str, Any], schema: Schema, surface: Surface) -> dict[str, Any]:
    """The values that a custom resource's spec stands for.

    Args:
        spec: of a ClusterPolicy, NVIDIADriver or GPUCluster; members that no value reaches are left out.
        schema: the fields and their surfaces.
        surface: which resource it is.
    """
    values: dict[str, Any] = {}
    for top in schema.fields.values():
        _take(top, spec, surface, values)
    return values


def _take(field: Field, spec: Mapping[str, Any], surface: Surface, values: dict[str, Any]) -> None:
    if field.type.kind is Kind.OBJECT and field.type.properties:
        for child in field.children:
            _take(child, spec, surface, values)
        return
    path = field.surfaces.get(surface)
    found = lookup(spec, path) if path else None
    if found is None:
        return
    *parents, name = field.path.split(".")
    target = values
    for parent in parents:
        target = target.setdefault(parent, {})
    target[name] = found
