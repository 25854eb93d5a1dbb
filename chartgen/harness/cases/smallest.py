"""The smallest values of a type: what has to be there for a value to be valid, and what has to be there for it to count as given.

A case should differ from the defaults in what it is there for and in nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from chartgen.harness.cases import patterns
from chartgen.schema import check
from chartgen.schema.model import UNSET, Field, Kind, Type

_WORD = "sample"
# A name of an object may have so many characters, and a part may be put in front of it.
_LONGEST_NAME = 40
_HARDENED = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
_HARDENED_CONTAINER = {**_HARDENED, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
_NODES = {"matchExpressions": [{"key": "pool", "operator": "Exists"}]}
_NODE_AFFINITY = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": _NODES}]}
# Named types of which the first members make no sense by themselves: what a cluster takes, on hardened namespaces too.
_SENSIBLE: Mapping[str, Any] = {
    "affinity": {"nodeAffinity": _NODE_AFFINITY},
    "nodeAffinity": _NODE_AFFINITY,
    "podSecurityContext": _HARDENED,
    "securityContext": _HARDENED_CONTAINER,
    "networkPolicyIngress": [{"ports": [{"port": 8080}]}],
    "networkPolicyEgress": [{"ports": [{"port": 443}]}],
    "container": {"name": _WORD, "image": "registry.example.com/sample:1", "securityContext": _HARDENED_CONTAINER},
}


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
    """A small value of a field that is more than empty: its example if it has one, so that it makes sense.

    Where the values of a map or the items of a list may be of several kinds, there is one of each. A text tells of its field,
    so that no two fields have the same and a value in the wrong place is seen.
    """
    type_ = field.type
    example = UNSET if field.example is not UNSET and is_empty(field.example) else field.example
    if example is UNSET and type_.name in _SENSIBLE:
        return _SENSIBLE[type_.name]
    match type_.kind:
        case Kind.MAP:
            first = {_WORD: _WORD if type_.values is None else given(type_.values)} if example is UNSET else example
            more = [] if type_.values is None else _more(type_.values)
            return {**first, **{f"{_WORD}{number}": value for number, value in enumerate(more, 1)}}
        case Kind.LIST:
            first = [_WORD if type_.items is None else given(type_.items)] if example is UNSET else example
            return [*first, *([] if type_.items is None else _more(type_.items))]
        case _ if example is not UNSET:
            return example
        case Kind.OBJECT:
            members = [type_.properties[name] for name in type_.required] or [*type_.properties.values()][:1]
            return {member.name: given(member) for member in members} or {_WORD: _WORD}
        case Kind.STRING | Kind.REFERENCE if not type_.enum:
            return next(texts(type_, (own_text(field.path),)), _WORD)
        case _:
            return scalar(type_)


def own_text(path: str) -> str:
    """A text that only this field has: the end of its path, as the names of objects are written."""
    return re.sub("[^a-z0-9]+", "-", path.lower())[-_LONGEST_NAME:].strip("-")


def _more(field: Field) -> list[Any]:
    """Further values, one for each other kind that the field may have, or that one of its members may."""
    type_ = field.type
    if type_.kind is not Kind.OBJECT:
        return union(type_)
    found: list[Any] = []
    for member in type_.properties.values():
        for value in union(member.type) if member.type.reads else ():
            needed = valid(type_)
            names = {"name": f"{_WORD}{len(found) + 1}"} if "name" in needed else {}
            found.append({**needed, **names, member.name: value})
    return found


def union(type_: Type) -> list[Any]:
    """A value for each further branch of a type that takes values of several kinds."""
    match type_.kind:
        case Kind.BOOLEAN:
            return [] if type_.strict else ["true"]
        case Kind.INT_OR_STRING:
            # A port by its name has to be one of the pod's; a form tells what else is meant.
            return [next(texts(type_))] if type_.pattern else []
        case Kind.REFERENCE:
            return [{"name": f"{_WORD}-by-name"}]
        case _:
            numbers = [next(integers(type_))] if Kind.INTEGER in type_.reads else []
            return [*numbers, True] if Kind.BOOLEAN in type_.reads else [*numbers]


def scalar(type_: Type) -> Any:
    """A value of a type that has no members."""
    match type_.kind:
        case Kind.BOOLEAN:
            return True
        case Kind.INTEGER | Kind.INT_OR_STRING:
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
        if number >= least and (type_.maximum is None or number <= type_.maximum):
            yield number


def at(steps: tuple[str | int, ...], value: Any) -> Any:
    """A value below keys and list positions: ``at(("env", 0), x)`` is ``{"env": [x]}``."""
    for step in reversed(steps):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def is_empty(value: Any) -> bool:
    """Whether a value is one that stands for none."""
    return value is None or value == "" or (isinstance(value, list | Mapping) and not value)
