"""What is worth giving to a field, by its type.

Each branch of a union, each member of an enum, the bounds, what is empty, no entry and many; and where a free string may
stand, strings that templates trip over. The JSON Schema of the chart takes all of them. Whether a combination works is another matter (`chartgen.harness.cases.packing`).
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness.cases import patterns
from chartgen.schema.model import UNSET, Field, Kind, Schema, Type

_INT32 = 2**31 - 1
# The largest whole number that survives Helm's way through floating point.
_LARGEST = 2**53 - 1
_WORD = "word"
# Not among them, because Helm itself cannot write them in a map or list: DEL and NEL, and "<<" as a key.
TRAPS: Mapping[str, str] = {
    "yes": "yes",
    "word null": "null",
    "tilde": "~",
    "word true": "true",
    "leading zero": "0123",
    "exponent": "1e3",
    "float": "580.10",
    "underscores": "1_000",
    "hex": "0x1f",
    "time": "12:30",
    "date": "2026-01-01",
    "infinity": ".inf",
    "expression": "{{ x }}",
    "end": "{{- end }}",
    "braces": "}}",
    "map": "a: b",
    "flow map": "{a}",
    "flow list": "[a]",
    "list": "- a",
    "dash": "-",
    "comment": "a #b",
    "hash": "#",
    "document": "---",
    "anchor": "&a",
    "alias": "*a",
    "tag": "!a",
    "block": "|",
    "percent": "%s",
    "at": "@a",
    "backquote": "`a`",
    "apostrophe": "it's",
    "quote": 'a"b',
    "backslash": "a\\nb",
    "lines": "a\n\n  b\n",
    "blanks": "  a ",
    "blank": " ",
    "tab": "\ta",
    "variable": "$a",
    "angle brackets": "<a>&amp;",
    "unicode": "ä\u2028\U0001f600",
    "set": "x,y=z",
    "path": "a/b:c@d",
    "digest": "sha256:" + "0" * 64,
    "long": "l" * 300,
}

# Types of the names of objects that the chart creates.
_NAMES = ("accountName",)
# The traps below the entries of a list or map, where all of them would make values that nobody could read.
_MOST_EXAMPLES = 12
_FEW = ("yes", "leading zero", "exponent", "expression", "lines", "blank")


@dataclass(frozen=True)
class Sample:
    """A value to try.

    Attributes:
        label: what it is, in a word or two; unique for its field.
        value: as a values file has it.
        is_trap: whether it is there only because templates trip over such strings.
    """

    label: str
    value: Any
    is_trap: bool = False


def settable(schema: Schema) -> Iterator[Field]:
    """The fields that can be given a value on their own: all but a subchart's, and members that an object must have."""
    for name, top in schema.fields.items():
        if name not in schema.subcharts:
            yield from _settable(top)


def _settable(field: Field) -> Iterator[Field]:
    yield field
    if field.type.kind is Kind.OBJECT and not field.type.required:
        for child in field.children:
            yield from _settable(child)


def is_name(field: Field) -> bool:
    """Whether the chart creates an object under the name that is given: no two may be alike."""
    return field.type.name in _NAMES


def of_field(field: Field) -> tuple[Sample, ...]:
    """Everything worth trying, the plainest first. The members of an object that are fields of their own have their own samples."""
    type_ = field.type
    if type_.kind is not Kind.OBJECT or type_.required:
        return _of_member(field)
    default = [Sample("default", field.default)] if field.default is not UNSET else []
    return _distinct([*default, Sample("no member", {}), Sample("null", None), *_undeclared(type_, {})])


def plain(field: Field) -> tuple[Sample, ...]:
    """Values that anybody might give: without traps, and few."""
    found = [*_declared(field), *_simple(field.type)]
    if not field.type.strict:
        found.append(Sample("null", None))
    return _distinct(found)


def fits(type_: Type, text: str) -> bool:
    """Whether a free string of that type may read so."""
    low, high = type_.min_length or 0, type_.max_length
    if type_.kind not in (Kind.STRING, Kind.INT_OR_STRING) or type_.enum:
        return text in type_.enum
    if not low <= len(text) or (high is not None and len(text) > high):
        return False
    return not type_.pattern or re.search(type_.pattern, text) is not None


def _declared(field: Field) -> Iterator[Sample]:
    """The example and the default, restated; an object's default is that of its members."""
    if field.example is not UNSET:
        yield Sample("example", field.example)
    if field.default is not UNSET and not (field.default is None and field.type.strict):
        yield Sample("default", field.default)


def _traps(depth: int) -> Mapping[str, str]:
    return TRAPS if depth < 2 else {label: TRAPS[label] for label in _FEW}


def _distinct(samples: list[Sample]) -> tuple[Sample, ...]:
    found: dict[str, Sample] = {}
    for sample in samples:
        found.setdefault(json.dumps(sample.value, sort_keys=True), sample)
    return tuple(found.values())


def _of_member(field: Field, depth: int = 0) -> tuple[Sample, ...]:
    """Samples of a field that is given in whole, in so many lists and maps."""
    return _distinct([*_declared(field), *_of_type(field.type, depth, nullable=True)])


def _of_type(type_: Type, depth: int, *, nullable: bool) -> tuple[Sample, ...]:
    found = [*_by_kind(type_, depth, nullable=nullable)]
    if nullable and not type_.strict:
        found.append(Sample("null", None))
    return tuple(found)


def _by_kind(type_: Type, depth: int, *, nullable: bool) -> Iterator[Sample]:
    """Samples of a type; `nullable` tells of fields that may be left out, for which "" is as good as nothing."""
    match type_.kind:
        case Kind.STRING if type_.enum:
            yield from (Sample(str(member), member) for member in type_.enum)
            yield from [Sample("empty", "")] if nullable else []
        case Kind.STRING | Kind.INT_OR_STRING:
            yield from _strings(type_, depth, nullable=nullable)
        case Kind.INTEGER:
            yield from _integers(type_)
        case Kind.BOOLEAN:
            yield from (Sample("true", True), Sample("false", False))
            yield from () if type_.strict else (Sample("quoted true", "true"), Sample("quoted false", "false"))
        case Kind.REFERENCE:
            for label, text in {"name": "a-name", **_traps(depth)}.items():
                yield Sample(label, text, label in TRAPS)
                yield Sample(f"map of {label}", {"name": text}, label in TRAPS)
        case Kind.LIST:
            yield from _lists(type_, depth)
        case Kind.MAP:
            yield from _maps(type_, depth)
        case Kind.OBJECT:
            yield from _objects(type_, depth)
        case Kind.ANY:
            pass  # what Kubernetes takes there is not described, so that only what is declared can be tried


def _strings(type_: Type, depth: int, *, nullable: bool) -> Iterator[Sample]:
    made = patterns.examples(type_.pattern)[:_MOST_EXAMPLES] if type_.pattern else (_WORD,)
    fitting = [text for text in made if fits(type_, text)]
    yield from (Sample(f"string {number}", text) for number, text in enumerate(fitting, 1))
    if type_.max_length is not None and fits(type_, "l" * type_.max_length):
        yield Sample("longest", "l" * type_.max_length)
    if fits(type_, "") or (nullable and not type_.min_length):
        yield Sample("empty", "")
    yield from (Sample(label, text, True) for label, text in _traps(depth).items() if fits(type_, text))
    if type_.kind is Kind.INT_OR_STRING or Kind.INTEGER in type_.reads:
        yield from _integers(type_)
    if Kind.BOOLEAN in type_.reads:
        yield from (Sample("boolean true", True), Sample("boolean false", False))


def _integers(type_: Type) -> Iterator[Sample]:
    is_int32 = type_.format == "int32"
    low = type_.minimum if type_.minimum is not None else -_INT32 - 1 if is_int32 else -_LARGEST
    high = type_.maximum if type_.maximum is not None else _INT32 if is_int32 else _LARGEST
    numbers = {"lowest": low, "zero": 0, "one": 1, "large": 20260101, "highest": high, "whole float": max(low, 3.0)}
    yield from (Sample(label, number) for label, number in numbers.items() if low <= number <= high)


def _lists(type_: Type, depth: int) -> Iterator[Sample]:
    yield Sample("no entry", [])
    if type_.items is None:
        yield from (Sample("one entry", ["a"]), Sample("many entries", ["a", *_traps(depth).values()]))
        return
    items = [sample.value for sample in _of_item(type_.items.type, depth + 1)]
    if not items:
        return
    yield Sample("one entry", items[:1])
    if len(items) > 1:
        yield Sample("many entries", items)
    if len(items) > 1 and type_.items.type.kind is not Kind.OBJECT:
        yield Sample("entry twice", [items[0], items[-1], items[0]])


def _of_item(type_: Type, depth: int) -> tuple[Sample, ...]:
    """Samples of a list's item or a required member, which are never null."""
    return _distinct([*_by_kind(type_, depth, nullable=False)])


def _maps(type_: Type, depth: int) -> Iterator[Sample]:
    yield Sample("no key", {})
    found = _of_type(type_.values.type, depth + 1, nullable=False) if type_.values else (Sample("word", _WORD),)
    values = [sample.value for sample in _distinct([*found])]
    if not values:
        return
    yield Sample("one key", {"key": values[0]})
    keys = [key for key in _traps(depth).values() if key != TRAPS["long"]]
    wanted = max(len(keys), len(values))
    names = [*keys, *(f"key{number}" for number in range(wanted - len(keys)))]
    yield Sample("odd keys", dict(zip(names, itertools.cycle(values))))
    if type_.values is None or not type_.values.type.strict:
        yield Sample("null under a key", {"key": None})
    if type_.values and type_.values.type.kind in (Kind.STRING, Kind.INTEGER):
        yield Sample("usual keys", {"example.com/one": values[0], "two": values[-2]})


def _objects(type_: Type, depth: int) -> Iterator[Sample]:
    """An object in whole. Its members' samples stand side by side, so that there are as many as the richest member has."""
    required = {name: _of_item(type_.properties[name].type, depth) for name in type_.required}
    least = {name: found[0].value for name, found in required.items()}
    yield Sample("required members" if least else "no member", least)
    members = {
        name: sorted(required.get(name) or _of_member(member, depth), key=lambda sample: sample.is_trap)
        for name, member in type_.properties.items()
        if member.deprecated is None
    }
    usual = max((sum(not sample.is_trap for sample in found) for found in members.values()), default=0)
    for number in range(max(map(len, members.values()), default=0)):
        value = {name: found[number % len(found)].value for name, found in members.items() if found}
        yield Sample(f"members {number}", value, number >= usual)
    yield from _undeclared(type_, least)


def _undeclared(type_: Type, least: Mapping[str, Any]) -> Iterator[Sample]:
    if type_.open:
        yield Sample("undeclared key", {**least, "undeclared": {"a": ["0123", None, True, 1]}})


def _simple(type_: Type) -> Iterator[Sample]:
    """One or two plain values of a type, and what is empty."""
    match type_.kind:
        case Kind.OBJECT:
            least = {name: _first(type_.properties[name]) for name in type_.required}
            yield Sample("required members" if least else "no member", least)
        case Kind.LIST:
            yield Sample("no entry", [])
            yield from [] if _is_any(type_.items) else [Sample("one entry", [_first(type_.items)])]
        case Kind.MAP:
            yield Sample("no key", {})
            yield from [] if _is_any(type_.values) else [Sample("one key", {"example.com/key": _first(type_.values)})]
        case Kind.STRING | Kind.INT_OR_STRING if not type_.enum:
            made = patterns.examples(type_.pattern) if type_.pattern else (_WORD,)
            fitting = [text for text in made if text and fits(type_, text)][:2]
            yield from (Sample(f"string {number}", text) for number, text in enumerate(fitting, 1))
            yield from [] if type_.min_length else [Sample("empty", "")]
        case _:
            yield from _by_kind(type_, 0, nullable=True)


def _is_any(member: Field | None) -> bool:
    return member is not None and member.type.kind is Kind.ANY


def _first(member: Field | None) -> Any:
    """The plainest value of a member's type that is not empty; a word where the type is not described."""
    if member is None:
        return "a"
    found = [sample.value for sample in _simple(member.type)]
    return next((value for value in found if value not in ("", [], {})), found[0])
