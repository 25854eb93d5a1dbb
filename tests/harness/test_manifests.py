"""Reading what helm prints."""

from __future__ import annotations

from chartgen.harness.manifests import Reader
from chartgen.harness.tools import Run


def test_documents_are_parted_and_their_templates_known(rendered):
    """Comments alone are no document."""
    found = rendered("""
        ---
        # Source: c/templates/a.yaml
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a, namespace: space}
        data:
          text: |
            ---
            not a separator
        ---
        # Source: c/templates/empty.yaml
        # nothing
        ---
        # Source: c/charts/s/templates/b.yaml
        kind: B

        """).documents
    assert [document.source for document in found] == ["c/templates/a.yaml", "c/charts/s/templates/b.yaml"]
    assert [document.identity for document in found] == ["ConfigMap/a", "B/"]
    assert (found[0].api_version, found[0].namespace) == ("v1", "space")
    assert found[0].object["data"] == {"text": "---\nnot a separator\n"}


def test_a_document_that_is_no_object_says_why(rendered):
    """It is kept, so that a check can complain about it."""
    found = rendered("""
        ---
        # Source: list
        - 1
        ---
        # Source: broken
        a: [
        ---
        # Source: empty
        {}
        """).documents
    problems = {document.source: document.problem for document in found}
    assert problems["list"] == "a list and not an object"
    assert problems["broken"].startswith("not YAML: ")
    assert problems["empty"] == "an empty object"


def test_odd_metadata_has_no_name(rendered):
    """Whatever a template prints there."""
    found = rendered("""
        ---
        kind: [x]
        metadata: text
        ---
        kind: A
        metadata: {name: 5}
        """).documents
    assert [(document.kind, document.name) for document in found] == [("", ""), ("A", "")]


def test_a_distinct_text_is_read_once():
    """The second time the same object comes back, though it follows another number of empty lines."""
    reader = Reader()
    first = reader.read(Run("", 0, "---\n# Source: a\nkind: A\n\n---\n", "", 0))
    second = reader.read(Run("", 0, "---\n# Source: b\nkind: A\n", "", 0))
    assert first.documents[0].object is second.documents[0].object
    assert (first.documents[0].source, second.documents[0].source) == ("a", "b")


def test_a_refused_render_has_no_documents():
    """Even when helm printed some."""
    assert Reader().read(Run("", 1, "---\nkind: A\n", "Error", 0)).documents == ()
