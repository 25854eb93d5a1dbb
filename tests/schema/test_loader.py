"""What a schema folder becomes: types folded in, surfaces inherited, values ordered."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.schema_folders import Load, write

from chartgen.errors import ChartgenError
from chartgen.schema import conditions, loader
from chartgen.schema.model import UNSET, Kind, Surface

TYPES = """
    types:
      word: {type: string, description: A word., pattern: '^[a-z]+$', example: abc, crd: {pattern: '', default: x}}
      short: {type: word, description: A short word., maxLength: 3}
      pair:
        type: object
        description: Two words.
        properties:
          left: {type: short, description: The left one.}
          right: {type: short, description: The right one., default: b}
    """


def test_a_named_type_is_folded_in(load: Load) -> None:
    """Keywords of the field win over those of the type, and those of a type over the type that it is made of."""
    top = load({"types/t.yaml": TYPES, "top.yaml": "name: top\ntype: short\nexample: xyz\nminLength: 1\n"}).fields[
        "top"
    ]
    assert (top.type.kind, top.type.pattern, top.type.max_length, top.type.min_length) == (
        Kind.STRING,
        "^[a-z]+$",
        3,
        1,
    )
    assert (top.description, top.example, top.default) == ("A short word.", "xyz", UNSET)


def test_a_type_keeps_its_name_unless_it_is_reshaped(load: Load) -> None:
    """Only an unchanged type can be referred to by name in the JSON Schema."""
    text = "name: top\ntype: object\ndescription: T.\nproperties:\n  a: {type: short, default: abc}\n  b: {type: short, minLength: 2}\n"
    members = load({"types/t.yaml": TYPES, "top.yaml": text}).fields["top"].type.properties
    assert {name: member.type.name for name, member in members.items()} == {"a": "short", "b": ""}


def test_members_of_a_named_type_are_fields(load: Load) -> None:
    """With paths of the place where the type is used, and the lines of the place where it is declared."""
    top = load({"types/t.yaml": TYPES, "top.yaml": "name: top\ntype: pair\n"}).fields["top"]
    assert [(field.path, field.where) for field in top.walk()] == [
        ("top", "schemas/top.yaml:1"),
        ("top.left", "schemas/types/t.yaml:8"),
        ("top.right", "schemas/types/t.yaml:9"),
    ]


def test_what_a_crd_says_is_merged(load: Load) -> None:
    """Keyword by keyword, the field's own on top."""
    top = load({"types/t.yaml": TYPES, "top.yaml": "name: top\ntype: word\ncrd: {default: z}\n"}).fields["top"]
    assert dict(top.crd.keywords) == {"pattern": "", "default": "z"}


def test_a_crd_keyword_may_differ_by_surface(load: Load) -> None:
    """A map whose keys are surfaces holds a value for each; any other map is a value."""
    text = "name: top\ntype: string\ndescription: T.\ncrd: {default: {clusterPolicy: a}, enum: [b], validations: {rule: c}}\n"
    crd = load({"top.yaml": text}).fields["top"].crd
    assert crd.get("default", Surface.CLUSTER_POLICY) == "a"
    assert crd.get("default", Surface.NVIDIA_DRIVER, "none") == "none"
    assert crd.get("enum", Surface.NVIDIA_DRIVER) == ["b"]
    assert crd.get("validations", None) == {"rule": "c"}


def test_surfaces_are_inherited(load: Load) -> None:
    """The parent's path and the own name, unless the field says otherwise; "" is the spec itself."""
    text = """
        name: top
        type: object
        description: Top.
        surfaces: {clusterPolicy: top, nvidiaDriver: ''}
        properties:
          same: {type: string, description: Same.}
          moved: {type: string, description: Moved., surfaces: {clusterPolicy: elsewhere.name}}
          gone: {type: string, description: Gone., surfaces: {nvidiaDriver: false}}
          deep: {type: object, description: Deep., properties: {er: {type: string, description: Er.}}}
        """
    found = {field.path: dict(field.surfaces) for field in load({"top.yaml": text}).walk()}
    policy, driver = Surface.CLUSTER_POLICY, Surface.NVIDIA_DRIVER
    assert found == {
        "top": {policy: "top", driver: ""},
        "top.same": {policy: "top.same", driver: "same"},
        "top.moved": {policy: "elsewhere.name", driver: "moved"},
        "top.gone": {policy: "top.gone"},
        "top.deep": {policy: "top.deep", driver: "deep"},
        "top.deep.er": {policy: "top.deep.er", driver: "deep.er"},
    }


def test_values_stand_in_the_order_of_the_chart(load: Load) -> None:
    """Those that chart.yaml does not list come last, by name."""
    files = {f"{name}.yaml": f"name: {name}\ntype: string\ndescription: D.\n" for name in "abc"}
    schema = load({**files, "chart.yaml": "name: small\norder: [top, c]\n"})
    assert list(schema.fields) == ["top", "c", "a", "b"]


def test_keys_of_schema_files_are_text(load: Load) -> None:
    """A member called on or y is one, although YAML would read a boolean."""
    text = "name: top\ntype: object\ndescription: T.\nproperties:\n  on: {type: string, description: On.}\n  y: {type: string, description: Y.}\n"
    assert list(load({"top.yaml": text}).fields["top"].type.properties) == ["on", "y"]


def test_a_rule_says_when_it_is_broken(load: Load) -> None:
    """Its condition as records, the paths that it reads, and its place."""
    rules = """
        rules:
          - name: one
            refuse: {all: [{set: top}, {not: {matches: {top: '^a'}}}]}
            message: No
            fix: set it
        """
    (rule,) = load({"rules.yaml": rules}).rules
    assert rule.condition == conditions.All((conditions.Set("top"), conditions.Not(conditions.Matches("top", "^a"))))
    assert (rule.name, rule.paths, rule.where) == ("one", ("top",), "schemas/rules.yaml:2")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """As bad input, like every other mistake."""
    with pytest.raises(ChartgenError, match="no such folder; expected a folder of schema files"):
        loader.load(tmp_path / "schemas")


def test_loading_twice_gives_the_same(tmp_path: Path) -> None:
    """Records are equal, and in the same order."""
    folder = write(tmp_path / "schemas", {"types/t.yaml": TYPES, "top.yaml": "name: top\ntype: pair\n"})
    assert loader.load(folder) == loader.load(folder)
