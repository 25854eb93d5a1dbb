"""Assignments: values by their dotted path, flat, so that they can be compared, joined and counted.

Besides values paths there are those of the surroundings, which open with ``@``: ``@api:monitoring.coreos.com/v1``
(whether the cluster serves it), ``@kube``, ``@helm``, ``@release``, ``@namespace``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

API = "@api:"
KUBE = "@kube"
HELM = "@helm"
RELEASE = "@release"
NAMESPACE = "@namespace"


class Unset(Enum):
    """The key is not among the user's values: the chart's default stands."""

    UNSET = "unset"


UNSET = Unset.UNSET
Assignment = Mapping[str, Any]


def nest(assignment: Assignment) -> dict[str, Any]:
    """The values of an assignment as a values file has them; what is unset and what opens with ``@`` is left out.

    A path whose parent has a value of its own is written into it when that is a mapping; else the parent wins.
    """
    values: dict[str, Any] = {}
    for path in sorted(assignment):
        value = assignment[path]
        if path.startswith("@") or value is UNSET:
            continue
        *parents, last = path.split(".")
        place: Any = values
        for name in parents:
            place = place.setdefault(name, {}) if isinstance(place, dict) else None
        if isinstance(place, dict):
            place[last] = dict(value) if isinstance(value, Mapping) else value
    return values


def apis(assignment: Assignment) -> tuple[str, ...]:
    """The APIs that the cluster serves besides those that every one does."""
    return tuple(
        sorted(path.removeprefix(API) for path, served in assignment.items() if path.startswith(API) and served is True)
    )


def clash(path: str, other: str) -> bool:
    """Whether one of two different paths lies inside the other, so that they cannot both be given values."""
    return path != other and (f"{path}.".startswith(f"{other}.") or f"{other}.".startswith(f"{path}."))


def join(first: Assignment, second: Assignment) -> dict[str, Any] | None:
    """Both together, or None when they disagree or one gives a value to what the other has as a parent."""
    for path, value in second.items():
        if path in first and not same(first[path], value):
            return None
        if path not in first and any(clash(path, other) for other in first):
            return None
    return {**first, **second}


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same, to the type: true is not 1."""
    return type(left) is type(right) and bool(left == right)
