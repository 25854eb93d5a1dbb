"""The conditions that rules, manifests and fields share: a closed set of records over values paths and the cluster.

`chartgen.tree` prints each as a Go-template expression and evaluates it in Python. All of them are nil-safe: reading
below a missing or null parent is the same as reading a missing key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class On:
    """A switch is true; "true" and "false" mean what they spell, and absent means the field's ``unset`` (else false)."""

    path: str


@dataclass(frozen=True)
class Set:
    """The value is there: a string, list or map that is not empty; a number or boolean that is not null."""

    path: str


@dataclass(frozen=True)
class Equals:
    """The value, read as a string, is `literal`; an absent value reads as its default on a CRD, else as ""."""

    path: str
    literal: str


@dataclass(frozen=True)
class Matches:
    """The value is a non-empty string (or reads as one) in which the regular expression matches; RE2 and `re` syntax alike."""

    path: str
    pattern: str


@dataclass(frozen=True)
class Has:
    """The map at `path` has a key, or the list an item: `key` itself, or the string that stands at the path `key_from`."""

    path: str
    key: str = ""
    key_from: str = ""


@dataclass(frozen=True)
class Variable:
    """The list of environment variables at `path` gives `name` a value in which the regular expression matches.

    The last item of that name counts; without one, the value is "".
    """

    path: str
    name: str
    pattern: str


@dataclass(frozen=True)
class Given:
    """The key at `path` is there and not null, whether or not it is a value."""

    path: str


@dataclass(frozen=True)
class Same:
    """Both values, read as strings, are the same and not empty."""

    path: str
    other: str


@dataclass(frozen=True)
class Some:
    """At least one item of the list at `path`, whose items are maps, satisfies a condition.

    Attributes:
        path: of the list.
        condition: its paths are those of the item, counted from there, and it asks nothing of the cluster.
        define: name of the template that asks the items, unique in the chart.
    """

    path: str
    condition: Condition
    define: str


@dataclass(frozen=True)
class Twice:
    """Two items of the list at `path`, whose items are maps, have the same member, read as a string and not empty."""

    path: str
    member: str


@dataclass(frozen=True)
class Api:
    """The cluster serves a kind: ``resource.k8s.io/v1/DeviceClass``, or a group version alone: ``nfd.k8s-sigs.io/v1alpha1``."""

    name: str


@dataclass(frozen=True)
class Not:
    """The opposite."""

    condition: Condition


@dataclass(frozen=True)
class All:
    """Every one of the conditions; true when there is none."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Any:
    """At least one of the conditions; false when there is none."""

    conditions: tuple[Condition, ...]


Leaf = On | Set | Equals | Matches | Has | Variable | Given | Same | Some | Twice | Api
Condition = Leaf | Not | All | Any

ALWAYS = All(())
NEVER = Any(())


def off(path: str) -> Not:
    """A switch is false."""
    return Not(On(path))


def all_of(*conditions: Condition) -> Condition:
    """`All`, flattened: no nested `All`, no repeats, one condition stands for itself, `NEVER` and contradictions win."""
    found: list[Condition] = []
    for condition in conditions:
        members = condition.conditions if isinstance(condition, All) else (condition,)
        for member in members:
            if member not in found:
                found.append(member)
    if NEVER in found or _opposites(found):
        return NEVER
    return found[0] if len(found) == 1 else All(tuple(found))


def any_of(*conditions: Condition) -> Condition:
    """`Any`, flattened: no nested `Any`, no repeats, one condition stands for itself, `ALWAYS` and "this or not" win."""
    found: list[Condition] = []
    for condition in conditions:
        members = condition.conditions if isinstance(condition, Any) else (condition,)
        for member in members:
            if member not in found:
                found.append(member)
    if ALWAYS in found or _opposites(found):
        return ALWAYS
    return found[0] if len(found) == 1 else Any(tuple(found))


def _opposites(conditions: list[Condition]) -> bool:
    """Whether a condition and its opposite are both there."""
    return any(negate(condition) in conditions for condition in conditions if isinstance(condition, Not))


def negate(condition: Condition) -> Condition:
    """The opposite, without a double negation."""
    if condition == ALWAYS:
        return NEVER
    if condition == NEVER:
        return ALWAYS
    return condition.condition if isinstance(condition, Not) else Not(condition)


def leaves(condition: Condition) -> Iterator[Leaf]:
    """The conditions that read something, left to right."""
    match condition:
        case All(conditions) | Any(conditions):
            for member in conditions:
                yield from leaves(member)
        case Not(inner):
            yield from leaves(inner)
        case _:
            yield condition


def paths(condition: Condition) -> tuple[str, ...]:
    """Every values path that the condition reads, in order and once."""
    found: list[str] = []
    for leaf in leaves(condition):
        if isinstance(leaf, Api):
            continue
        for path in (getattr(leaf, "path", ""), getattr(leaf, "key_from", ""), getattr(leaf, "other", "")):
            if path and path not in found:
                found.append(path)
    return tuple(found)
