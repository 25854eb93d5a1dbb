"""Values on both sides of conditions: what to give to a path so that each condition that reads it holds, and does not.

They are what anybody might write, next to what the conditions themselves compare with: their literals, texts on both sides
of their patterns, lists and maps with and without their keys.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from chartgen.harness import oracle
from chartgen.harness.cases import patterns, samples, smallest
from chartgen.harness.cases.assignments import API, UNSET
from chartgen.harness.cases.sites import Atom
from chartgen.harness.cases.truths import Space, Truths
from chartgen.schema import check, conditions
from chartgen.schema.conditions import Condition
from chartgen.schema.model import Field, Kind

# How many values of a kind to keep: different ones make for different cases, but two of a kind are enough.
_OF_A_KIND = 3
_MOST_EXAMPLES = 4
_OTHER = "other"


class Candidates:
    """Values to choose from at each path that a condition reads.

    Args:
        trees: the chart's description.
        truths: evaluates conditions.
        atoms: every condition that matters.
    """

    def __init__(self, trees: oracle.Trees, truths: Truths, atoms: Iterable[Atom]) -> None:
        self._fields = {chart.path(field.path): field for chart in trees.charts[::-1] for field in chart.schema.walk()}
        self._truths = truths
        self._readers: dict[str, list[Atom]] = {}
        for atom in dict.fromkeys(atoms):
            for path in atom.paths:
                self._readers.setdefault(path, []).append(atom)
        for path in self._readers:
            self.space.number(path, UNSET)
        self._known: dict[str, tuple[int, ...]] = {}
        self._kinds: dict[str, tuple[int, ...]] = {}

    @property
    def space(self) -> Space:
        """What the values are numbers in."""
        return self._truths.space

    def at(self, path: str) -> tuple[int, ...]:
        """The values to choose from, a few for each way in which the conditions there turn out; the default is the first."""
        if path not in self._known:
            self._known[path] = self._few(path)
        return self._known[path]

    def kinds(self, path: str) -> tuple[int, ...]:
        """One value for each way in which the conditions at the path turn out."""
        self.at(path)
        return self._kinds[path]

    def _few(self, path: str) -> tuple[int, ...]:
        """Those of all values that differ, as the conditions at the path alone see it."""
        readers = [atom for atom in self._readers[path] if len(atom.paths) == 1]
        kept: dict[tuple[bool, ...], list[int]] = {}
        several = len(readers) < len(self._readers[path])
        for value in self._all(path):
            number = self.space.number(path, value)
            truths = tuple(self._truths.of(atom, {path: number}) for atom in readers)
            of_a_kind = kept.setdefault(truths, [])
            if number not in of_a_kind and (several or len(of_a_kind) < _OF_A_KIND):
                of_a_kind.append(number)
            if (
                not several
                and len(kept) == 2 ** len(readers)
                and all(len(each) == _OF_A_KIND for each in kept.values())
            ):
                break
        self._kinds[path] = tuple(numbers[0] for numbers in kept.values())
        return tuple(number for numbers in kept.values() for number in numbers)

    def _all(self, path: str) -> Iterator[Any]:
        yield UNSET
        if path.startswith(API):
            yield True
            return
        field = self._fields[path]
        if samples.is_name(field):
            yield from (_distinct(path), "", None)
            return
        yield smallest.given(field)
        yield from (value for value in self._compared(path, field) if not any(check.mismatches(field.type, value)))
        yield from (sample.value for sample in samples.plain(field))

    def _compared(self, path: str, field: Field) -> Iterator[Any]:
        readers = self._readers[path]
        for atom in readers:
            match atom.condition:
                case conditions.Equals(_, literal):
                    yield from _typed(field, literal)
                case conditions.Matches(_, pattern):
                    for text in (*patterns.examples(pattern)[:_MOST_EXAMPLES], patterns.misfit(pattern) or ""):
                        yield from _typed(field, text)
                case conditions.Has(_, key, "") if key:
                    yield from _holding(field, [key])
                    yield from _holding(field, [key, _OTHER])
                case conditions.Has(_, "", key_from) if path == atom.paths[0]:
                    whole = atom.paths[1]
                    texts = [text for text in self._texts(whole, self._fields[whole], key_from) if text]
                    yield from itertools.chain.from_iterable(_holding(field, [text]) for text in texts)
                case conditions.Has(_, "", key_from):
                    yield from self._texts(path, field, key_from)
                case conditions.Same():
                    yield from self._texts(path, field, path)
                case conditions.Some(_, condition):
                    yield from items(field, condition)
                case conditions.Twice(_, member):
                    yield from alike(field, member)
        yield from _environments(
            [atom.condition for atom in readers if isinstance(atom.condition, conditions.Variable)]
        )

    def _texts(self, path: str, field: Field, own: str) -> Iterator[str]:
        """A text that other fields may have as well, and one that none of them has."""
        yield from itertools.islice(smallest.texts(field.type), 1)
        yield from [_distinct(own)] if samples.fits(field.type, _distinct(own)) else []


def _distinct(path: str) -> str:
    """A name that no other path has."""
    return path.replace(".", "-").lower()[-40:].strip("-")


def _typed(field: Field, text: str) -> Iterator[Any]:
    """A text as a value of the field, where it can be one."""
    kind = field.type.kind
    if kind is Kind.BOOLEAN:
        yield from {"true": [True], "false": [False]}.get(text, [])
    elif kind is Kind.INTEGER:
        yield from [int(text)] if text.isdigit() else []
    elif samples.fits(field.type, text) or (text == "" and not field.type.min_length):
        yield text


def _holding(field: Field, keys: list[str]) -> Iterator[Any]:
    """A map or list with these keys."""
    if field.type.kind is Kind.LIST:
        yield keys
    elif field.type.kind is Kind.MAP:
        yield {key: _under(field) for key in keys}


def _under(field: Field) -> Any:
    values = field.type.values
    return _OTHER if values is None else smallest.given(values)


def items(field: Field, condition: Condition) -> Iterator[list[Any]]:
    """Lists of an item that differs from the smallest in one of the members that the condition reads."""
    item = field.type.items
    for path in conditions.paths(condition) if item is not None else ():
        member = item.type.properties.get(path) if item is not None else None
        if member is None or item is None:
            continue
        least = smallest.given(item)
        yield [{**least, path: smallest.given(member)}]
        if path not in item.type.required:
            yield [{key: value for key, value in least.items() if key != path}]
        yield [{**least, path: smallest.valid(member.type)}]


def alike(field: Field, member: str) -> Iterator[list[Any]]:
    """Lists of two items with the same member, and with different ones."""
    item = field.type.items
    if item is None or member not in item.type.properties:
        return
    least = smallest.given(item)
    texts = [*itertools.islice(smallest.texts(item.type.properties[member].type), 2)]
    yield from ([{**least, member: texts[0]}, {**least, member: text}] for text in texts)


def _environments(variables: list[conditions.Variable]) -> Iterator[list[dict[str, str]]]:
    """Lists of environment variables: each of those that are looked for absent, and with texts on both sides of the patterns."""
    texts: dict[str, list[str]] = {}
    for variable in variables:
        found = texts.setdefault(variable.name, [])
        for text in (patterns.examples(variable.pattern)[0], patterns.misfit(variable.pattern) or ""):
            found += [text] if text not in found else []
    names = list(texts)
    for chosen in itertools.product(*([None, *texts[name]] for name in names)):
        given = [{"name": name, "value": text} for name, text in zip(names, chosen, strict=True) if text is not None]
        if given:
            yield given
