"""One fault at a time, for each thing that a JSON Schema says."""

from __future__ import annotations

from typing import Any

import pytest

from chartgen.harness.cases import faults
from chartgen.schema import model
from chartgen.schema.model import Kind, Schema, Type


def field(type_: Type, name: str = "a") -> model.Field:
    return model.Field(name, name, type_, "")


def found(type_: Type, standing: Any = None) -> dict[str, tuple[Any, str]]:
    """The faults of a value `a` of a type: sort and name -> the values, and what is said of them."""
    schema = Schema({"a": field(type_)}, {}, (), {}, {})
    each = list(faults.find(schema, {} if standing is None else {"a": standing}))
    assert len({(fault.sort, fault.name) for fault in each}) == len(each)
    return {f"{fault.sort.value} {fault.name}": (fault.values, fault.words) for fault in each}


TEXT = Type(Kind.STRING)


@pytest.mark.parametrize(
    ("type_", "name", "value", "words"),
    [
        (Type(Kind.LIST), "kind a", "sample", "at '/a': got string, want null or array"),
        (Type(Kind.MAP), "kind a", "sample", "at '/a': got string, want null or object"),
        (Type(Kind.OBJECT), "kind a", [], "at '/a': got array, want null or object"),
        (TEXT, "kind a", 1.5, "at '/a': got number, want null or string"),
        (Type(Kind.STRING, reads=(Kind.BOOLEAN, Kind.INTEGER)), "kind a", 1.5, "at '/a': got number, want null or boolean or integer or string"),
        (Type(Kind.INTEGER), "kind a", "5", "at '/a': got string, want null or integer"),
        (Type(Kind.INT_OR_STRING), "kind a", True, "at '/a': got boolean, want null or integer or string"),
        (Type(Kind.BOOLEAN, strict=True), "kind a", "true", "at '/a': got string, want boolean"),
        (Type(Kind.BOOLEAN), "enum a", "no-member", "at '/a': value must be one of true, false, 'true', 'false', <nil>"),
        (Type(Kind.STRING, enum=("x", "y")), "enum a", "no-member", "at '/a': value must be one of 'x', 'y', '', <nil>"),
        (Type(Kind.STRING, pattern="^[a-z]+$"), "pattern a", "~", "at '/a': '~' does not match pattern"),
        (Type(Kind.STRING, min_length=2), "min-length a", "x", "at '/a': minLength: got 1, want 2"),
        (Type(Kind.STRING, max_length=3), "max-length a", "xxxx", "at '/a': maxLength: got 4, want 3"),
        (Type(Kind.INTEGER, minimum=1), "minimum a", 0, "at '/a': minimum: got 0, want 1"),
        (Type(Kind.INTEGER, maximum=65535), "maximum a", 65536, "at '/a': maximum: got 65,536, want 65,535"),
        (Type(Kind.INTEGER, format="int32"), "maximum a", 2**31, "at '/a': maximum: got "),
        (Type(Kind.OBJECT, properties={"key": field(TEXT)}), "unknown-key a.keyy", {"keyy": "sample"}, "at '/a': additional properties 'keyy' not allowed"),
        (Type(Kind.REFERENCE), "required a.name", {}, "at '/a': missing property 'name'"),
        (Type(Kind.LIST, items=field(TEXT)), "kind a[0]", [1.5], "at '/a/0': got number, want string"),
        (Type(Kind.LIST, items=field(TEXT)), "null a[0]", [None], "at '/a/0': got null, want string"),
        (Type(Kind.MAP, values=field(TEXT)), "kind a.sample", {"sample": 1.5}, "at '/a/sample': got number, want null or string"),
    ],
)  # fmt: skip
def test_each_thing_that_a_type_says(type_, name, value, words):
    """The value, and the words with the place."""
    assert found(type_)[name] == ({"a": value}, words)


def test_a_member_that_has_to_be_there():
    """Is missing, and null; the others are there when one is wrong."""
    type_ = Type(Kind.OBJECT, properties={"x": field(TEXT), "y": field(TEXT)}, required=("x", "y"))
    each = found(type_)
    assert each["required a.x"] == ({"a": {"y": "sample"}}, "at '/a': missing property 'x'")
    assert each["null a.x"] == ({"a": {"x": None, "y": "sample"}}, "at '/a/x': got null, want string")
    assert each["kind a.y"][0] == {"a": {"x": "sample", "y": 1.5}}


def test_a_default_is_taken_away_first():
    """Helm lays it below the values, so that leaving a member out would not do."""
    type_ = Type(Kind.OBJECT, properties={"x": field(TEXT)}, required=("x",))
    each = found(type_, standing={"x": "default"})
    assert each["required a.x"][0] == {"a": {"x": None}}
    assert "null a.x" not in each


def test_what_takes_all_has_no_fault():
    """Any value, an open object, a pattern that only the empty text misses, which stands for none."""
    assert set(found(Type(Kind.ANY))) == {"unknown-key aa"}
    assert not any(name.startswith("unknown-key a.") for name in found(Type(Kind.OBJECT, open=True)))
    assert "pattern a" not in found(Type(Kind.STRING, pattern="(?s).+"))


def test_a_known_key_is_no_unknown_one():
    """Neither another member nor a key that is let through."""
    members = {name: field(TEXT) for name in ("ab", "abb")}
    assert "unknown-key a.abbb" in found(Type(Kind.OBJECT, properties=members))
