"""Places inside an object that may be malformed: a schema judges its shape, so whoever looks for something else must not break on it.

A pattern leads to places: names with dots between them, ``[]`` behind a name for each item of its list, ``|`` between
names that are alike, ``*`` for every member: ``spec.initContainers|containers[].env[].valueFrom``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Step = tuple[tuple[str, ...], bool]


def mapping(value: Any) -> Mapping[str, Any]:
    """The value, or an empty mapping when it is none."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: Any) -> Sequence[Any]:
    """The value, or an empty list when it is none."""
    return value if isinstance(value, list) else ()


def text(value: Any) -> str:
    """The value, or an empty string when it is none."""
    return value if isinstance(value, str) else ""


def find(value: Any, pattern: str, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every place that a pattern leads to.

    Args:
        value: where to start.
        pattern: see the module; an empty one leads to `value` itself.
        path: where `value` is.

    Yields:
        (path, what is there), in the order of the object.
    """
    return _find(value, steps(pattern), path)


@functools.cache
def steps(pattern: str) -> tuple[Step, ...]:
    """A pattern as the names of each step and whether their items are meant."""
    found: list[Step] = []
    for part in pattern.split(".") if pattern else ():
        names = part.removesuffix("[]")
        found.append((tuple(names.split("|")), part.endswith("[]")))
    return tuple(found)


def _find(value: Any, todo: tuple[Step, ...], path: str) -> Iterator[tuple[str, Any]]:
    if not todo:
        yield path, value
        return
    if not isinstance(value, Mapping):
        return
    names, each = todo[0]
    for name in value if names == ("*",) else names:
        if name not in value:
            continue
        member = value[name]
        place = f"{path}.{name}" if path else str(name)
        if not each:
            yield from _find(member, todo[1:], place)
        elif isinstance(member, list):
            for number, item in enumerate(member):
                yield from _find(item, todo[1:], f"{place}[{number}]")


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every string in a value with its path; of a mapping's members, not of its keys."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from strings(member, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from strings(item, f"{path}[{number}]")
