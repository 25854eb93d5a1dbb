"""Random trees over random values: helm and evaluation agree, and what is printed reads well.

Values hold nulls, missing parents, quoted booleans, strings that YAML and templates trip over, and big numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import strategies, trees

from chartgen.tree.nodes import Node

_SLOW = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
# Most often many in one chart, since a call of helm costs the same; a failure shrinks to a single one.
_FORESTS = st.lists(strategies.TREES, min_size=1, max_size=1) | st.lists(strategies.TREES, min_size=10, max_size=20)


@_SLOW
@given(forest=_FORESTS, values=strategies.VALUES)
def test_helm_and_evaluation_agree(workshop: trees.Workshop, forest: list[Node], values: dict[str, Any]) -> None:
    """Several trees in one chart, so that one call of helm judges them all."""
    found = workshop.disagreements(forest, values)
    assert not found, "\n\n".join(found[:3])


@_SLOW
@given(tree=strategies.TREES, values=strategies.VALUES)
def test_nothing_is_null(tree: Node, values: dict[str, Any]) -> None:
    """Whatever is null in values is absent in the result."""
    told = trees.evaluated(tree, values)
    assert not told.there or None not in list(_scalars(told.value))


@_SLOW
@given(tree=strategies.TREES, values=strategies.VALUES)
def test_a_parent_without_children_is_absent(tree: Node, values: dict[str, Any]) -> None:
    """A mapping or list of the tree is there and not empty, or it is not there."""
    result = trees.evaluated(tree, values)
    assert result.there is (result.value is not None)
    assert not list(_hollow(tree, result.value, "tree"))


@given(tree=strategies.TREES)
def test_no_guard_is_repeated_inside_itself(tree: Node) -> None:
    """A condition that a guard has checked is not checked again below it, nor is its opposite."""
    assert not list(_repeated(trees.printed(tree)))


@given(tree=strategies.TREES)
def test_lines_carry_no_blanks_at_their_end(tree: Node) -> None:
    """Printed text is as a careful person leaves it."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"', '""', trees.printed(tree))
    assert not [line for line in text.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize(
    ("text", "repeated"),
    [
        ("{{- if a }}\n{{- if b }}\n{{- end }}\n{{- if a }}\n{{- end }}\n{{- end }}", ["a"]),
        ("{{- if a }}\n{{- end }}\n{{- if a }}\n{{- end }}", []),
        ("{{- with a }}\n{{- else }}\n{{- if a }}\n{{- end }}\n{{- end }}", []),
        ("{{- if a }}\n{{- else if a }}\n{{- end }}", []),
    ],
)
def test_repeated_guards_are_found(text: str, repeated: list[str]) -> None:
    """The check above can fail."""
    assert list(_repeated(text)) == repeated


def _repeated(text: str) -> Iterator[str]:
    """Conditions of guards that stand inside a guard on the very same condition."""
    open_: list[str] = []
    for word, operands in re.findall(
        r"^ *\{\{- (if|with|range|else|end|define)\b(.*?)\}\}$", text, re.MULTILINE | re.DOTALL
    ):
        condition = " ".join(operands.split())
        if word in ("else", "end"):
            open_.pop()
        if word != "end":
            if condition and condition in open_:
                yield condition
            open_.append("" if word == "else" else condition)


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for member in value.values():
            yield from _scalars(member)
    elif isinstance(value, list):
        for member in value:
            yield from _scalars(member)
    else:
        yield value


def _hollow(node: Node, result: Any, path: str) -> Iterator[str]:
    """Mappings and lists that are written out in the tree with members, and came out empty."""
    if isinstance(node, list | Mapping) and node and result is not None and not result:
        yield path
    if isinstance(node, Mapping) and isinstance(result, Mapping):
        for key, member in node.items():
            yield from _hollow(member, result.get(key), f"{path}.{key}")
