"""CRDs: node by node what the operator image and the API server rely on, and how fields find their place in them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml
from support import crd_tables

from chartgen import yamlio
from chartgen.emit import crds
from chartgen.errors import ChartgenError
from chartgen.schema import loader, model

TABLES = {
    path.stem: yaml.safe_load(path.read_text()) for path in (Path(__file__).parents[1] / "data" / "crds").glob("*.yaml")
}
FILES = {
    "clusterpolicies": "crds/nvidia.com_clusterpolicies.yaml",
    "computedomaincliques": "crds/resource.nvidia.com_computedomaincliques.yaml",
    "computedomains": "crds/resource.nvidia.com_computedomains.yaml",
    "gpuclusters": "crds/nvidia.com_gpuclusters.yaml",
    "nvidiadrivers": "crds/nvidia.com_nvidiadrivers.yaml",
}
Small = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def documents(schema: model.Schema) -> dict[str, dict[str, Any]]:
    """The chart's CRDs by plural."""
    loaded = [yamlio.load(file.text) for file in crds.emit(schema)]
    return {document["spec"]["names"]["plural"]: document for document in loaded}


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """Emits the NVIDIADriver CRD of a schema written in the test, and returns the schema of its ``spec``."""
    header = """
        name: things.example.com
        surface: nvidiaDriver
        description: A thing.
        specDescription: What it is like.
        header: {group: example.com, version: v1, kind: Thing, listKind: ThingList, plural: things, singular: thing, scope: Cluster}
        """

    def emit(top: str, crd: str = "") -> dict[str, Any]:
        (tmp_path / "crds").mkdir(exist_ok=True)
        (tmp_path / "crds" / "things.yaml").write_text(textwrap.dedent(header) + textwrap.dedent(crd))
        (tmp_path / "top.yaml").write_text("name: top\ndescription: The top.\n" + textwrap.dedent(top))
        (file,) = crds.emit(loader.load(tmp_path))
        spec = crd_tables.root(yamlio.load(file.text))["properties"]["spec"]
        assert isinstance(spec, dict)
        return spec

    return emit


def test_a_file_for_each_crd(schema: model.Schema) -> None:
    """The files are the five that the operator image expects to be installed."""
    assert sorted(file.path for file in crds.emit(schema)) == sorted(FILES.values())
    assert set(TABLES) == set(FILES)


@pytest.mark.parametrize("plural", FILES)
def test_every_node_is_as_the_table_says(documents: dict[str, dict[str, Any]], plural: str) -> None:
    """Same fields, types, enums, defaults, bounds, patterns, formats, rules, list types and required members; none more."""
    found = {
        path: crd_tables.row(node, required=required)
        for path, node, required in crd_tables.walk(crd_tables.root(documents[plural]))
    }
    assert found == crd_tables.expected_rows(TABLES[plural])


@pytest.mark.parametrize("plural", FILES)
def test_the_header_is_as_the_table_says(documents: dict[str, dict[str, Any]], plural: str) -> None:
    """Names, group, version, scope, subresources and printer columns."""
    document = documents[plural]
    header = {keyword: value for keyword, value in TABLES[plural]["header"].items() if value}
    names = {
        key: header[key]
        for key in ("kind", "listKind", "plural", "singular", "shortNames", "categories")
        if key in header
    }
    (version,) = document["spec"]["versions"]
    assert document["apiVersion"] == "apiextensions.k8s.io/v1"
    assert document["metadata"] == {"name": f"{plural}.{header['group']}"}
    assert set(document["spec"]) == {"group", "names", "scope", "versions"}
    assert (document["spec"]["group"], document["spec"]["scope"]) == (header["group"], header["scope"])
    assert document["spec"]["names"] == names
    assert {key: value for key, value in version.items() if key != "schema"} == {
        "name": header["version"],
        "served": True,
        "storage": True,
        **({"subresources": header["subresources"]} if "subresources" in header else {}),
        **({"additionalPrinterColumns": header["printerColumns"]} if "printerColumns" in header else {}),
    }


@pytest.mark.parametrize("plural", FILES)
def test_every_node_is_described_and_every_rule_has_a_message(
    documents: dict[str, dict[str, Any]], plural: str
) -> None:
    """``kubectl explain`` has a sentence for each field, and a refused object says why."""
    for path, node, _ in crd_tables.walk(crd_tables.root(documents[plural])):
        assert node.get("description", "").endswith("."), path
        for rule in node.get("x-kubernetes-validations", []):
            assert rule["message"], path


@pytest.mark.parametrize("version", ["1.29", "1.37"])
@pytest.mark.parametrize("plural", FILES)
def test_the_api_server_knows_every_keyword(documents: dict[str, dict[str, Any]], plural: str, version: str) -> None:
    """The oldest and the newest supported Kubernetes take the CRD."""
    kubernetes_validate.validate(documents[plural], version, strict=True)


@pytest.mark.parametrize("plural", FILES)
def test_the_schema_is_structural(documents: dict[str, dict[str, Any]], plural: str) -> None:
    """What the API server checks of a CRD beyond its keywords: types, list keys, and defaults that pass their own node."""
    for path, node, _ in crd_tables.walk(crd_tables.root(documents[plural])):
        assert "type" in node or node.get("x-kubernetes-int-or-string"), path
        assert not ("properties" in node and "additionalProperties" in node), path
        assert set(node.get("required", [])) <= set(node.get("properties", {})), path
        assert node.get("required", []) == sorted(node.get("required", [])), path
        assert list(node.get("properties", {})) == sorted(node.get("properties", {})), path
        for key in node.get("x-kubernetes-list-map-keys", []):
            item = node["items"]
            assert key in item["required"] or "default" in item["properties"][key], path
        if "default" in node:
            jsonschema.Draft202012Validator(node).validate(node["default"])


def test_a_crd_is_written_the_same_way_every_time(schema: model.Schema) -> None:
    """Two runs give the same bytes."""
    assert crds.emit(schema) == crds.emit(schema)


def test_a_field_stands_where_its_surface_has_it(small: Small) -> None:
    """A rename moves a member, with its children, and what is not on the surface stays out."""
    spec = small(
        """
        type: object
        surfaces: {nvidiaDriver: ""}
        properties:
          old:
            {type: object, description: Moved., surfaces: {nvidiaDriver: new}, properties: {size: {type: integer, description: Size.}}}
          deep: {type: string, description: Deep., surfaces: {nvidiaDriver: new.deeper}}
          out: {type: string, description: Out., surfaces: {nvidiaDriver: false}}
        """
    )
    assert list(spec["properties"]) == ["new"]
    assert list(spec["properties"]["new"]["properties"]) == ["deeper", "size"]


def test_kind_readings_stay_out(small: Small) -> None:
    """What values read kindly (numbers as text, references as maps, null) is exact in the CRD."""
    spec = small(
        """
        type: object
        surfaces: {nvidiaDriver: ""}
        properties:
          version: {type: string, reads: [integer], default: '1', description: Version.}
          secrets: {type: list, description: Secrets., items: {type: reference, description: A Secret.}}
          share: {type: intOrString, description: Share.}
        """
    )
    assert spec["properties"]["version"] == {"type": "string", "description": "Version."}
    assert spec["properties"]["secrets"]["items"] == {"type": "string", "description": "A Secret."}
    assert spec["properties"]["share"] == {**crd_tables.INT_OR_STRING, "description": "Share."}


def test_crd_keywords_win(small: Small) -> None:
    """What a field says under ``crd`` replaces or drops its own keywords; only there is a default a CRD default."""
    spec = small(
        """
        type: object
        surfaces: {nvidiaDriver: ""}
        properties:
          policy: {type: string, enum: [a, b], default: a, description: Long story., crd: {enum: [], description: Short.}}
          port: {type: integer, minimum: 0, maximum: 9, description: Port., crd: {minimum: null, maximum: 5, default: 0}}
          name: {type: string, pattern: '^x', minLength: 1, description: Name., crd: {pattern: '', minLength: null, default: ''}}
          flag: {type: boolean, description: Flag., crd: {default: {nvidiaDriver: false, clusterPolicy: true}}}
          keys: {type: list, description: Keys., items: {type: string, description: A key.}, crd: {listType: atomic}}
        """
    )
    assert spec["properties"]["policy"] == {"type": "string", "description": "Short."}
    assert spec["properties"]["port"] == {"type": "integer", "maximum": 5, "default": 0, "description": "Port."}
    assert spec["properties"]["name"] == {"type": "string", "default": "", "description": "Name."}
    assert spec["properties"]["flag"]["default"] is False
    assert spec["properties"]["keys"]["x-kubernetes-list-type"] == "atomic"


def test_required_comes_from_the_object_or_from_the_crd(small: Small) -> None:
    """A member that values demand is required in the CRD; ``crd`` adds to and takes from that, for one surface or all."""
    spec = small(
        """
        type: object
        surfaces: {nvidiaDriver: ""}
        required: [both, values]
        properties:
          both: {type: string, description: Both.}
          values: {type: string, description: In values alone., crd: {required: false}}
          crd: {type: string, description: In the CRD alone., crd: {required: true}}
          other: {type: string, description: In another CRD., crd: {required: {clusterPolicy: true}}}
        """
    )
    assert spec["required"] == ["both", "crd"]


def test_a_deprecated_spelling_gives_way(small: Small) -> None:
    """Two values may fill one field of a resource when one of them is deprecated; the other one describes it."""
    spec = small(
        """
        type: object
        surfaces: {nvidiaDriver: ""}
        properties:
          before: {type: string, description: Before., deprecated: {since: v1, use: now}, surfaces: {nvidiaDriver: now}}
          now: {type: string, description: Now.}
          after: {type: string, description: After., deprecated: {since: v1, use: now}, surfaces: {nvidiaDriver: now}}
        """
    )
    assert spec["properties"] == {"now": {"type": "string", "description": "Now."}}


def test_two_fields_in_one_place_are_refused(small: Small) -> None:
    """The mistake is reported with both values and the place they fight for."""
    with pytest.raises(ChartgenError) as caught:
        small(
            """
            type: object
            surfaces: {nvidiaDriver: ""}
            properties:
              one: {type: string, description: One.}
              two: {type: string, description: Two., surfaces: {nvidiaDriver: one}}
            """
        )
    (problem,) = caught.value.problems
    assert (problem.path, problem.found) == ("top.two", "a second field at nvidiaDriver one")
    assert problem.expected == "top.one alone"
    assert problem.where.endswith("top.yaml:8")


def test_an_object_without_a_value_is_refused(small: Small) -> None:
    """Each object of a CRD needs a value that describes it."""
    with pytest.raises(ChartgenError, match=r"lonely: an object that only its members are placed in"):
        small("type: object\nsurfaces: {nvidiaDriver: lonely.child}\nproperties: {}\n")


def test_rules_and_own_members(small: Small) -> None:
    """The CRD's file adds rules to ``spec`` and members beside it."""
    spec = small(
        'type: object\nsurfaces: {nvidiaDriver: ""}\nproperties: {a: {type: string, description: A.}}\n',
        "specValidations: [{rule: has(self.a), message: a is missing}]\n",
    )
    assert spec["x-kubernetes-validations"] == [{"rule": "has(self.a)", "message": "a is missing"}]
