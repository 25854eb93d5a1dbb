"""One fault at a time: values that the JSON Schema of a chart must refuse, each for a single reason, and in which words.

A schema has a fault for each thing that it says: the kinds that a value may have, the members of an enum, bounds, lengths,
patterns, required members, and that an object takes no other keys. A named type is told of at each place that has it,
since a place can lose it. All else in the values is as small as it can be.

The words are those of the library that both Helm 3 and 4 check with. They open with the place, so that a message about
another one is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from chartgen.harness.cases import patterns, smallest
from chartgen.schema.model import Kind, Schema, Type

_INT32 = 2**31 - 1
_PLAIN = 10**6
# What the library calls the kinds of JSON, in the order in which it lists them.
_ORDER = ("null", "boolean", "number", "integer", "string", "array", "object")
_KINDS: dict[Kind, tuple[str, ...]] = {
    Kind.OBJECT: ("object",),
    Kind.MAP: ("object",),
    Kind.LIST: ("array",),
    Kind.STRING: ("string",),
    Kind.INTEGER: ("integer",),
    Kind.BOOLEAN: ("boolean",),
    Kind.INT_OR_STRING: ("integer", "string"),
    Kind.REFERENCE: ("string", "object"),
    Kind.ANY: ("array", "boolean", "number", "object", "string"),
}
# A value of a kind that people take for another: a text for a list, a version as a number, a quoted number.
_WRONG: dict[Kind, tuple[str, Any]] = {
    Kind.OBJECT: ("array", []),
    Kind.MAP: ("string", "sample"),
    Kind.LIST: ("string", "sample"),
    Kind.STRING: ("number", 1.5),
    Kind.INTEGER: ("string", "5"),
    Kind.BOOLEAN: ("string", "true"),
    Kind.INT_OR_STRING: ("boolean", True),
    Kind.REFERENCE: ("number", 1.5),
}


class Sort(Enum):
    """What a fault is about."""

    KIND = "kind"
    NULL = "null"
    MEMBER = "enum"
    PATTERN = "pattern"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    SHORT = "min-length"
    LONG = "max-length"
    REQUIRED = "required"
    UNKNOWN = "unknown-key"


@dataclass(frozen=True)
class Fault:
    """Values with one fault.

    Attributes:
        sort: what it is about.
        name: of the fault among those of its sort: the path of what is wrong, or missing.
        path: where the fault is, as a person writes it: ``driver.env[0].name``; empty for the chart's values themselves.
        words: what Helm says of it, with the place.
        values: those of the chart whose schema refuses.
    """

    sort: Sort
    name: str
    path: str
    words: str
    values: dict[str, Any]


def find(schema: Schema, standing: Mapping[str, Any]) -> Iterator[Fault]:
    """Every fault that the schema of a chart must refuse; those of a subchart are in its own.

    Args:
        schema: of the chart.
        standing: its defaults, which Helm lays below the values.
    """
    root = _Place("", "", dict, standing)
    known = {*schema.fields, *schema.strays}
    yield _unknown(root, {}, next(iter(schema.fields)), known)
    for name, top in schema.fields.items():
        if name not in schema.subcharts:
            yield from _faults(root.member(name, {}), top.type, nullable=True)


@dataclass(frozen=True)
class _Place:
    """A place in the values.

    Attributes:
        path: see `Fault`.
        pointer: the same as the library writes it.
        whole: the chart's values with some value at this place.
        standing: what is there by default.
    """

    path: str
    pointer: str
    whole: Callable[[Any], dict[str, Any]]
    standing: Any

    def member(self, name: str, others: Mapping[str, Any]) -> _Place:
        """The place of a key, beside other members that have to be there."""
        path = f"{self.path}.{name}" if self.path else name
        below = self.standing.get(name) if isinstance(self.standing, Mapping) else None
        return _Place(path, f"{self.pointer}/{name}", lambda value: self.whole({**others, name: value}), below)

    def item(self) -> _Place:
        """The place of a list's only item."""
        return _Place(f"{self.path}[0]", f"{self.pointer}/0", lambda value: self.whole([value]), None)

    def fault(self, sort: Sort, value: Any, words: str, member: str = "") -> Fault:
        """The fault of a value at this place, or of a member of it that is told of here."""
        name = ".".join(part for part in (self.path, member) if part)
        return Fault(sort, name, self.path, f"at '{self.pointer}': {words}", self.whole(value))


def _faults(place: _Place, type_: Type, *, nullable: bool) -> Iterator[Fault]:
    """The faults of a type at a place, and those of what is in it.

    Args:
        place: where the value is.
        type_: what it must be.
        nullable: whether it may be null; an item of a list and a member that must be there may not.
    """
    words = _kinds(type_, nullable=nullable)
    if type_.enum or (type_.kind is Kind.BOOLEAN and not type_.strict):
        yield place.fault(Sort.MEMBER, "no-member", words)
    elif type_.kind in _WRONG:
        got, wrong = _WRONG[type_.kind]
        yield place.fault(Sort.KIND, wrong, words.format(got=got))
    if not nullable and place.standing is None:  # of a default it would be said that the member is missing
        yield place.fault(Sort.NULL, None, words.format(got="null"))
    yield from _of_text(place, type_)
    yield from _of_number(place, type_)
    if type_.kind is Kind.OBJECT:
        yield from _of_object(place, type_)
    if type_.kind is Kind.REFERENCE:
        yield place.fault(Sort.REQUIRED, {}, "missing property 'name'", "name")
        yield _unknown(place, {"name": "sample"}, "name", {"name"})
    if type_.values is not None:
        yield from _faults(place.member("sample", {}), type_.values.type, nullable=True)
    if type_.items is not None:
        yield from _faults(place.item(), type_.items.type, nullable=False)


def _kinds(type_: Type, *, nullable: bool) -> str:
    """What is said of a value of another kind, or of none of the members; with a gap for what it is."""
    absent = [None] if nullable else []
    if type_.enum:
        members = [*type_.enum, *(["", None] if nullable else [])]
        return _one_of(list(dict.fromkeys(members)))
    if type_.kind is Kind.BOOLEAN and not type_.strict:
        return _one_of([True, False, "true", "false", *absent])
    kinds = {*_KINDS[type_.kind], *(kind.value for kind in type_.reads), *(["null"] if nullable else [])}
    if type_.strict:
        kinds.discard("null")
    return "got {got}, want " + " or ".join(kind for kind in _ORDER if kind in kinds)


def _one_of(members: list[Any]) -> str:
    spelt = {True: "true", False: "false", None: "<nil>"}
    return "value must be one of " + ", ".join(spelt.get(member, f"'{member}'") for member in members)


def _of_text(place: _Place, type_: Type) -> Iterator[Fault]:
    if type_.kind not in (Kind.STRING, Kind.INT_OR_STRING) or type_.enum:
        return
    misfit = patterns.misfit(type_.pattern) if type_.pattern else None
    if misfit:
        yield place.fault(Sort.PATTERN, misfit, f"'{misfit}' does not match pattern")
    if type_.min_length:
        short = "x" * (type_.min_length - 1)
        yield place.fault(Sort.SHORT, short, f"minLength: got {len(short)}, want {type_.min_length}")
    if type_.max_length is not None:
        long = "x" * (type_.max_length + 1)
        yield place.fault(Sort.LONG, long, f"maxLength: got {len(long)}, want {type_.max_length}")


def _of_number(place: _Place, type_: Type) -> Iterator[Fault]:
    if type_.kind not in (Kind.INTEGER, Kind.INT_OR_STRING):
        return
    is_int32 = type_.format == "int32"
    least = -_INT32 - 1 if is_int32 and type_.minimum is None else type_.minimum
    most = _INT32 if is_int32 and type_.maximum is None else type_.maximum
    if least is not None:
        yield place.fault(Sort.MINIMUM, least - 1, _beyond("minimum", least - 1, least))
    if most is not None:
        yield place.fault(Sort.MAXIMUM, most + 1, _beyond("maximum", most + 1, most))


def _beyond(bound: str, got: int, want: int) -> str:
    """What is said of a number beyond a bound; large ones are written in a way of their own."""
    return f"{bound}: got {got:,}, want {want:,}" if abs(want) < _PLAIN else f"{bound}: got "


def _of_object(place: _Place, type_: Type) -> Iterator[Fault]:
    least = smallest.valid(type_)
    if not type_.open:
        yield _unknown(place, least, next(iter(type_.properties), "key"), {*type_.properties})
    for name in type_.required:
        rest = {other: value for other, value in least.items() if other != name}
        if isinstance(place.standing, Mapping) and name in place.standing:
            rest[name] = None  # takes the default away
        yield place.fault(Sort.REQUIRED, rest, f"missing property '{name}'", name)
    for name, member in type_.properties.items():
        yield from _faults(place.member(name, least), member.type, nullable=name not in type_.required)


def _unknown(place: _Place, others: Mapping[str, Any], near: str, known: Collection[str]) -> Fault:
    """A key that the object does not have, spelt nearly as one that it has."""
    key = near + near[-1]
    while key in known:
        key += near[-1]
    return place.fault(Sort.UNKNOWN, {**others, key: "sample"}, f"additional properties '{key}' not allowed", key)
