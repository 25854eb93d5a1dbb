"""When a node is there, and what is left of a condition inside a guard."""

from __future__ import annotations

import pytest
from hypothesis import given
from support import strategies, trees

from chartgen.schema import conditions
from chartgen.schema.conditions import ALWAYS, NEVER, All, Any, Condition, negate
from chartgen.tree.context import Context
from chartgen.tree.evaluate import ABSENT, Evaluator
from chartgen.tree.nodes import EnvMerge, Node, Value, When, extend, join
from chartgen.tree.presence import assume, presence, reads, simplify

A, B, C = conditions.Set("top.word"), conditions.On("top.switch"), conditions.Set("top.args")
WORD, ARGS = Value("top.word"), Value("top.args")


@pytest.mark.parametrize(
    ("node", "wanted"),
    [
        ("x", ALWAYS),
        ({}, ALWAYS),
        ([], ALWAYS),
        (WORD, A),
        (Value("top.word", "x"), ALWAYS),
        (Value("top.lit"), ALWAYS),
        (Value("top.switch"), conditions.Set("top.switch")),
        (join("a", WORD), A),
        ({"a": {"b": WORD}, "c": ARGS}, Any((A, C))),
        ([WORD, "x"], ALWAYS),
        (When(B, "x"), B),
        (When(B, WORD), All((B, A))),
        (When(B, "x", "y"), ALWAYS),
        (When(B, WORD, ARGS), Any((All((B, A)), All((negate(B), C))))),
        (extend([WORD], ARGS), Any((A, C))),
        (extend([], ARGS), C),
        (extend(When(B, [])), NEVER),
        (EnvMerge("e", (({"name": "A"},), "top.env")), ALWAYS),
        (EnvMerge("e", ((), "top.env")), conditions.Set("top.env")),
    ],
)
def test_a_node_is_there(node: Node, wanted: Condition) -> None:
    """Under the condition of what it needs; a parent with any of its children."""
    assert presence(node, trees.INDEX) == wanted


@pytest.mark.parametrize(
    ("condition", "assumed", "wanted"),
    [
        (A, A, ALWAYS),
        (negate(A), A, NEVER),
        (A, negate(A), NEVER),
        (All((A, B)), A, B),
        (Any((A, B)), A, ALWAYS),
        (Any((A, B)), negate(A), B),
        (All((A, B)), All((A, B)), ALWAYS),
        (negate(Any((A, B))), negate(A), negate(B)),
        (C, All((A, B)), C),
    ],
)
def test_what_is_known_is_not_asked_again(condition: Condition, assumed: Condition, wanted: Condition) -> None:
    """A guard checks what the guards around it have not."""
    assert simplify(condition, assume(assumed, frozenset())) == wanted


@given(condition=strategies.CONDITIONS, assumed=strategies.CONDITIONS, values=strategies.VALUES)
def test_simplifying_changes_no_truth(condition: Condition, assumed: Condition, values: dict[str, object]) -> None:
    """Wherever the assumption holds, the simpler condition holds just when the condition does."""
    evaluator = Evaluator(trees.INDEX, Context(values, api_versions=frozenset(trees.APIS)))
    simpler = simplify(condition, assume(assumed, frozenset()))
    assert not evaluator.holds(assumed) or evaluator.holds(simpler) is evaluator.holds(condition)


@given(tree=strategies.TREES, values=strategies.VALUES)
def test_presence_says_when_a_node_yields(tree: Node, values: dict[str, object]) -> None:
    """What is there by its condition yields something, and what is not yields nothing."""
    evaluator = Evaluator(trees.INDEX, trees.context(values))
    assert evaluator.holds(presence(tree, trees.INDEX)) is (evaluator.node(tree) is not ABSENT)


def test_reads_finds_every_path() -> None:
    """In values, conditions, helpers and both branches of a choice."""
    node = When(B, {"a": join("x", WORD)}, extend([ARGS], EnvMerge("e", (({"name": Value("top.mode")},), "top.env"))))
    assert set(reads(node)) == {"top.switch", "top.word", "top.args", "top.mode", "top.env"}
