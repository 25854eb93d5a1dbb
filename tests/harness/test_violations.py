"""Mistakes against a schema in words."""

from __future__ import annotations

import jsonschema_rs
import pytest

from chartgen.harness.violations import violations

PORT = {"oneOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]}
ACTION = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"path": {"type": "string"}, "port": PORT},
            "required": ["path"],
            "additionalProperties": False,
        },
    ]
}
SCHEMA = {
    "type": "object",
    "required": ["kind"],
    "additionalProperties": False,
    "properties": {
        "kind": {"enum": ["A", "B"]},
        "labels": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        "items": {"type": "array", "maxItems": 2, "uniqueItems": True, "items": {"type": "integer", "minimum": 1}},
        "name": {"type": "string", "pattern": "^a", "maxLength": 3},
        "since": {"type": "string", "format": "date-time"},
        "action": ACTION,
        "port": PORT,
    },
}


def told(content: object) -> tuple[str, ...]:
    """What is wrong."""
    return violations(jsonschema_rs.Draft4Validator(SCHEMA), SCHEMA, content)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"labels": {"a.b": 1}}, r"labels.a\.b is 1, and a string is expected"),
        ({"nam": "x"}, "nam is not known here; did you mean name?"),
        ({"items": [0]}, "items[0] is 0, and at least 1 is expected"),
        ({"items": [1, 2, 3]}, "items is [1, 2, 3], and at most 2 items is expected"),
        ({"items": [1, 1]}, "items is [1, 1], and each item once is expected"),
        ({"name": "b"}, 'name is "b", and what matches ^a is expected'),
        ({"name": "abcd"}, 'name is "abcd", and at most 3 characters is expected'),
        ({"since": "today"}, 'since is "today", and a date-time is expected'),
        ({"kind": "C"}, 'kind is "C", and one of "A", "B" is expected'),
        ({"port": True}, "port is true, and an integer or a string is expected"),
        ({"port": None}, "port is null, and a value is expected"),
    ],
)
def test_a_mistake_in_words(members, said):
    """The path, what is there and what is expected."""
    assert told({"kind": "A"} | members) == (said,)


def test_what_is_missing_is_named():
    """By its own path."""
    assert told({}) == ("kind is missing",)


def test_of_a_choice_the_branch_that_was_meant_is_told():
    """A mapping is no string that went wrong; and a branch inside a branch is told just the same."""
    assert told({"kind": "A", "action": {"port": []}}) == (
        "action.path is missing",
        "action.port is [], and an integer or a string is expected",
    )
    assert told({"kind": "A", "action": 1}) == ("action is 1, and a mapping or a string is expected",)


def test_an_object_that_is_none():
    """It has no path."""
    assert told([]) == ("the object is [], and a mapping is expected",)


def test_keys_are_strings_as_for_the_api_server():
    """YAML has keys that are numbers and booleans."""
    assert told({"kind": "A", "labels": {80: 1, False: 2}}) == (
        "labels.80 is 1, and a string is expected",
        "labels.false is 2, and a string is expected",
    )


def test_many_mistakes_are_counted():
    """Nobody reads them all."""
    said = told({"kind": "A", "items": [], **{f"x{number:02}": 1 for number in range(12)}})
    assert said[0] == "x00 is not known here"
    assert said[8:] == ("and 4 more mistakes",)
