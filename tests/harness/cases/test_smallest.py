"""The smallest values of a type."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest
from support import judged

from chartgen.harness.cases import smallest
from chartgen.schema import model
from chartgen.schema.model import UNSET, Kind, Type


@pytest.mark.parametrize("which", ["gpu-operator", "node-feature-discovery"])
def test_every_field_of_the_chart_has_them(which):
    """Valid ones, and those that count as given are not empty: said by the JSON Schema, which reads kindly."""
    schema = judged.schema() if which == "gpu-operator" else judged.schema().subcharts[which]
    folder = judged.CHART if which == "gpu-operator" else judged.CHART / "charts" / which
    validator = jsonschema_rs.validator_for(json.loads((folder / "values.schema.json").read_bytes()))
    wrong = []
    for field in schema.walk():
        given = smallest.given(field)
        for value in (given, smallest.valid(field.type)):
            values = smallest.at(tuple(field.path.split(".")), value)
            found = [
                error for error in validator.iter_errors(values) if len(error.instance_path) > field.path.count(".")
            ]
            wrong += [(field.path, error.message) for error in found]
        if smallest.is_empty(given):
            wrong.append((field.path, "empty"))
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
        (Type(Kind.OBJECT, properties={"a": field(Type(Kind.STRING))}, required=("a",)), {"a": "sample"}, {"a": "a"}),
        (Type(Kind.STRING, enum=("", "b", "c")), "b", "b"),
        (Type(Kind.STRING, pattern="^[0-9]+%$"), "0%", "0%"),
        (Type(Kind.REFERENCE), "sample", "a"),
    ],
)  # fmt: skip
def test_by_kind(type_, valid, given):
    """Empty where nothing is required, and with one member where something shall be there."""
    assert smallest.valid(type_) == valid
    assert smallest.given(field(type_)) == given


def test_an_example_makes_more_sense():
    """Unless it is empty."""
    assert smallest.given(field(Type(Kind.STRING), "ubuntu22.04")) == "ubuntu22.04"
    assert smallest.given(field(Type(Kind.STRING), "")) == "a"


def test_a_text_tells_of_its_field():
    """So that no two are alike; where it may not, it is another."""
    path = "driver.licensingConfig.secretName"
    assert smallest.given(model.Field(path, "secretName", Type(Kind.STRING), "")) == "driver-licensingconfig-secretname"
    assert smallest.given(model.Field(path, "secretName", Type(Kind.STRING, pattern="^[0-9]$"), "")) == "0"
    assert len(smallest.own_text("a." * 50)) <= 40


def test_kinds_that_are_read_kindly_are_all_there():
    """A number beside a text, and a name as a map."""
    kindly = Type(Kind.STRING, reads=(Kind.INTEGER, Kind.BOOLEAN))
    labels = Type(Kind.MAP, values=field(kindly))
    assert smallest.given(field(labels)) == {"sample": "a", "sample1": 1, "sample2": True}
    assert smallest.given(field(labels, {"a": "b"})) == {"a": "b", "sample1": 1, "sample2": True}
    secrets = Type(Kind.LIST, items=field(Type(Kind.REFERENCE)))
    assert smallest.given(field(secrets)) == ["a", {"name": "sample-by-name"}]
    members = {"name": model.Field("n", "name", Type(Kind.STRING), ""), "value": model.Field("v", "value", kindly, "")}
    env = Type(Kind.LIST, items=field(Type(Kind.OBJECT, properties=members, required=("name",))))
    assert smallest.given(field(env)) == [
        {"name": "n"}, {"name": "sample1", "value": 1}, {"name": "sample2", "value": True},
    ]  # fmt: skip


def test_a_value_below_keys_and_positions():
    """Nested as a values file has it."""
    assert smallest.at(("driver", "env", 0, "name"), 5) == {"driver": {"env": [{"name": 5}]}}
