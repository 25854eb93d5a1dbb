"""A custom resource as the API server would store it: with the defaults of its CRD."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any


def defaulted(value: Any, schema: Mapping[str, Any]) -> Any:
    """A value with the defaults of its schema, at every level that is there.

    A null is dropped where the schema does not allow one, so that a default takes its place.

    Args:
        value: an object, or a part of one.
        schema: the part of a CRD's ``openAPIV3Schema`` that describes it.
    """
    if isinstance(value, dict):
        members = schema.get("properties", {})
        result: dict[str, Any] = {}
        for key, member in value.items():
            of_member = members.get(key) or rest(schema)
            if member is not None or not of_member or of_member.get("nullable"):
                result[key] = defaulted(member, of_member)
        for key, of_member in members.items():
            if key not in result and "default" in of_member:
                result[key] = defaulted(copy.deepcopy(of_member["default"]), of_member)
        return result
    if isinstance(value, list):
        return [defaulted(item, schema.get("items") or {}) for item in value]
    return value


def rest(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of members without one of their own."""
    found = schema.get("additionalProperties")
    return found if isinstance(found, Mapping) else {}
