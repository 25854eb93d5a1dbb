"""The smallest values of a type: what has to be there for a value to be valid, and what has to be there for it to count as given.

A case should differ from the defaults in what it is there for and in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chartgen.harness.cases import patterns
from chartgen.schema import check
from chartgen.schema.model import UNSET, Field, Kind, Type

_WORD = "sample"


def valid(type_: Type) -> Any:
    """The smallest value of a type; null is none."""
    match type_.kind:
        case Kind.OBJECT:
            return {name: valid(type_.properties[name].type) for name in type_.required}
        case Kind.MAP:
            return {}
        case Kind.LIST:
            return []
        case _:
            return scalar(type_)


def given(field: Field) -> Any:
    """A small value of a field that is more than empty: its example if it has one, so that it makes sense."""
    if field.example is not UNSET and field.example not in ("", None, [], {}):
        return field.example
    return _given(field.type)


def _given(type_: Type) -> Any:
    match type_.kind:
        case Kind.OBJECT:
            members = [type_.properties[name] for name in type_.required] or [*type_.properties.values()][:1]
            return {member.name: given(member) for member in members} or {_WORD: _WORD}
        case Kind.MAP:
            return {_WORD: _WORD if type_.values is None else given(type_.values)}
        case Kind.LIST:
            return [_WORD if type_.items is None else given(type_.items)]
        case _:
            return scalar(type_)


def scalar(type_: Type) -> Any:
    """A value of a type that has no members."""
    match type_.kind:
        case Kind.BOOLEAN:
            return True
        case Kind.INTEGER:
            return next(integers(type_))
        case _:
            return next(texts(type_), _WORD)


def texts(type_: Type, wanted: tuple[str, ...] = ()) -> Iterator[str]:
    """Texts that a type takes and that are not empty.

    Args:
        type_: one that takes strings.
        wanted: tried before anything else.
    """
    for text in (*wanted, *(str(member) for member in type_.enum), _WORD, *patterns.examples(type_.pattern)):
        if text and not any(check.mismatches(type_, text)):
            yield text


def integers(type_: Type) -> Iterator[int]:
    """Whole numbers that a type takes: small ones."""
    least = 0 if type_.minimum is None else type_.minimum
    for number in (1, 0, least, least + 1):
        if not any(check.mismatches(type_, number)):
            yield number


def at(steps: tuple[str | int, ...], value: Any) -> Any:
    """A value below keys and list positions: ``at(("env", 0), x)`` is ``{"env": [x]}``."""
    for step in reversed(steps):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def is_empty(value: Any) -> bool:
    """Whether a value is one that stands for none."""
    return value is None or value == "" or (isinstance(value, list | Mapping) and not value)
