"""The schemas kubeconform gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from chartgen.errors import ChartgenError
from chartgen.harness import schemas
from chartgen.harness.schemas import Kind

POD = Kind("v1", "Pod")


@pytest.fixture
def builtins(tmp_path: Path) -> schemas.Builtins:
    """The installed schemas with an empty cache."""
    return schemas.find_builtins(tmp_path / "cache")


def written(builtins: schemas.Builtins) -> list[Path]:
    """All that was written."""
    return sorted(builtins.cache.rglob("*.json"))


def test_a_kind_carries_all_its_definitions(builtins):
    """No reference leaves the file, so that kubeconform reads one file and no more."""
    crd = Kind("apiextensions.k8s.io/v1", "CustomResourceDefinition")  # its schema refers to itself
    assert builtins.prepare("1.37", [POD, crd]) == set()
    for file in written(builtins):
        text = file.read_text(encoding="utf-8")
        definitions = json.loads(text)["$defs"]
        references = {part.partition('"')[0] for part in text.split('"$ref": "')[1:]}
        assert references
        assert all(each.removeprefix("#/$defs/") in definitions for each in references)


def test_files_are_named_as_kubeconform_looks_for_them(builtins):
    """By group, or the version where there is no group; then kind and version."""
    builtins.prepare("1.29", [POD, Kind("rbac.authorization.k8s.io/v1", "Role"), Kind("apps/v1", "DaemonSet")])
    [folder] = builtins.cache.glob("*/1.29")
    assert builtins.location("1.29").startswith(str(folder))
    assert [str(file.relative_to(folder)) for file in written(builtins)] == [
        "apps/daemonset_v1.json",
        "rbac.authorization.k8s.io/role_v1.json",
        "v1/pod_v1.json",
    ]


def test_a_group_that_begins_alike_is_another(builtins):
    """Whether the schema of the right one has been written or not."""
    assert builtins.find("1.37", Kind("apps/v1", "DaemonSet"))
    assert builtins.find("1.37", Kind("apps.k8s.io/v1", "DaemonSet")) is None


def test_a_property_called_description_stays(builtins):
    """Descriptions are left out, but not members of that name."""
    builtins.prepare("1.37", [Kind("scheduling.k8s.io/v1", "PriorityClass")])
    [file] = written(builtins)
    assert "description" in json.loads(file.read_text(encoding="utf-8"))["properties"]


def test_what_a_kubernetes_has_not_is_said(builtins):
    """Neither a removed API, nor a future one, nor a part of an object is a kind."""
    device_class = Kind("resource.k8s.io/v1", "DeviceClass")
    strange = [Kind("policy/v1beta1", "PodSecurityPolicy"), device_class, Kind("v1", "Affinity")]
    assert builtins.prepare("1.29", strange) == set(strange)
    assert builtins.prepare("1.37", [device_class]) == set()


def test_supported_kubernetes_versions_have_schemas(builtins):
    """Oldest first, compared as numbers."""
    minors = builtins.minors()
    assert minors.index("1.29") < minors.index("1.30") < minors.index("1.37")


def test_every_group_of_kubernetes_is_known(builtins):
    """In every version that there are schemas for; a group of a CRD is not one, however it is called."""
    for kube in builtins.minors():
        file = builtins.source / f"v{kube}.0-local-strict" / "_definitions.json"
        definitions = json.loads(file.read_bytes())["$defs"].values()
        marks = [mark for each in definitions for mark in each.get("x-kubernetes-group-version-kind", [])]
        assert [mark for mark in marks if not kind_of(mark).is_builtin] == []
    assert not Kind("snapshot.storage.k8s.io/v1", "VolumeSnapshot").is_builtin
    assert not Kind("gateway.networking.k8s.io/v1", "Gateway").is_builtin


def kind_of(mark: dict[str, str]) -> Kind:
    """A kind as the schemas name it."""
    return Kind("/".join(part for part in (mark["group"], mark["version"]) if part), mark["kind"])


def test_all_kinds_of_crds_are_written(small, tmp_path):
    """Those of subcharts too; versions that are not served are not."""
    crd = yaml.safe_load((small.chart / "crds" / "policies.yaml").read_text(encoding="utf-8"))
    version = crd["spec"]["versions"][0]
    crd["spec"] |= {"group": "sub.example.com", "versions": [version, {**version, "name": "v1alpha1", "served": False}]}
    small.write({"charts/sub/crds/other.yaml": json.dumps(crd)})
    custom = schemas.write_custom(small.chart, tmp_path / "crds")
    assert set(custom.schemas) == {Kind("nvidia.com/v1", "ClusterPolicy"), Kind("sub.example.com/v1", "ClusterPolicy")}
    assert custom.groups == {"nvidia.com", "sub.example.com"}
    assert sorted(str(file.relative_to(custom.folder)) for file in custom.folder.rglob("*.json")) == [
        "nvidia.com/clusterpolicy_v1.json",
        "sub.example.com/clusterpolicy_v1.json",
    ]


def test_an_object_is_closed_unless_it_says_otherwise():
    """At every depth: below lists and map values too."""
    inner = {"type": "object", "properties": {"a": {"type": "string", "description": "d"}}}
    node = {
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": inner},
            "map": {"type": "object", "additionalProperties": inner},
            "open": {**inner, "x-kubernetes-preserve-unknown-fields": True},
            "default": {"type": "object"},
        },
    }
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    assert schemas.closed(node) == {
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": closed},
            "map": {"type": "object", "additionalProperties": closed},
            "open": {"type": "object", "properties": {"a": {"type": "string"}}},
            "default": {"type": "object"},
        },
        "additionalProperties": False,
    }


def test_openapi_s_own_words_become_json_schema():
    """An int-or-string, and what may be null."""
    either = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "x"}
    assert schemas.closed(either) == {"type": ["integer", "string"], "pattern": "x"}
    assert schemas.closed({"type": "string", "nullable": True}) == {"type": ["string", "null"]}
    assert schemas.closed({"enum": ["a"], "default": {"description": "kept"}})["default"] == {"description": "kept"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: [", "not YAML: while parsing"),
        ("kind: CustomResourceDefinition\n", "what is no definition ('NoneType' object is not subscriptable)"),
        ("kind: CustomResourceDefinition\nspec: {versions: []}\n", "what is no definition ('names')"),
    ],
    ids=["text", "empty", "without-names"],
)
def test_a_definition_that_cannot_be_read_is_bad_input(tmp_path, text, said):
    """With its file; half of the CRDs would judge half of what is rendered."""
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "x.yaml").write_text(text)
    with pytest.raises(ChartgenError) as refused:
        schemas.write_custom(tmp_path, tmp_path / "schemas")
    assert f"{tmp_path}/crds/x.yaml: " in str(refused.value)
    assert said in str(refused.value)
