"""values.yaml: every value with its default, documented where it stands.

Lines with two hashes explain; lines with one hash are values that are not set, so that a reader (and a test) can tell
words from YAML, and uncomment the latter. What a named type that is an object shows depends on what it is: a bag of
scalars (probe timings, a service monitor) is spelt out member by member, a Kubernetes object (affinity, a security
context) is shown as one value, because its reader looks it up in the Kubernetes API and not here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chartgen import files, yamlio
from chartgen.emit import wording
from chartgen.schema import default_values, model
from chartgen.schema.model import UNSET, Kind

PATH = "values.yaml"
_WIDTH = 110
_HEADER = """\
# yaml-language-server: $schema=values.schema.json

## Default values of the {name} chart, generated from its schemas by `chartgen generate`.
##
## Lines with ## explain. A line with a single # is a value that is not set: take away the "# " to set it (and the {{}}
## of the map that it belongs to). Every key and type is checked against values.schema.json, and an unknown key is
## refused by name. null clears a default. An image version may be a tag or a digest (sha256:...).
"""


def emit(schema: model.Schema) -> files.GeneratedFile:
    """The file values.yaml."""
    lines = _HEADER.format(name=schema.chart.get("name", "")).splitlines()
    for field in schema.fields.values():
        lines += ["", *_field(field, UNSET, _WIDTH)]
    return files.GeneratedFile(PATH, "\n".join(lines) + "\n")


def _field(field: model.Field, given: Any, width: int) -> list[str]:
    """A field in its place: words, then the value, as a comment when it is not set."""
    value = default_values.of_field(field, given)
    words = _words(field, width)
    if not _is_spelt_out(field):
        return words + (_comment(_sample_lines(field, UNSET, width)) if value is UNSET else _entry(field, value))
    if value is UNSET:
        return words + _comment(_sample_lines(field, UNSET, width))
    if not value:
        return [*words, *_entry(field, value), *_comment(_sample_lines(field, UNSET, width)[1:])]
    source = field.default if given is UNSET else given
    blocks = [_field(child, default_values.member(source, child), width - 2) for child in field.children]
    blocks += [_lines(name, member) for name, member in default_values.undeclared(field, source).items()]
    return [*words, f"{yamlio.scalar(field.name)}:", *_indent(_spaced(blocks))]


def _sample_lines(field: model.Field, given: Any, width: int) -> list[str]:
    """An unset field with a value it could have; all members of an object that is spelt out."""
    value = field.example if given is UNSET else given
    if not _is_spelt_out(field):
        return _entry(field, sample(field) if value is UNSET else value)
    blocks = []
    for child in field.children:
        known = default_values.of_field(child, default_values.member(value, child))
        # What ends for an object ends for its members; it is said once.
        words = replace(child, deprecated=None) if child.deprecated == field.deprecated else child
        blocks.append([*_words(words, width - 4), *_sample_lines(child, known, width - 2)])
    return [f"{yamlio.scalar(field.name)}:", *_indent(_spaced(blocks))]


def sample(field: model.Field) -> Any:
    """A value of the field's type that tells a reader most: its example, what absence amounts to, or an empty one."""
    if field.example is not UNSET:
        return field.example
    for surface in model.Surface:
        known = field.crd.get("default", surface)
        if known is not None:
            return known
    kind = field.type.kind
    if kind is Kind.BOOLEAN:
        return bool(field.unset)
    if field.type.enum:
        return next((member for member in field.type.enum if member), "")
    if kind in (Kind.INTEGER, Kind.INT_OR_STRING):
        return field.type.minimum or 0
    if kind is Kind.LIST:
        return []
    return {} if kind in (Kind.OBJECT, Kind.MAP, Kind.ANY) else ""


def _is_spelt_out(field: model.Field) -> bool:
    """Whether members are documented one by one in values.yaml."""
    if not field.type.name:
        return bool(field.children)
    kinds = {child.type.kind for child in field.children}
    return Kind.OBJECT not in kinds and not kinds <= {Kind.MAP, Kind.LIST}


def _entry(field: model.Field, value: Any) -> list[str]:
    """The value under its key; strings that users replace by numbers (versions) keep their quotes."""
    if isinstance(value, str) and value and field.type.reads and "\n" not in value:
        return [f"{yamlio.scalar(field.name)}: {yamlio.quoted(value)}"]
    return _lines(field.name, value)


def _lines(key: str, value: Any) -> list[str]:
    return yamlio.dump({key: value}).splitlines()


def _indent(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]


def _words(field: model.Field, width: int) -> list[str]:
    """Group heading, description, enum members and deprecation."""
    lines = []
    if field.group:
        lines += [f"## ---- {field.group} ".ljust(width, "-"), ""]
    paragraphs = field.description.strip().split("\n\n")
    paragraphs[-1] = " ".join(filter(None, (paragraphs[-1], wording.members(field), wording.deprecation(field))))
    for number, paragraph in enumerate(paragraphs):
        lines += ["##"] if number else []
        lines += textwrap.wrap(
            paragraph,
            width,
            initial_indent="## ",
            subsequent_indent="## ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _spaced(blocks: Sequence[list[str]]) -> list[str]:
    """Blocks with an empty line between them."""
    lines: list[str] = []
    for block in blocks:
        lines += ["", *block] if lines else block
    return lines


def _comment(lines: Sequence[str]) -> list[str]:
    return [f"# {line}" if line else "#" for line in lines]
