"""All manifests of the chart, as trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from chartgen.components import chart
from chartgen.schema import loader
from chartgen.tree.nodes import Builtin, Document, Helper, Manifest, Node, Value, When

SCHEMA = loader.load(Path(__file__).resolve().parents[2] / "schemas")
MANIFESTS = chart.manifests(SCHEMA)
_CLUSTER_WIDE = {
    "ClusterPolicy",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "DeviceClass",
    "GPUCluster",
    "NVIDIADriver",
    "Namespace",
    "NodeFeatureRule",
    "RuntimeClass",
    "SecurityContextConstraints",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
}


def _documents() -> Iterator[tuple[Manifest, Document]]:
    for manifest in MANIFESTS:
        for document in manifest.documents:
            yield manifest, document


def _metadata(document: Document) -> Mapping[str, Node]:
    metadata = document.tree["metadata"]
    assert isinstance(metadata, Mapping)
    return metadata


def test_every_file_is_made_once() -> None:
    """No manifest overwrites another."""
    assert [name for name, count in Counter(one.file for one in MANIFESTS).items() if count > 1] == []


def test_every_file_says_what_it_is_for() -> None:
    """In a sentence."""
    assert [one.file for one in MANIFESTS if not one.about.rstrip().endswith((".", "?"))] == []


def test_objects_of_a_namespace_name_it() -> None:
    """The release's, always; others never do."""
    for manifest, document in _documents():
        expected = None if document.tree["kind"] in _CLUSTER_WIDE else Builtin.NAMESPACE
        assert _metadata(document).get("namespace") == expected, (manifest.file, document.tree["kind"])


def test_names_fit() -> None:
    """A literal name has 63 characters at most, whatever comes of it; CRDs are named after their group."""
    for manifest, document in _documents():
        name = _metadata(document)["name"]
        assert isinstance(name, str | Value | Builtin | Helper | When), manifest.file
        if isinstance(name, str) and document.tree["kind"] != "CustomResourceDefinition":
            assert len(name) <= 63, name


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.file)
def test_a_kind_and_name_occur_once(manifest: Manifest) -> None:
    """In a file; two documents for two conditions would need two names."""
    found = Counter(
        (document.tree["kind"], name)
        for document in manifest.documents
        if isinstance(name := _metadata(document)["name"], str)
    )
    assert [identity for identity, count in found.items() if count > 1] == []
