"""values.schema.json: what Helm refuses before it renders anything.

Helm words the refusal itself ("at '/toolkit': additional properties 'foo' not allowed"). Its messages stay readable
only without ``anyOf`` and ``oneOf``, so every union here is a list of types or an enum.

Helm compiles and checks the schema at every call, which costs about 7 ms of 45 (helm 4 and 3 alike, `helm template` of a chart
with this schema and next to no template). The price is that of nodes and references, not of bytes: descriptions, two
thirds of the file, cost less than 1 ms and are what an editor shows beside a value, so they stay; with every reference
to a named type written out it would be 15 ms. `format` is left out: Helm's library would read ``duration`` as that of
ISO 8601.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from chartgen import files
from chartgen.emit import rule_hints, wording
from chartgen.schema import default_values, model
from chartgen.schema.model import Kind
from chartgen.schema.paths import Index

PATH = "values.schema.json"
_DRAFT = "http://json-schema.org/draft-07/schema#"
_INT32 = 2**31 - 1

# Definitions by name: those referred to so far.
_Scope = dict[str, Any]


def emit(schema: model.Schema) -> files.GeneratedFile:
    """The file values.schema.json."""
    return files.GeneratedFile(PATH, _text(document(schema)))


def document(schema: model.Schema) -> dict[str, Any]:
    """The schema as data."""
    scope: _Scope = {}
    properties = {
        name: _handed_on(top) if name in schema.subcharts else _member(top, scope, required=False)
        for name, top in schema.fields.items()
    }
    for stray in schema.strays.values():
        if stray.path.split(".")[0] not in schema.subcharts:
            _let_through(stray, properties)
    hints = rule_hints.emit(schema.rules, Index.of(schema), default_values.of(schema))
    return {
        "$schema": _DRAFT,
        "title": f"Values of the {schema.chart.get('name', '')} chart",
        "description": " ".join(str(schema.chart.get("description", "")).split()),
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "definitions": dict(sorted(scope.items())),
        **({"allOf": hints} if hints else {}),
    }


def _handed_on(top: model.Field) -> dict[str, Any]:
    """The values of a subchart. Helm holds them against the subchart's own schema, so nothing is said twice."""
    return {"description": " ".join(top.description.split()), "type": ["object", "null"]}


def _member(member: model.Field, scope: _Scope, *, required: bool) -> dict[str, Any]:
    """The node of a field: its type, with what an editor shows about it."""
    words = (" ".join(member.description.split()), wording.deprecation(member))
    node = {"description": " ".join(filter(None, words)), **_node(member.type, scope, nullable=not required)}
    return node if member.deprecated is None else node | {"deprecated": True}


def _let_through(stray: model.Stray, properties: dict[str, Any]) -> None:
    """Take a known key that is no value, whatever it holds: a retired one has no effect, a misplaced one is refused later.

    Helm checks this schema before it renders a template and stops at the first of the two that refuses. Were the key
    closed out here, its user would read "additional properties 'maxParallelUpgrades' not allowed" and never the sentence
    that names the right key. Editors show ``deprecationMessage`` as a warning at the key; Helm does not know the word.
    """
    for name in stray.parent.split(".") if stray.parent else ():
        properties = properties[name]["properties"]
    text = wording.retirement(stray.retired) if stray.retired else stray.text
    properties[stray.name] = {"description": text, "deprecated": True, "deprecationMessage": text}


def _node(type_: model.Type, scope: _Scope, *, nullable: bool) -> dict[str, Any]:
    """The node of a type; a reference where it is a named one.

    List items and required members are never null, so a named type may have several definitions.
    """
    if not type_.name:
        return _shape(type_, scope, nullable=nullable)
    name = type_.name if nullable else f"{type_.name}Item"
    if name not in scope:
        scope[name] = _shape(type_, scope, nullable=nullable)
    return {"$ref": f"#/definitions/{name}"}


def _map_value(type_: model.Type, scope: _Scope) -> dict[str, Any]:
    """The node of a map's values: null takes a key away, but "" is a value like any other, and not an absent one."""
    shape = _shape(type_, scope, nullable=True)
    strict = _shape(type_, scope, nullable=False)
    spelt: dict[str, Any] = {keyword: strict[keyword] for keyword in ("pattern", "enum") if keyword in strict}
    if "enum" in spelt:
        spelt["enum"] = [*spelt["enum"], None]
    exact = {**shape, **spelt}
    if exact == shape or not type_.name:
        return exact if not type_.name else _node(type_, scope, nullable=True)
    name = f"{type_.name}Value"
    scope.setdefault(name, exact)
    return {"$ref": f"#/definitions/{name}"}


def _shape(type_: model.Type, scope: _Scope, *, nullable: bool) -> dict[str, Any]:
    """The node of a type, without regard to its name."""
    match type_.kind:
        case Kind.OBJECT:
            return _object(type_, scope, nullable=nullable)
        case Kind.MAP:
            values = {} if type_.values is None else _map_value(type_.values.type, scope)
            return {"type": _or_null("object", nullable=nullable), "additionalProperties": values}
        case Kind.LIST:
            items = {} if type_.items is None else _node(type_.items.type, scope, nullable=False)
            return {"type": _or_null("array", nullable=nullable), "items": items}
        case Kind.STRING:
            return _string(type_, nullable=nullable)
        case Kind.INTEGER:
            return {"type": _or_null("integer", nullable=nullable), **_bounds(type_)}
        case Kind.BOOLEAN:
            return _boolean(type_, nullable=nullable)
        case Kind.INT_OR_STRING:
            kinds = _or_null("integer", "string", nullable=nullable)
            return {"type": kinds, **_bounds(type_), **_texts(type_, nullable=nullable)}
        case Kind.REFERENCE:
            return {
                "type": _or_null("string", "object", nullable=nullable),
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
                "additionalProperties": False,
            }
        case Kind.ANY:
            return {} if nullable else {"type": ["array", "boolean", "number", "object", "string"]}


def _object(type_: model.Type, scope: _Scope, *, nullable: bool) -> dict[str, Any]:
    node: dict[str, Any] = {"type": _or_null("object", nullable=nullable)}
    if type_.properties:
        node["properties"] = {
            name: _member(member, scope, required=name in type_.required) for name, member in type_.properties.items()
        }
    if type_.required:
        node["required"] = list(type_.required)
    if not type_.open:
        node["additionalProperties"] = False
    return node


def _string(type_: model.Type, *, nullable: bool) -> dict[str, Any]:
    if type_.enum:
        members = [*type_.enum]
        if nullable:
            members += [absent for absent in ("", None) if absent not in members]
        return {"enum": members}
    kinds = ["string", *(kind.value for kind in type_.reads)]
    return {"type": _or_null(*kinds, nullable=nullable), **_texts(type_, nullable=nullable)}


def _texts(type_: model.Type, *, nullable: bool) -> dict[str, Any]:
    """Keywords that hold for strings. "" stands for absent (``--set key=``), so a pattern must not refuse it."""
    node: dict[str, Any] = {}
    if type_.pattern:
        takes_empty = not nullable or type_.min_length or re.search(type_.pattern, "")
        node["pattern"] = type_.pattern if takes_empty else f"^$|{type_.pattern}"
    if type_.min_length is not None:
        node["minLength"] = type_.min_length
    if type_.max_length is not None:
        node["maxLength"] = type_.max_length
    return node


def _boolean(type_: model.Type, *, nullable: bool) -> dict[str, Any]:
    if type_.strict:
        return {"type": "boolean"}
    return {"enum": [True, False, "true", "false", *([None] if nullable else [])]}


def _bounds(type_: model.Type) -> dict[str, Any]:
    is_int32 = type_.format == "int32"
    minimum = -_INT32 - 1 if is_int32 and type_.minimum is None else type_.minimum
    maximum = _INT32 if is_int32 and type_.maximum is None else type_.maximum
    bounds = {"minimum": minimum, "maximum": maximum}
    return {keyword: bound for keyword, bound in bounds.items() if bound is not None}


def _or_null(*kinds: str, nullable: bool) -> str | list[str]:
    if nullable:
        return [*kinds, "null"]
    return kinds[0] if len(kinds) == 1 else [*kinds]


def _text(value: Any) -> str:
    """JSON with a line for each field: small, and a changed field is one changed line."""
    return "".join(_pieces(value, "")) + "\n"


def _pieces(value: Any, indent: str) -> Iterator[str]:
    """Text of a value; only what holds further objects is spread over lines."""
    if not isinstance(value, dict) or not any(isinstance(member, dict) for member in value.values()):
        yield json.dumps(value, ensure_ascii=False)
        return
    opening = "{\n"
    for key, member in value.items():
        yield f"{opening}{indent} {json.dumps(key)}: "
        yield from _pieces(member, indent + " ")
        opening = ",\n"
    yield f"\n{indent}}}"
