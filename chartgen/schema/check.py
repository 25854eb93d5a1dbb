"""Whether a value is of a type, the strict way: defaults and examples in schema files have to be exact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

from chartgen import yamlio
from chartgen.errors import Problem
from chartgen.schema.model import Field, Kind, Type

_Part = TypeVar("_Part", dict[str, Any], list[Any])

_PYTHON: dict[Kind, tuple[type, ...]] = {
    Kind.OBJECT: (dict,),
    Kind.MAP: (dict,),
    Kind.LIST: (list,),
    Kind.STRING: (str,),
    Kind.INTEGER: (int,),
    Kind.BOOLEAN: (bool,),
    Kind.INT_OR_STRING: (int, str),
    Kind.REFERENCE: (str, dict),
    Kind.ANY: (object,),
}


def show(value: Any) -> str:
    """A value in a message: its text and, where that could mislead, its type."""
    if isinstance(value, str):
        return f"the string {value!r}"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if value is None:
        return "null"
    return "a list" if isinstance(value, list) else "a map"


def part(document: yamlio.Located, at: yamlio.Path, expected: str, of: type[_Part], problems: list[Problem]) -> _Part:
    """What stands at a place of a file; empty when nothing does, and with a problem when it is of another type.

    Args:
        document: the file.
        at: the place; what it is in must be there.
        expected: the type in words.
        of: dict or list.
        problems: grows by the mistake.
    """
    value = document.data
    for key in at:
        value = value.get(key) if isinstance(value, dict) else value[key]
    if value is None:
        return of()
    if not isinstance(value, of):
        problems.append(Problem(document.at(at), ".".join(map(str, at)), show(value), expected))
        return of()
    return value


def mismatches(type_: Type, value: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Where `value` is not of a type.

    Args:
        type_: the type.
        value: anything.
        path: prefix for the paths that are yielded.

    Yields:
        (path below the value, what was found, what is expected).
    """
    if not isinstance(value, _PYTHON[type_.kind]) or (
        isinstance(value, bool) and type_.kind in (Kind.INTEGER, Kind.INT_OR_STRING)
    ):
        yield path, show(value), f"a value of type {type_.kind.value}"
        return
    if type_.enum and value not in type_.enum:
        yield path, show(value), "one of " + ", ".join(str(member) for member in type_.enum)
    if type_.pattern and isinstance(value, str) and value and not re.search(type_.pattern, value):
        yield path, show(value), f"a string matching {type_.pattern}"
    yield from _bounds(type_, value, path)
    if isinstance(value, dict):
        yield from _members(type_, value, path)
    if isinstance(value, list) and type_.items is not None:
        for number, item in enumerate(value):
            yield from mismatches(type_.items.type, item, f"{path}[{number}]")


def _bounds(type_: Type, value: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """Numbers and lengths outside their bounds."""
    if isinstance(value, int) and type_.minimum is not None and value < type_.minimum:
        yield path, show(value), f"at least {type_.minimum}"
    if isinstance(value, int) and type_.maximum is not None and value > type_.maximum:
        yield path, show(value), f"at most {type_.maximum}"
    if isinstance(value, str) and type_.min_length is not None and len(value) < type_.min_length:
        yield path, show(value), f"at least {type_.min_length} characters"
    if isinstance(value, str) and type_.max_length is not None and len(value) > type_.max_length:
        yield path, show(value), f"at most {type_.max_length} characters"


def _members(type_: Type, value: dict[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    """Unknown, missing and mistyped members of a map or object."""
    for key, item in value.items():
        member: Field | None = type_.values if type_.kind is Kind.MAP else type_.properties.get(key)
        here = f"{path}.{key}" if path else str(key)
        if member is not None:
            yield from mismatches(member.type, item, here)
        elif type_.kind is Kind.OBJECT and not type_.open:
            yield here, f"the key {key}", "one of " + (", ".join(type_.properties) or "no keys")
    for name in type_.required:
        if name not in value:
            yield path, f"no {name}", f"{name}, which is required"
