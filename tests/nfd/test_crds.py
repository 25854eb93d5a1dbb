"""NFD's CRDs: node by node what its programs and rules rely on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from support import crd_tables, nfd

from chartgen import yamlio
from chartgen.components import definitions

TABLES = {
    path.stem: yaml.safe_load(path.read_text())
    for path in (Path(__file__).parents[1] / "data" / "nfd" / "crds").glob("*.yaml")
}
TOPOLOGY = "noderesourcetopologies.topology.node.k8s.io"


@pytest.fixture(scope="module")
def documents() -> dict[str, dict[str, Any]]:
    """The CRDs by plural: those of the folder crds/, and the one that a template makes."""
    found = [yamlio.load(path.read_text()) for path in (nfd.CHART / "crds").iterdir()]
    found.append(definitions.document(nfd.schema(), TOPOLOGY))
    return {document["spec"]["names"]["plural"]: document for document in found}


def _version(documents: dict[str, dict[str, Any]], table: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A CRD, and the version that a table tells of."""
    document = documents[table.partition(".")[0]]
    wanted = TABLES[table]["header"]["version"]
    (version,) = (each for each in document["spec"]["versions"] if each["name"] == wanted)
    return document, version


def test_there_are_no_others(documents: dict[str, dict[str, Any]]) -> None:
    """Four CRDs in five versions."""
    assert {table.partition(".")[0] for table in TABLES} == set(documents)
    assert sum(len(document["spec"]["versions"]) for document in documents.values()) == len(TABLES) == 5


@pytest.mark.parametrize("table", TABLES)
def test_every_node_is_as_the_table_says(documents: dict[str, dict[str, Any]], table: str) -> None:
    """Same fields, types, enums, patterns, formats, list types and required members; none more."""
    _, version = _version(documents, table)
    nodes = crd_tables.walk(version["schema"]["openAPIV3Schema"])
    found = {path: crd_tables.row(node, required=required) for path, node, required in nodes}
    assert found == crd_tables.expected_rows(TABLES[table])


@pytest.mark.parametrize("table", TABLES)
def test_the_header_is_as_the_table_says(documents: dict[str, dict[str, Any]], table: str) -> None:
    """Names, group, version, scope and subresources; the version that is not stored is the older one."""
    document, version = _version(documents, table)
    header = {keyword: value for keyword, value in TABLES[table]["header"].items() if value}
    assert document["metadata"]["name"] == f"{header['plural']}.{header['group']}"
    assert (document["spec"]["group"], document["spec"]["scope"]) == (header["group"], header["scope"])
    names = ("kind", "listKind", "plural", "singular", "shortNames")
    assert document["spec"]["names"] == {key: header[key] for key in names if key in header}
    assert version.get("subresources", {}) == header.get("subresources", {})
    assert (version["served"], version["storage"]) == (True, "." not in table)
    assert "additionalPrinterColumns" not in version


@pytest.mark.parametrize("plural", sorted({table.partition(".")[0] for table in TABLES}))
def test_the_api_server_knows_every_keyword(documents: dict[str, dict[str, Any]], plural: str) -> None:
    """The oldest and the newest supported Kubernetes take the CRD, and each node of it has a description."""
    for version in ("1.29", "1.37"):
        kubernetes_validate.validate(documents[plural], version, strict=True)
    for version in documents[plural]["spec"]["versions"]:
        for path, node, _ in crd_tables.walk(version["schema"]["openAPIV3Schema"]):
            assert node.get("description", "").endswith("."), path


def test_only_the_protected_group_has_an_annotation(documents: dict[str, dict[str, Any]]) -> None:
    """The API server takes a group that ends in .k8s.io with the approval alone; nfd.k8s-sigs.io is none."""
    annotated = {plural: document["metadata"].get("annotations") for plural, document in documents.items()}
    approval = {"api-approved.kubernetes.io": "https://github.com/kubernetes/enhancements/pull/1870"}
    expected = {"nodefeatures": None, "nodefeaturegroups": None, "nodefeaturerules": None}
    assert annotated == {**expected, "noderesourcetopologies": approval}


def test_the_topology_crd_is_rendered_on_demand(chart: nfd.Chart) -> None:
    """With both switches on, as the folder crds/ cannot have conditions."""
    key = f"CustomResourceDefinition/{TOPOLOGY}"
    assert key not in nfd.by_name(chart.objects({"topologyUpdater": {"createCRDs": True}}))
    rendered = nfd.by_name(chart.objects({"topologyUpdater": {"enable": True, "createCRDs": True}}))
    assert rendered[key] == definitions.document(nfd.schema(), TOPOLOGY)
