"""How a field is written, from its type: the one place that knows what each kind of value turns into.

The printer and the evaluator both go by the form, so that quoting and coercion can never differ between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from chartgen.schema.model import Field, Kind, Surface, Type


class Form(Enum):
    """A way of writing a value."""

    STRING = "a string, quoted"
    TEXT = "a string that may be given as a number or boolean, quoted"
    INTEGER = "a whole number"
    BOOLEAN = "a switch, given as a boolean or as the word"
    INT_OR_STRING = "a number or a string, as it was given"
    STRINGS = "a map whose values become strings"
    ENV = "a list of environment variables whose values become strings"
    NAMES = "a list of references, written as names"
    RELABELINGS = "a list of relabelings with the default action filled in"
    YAML = "anything else, as it was given, without nulls"


_BY_NAME = {"env": Form.ENV, "containerEnv": Form.ENV, "relabelings": Form.RELABELINGS}
_BY_KIND = {Kind.INTEGER: Form.INTEGER, Kind.BOOLEAN: Form.BOOLEAN, Kind.INT_OR_STRING: Form.INT_OR_STRING}


def form(field: Field) -> Form:
    """The form of a field."""
    type_ = field.type
    if type_.name in _BY_NAME:
        return _BY_NAME[type_.name]
    if type_.kind is Kind.STRING:
        return Form.TEXT if type_.reads else Form.STRING
    if type_.kind is Kind.MAP and type_.values is not None and type_.values.type.reads:
        return Form.STRINGS
    if type_.kind is Kind.LIST and type_.items is not None and type_.items.type.kind is Kind.REFERENCE:
        return Form.NAMES
    return _BY_KIND.get(type_.kind, Form.YAML)


def kindly_members(type_: Type, path: str) -> Iterator[str]:
    """Members of a type that are read kindly, which a value written as it was given (`Form.YAML`) would not honour."""
    for member in (*type_.properties.values(), type_.values, type_.items):
        if member is None:
            continue
        here = f"{path}.{member.name}" if member.name else f"{path}[]"
        if member.type.reads or (member.type.kind is Kind.BOOLEAN and not member.type.strict):
            yield here
        yield from kindly_members(member.type, here)


def crd_default(field: Field) -> str:
    """What an absent value reads as: the default of the first CRD that has one, as a string; else ""."""
    for surface in Surface:
        if surface in field.surfaces:
            default = field.crd.get("default", surface)
            if default is not None:
                return str(default).lower() if isinstance(default, bool) else str(default)
    return ""
