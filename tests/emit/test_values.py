"""values.yaml: the right data, and words that a reader can use."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from chartgen.emit import jsonschema as emit_jsonschema
from chartgen.emit import values
from chartgen.schema import default_values, model

Small = Callable[..., model.Schema]
UPSTREAM = yaml.safe_load((Path(__file__).parents[1] / "data" / "values" / "upstream.yaml").read_text())
_VALUE_LINE = re.compile(r"(?P<indent> *)#( (?P<rest>[^#\n].*|  .*))?")


def text(schema: model.Schema) -> str:
    """values.yaml without its header."""
    return values.emit(schema).text.split("\n\n", 2)[2]


def uncommented(whole: str) -> str:
    """values.yaml with all values set that stand in comments, as its header says it is done."""
    lines: list[str] = []
    for line in whole.splitlines()[1:]:
        match = _VALUE_LINE.fullmatch(line)
        if match is None:
            lines.append(line)
            continue
        if lines and lines[-1].endswith(": {}") and match["rest"] and match["rest"].startswith("  "):
            lines[-1] = lines[-1].removesuffix(" {}")
        lines.append(match["indent"] + (match["rest"] or ""))
    return "\n".join(lines)


def at(tree: Any, path: str) -> Any:
    """The value at a dotted path."""
    for key in path.split("."):
        tree = tree[key]
    return tree


def test_the_file_holds_the_defaults_and_nothing_else(schema: model.Schema) -> None:
    """Read as YAML, values.yaml equals the tree of defaults."""
    assert yaml.safe_load(values.emit(schema).text) == default_values.of(schema)


@pytest.mark.parametrize("path", UPSTREAM["defaults"])
def test_upstream_defaults(schema: model.Schema, path: str) -> None:
    """Every default of the chart that this one replaces is in values.yaml."""
    assert at(default_values.of(schema), path) == UPSTREAM["defaults"][path]


@pytest.mark.parametrize("path", UPSTREAM["unset"])
def test_upstream_leaves_these_unset(schema: model.Schema, path: str) -> None:
    """What the chart that this one replaces does not set has no default here either."""
    with pytest.raises(KeyError):
        at(default_values.of(schema), path)


def test_every_field_is_documented(schema: model.Schema) -> None:
    """Each value that has a place in values.yaml is there: set, or as a comment that can be taken away."""
    tree = yaml.safe_load(uncommented(values.emit(schema).text))
    missing = []
    for field in schema.walk():
        try:
            at(tree, field.path)
        except (KeyError, TypeError):
            missing.append(field.path)
    spelt_out_elsewhere = re.compile(r".*([aA]ffinity|[sS]ecurityContext|[rR]esources|dnsConfig|Probe)\.[^.]+(\..*)?")
    assert [path for path in missing if not spelt_out_elsewhere.fullmatch(path)] == []


def test_all_comments_can_be_taken_away(schema: model.Schema) -> None:
    """With every commented value set, the file is YAML that the JSON Schema accepts."""
    tree = yaml.safe_load(uncommented(values.emit(schema).text))
    jsonschema.validate(tree, emit_jsonschema.document(schema), jsonschema.Draft7Validator)


def test_no_duplicate_keys_when_uncommented(schema: model.Schema) -> None:
    """No value is shown twice, once set and once as a comment."""

    class Strict(yaml.SafeLoader):
        pass

    def mapping(loader: Strict, node: yaml.MappingNode) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"twice: {sorted({key for key in keys if keys.count(key) > 1})}"
        return loader.construct_mapping(node, deep=True)

    Strict.add_constructor("tag:yaml.org,2002:map", mapping)
    yaml.load(uncommented(values.emit(schema).text), Strict)


def test_lines_are_short(schema: model.Schema) -> None:
    """Words are wrapped; what is longer is one word or one value."""
    lines = values.emit(schema).text.splitlines()
    assert [line for line in lines if len(line) > 120 and line.lstrip(" #").count(" ") > 2] == []


def test_whitespace(schema: model.Schema) -> None:
    """No trailing blanks, no tabs, no two empty lines together, one newline at the end."""
    whole = values.emit(schema).text
    assert not re.search(r"[ \t]\n|\t|\n\n\n|\n\n\Z", whole)


def test_editors_find_the_schema(schema: model.Schema) -> None:
    """The first line names the JSON Schema that stands beside the file."""
    first = values.emit(schema).text.splitlines()[0]
    assert first == f"# yaml-language-server: $schema={emit_jsonschema.PATH}"


def test_set_and_unset(small: Small) -> None:
    """A default is written; an unset field is a comment at its place, with its example."""
    schema = small("""\
        description: Top.
        type: object
        properties:
          one: {description: One., type: string, default: x}
          two: {description: Two., type: string, example: "no"}
          three: {description: Three., type: boolean, unset: true}
          four: {description: Four., type: integer, minimum: 3}
          five: {description: Five., type: list, items: {type: string, description: Item.}}
        """)
    assert (
        text(schema)
        == """\
## Top.
top:
  ## One.
  one: x

  ## Two.
  # two: "no"

  ## Three.
  # three: true

  ## Four.
  # four: 3

  ## Five.
  # five: []
"""
    )


def test_an_object_with_nothing_set_is_a_comment(small: Small) -> None:
    """So that its members can be uncommented together; the file does not hold the object."""
    schema = small("""\
        description: Top.
        type: object
        properties:
          inner:
            description: Inner.
            type: object
            properties:
              one: {description: One., type: string, example: x}
              two: {description: Two., type: intOrString, crd: {default: 25%}}
        """)
    assert (
        text(schema)
        == """\
## Top.
# top:
#   ## Inner.
#   inner:
#     ## One.
#     one: x
#
#     ## Two.
#     two: "25%"
"""
    )
    assert default_values.of(schema) == {}


def test_an_object_that_is_empty_by_default(small: Small) -> None:
    """Its default stays {}, its members follow as comments one level deeper."""
    schema = small("""\
        description: Top.
        type: object
        default: {}
        properties:
          one: {description: One., type: string}
        """)
    assert (
        text(schema)
        == """\
## Top.
top: {}
#   ## One.
#   one: ""
"""
    )


def test_defaults_of_an_object_reach_its_members(small: Small) -> None:
    """A field may give the members of a named type their defaults."""
    schema = small(
        """\
        description: Top.
        type: image
        default: {version: "1.10"}
        """,
        """\
        image:
          description: Image.
          type: object
          properties:
            version: {description: Version., type: string, reads: [integer]}
            name: {description: Name., type: string, default: driver}
            tag: {description: Tag., type: string}
        """,
    )
    assert default_values.of(schema) == {"top": {"version": "1.10", "name": "driver"}}
    assert yaml.safe_load(text(schema)) == default_values.of(schema)


def test_kubernetes_objects_are_one_value(small: Small) -> None:
    """A named type with objects inside is shown as data, not member by member."""
    types = """\
        affinity:
          description: Where pods run.
          type: object
          properties:
            node:
              description: Nodes.
              type: object
              properties:
                weight: {description: Weight., type: integer}
        """
    assert text(small("description: Top.\ntype: affinity\n", types)) == "## Top.\n# top: {}\n"
    schema = small("description: Top.\ntype: affinity\ndefault: {node: {weight: 1}}\n", types)
    assert text(schema) == "## Top.\ntop:\n  node:\n    weight: 1\n"


def test_words(small: Small) -> None:
    """Heading, paragraphs, enum members that the description does not name, deprecation."""
    schema = small("""\
        description: |
          Top says what
          it does.

          And more.
        type: object
        properties:
          one: {description: Either a or b., type: string, enum: [a, b], default: a}
          two:
            group: Other
            description: Two.
            type: string
            enum: [a, b]
            default: b
            deprecated: {since: v1.9, use: top.one, reason: renamed}
        """)
    lines = text(schema).splitlines()
    assert lines[:7] == [
        "## Top says what it does.",
        "##",
        "## And more.",
        "top:",
        "  ## Either a or b.",
        "  one: a",
        "",
    ]
    assert lines[7].startswith("  ## ---- Other ---")
    assert lines[8:] == [
        "",
        "  ## Two. One of: a, b. Deprecated since v1.9: renamed. Use top.one instead.",
        "  two: b",
    ]


def test_a_deprecated_object_is_said_to_be_so_once(small: Small) -> None:
    """Its members do not repeat it, though each carries it for other readers of the schema."""
    schema = small("""\
        description: Top.
        type: object
        deprecated: {since: v1.9, use: remove it}
        properties:
          one: {description: One., type: string, deprecated: {since: v1.9, use: remove it}}
          two: {description: Two., type: string, deprecated: {since: v1.8, use: remove it}}
        """)
    assert [line for line in text(schema).splitlines() if "##" in line] == [
        "## Top. Deprecated since v1.9. Remove it.",
        "#   ## One.",
        "#   ## Two. Deprecated since v1.8. Remove it.",
    ]


@pytest.mark.parametrize(
    "value",
    ["y", "no", "on", "NULL", "~", "0123", "1e3", "580", "580.10", "0x1f", "1_000", "12:30", "2026-01-01", ".inf", "=", "<<",
     "{{ x }}", "a: b", "a #b", "- a", "'", '"', "\\", "a\nb", "a\n", "\n", " a", "a ", "", "%", "@a", "`a`", "!a", "&a",
     "*a", "|", ">", "[a]", "ä", "\u2028", "\x85", "\x07", "\t", "a\n\n", "a\r\nb\n", "/run/nvidia", "25%", "10s", "500m"],
)  # fmt: skip
def test_every_string_survives(small: Small, value: str) -> None:
    """A default is read back as the string it is, by readers of YAML 1.1 and of 1.2 alike."""
    schema = small(
        f"description: Top.\ntype: string\ndefault: {yaml.safe_dump(value, default_style=chr(34), width=999)}"
    )
    line = text(schema)
    assert yaml.safe_load(line) == {"top": value}
    assert re.search(r'top: (".*"|\|-?(\n  .*)+|[A-Za-z_/-].*)\n\Z', line)


def test_versions_are_quoted(small: Small) -> None:
    """What a user may replace by a number keeps its quotes, so that the next edit is a string as well."""
    assert 'top: "v1.0"\n' in text(small("description: Top.\ntype: string\nreads: [integer]\ndefault: v1.0\n"))
