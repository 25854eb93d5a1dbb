"""Values to try for a field."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from support import cases

from chartgen.harness.cases import assignments, samples
from chartgen.harness.cases.samples import Sample
from chartgen.schema import model
from chartgen.schema.model import UNSET, Kind, Type

FIELDS = {
    chart.path(field.path): field for chart in cases.trees().charts for field in samples.settable(chart.schema)
}  # fmt: skip


def field(type_: Type, default: object = UNSET, example: object = UNSET) -> model.Field:
    return model.Field("a", "a", type_, "", default=default, example=example)


def given(type_: Type, **more: object) -> list[Any]:
    return [sample.value for sample in samples.of_field(field(type_, **more))]


def is_whole(name: str) -> bool:
    return FIELDS[name].type.kind is Kind.OBJECT and not FIELDS[name].type.required


def test_the_chart_takes_every_sample():
    """By its JSON Schema and that of its subchart: many fields at a time, and whole objects one by one."""
    feasibility = cases.feasibility()
    columns = [[(path, sample) for sample in samples.of_field(FIELDS[path])] for path in FIELDS if not is_whole(path)]
    rows: list[dict[str, Sample]] = [
        dict(pair for pair in row if pair is not None) for row in itertools.zip_longest(*columns)
    ]
    rows += [{path: sample} for path in FIELDS if is_whole(path) for sample in samples.of_field(FIELDS[path])]
    for row in rows:
        values = {path: sample.value for path, sample in row.items()}
        context = feasibility.of_values(assignments.nest(values))
        if not feasibility.fits_schema(context):
            alone = [
                (path, sample)
                for path, sample in row.items()
                if not feasibility.fits_schema(feasibility.of_values(assignments.nest({path: sample.value})))
            ]
            assert alone == []


def test_samples_of_a_field_differ():
    """In label and value."""
    for path, known in FIELDS.items():
        labels = [sample.label for sample in samples.of_field(known)]
        assert len(set(labels)) == len(labels), path


@pytest.mark.parametrize(
    ("type_", "some"),
    [
        (Type(Kind.BOOLEAN), [True, False, "true", "false", None]),
        (Type(Kind.INTEGER, minimum=2, maximum=9), [2, 9, 3.0, None]),
        (Type(Kind.INTEGER, format="int32"), [-(2**31), 0, 2**31 - 1]),
        (Type(Kind.STRING, enum=("a", "b")), ["a", "b", "", None]),
        (Type(Kind.STRING), ["yes", "0123", "1e3", "~", "{{ x }}", "a\n\n  b\n", "it's", 'a"b', "", "a #b", "a: b"]),
        (Type(Kind.STRING, reads=(Kind.INTEGER, Kind.BOOLEAN)), [0, 20260101, True, False, "580.10"]),
        (Type(Kind.STRING, pattern="^[0-9]+%$", max_length=4), ["0%", "", None]),
        (Type(Kind.INT_OR_STRING, pattern="^[0-9]+%?$", minimum=0), ["0%", 0, 1, "0123", None]),
        (Type(Kind.REFERENCE), ["a-name", {"name": "a-name"}, {"name": "0123"}]),
        (Type(Kind.LIST, items=field(Type(Kind.INTEGER, minimum=4, maximum=5))), [[], [4], [4, 5], None]),
        (Type(Kind.MAP, values=field(Type(Kind.BOOLEAN))), [{}, {"key": True}, {"key": None}, None]),
        (Type(Kind.OBJECT, properties={"a": field(Type(Kind.STRING))}), [{}, None]),
    ],
)  # fmt: skip
def test_each_branch_of_a_type(type_, some):
    """Both booleans and their spellings, bounds, members, branches of unions, what is empty, null."""
    found = given(type_)
    assert [value for value in some if not any(type(value) is type(one) and value == one for one in found)] == []


def test_a_switch_that_helm_reads_takes_booleans_only():
    """Neither their spellings nor null."""
    assert given(Type(Kind.BOOLEAN, strict=True)) == [True, False]


def test_traps_keep_to_pattern_and_length():
    """A string that the schema refuses is none to try."""
    assert "{{ x }}" not in given(Type(Kind.STRING, pattern="^[a-z]+$"))
    assert max(len(text) for text in given(Type(Kind.STRING, max_length=5)) if text) == 5


def test_defaults_and_examples_come_first():
    """They make the most sense."""
    assert given(Type(Kind.STRING), default="d", example="e")[:2] == ["e", "d"]


def test_objects_in_lists_have_all_samples_of_their_members():
    """Side by side: as many objects as the richest member has samples, and one with the required members alone."""
    member = field(Type(Kind.STRING, enum=("a", "b", "c")))
    flag = field(Type(Kind.BOOLEAN))
    item = Type(Kind.OBJECT, properties={"name": member, "flag": flag}, required=("name",))
    [many] = [value for value in given(Type(Kind.LIST, items=field(item))) if value and len(value) > 1]
    assert many[0] == {"name": "a"}
    assert {one["name"] for one in many} == {"a", "b", "c"}
    assert {one["flag"] for one in many[1:]} == {True, False, "true", "false", None}


def test_members_that_must_be_there_are_not_set_alone():
    """An object with such members is given in whole."""
    inner = Type(Kind.OBJECT, properties={"a": model.Field("o.a", "a", Type(Kind.STRING), "")}, required=("a",))
    schema = model.Schema({"o": model.Field("o", "o", inner, "")}, {}, (), {}, {"name": "x"})
    assert [field.path for field in samples.settable(schema)] == ["o"]
    assert {"a": "word"} in [sample.value for sample in samples.of_field(schema.fields["o"])]


def test_plain_values_have_no_traps():
    """What anybody might give: an example, the default, a text, what is empty, null."""
    assert [sample.value for sample in samples.plain(field(Type(Kind.STRING), example="e"))] == ["e", "word", "", None]
