"""Places in objects that may be malformed."""

from __future__ import annotations

import pytest

from chartgen.harness import places

OBJECT = {
    "spec": {
        "containers": [{"name": "a", "env": [{"name": "X"}, 5]}, {"env": "wrong"}, None],
        "initContainers": [{"name": "b"}],
        "labels": {"x.y": "1", "z": "2"},
    }
}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", [("", OBJECT)]),
        ("spec.containers[].name", [("spec.containers[0].name", "a")]),
        (
            "spec.initContainers|containers[].name",
            [("spec.initContainers[0].name", "b"), ("spec.containers[0].name", "a")],
        ),
        ("spec.containers[].env[].name", [("spec.containers[0].env[0].name", "X")]),
        ("spec.labels.*", [("spec.labels.x.y", "1"), ("spec.labels.z", "2")]),
        ("spec.none.name", []),
        ("spec.labels[]", []),
        ("spec.containers.name", []),
    ],
)
def test_a_pattern_leads_to_its_places(pattern, expected):
    """Whatever has another shape is passed over."""
    assert list(places.find(OBJECT, pattern)) == expected


def test_paths_begin_where_the_value_is():
    """For a part of an object."""
    assert list(places.find({"a": 1}, "a", "spec.x[0]")) == [("spec.x[0].a", 1)]


def test_strings_are_found_at_every_depth():
    """Keys are none."""
    assert list(places.strings({"a": ["x", {"b": "y"}, 1], "c": None})) == [("a[0]", "x"), ("a[1].b", "y")]


def test_what_has_another_shape_is_empty():
    """A mapping, a list, a text."""
    assert (places.mapping([1]), places.sequence({"a": 1}), places.text(5)) == ({}, (), "")
