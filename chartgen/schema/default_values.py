"""The default values: what values.yaml holds, and what the templates start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chartgen.schema import model
from chartgen.schema.model import UNSET


def of(schema: model.Schema) -> dict[str, Any]:
    """The values that values.yaml holds, as data."""
    values = {name: of_field(field) for name, field in schema.fields.items()}
    return {name: value for name, value in values.items() if value is not UNSET}


def by_path(schema: model.Schema) -> dict[str, Any]:
    """The default of each field that has one, also where an object's default says it for its members."""
    found: dict[str, Any] = {}
    for field in schema.fields.values():
        _gather(field, of_field(field), found)
    return found


def _gather(field: model.Field, value: Any, found: dict[str, Any]) -> None:
    if value is UNSET:
        return
    found[field.path] = value
    for child in field.children:
        _gather(child, member(value, child), found)


def of_field(field: model.Field, given: Any = UNSET) -> Any:
    """A field's value in values.yaml, or `UNSET`.

    Args:
        field: the field.
        given: what a default of the object it belongs to says about it; wins over its own.
    """
    value = field.default if given is UNSET else given
    if not field.children or not (value is UNSET or isinstance(value, dict)):
        return value
    members = {child.name: of_field(child, member(value, child)) for child in field.children}
    members |= undeclared(field, value)
    members = {name: member for name, member in members.items() if member is not UNSET}
    return members or value


def member(value: Any, child: model.Field) -> Any:
    """What the default of an object says of a field in it, or `UNSET`."""
    return value.get(child.name, UNSET) if isinstance(value, Mapping) else UNSET


def undeclared(field: model.Field, value: Any) -> dict[str, Any]:
    """Members of a value that only an open object can have."""
    given = value if isinstance(value, Mapping) else {}
    return {name: member for name, member in given.items() if name not in field.type.properties}
