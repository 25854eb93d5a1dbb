"""Whether a value is of a type, as defaults and examples must be: exactly."""

from __future__ import annotations

from typing import Any

import pytest

from chartgen.schema import check
from chartgen.schema.keywords import CRD_KEYWORDS, KEYWORDS
from chartgen.schema.model import Field, Kind, Type

WORD = Type(Kind.STRING, pattern="^[a-z]*$", min_length=2, max_length=4)
SMALL = Type(Kind.INTEGER, minimum=1, maximum=9)
ONE_OF = Type(Kind.STRING, enum=("a", "b"))


def _field(name: str, type_: Type) -> Field:
    return Field(path=name, name=name, type=type_, description="")


PAIR = Type(Kind.OBJECT, properties={"left": _field("left", WORD), "right": _field("right", SMALL)}, required=("left",))
OPEN = Type(Kind.OBJECT, properties={"left": _field("left", WORD)}, open=True)
MAP = Type(Kind.MAP, values=_field("", SMALL))
LIST = Type(Kind.LIST, items=_field("", PAIR))

GOOD: list[tuple[Type, Any]] = [
    (WORD, "abc"),
    (SMALL, 9),
    (ONE_OF, "b"),
    (Type(Kind.BOOLEAN), False),
    (Type(Kind.INT_OR_STRING), 5),
    (Type(Kind.INT_OR_STRING), "5%"),
    (Type(Kind.REFERENCE), "name"),
    (Type(Kind.REFERENCE), {"name": "name"}),
    (Type(Kind.ANY), None),
    (PAIR, {"left": "abc"}),
    (OPEN, {"other": 1}),
    (MAP, {"x": 1}),
    (LIST, [{"left": "ab", "right": 1}]),
]
BAD: list[tuple[Type, Any, list[tuple[str, str, str]]]] = [
    (WORD, 5, [("", "the number 5", "a value of type string")]),
    (WORD, "ABC", [("", "the string 'ABC'", "a string matching ^[a-z]*$")]),
    (WORD, "a", [("", "the string 'a'", "at least 2 characters")]),
    (WORD, "abcde", [("", "the string 'abcde'", "at most 4 characters")]),
    (SMALL, 0, [("", "the number 0", "at least 1")]),
    (SMALL, 10, [("", "the number 10", "at most 9")]),
    (SMALL, True, [("", "the boolean true", "a value of type integer")]),
    (SMALL, 1.5, [("", "the number 1.5", "a value of type integer")]),
    (SMALL, "5", [("", "the string '5'", "a value of type integer")]),
    (ONE_OF, "c", [("", "the string 'c'", "one of a, b")]),
    (Type(Kind.BOOLEAN), "true", [("", "the string 'true'", "a value of type boolean")]),
    (Type(Kind.BOOLEAN), 1, [("", "the number 1", "a value of type boolean")]),
    (Type(Kind.INT_OR_STRING), True, [("", "the boolean true", "a value of type intOrString")]),
    (Type(Kind.LIST), {}, [("", "a map", "a value of type list")]),
    (PAIR, [], [("", "a list", "a value of type object")]),
    (PAIR, {}, [("", "no left", "left, which is required")]),
    (PAIR, {"left": "ab", "up": 1}, [("up", "the key up", "one of left, right")]),
    (MAP, {"x": 10, "y": "z"}, [("x", "the number 10", "at most 9"), ("y", "the string 'z'", "a value of type integer")]),
    (LIST, [{"left": "ab"}, {"left": 5}], [("[1].left", "the number 5", "a value of type string")]),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "value"), GOOD)
def test_a_value_of_the_type_has_no_mismatch(type_: Type, value: Any) -> None:
    """Every kind takes what is its own."""
    assert list(check.mismatches(type_, value)) == []


@pytest.mark.parametrize(("type_", "value", "said"), BAD)
def test_a_mismatch_says_where_and_what(type_: Type, value: Any, said: list[tuple[str, str, str]]) -> None:
    """The path below the value, what was found and what is expected; all of them."""
    assert list(check.mismatches(type_, value)) == said


@pytest.mark.parametrize(
    ("value", "shown"),
    [("a", "the string 'a'"), (True, "the boolean true"), (5, "the number 5"), (None, "null"), ([], "a list"), ({}, "a map")],
)  # fmt: skip
def test_a_value_is_shown_with_its_type(value: Any, shown: str) -> None:
    """Since "5" and 5 would look the same."""
    assert check.show(value) == shown


def test_the_keyword_table_is_complete() -> None:
    """Every keyword says what it takes and where; the CRD's are a part of what OpenAPI and Kubernetes know."""
    assert all(keyword.expected and keyword.kinds for keyword in KEYWORDS.values())
    assert {"default", "required", "listType", "listMapKeys", "mapType", "validations"} <= CRD_KEYWORDS


@pytest.mark.parametrize(
    ("name", "value", "taken"),
    [("minimum", 5, True), ("minimum", True, False), ("minimum", "5", False), ("open", True, True), ("open", 1, False),
     ("default", None, True), ("enum", ["a"], True), ("enum", "a", False)],
)  # fmt: skip
def test_a_keyword_takes_its_type_alone(name: str, value: Any, taken: bool) -> None:
    """True is no number, and a number no switch."""
    assert KEYWORDS[name].takes(value) is taken


def test_every_keyword_of_a_shape_belongs_to_some_kind_only() -> None:
    """What shapes a value does so for certain kinds; what describes a field is for all."""
    partial = {name for name, keyword in KEYWORDS.items() if keyword.kinds != frozenset(Kind)}
    assert {name for name, keyword in KEYWORDS.items() if keyword.shapes} <= partial
    assert partial - {name for name, keyword in KEYWORDS.items() if keyword.shapes} == {"unset", "fallback"}
