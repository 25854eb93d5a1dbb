"""A document is looked at once."""

from __future__ import annotations

import pytest

from chartgen.harness.manifests import Document
from chartgen.harness.memo import Memo


def test_the_same_text_is_looked_at_once():
    """From whichever template it comes; without a kind the template is its name, and counts."""
    looked: list[str] = []

    def look(document: Document) -> list[str]:
        looked.append(document.source)
        return [document.source]

    memo = Memo(look)
    kind = {"kind": "A"}
    documents = [Document("a", "x", kind), Document("b", "x", kind), Document("c", "y", {}), Document("d", "y", {})]
    assert [memo(document) for document in documents] == [("a",), ("a",), ("c",), ("d",)]
    assert looked == ["a", "c", "d"]


def test_a_look_that_breaks_is_not_remembered():
    """The next one may not."""
    calls: list[int] = []

    def look(document: Document) -> list[int]:
        calls.append(1)
        if len(calls) == 1:
            raise KeyError("x")
        return [1]

    memo = Memo(look)
    with pytest.raises(KeyError):
        memo(Document("a", "x", {"kind": "A"}))
    assert memo(Document("a", "x", {"kind": "A"})) == (1,)
