"""The smallest values of a type."""

from __future__ import annotations

import pytest
from support import judged

from chartgen.harness.cases import smallest
from chartgen.schema import check, model
from chartgen.schema.model import UNSET, Kind, Type

FIELDS = {
    f"{schema.chart['name']}/{field.path}": field
    for schema in (judged.schema(), *judged.schema().subcharts.values())
    for field in schema.walk()
}


def test_every_field_of_the_chart_has_them():
    """Valid ones, and those that count as given are not empty."""
    wrong = []
    for name, field in FIELDS.items():
        given = smallest.given(field)
        wrong += [(name, *found) for found in check.mismatches(field.type, smallest.valid(field.type))]
        wrong += [(name, *found) for found in check.mismatches(field.type, given)]
        if smallest.is_empty(given):
            wrong.append((name, given))
    assert wrong == []


def field(type_: Type, example: object = UNSET) -> model.Field:
    return model.Field("a", "a", type_, "", example=example)


@pytest.mark.parametrize(
    ("type_", "valid", "given"),
    [
        (Type(Kind.LIST), [], ["sample"]),
        (Type(Kind.LIST, items=field(Type(Kind.INTEGER, minimum=4))), [], [4]),
        (Type(Kind.MAP), {}, {"sample": "sample"}),
        (Type(Kind.OBJECT, properties={"a": field(Type(Kind.BOOLEAN))}), {}, {"a": True}),
        (Type(Kind.OBJECT, properties={"a": field(Type(Kind.STRING))}, required=("a",)), {"a": "sample"}, {"a": "sample"}),
        (Type(Kind.STRING, enum=("", "b", "c")), "b", "b"),
        (Type(Kind.STRING, pattern="^[0-9]+%$"), "0%", "0%"),
        (Type(Kind.REFERENCE), "sample", "sample"),
    ],
)  # fmt: skip
def test_by_kind(type_, valid, given):
    """Empty where nothing is required, and with one member where something shall be there."""
    assert smallest.valid(type_) == valid
    assert smallest.given(field(type_)) == given


def test_an_example_makes_more_sense():
    """Unless it is empty."""
    assert smallest.given(field(Type(Kind.STRING), "ubuntu22.04")) == "ubuntu22.04"
    assert smallest.given(field(Type(Kind.STRING), "")) == "sample"


def test_a_value_below_keys_and_positions():
    """Nested as a values file has it."""
    assert smallest.at(("driver", "env", 0, "name"), 5) == {"driver": {"env": [{"name": 5}]}}
