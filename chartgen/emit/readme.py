"""README.md of the chart: how to install it, its profiles, and every value in a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chartgen.emit import differences, framing, wording
from chartgen.emit.sources import Sources
from chartgen.files import GeneratedFile
from chartgen.profiles import Profile
from chartgen.schema import default_values
from chartgen.schema.model import UNSET, Field, Kind, Schema

_FRAME = "README.md"
# A default that is longer is looked up in values.yaml, where it stands with its comments.
_LONGEST = 60
_TYPES = {Kind.INT_OR_STRING: "integer or string", Kind.REFERENCE: "name", Kind.ANY: "any"}


@dataclass(frozen=True)
class Row:
    """A line of the table of values."""

    path: str
    type: str
    default: str
    description: str


@dataclass(frozen=True)
class Section:
    """A top-level value: what it is about, and its members."""

    name: str
    description: str
    rows: tuple[Row, ...]


def emit(schema: Schema, sources: Sources) -> GeneratedFile:
    """``README.md``.

    Args:
        schema: of the chart; its subcharts' values are listed too.
        sources: for the table of profiles.
    """
    text = framing.render(
        _FRAME,
        chart=schema.chart,
        profiles=[_profile(profile) for profile in sources.profiles],
        differences=len(differences.table()),
        sections=list(sections(schema)),
    )
    return GeneratedFile(_FRAME, text)


def sections(schema: Schema) -> Iterator[Section]:
    """The values by top-level key, in the order of values.yaml; those of a subchart under its name."""
    defaults = default_values.by_path(schema)
    for field in schema.fields.values():
        if field.name not in schema.subcharts:
            rows = tuple(_row(leaf, field.name, defaults.get(leaf.path, UNSET)) for leaf in _leaves(field))
            # A value without members says it all in its row.
            yield Section(field.name, "" if rows[0].path == field.name else _cell(field.description), rows)
    for name, part in schema.subcharts.items():
        known = {_below(name, path): value for path, value in default_values.by_path(part).items()} | defaults
        leaves = _merged(name, schema.fields.get(name), part)
        rows = tuple(_row(leaf, name, known.get(path, UNSET)) for path, leaf in leaves.items())
        yield Section(name, _cell(str(part.chart["description"])), rows)


def _merged(name: str, given: Field | None, part: Schema) -> dict[str, Field]:
    """The leaves of a subchart by their path in the parent's values, with the parent's words where it has its own."""
    own = {leaf.path: leaf for leaf in _leaves(given)} if given is not None else {}
    theirs = {_below(name, leaf.path): leaf for top in part.fields.values() for leaf in _leaves(top)}
    return theirs | own


def _below(name: str, path: str) -> str:
    """A path with the name of its top-level value."""
    return path if path.split(".", maxsplit=1)[0] == name else f"{name}.{path}"


def _profile(profile: Profile) -> dict[str, str]:
    return {
        "name": profile.name,
        "title": profile.title,
        "summary": _cell(profile.summary),
        "level": profile.level.value,
    }


def _leaves(field: Field) -> Iterator[Field]:
    """What has no members of its own to list; an object that a user fills freely counts as one."""
    if field.type.kind is Kind.OBJECT and field.children:
        for child in field.children:
            yield from _leaves(child)
    else:
        yield field


def _row(field: Field, top: str, default: Any) -> Row:
    """A line about a field.

    Args:
        field: the field.
        top: the top-level value that it belongs to.
        default: what values.yaml has, or `UNSET`.
    """
    words = [field.description.split("\n\n")[0], wording.members(field), wording.deprecation(field)]
    described = _cell(" ".join(word for word in words if word))
    return Row(_below(top, field.path), _type(field), _default(field, default), described)


def _type(field: Field) -> str:
    """The type in a word or two."""
    type_ = field.type
    if type_.kind is Kind.LIST and type_.items is not None:
        return f"list of {_plural(_type(type_.items))}"
    if type_.kind is Kind.MAP and type_.values is not None:
        return f"map of {_plural(_type(type_.values))}"
    return _TYPES.get(type_.kind, type_.kind.value)


def _plural(word: str) -> str:
    return word if word in ("any",) or " " in word else f"{word}s"


def _default(field: Field, default: Any) -> str:
    """The default as code; what the operator takes where there is none, in brackets."""
    if default is UNSET or default is None:
        return "" if field.unset is None else f"(`{_json(field.unset)}`)"
    text = _json(default)
    return f"`{_cell(text)}`" if len(text) <= _LONGEST else "see values.yaml"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
