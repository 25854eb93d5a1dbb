"""CRDs as the tables of ``tests/data`` write them: a row for each node of a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

EXTENSIONS = {
    "x-kubernetes-list-type": "listType",
    "x-kubernetes-list-map-keys": "listMapKeys",
    "x-kubernetes-map-type": "mapType",
}
INT_OR_STRING = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}


def root(document: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of the whole object."""
    (version,) = document["spec"]["versions"]
    schema = version["schema"]["openAPIV3Schema"]
    assert isinstance(schema, dict)
    return schema


def walk(node: dict[str, Any], path: str = "", *, required: bool = False) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Each node of a schema with its path and whether its parent demands it."""
    yield path or "$", node, required
    for name, member in node.get("properties", {}).items():
        yield from walk(member, f"{path}.{name}" if path else name, required=name in node.get("required", []))
    for keyword, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if keyword in node:
            yield from walk(node[keyword], path + mark)


def row(node: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    """A node as the tables write it."""
    found: dict[str, Any] = {"required": True} if required else {}
    for keyword, value in node.items():
        if keyword in ("description", "properties", "required", "items", "additionalProperties", *INT_OR_STRING):
            continue
        if keyword == "x-kubernetes-validations":
            found["rules"] = [rule["rule"] for rule in value]
        else:
            found[EXTENSIONS.get(keyword, keyword)] = value
    if any(keyword in node for keyword in INT_OR_STRING):
        assert {keyword: node[keyword] for keyword in INT_OR_STRING} == INT_OR_STRING
        found["type"] = "intOrString"
    return found


def expected_rows(table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The rows of a table, with patterns written out."""
    rows = {}
    for path, entry in table["fields"].items():
        found = {"type": entry} if isinstance(entry, str) else dict(entry)
        if "pattern" in found:
            found["pattern"] = table["patterns"][found["pattern"]]
        rows[path] = found
    return rows
