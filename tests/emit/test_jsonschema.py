"""values.schema.json: what it takes, what it refuses, and where it says the mistake is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from chartgen.emit import jsonschema as emit_jsonschema
from chartgen.schema import default_values, model
from chartgen.schema.model import Kind

Small = Callable[..., model.Schema]
Place = tuple[tuple[str | int, ...], model.Type, bool]
UPSTREAM = yaml.safe_load((Path(__file__).parents[1] / "data" / "values" / "upstream.yaml").read_text())


@pytest.fixture(scope="session")
def document(schema: model.Schema) -> dict[str, Any]:
    """The JSON Schema of the chart, as read from its text."""
    found: dict[str, Any] = json.loads(emit_jsonschema.emit(schema).text)
    return found


def refusals(document: dict[str, Any], instance: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """Where and why values are refused."""
    validator = jsonschema.Draft7Validator(document)
    return [(tuple(error.absolute_path), error.message) for error in validator.iter_errors(instance)]


def nested(path: tuple[str | int, ...], value: Any) -> Any:
    """Values that hold `value` at a path and nothing else; a number in the path is a place in a list."""
    for key in reversed(path):
        value = [value] if isinstance(key, int) else {key: value}
    return value


def places(schema: model.Schema) -> Iterator[Place]:
    """Every place a value can stand, list items and map values included: path, type, whether null is taken there.

    What a subchart takes, its own schema says.
    """
    for name, field in schema.fields.items():
        if name in schema.subcharts:
            continue
        yield from _places((name,), field.type, not field.type.strict)


def _places(path: tuple[str | int, ...], type_: model.Type, nullable: bool) -> Iterator[Place]:
    yield path, type_, nullable
    for name, field in type_.properties.items():
        yield from _places((*path, name), field.type, name not in type_.required and not field.type.strict)
    if type_.items is not None:
        yield from _places((*path, 0), type_.items.type, False)
    if type_.values is not None:
        yield from _places((*path, "key"), type_.values.type, not type_.values.type.strict)


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a JSON document."""
    if isinstance(node, dict):
        yield node
        for member in node.values():
            yield from nodes(member)
    elif isinstance(node, list):
        for member in node:
            yield from nodes(member)


def test_is_draft_7(document: dict[str, Any]) -> None:
    """The file is a valid schema of the draft that it names."""
    assert document["$schema"] == "http://json-schema.org/draft-07/schema#"
    jsonschema.Draft7Validator.check_schema(document)


def test_references_stay_in_the_file(document: dict[str, Any]) -> None:
    """Every reference meets a definition, and every definition is referred to."""
    references = {node["$ref"] for node in nodes(document) if isinstance(node.get("$ref"), str)}
    assert references == {f"#/definitions/{name}" for name in document["definitions"]}


def test_no_keyword_whose_messages_are_unreadable(document: dict[str, Any]) -> None:
    """Unions are lists of types and enums; formats are left out. Hints about rules have no messages of Helm's."""
    used = {key for node in nodes({**document, "allOf": {}}) for key in node} - {"allOf"}
    assert not used & {"anyOf", "oneOf", "allOf", "not", "if", "$id", "format"} - set(document["properties"])


def test_a_line_for_each_field(document: dict[str, Any], schema: model.Schema) -> None:
    """The diff of a changed field is one line."""
    lines = emit_jsonschema.emit(schema).text.splitlines()
    assert [line for line in lines if line.count('"description":') > 1] == []
    assert sum('"description":' in line for line in lines) == sum(
        isinstance(node.get("description"), str) for node in nodes(document)
    )


def test_the_defaults_are_accepted(schema: model.Schema, document: dict[str, Any]) -> None:
    """The chart installs as it is."""
    assert refusals(document, default_values.of(schema)) == []


@pytest.mark.parametrize("path", [*UPSTREAM["defaults"], *UPSTREAM["unset"]])
def test_upstream_paths_are_accepted(document: dict[str, Any], path: str) -> None:
    """Whatever the chart that this one replaces knows can still be said."""
    value = {**UPSTREAM["defaults"], **UPSTREAM["unset"]}[path]
    assert refusals(document, nested(tuple(path.split(".")), value)) == []


def test_every_level_is_closed(schema: model.Schema, document: dict[str, Any]) -> None:
    """An unknown key is refused at any level, at its path and by its name; open objects take it."""
    levels = [((), model.Type(Kind.OBJECT), True), *places(schema)]
    levels = [level for level in levels if level[1].kind is Kind.OBJECT]
    assert len(levels) > 100
    for path, type_, _ in levels:
        wrong = [message for at, message in refusals(document, nested((*path, "zzUnknown"), 1)) if at == path]
        named = any("additional properties" in message.lower() and "zzUnknown" in message for message in wrong)
        assert named is not type_.open, path


def test_open_levels(schema: model.Schema) -> None:
    """Only values that belong to other charts are open."""
    assert {path[0] for path, type_, _ in places(schema) if type_.open} == {"global"}


def test_null_clears(schema: model.Schema, document: dict[str, Any]) -> None:
    """Null is taken everywhere but for list items, members that must be there and what Helm itself reads."""
    for path, _, nullable in places(schema):
        wrong = [at for at, _ in refusals(document, nested(path, None)) if at == path]
        assert bool(wrong) is not nullable, path


def test_what_a_parent_chart_sends(document: dict[str, Any]) -> None:
    """The key of a dependency's condition, and global values of any chart."""
    sent = {"enabled": True, "global": {"imageRegistry": "r.example.com", "other": {"x": 1}}}
    assert refusals(document, sent) == []


@pytest.mark.parametrize(
    ("field", "taken", "refused"),
    [
        ("type: string", ["", "a", None], [1, True, 1.5, [], {}]),
        ("type: string, reads: [integer]", ["580", 580, 580.0, None], [580.1, True, []]),
        ("type: string, reads: [integer, boolean]", ["a", 1, False, None], [1.5, []]),
        ("type: string, enum: [a, b]", ["a", "", None], ["c", 1]),
        ("type: string, pattern: ^a+$", ["aa", "", None], ["b", "ab"]),
        ("type: string, pattern: ^a+$, minLength: 1", ["aa", None], ["", "b"]),
        ("type: string, maxLength: 2", ["", "ab"], ["abc"]),
        ("type: integer", [1, 1.0, -1, None], ["1", 1.5, True, ""]),
        ("type: integer, minimum: 1, maximum: 3", [1, 3, None], [0, 4]),
        ("type: integer, format: int32", [2147483647, -2147483648], [2147483648, -2147483649]),
        ("type: integer, format: int32, minimum: 1", [1, 2147483647], [0, 2147483648]),
        ("type: boolean", [True, False, "true", "false", None], ["yes", "True", "", 1, 0]),
        ("type: boolean, strict: true", [True, False], ["true", None, 1]),
        ("type: intOrString, pattern: '^[0-9]+%?$', minimum: 0", [1, "25%", "", None], [-1, 1.5, "x", True]),
        ("type: reference", ["a", {"name": "a"}, None], [{}, {"name": 1}, {"name": "a", "x": 1}, 1]),
        ("type: any", [1, "a", None, [], {}], []),
        ("type: map, values: {type: string, description: V.}", [{}, {"a": "b"}, {"a": None}, None], [{"a": 1}, [], "a"]),
        ("type: list, items: {type: string, description: I.}", [[], ["a"], None], [[1], [None], {}, "a"]),
        ("type: list, items: {type: any, description: I.}", [["a", {}, 1, True, []]], [[None]]),
        (
            "type: object, required: [a], properties: {a: {type: string, description: A.}}",
            [{"a": "x"}, None],
            [{}, {"a": None}, {"a": "x", "b": 1}, []],
        ),
        ("type: object, open: true, properties: {a: {type: string, description: A.}}", [{"a": "x", "b": 1}], [{"a": 1}]),
    ],
)  # fmt: skip
def test_types(small: Small, field: str, taken: list[Any], refused: list[Any]) -> None:
    """Each type takes what it should, kindly read values included, and refuses the rest at the value's path."""
    for inline in (True, False):
        record = "{" + field + ", description: Top.}"
        declaration = "\n".join(f"{key}: {json.dumps(value)}" for key, value in yaml.safe_load(record).items())
        schema = small(declaration) if inline else small("type: named\ndescription: Top.", f"named: {record}")
        document = emit_jsonschema.document(schema)
        assert ("$ref" in document["properties"]["top"]) is not inline
        assert [value for value in taken if refusals(document, {"top": value})] == []
        assert [value for value in refused if not refusals(document, {"top": value})] == []
        assert all(at[0] == "top" for value in refused for at, _ in refusals(document, {"top": value}))


def test_named_types_in_lists_are_not_null(small: Small) -> None:
    """A named type that is a list item and a member has two definitions: only one takes null."""
    types = "name: {type: string, description: Name.}\nnames: {type: list, items: {type: name}, description: Names.}"
    schema = small("""\
        type: object
        description: Top.
        properties: {one: {type: name}, many: {type: names}}
        """, types)  # fmt: skip
    document = emit_jsonschema.document(schema)
    assert sorted(document["definitions"]) == ["name", "nameItem", "names"]
    assert refusals(document, {"top": {"one": None, "many": ["a"]}}) == []
    assert [at for at, _ in refusals(document, {"top": {"many": [None]}})] == [("top", "many", 0)]


def test_what_editors_show(small: Small) -> None:
    """The description on one line, and the way out of a deprecated value."""
    schema = small("""\
        description: |
          Top says what
          it does.
        type: string
        deprecated: {since: v1.9, use: set other instead, reason: renamed}
        """)
    node = emit_jsonschema.document(schema)["properties"]["top"]
    assert node["description"] == "Top says what it does. Deprecated since v1.9: renamed. Set other instead."
    assert node["deprecated"] is True


def test_patterns_mean_the_same_to_helm(document: dict[str, Any]) -> None:
    """Helm's library has RE2, which knows no look-around and no back-references."""
    patterns = {node["pattern"] for node in nodes(document) if isinstance(node.get("pattern"), str)}
    assert patterns
    assert [pattern for pattern in patterns if re.search(r"\(\?[=!<P]|\\[1-9ZA]", pattern)] == []


def test_an_empty_string_in_a_map_is_no_absent_value(document: dict[str, Any]) -> None:
    """``--set operator.resources.limits.cpu=`` would print a quantity that the API server refuses; null takes the key away."""
    limits = ("operator", "resources", "limits", "cpu")
    assert refusals(document, nested(limits, "100m")) == []
    assert refusals(document, nested(limits, None)) == []
    assert [path for path, _ in refusals(document, nested(limits, ""))] == [limits]
    assert refusals(document, nested(("operator", "version"), "")) == []
