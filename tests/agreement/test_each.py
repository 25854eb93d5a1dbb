"""A document that is repeated for the items of a list: helm makes as many of it as evaluation does, and the same ones."""

from __future__ import annotations

from typing import Any

import pytest
from support import odd, trees

from chartgen.harness import compare, manifests
from chartgen.schema import conditions
from chartgen.tree import gotext, helpers
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Builtin, Document, Each, EnvMerge, Manifest, Node, Value, When

_EACH = Each("repeated", "top.pools", "top")


def _document(each: Each | None, name: Node, *, given: conditions.Condition = conditions.ALWAYS) -> Document:
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "Case",
        "metadata": {"name": name, "namespace": Builtin.NAMESPACE, "labels": Value("top.labels")},
        "word": Value("top.word"),
        "size": Value("top.size"),
        "deep": Value("top.deep.word"),
        "env": EnvMerge("repeatedEnv", (({"name": "WORD", "value": Value("top.word", "none")},), "top.env")),
        "other": Value("side-car.word"),
        "image": helpers.image("top.image", "nvcr.io/nvidia"),
        "last": When(conditions.Set("top.word"), Value("top.word"), Builtin.RELEASE_NAME),
    }
    return Document(tree, given, each)


@pytest.mark.parametrize("values", odd.VALUES.values(), ids=odd.VALUES)
@pytest.mark.parametrize(
    "documents",
    [
        (_document(_EACH, "repeated"),),
        (_document(None, "before"), _document(_EACH, "repeated"), _document(None, "after")),
        (_document(None, "before"), _document(_EACH, "repeated", given=conditions.On("side-car.switch"))),
    ],
    ids=["alone", "between others", "on a condition"],
)
def test_helm_and_evaluation_agree(
    workshop: trees.Workshop, documents: tuple[Document, ...], values: dict[str, Any]
) -> None:
    """Also where an item leaves members out, or the list or what it is laid over is null."""
    manifest = Manifest("each.yaml", "Repeated.", documents)
    rendered = [one.object for one in manifests.Reader().read(workshop.render([manifest], values)).documents]
    evaluated = Evaluator(trees.INDEX, trees.context(values)).objects(manifest)
    assert list(compare.differences({"all": rendered}, {"all": evaluated})) == []


def test_items_replace_members_as_a_whole() -> None:
    """One that is null, or missing, leaves what was there."""
    pools = [{"word": "first"}, {"word": None, "deep": {}}]
    values = {"top": {"word": "all", "deep": {"word": "below"}, "pools": pools}}
    manifest = Manifest("each.yaml", "Repeated.", (_document(_EACH, "repeated"),))
    found = Evaluator(trees.INDEX, trees.context(values)).objects(manifest)
    assert [(one["word"], one.get("deep")) for one in found] == [("first", "below"), ("all", None)]


def test_a_document_is_there_for_every_item_or_for_none() -> None:
    """Its guard stands outside of the repetition."""
    given = conditions.Set("top.word")
    manifest = Manifest("each.yaml", "Repeated.", (_document(_EACH, "repeated", given=given),))
    with pytest.raises(TypeError, match="depends on what it is repeated for"):
        gotext.manifest(manifest, trees.INDEX, trees.NAME)
