"""Comparing objects, and paths."""

from __future__ import annotations

import pytest

from chartgen.harness import compare


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({"a": [1, {"b": "c"}]}, {"a": [1.0, {"b": "c"}]}, []),
        (True, 1, [("", "true", "1")]),
        ({"a": [{"b": True}]}, {"a": [{"b": 1}]}, [("a[0].b", "true", "1")]),
        ({"a": {"b": None}}, {"a": {"c": None}}, [("a.b", "null", "absent"), ("a.c", "absent", "null")]),
        (0, False, [("", "0", "false")]),
        ("1", 1, [("", '"1"', "1")]),
        (None, "", [("", "null", '""')]),
        ({}, [], [("", "{}", "[]")]),
        ({"a": None}, {}, [("a", "null", "absent")]),
        ({"a": 1}, {"b": 1}, [("a", "1", "absent"), ("b", "absent", "1")]),
        ([1], [1, 2], [("[1]", "absent", "2")]),
        ([1, 2], [2], [("[0]", "1", "2"), ("[1]", "2", "absent")]),
        ({"nvidia.com/gpu": {"x": 1}}, {"nvidia.com/gpu": {"x": 2}}, [("nvidia\\.com/gpu.x", "1", "2")]),
    ],
)
def test_differences(left, right, expected):
    """With JSON's types: a boolean is no number and a string is neither."""
    assert list(compare.differences(left, right)) == expected


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("a.b", ["a", "b"]),
        ("a[0].b", ["a", 0, "b"]),
        ("a[0][12]", ["a", 0, 12]),
        (r"labels.nvidia\.com/gpu", ["labels", "nvidia.com/gpu"]),
        ("a[x]", ["a[x]"]),
        ("", []),
    ],
)
def test_split(path, keys):
    """As ``--set`` writes paths."""
    assert compare.split(path) == keys


def test_long_values_are_cut():
    """A whole ConfigMap on a line helps nobody."""
    assert len(compare.show("x" * 500)) == 160


def test_a_diff_shows_the_lines_that_differ():
    """Between sorted keys, so that their order does not show."""
    left, right = {"b": 1, "a": ["x", "w"]}, {"a": ["x", "z"], "b": 1}
    assert compare.diff(left, right, "helm", "oracle") == (
        "--- helm\n+++ oracle\n@@ -1,4 +1,4 @@\n a:\n   - x\n-  - w\n+  - z\n b: 1"
    )
    assert compare.diff(left, left, "helm", "oracle") == ""
