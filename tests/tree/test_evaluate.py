"""What trees and conditions yield, by facts written by hand: printer and evaluator could agree on something wrong."""

from __future__ import annotations

from typing import Any

import pytest
from support import trees
from support.trees import Told

from chartgen.schema import conditions
from chartgen.schema.paths import UnknownPath
from chartgen.tree import helpers
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Builtin, Document, EnvMerge, Manifest, Node, Value, When, extend, join

ON = conditions.On("top.switch")
NOTHING = Told(there=False)


def _top(**members: Any) -> dict[str, Any]:
    return {"top": members}


# Node, values, what it yields (`NOTHING` when it is absent).
YIELDS: list[tuple[Node, dict[str, Any], Any]] = [
    (Value("top.word"), _top(word="x"), "x"),
    (Value("top.word"), _top(word=""), NOTHING),
    (Value("top.word"), _top(word=None), NOTHING),
    (Value("top.word"), {"top": None}, NOTHING),
    (Value("top.word"), {}, NOTHING),
    (Value("top.word", "else"), _top(word=""), "else"),
    (Value("top.blank"), _top(blank=""), ""),
    (Value("top.blank", "else"), _top(blank=""), ""),
    (Value("top.blank", "else"), _top(blank=None), "else"),
    (Value("top.version"), _top(version=580), "580"),
    (Value("top.version"), _top(version=20260101.0), "20260101"),
    (Value("top.version"), _top(version=False), "false"),
    (Value("top.version", "else"), _top(version=0), "0"),
    (Value("top.size"), _top(size=0), 0),
    (Value("top.size"), _top(size=3.0), 3),
    (Value("top.size", 7), _top(size=None), 7),
    (Value("top.switch"), _top(), NOTHING),
    (Value("top.switch"), _top(switch="false"), False),
    (Value("top.lit"), _top(), True),
    (Value("top.lit"), _top(lit="false"), False),
    (Value("top.dim"), _top(), False),
    (Value("top.dim"), _top(dim="true"), True),
    (Value("top.share"), _top(share=0), 0),
    (Value("top.share"), _top(share="25%"), "25%"),
    (Value("top.labels"), _top(labels={"a": True, "b": 5, "c": None, "d": "y"}), {"a": "true", "b": "5", "d": "y"}),
    (Value("top.secrets"), _top(secrets=["a", {"name": "b"}, "a"]), ["a", "b"]),
    (Value("top.relabelings"), _top(relabelings=[{"regex": "x"}]), [{"action": "replace", "regex": "x"}]),
    (Value("top.resources"), _top(resources={"limits": {"cpu": None, "a": 1}}), {"limits": {"a": 1}}),
    (join("a-", Value("top.word"), "-b"), _top(word="x"), "a-x-b"),
    (join("a-", Value("top.word"), "-b"), _top(), NOTHING),
    (join("size ", Value("top.size"), " ", Value("top.dim")), _top(size=20260101), "size 20260101 false"),
    (When(ON, "a", "b"), _top(switch="true"), "a"),
    (When(ON, "a", "b"), _top(switch=None), "b"),
    (When(ON, "a"), _top(), NOTHING),
    (When(ON, Value("top.word")), _top(switch=True), NOTHING),
    ({"a": {"b": [Value("top.word")]}}, _top(), NOTHING),
    ({"a": {"b": [Value("top.word")]}, "c": {}}, _top(), {"c": {}}),
    (extend(["a"], Value("top.args")), _top(args=["b"]), ["a", "b"]),
    (extend({"a": 1}, Value("top.resources")), _top(resources={"b": {}, "c": None}), {"a": 1, "b": {}}),
    (extend(Value("top.args"), []), _top(), NOTHING),
    (Builtin.NAMESPACE, {}, "some-namespace"),
    (helpers.number("top.share"), _top(share="0123"), "0123"),
    (helpers.number("top.share"), _top(share="123"), 123),
    (helpers.commas("top.secrets", "top.args"), _top(secrets=["a"], args=["b", "a"]), "a,b"),
]  # fmt: skip
HOLDS: list[tuple[conditions.Condition, dict[str, Any], bool]] = [
    (conditions.On("top.lit"), {}, True),
    (conditions.On("top.dim"), {}, False),
    (conditions.On("top.dim"), _top(dim="true"), True),
    (conditions.Set("top.size"), _top(size=0), True),
    (conditions.Set("top.switch"), _top(switch=False), True),
    (conditions.Set("top.labels"), _top(labels={}), False),
    (conditions.Equals("top.mode", "auto"), {}, True),
    (conditions.Equals("top.mode", "auto"), _top(mode="manual"), False),
    (conditions.Equals("top.word", ""), {}, True),
    (conditions.Equals("top.size", "20260101"), _top(size=20260101.0), True),
    (conditions.Equals("top.share", "25%"), {}, True),
    (conditions.Matches("top.version", r"^\d+$"), _top(version=580), True),
    (conditions.Has("top.labels", key_from="top.word"), _top(labels={"a": 1}, word="a"), True),
    (conditions.Has("top.labels", "a"), {"top": None}, False),
    (conditions.Has("top.args", "a"), _top(args=["a"]), True),
    (conditions.Variable("top.env", "A", "^1$"), _top(env=[{"name": "A", "value": 2}, {"name": "A", "value": 1}]), True),
    (conditions.Given("top.deep"), _top(deep={}), True),
    (conditions.Given("top.deep"), _top(deep=None), False),
    (conditions.Same("top.word", "top.version"), _top(word="5", version=5), True),
    (conditions.Same("top.word", "top.version"), {}, False),
    (conditions.Some("top.pools", conditions.Equals("word", "a"), "x"), _top(pools=[{"word": "b"}, {"word": "a"}]), True),
    (conditions.Some("top.pools", conditions.Equals("word", "a"), "x"), _top(word="a", pools=[{"word": "b"}]), False),
    (conditions.Some("top.pools", conditions.negate(conditions.Set("deep.word")), "x"), _top(pools=[{}]), True),
    (conditions.Some("top.pools", conditions.ALWAYS, "x"), _top(pools=[]), False),
    (conditions.Twice("top.pools", "word"), _top(pools=[{"word": "a"}, {"word": "b"}, {"word": "a"}]), True),
    (conditions.Twice("top.pools", "word"), _top(pools=[{"word": "a"}, {"word": ""}, {"word": None}, {}]), False),
    (conditions.Api(trees.APIS[1]), {}, True),
    (conditions.Api("a/v1/B"), {}, False),
    (conditions.ALWAYS, {}, True),
    (conditions.NEVER, {}, False),
]  # fmt: skip


@pytest.mark.parametrize(("node", "values", "wanted"), YIELDS)
def test_a_node_yields(node: Node, values: dict[str, Any], wanted: Any) -> None:
    """Null is absent everywhere, and a parent without children too."""
    told = trees.evaluated(node, values)
    assert told == (wanted if isinstance(wanted, Told) else Told(there=True, value=wanted))
    assert type(told.value) is type(wanted) or wanted is NOTHING


@pytest.mark.parametrize(("condition", "values", "holds"), HOLDS)
def test_a_condition_holds(condition: conditions.Condition, values: dict[str, Any], holds: bool) -> None:
    """And its opposite does not."""
    evaluator = Evaluator(trees.INDEX, Context(values, api_versions=frozenset(trees.APIS)))
    assert evaluator.holds(condition) is holds
    assert evaluator.holds(conditions.negate(condition)) is not holds


def test_an_environment_in_layers() -> None:
    """A repeated name keeps its place and takes the later value; what had a source then has a value."""
    own: tuple[Node, ...] = (
        {"name": "A", "value": "own"},
        {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "x"}}},
        When(ON, {"name": "C", "value": "on"}),
    )
    given = [{"name": "B", "value": 5}, {"name": "D", "value": None}, {"name": "A", "value": True}]
    assert trees.evaluated(EnvMerge("e", (own, "top.env")), _top(env=given)).value == [
        {"name": "A", "value": "true"},
        {"name": "B", "value": "5"},
        {"name": "D"},
    ]


def test_a_document_may_be_absent() -> None:
    """While its condition does not hold."""
    manifest = Manifest("a.yaml", "A.", (Document({"kind": "A"}, ON), Document({"kind": "B"})))
    assert Evaluator(trees.INDEX, Context({})).objects(manifest) == [{"kind": "B"}]
    assert len(Evaluator(trees.INDEX, Context(_top(switch="true"))).objects(manifest)) == 2


def test_an_unknown_path_is_an_error() -> None:
    """And never just null."""
    with pytest.raises(UnknownPath):
        trees.evaluated(Value("top.wrod"), {})


IMAGE = {"repository": "nvcr.io/nvidia", "image": "thing", "version": "v1"}


@pytest.mark.parametrize(
    ("image", "registry", "wanted"),
    [
        (IMAGE, None, "nvcr.io/nvidia/thing:v1"),
        (IMAGE, "reg:5000", "reg:5000/nvidia/thing:v1"),
        ({**IMAGE, "repository": "own.example/x"}, "reg:5000", "own.example/x/thing:v1"),
        ({**IMAGE, "version": "sha256:abc"}, None, "nvcr.io/nvidia/thing@sha256:abc"),
        ({**IMAGE, "version": 580}, None, "nvcr.io/nvidia/thing:580"),
        ({**IMAGE, "version": ""}, None, "nvcr.io/nvidia/thing"),
        ({"image": "whole.example/thing:v2"}, None, "whole.example/thing:v2"),
    ],
)
def test_an_image_is_one_reference(image: dict[str, Any], registry: str | None, wanted: str) -> None:
    """Digests are joined with @; only what is at its default moves to the registry for all."""
    values = {**_top(image=image), "global": {"imageRegistry": registry}}
    assert trees.evaluated(helpers.image("top.image", "nvcr.io/nvidia"), values).value == wanted


def test_labels_of_an_object() -> None:
    """The standard ones, then those of a user; what selectors depend on is not replaced."""
    values = {
        "nameOverride": "short",
        "operator": {"labels": {"team": 5, "component": "mine", "helm.sh/chart": "mine"}},
    }
    assert trees.evaluated(helpers.labels({"component": "x"}), values).value == {
        "app.kubernetes.io/name": "short",
        "helm.sh/chart": "mine",
        "app.kubernetes.io/instance": "some-release",
        "app.kubernetes.io/version": "v5",
        "app.kubernetes.io/managed-by": "Helm",
        "team": "5",
        "component": "x",
    }
