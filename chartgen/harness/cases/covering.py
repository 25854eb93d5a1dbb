"""Covering arrays: few rows in which all combinations of the levels of any two, or any three, parameters occur.

Rows are made greedily. For pairs each row starts at a pair that has not been seen and takes for one parameter after the
other the level that adds most new pairs; sets of levels are whole numbers used as bit sets, so that counting is one
operation. Of triples there are too many to count at each step (hundreds of millions), and of a row drawn at random nearly
all are new for long: the first rows are drawn, then what they left is found exactly, and rows are packed with it until
nothing is left.

A combination that has not been seen is either one that constraints forbid, which a search proves, or it gets a row.
"""

from __future__ import annotations

import functools
import itertools
import operator
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Row = tuple[int, ...]
# The level of some parameters, all by number.
Levels = Mapping[int, int]
# Three levels, numbered over all parameters.
Triple = tuple[int, int, int]
# Rows tried for each that is taken, when pairs are covered.
_TRIES = 6
# How many triples drawn rows may leave, since each of them is looked at; and how many rows are drawn at a time.
_FEW = 60_000
_STEP = 20
# Rows that mostly have all triples of two levels.
_GLANCE = 160


class Constraints(Protocol):
    """What no row may do. With every parameter at level 0 nothing is forbidden."""

    @property
    def bound(self) -> Sequence[int]:
        """Numbers of the parameters that there are constraints on, those of most constraints first."""
        ...

    def extended(self, levels: Levels, more: Levels) -> Levels | None:
        """Both, and what must be besides for them to be allowed, all the rest being at level 0; None if that cannot be."""
        ...


@dataclass(frozen=True)
class Array:
    """Rows, and what they cover.

    Attributes:
        rows: for each parameter the number of a level.
        possible: how many combinations of levels there are.
        forbidden: how many of them break a constraint whatever the other parameters are; all others occur in a row.
    """

    rows: tuple[Row, ...]
    possible: int
    forbidden: int


class Builder:
    """Makes the arrays of one set of parameters.

    Args:
        counts: how many levels each parameter has.
        constraints: what is forbidden.
        seed: chooses among arrays that are as good.
    """

    def __init__(self, counts: Sequence[int], constraints: Constraints, seed: int) -> None:
        self._counts = counts
        self._constraints = constraints
        self._bound = frozenset(constraints.bound)
        # Not for secrets. Only `random` itself gives the same numbers in every version of Python.
        self._random = random.Random(seed).random  # noqa: S311 - no secret: it breaks ties
        # Every level of every parameter is a bit: of parameter p those from first[p] on.
        self._first = list(itertools.accumulate(counts, initial=0))
        self._parameter = [number for number, count in enumerate(counts) for _ in range(count)]
        self._own = [((1 << count) - 1) << start for start, count in zip(self._first, counts, strict=False)]
        # For each level those that it can never be together with.
        self._never = [0] * self._first[-1]

    def pairs(self) -> Array:
        """An array of strength 2."""
        every = (1 << self._first[-1]) - 1
        unseen = [every & ~self._own[number] for number in self._parameter]
        rows: list[Row] = []
        for seed in self._seeds(unseen):
            tried = [self._filled(seed, functools.partial(self._greedy, unseen)) for _ in range(_TRIES)]
            row = max(tried, key=lambda row: self._new_pairs(row, unseen))
            seen = self._mask(enumerate(row))
            for bit in self._bits(row):
                unseen[bit] &= ~seen
            rows.append(row)
        return Array(tuple(rows), combinations(self._counts, 2), sum(mask.bit_count() for mask in self._never) // 2)

    def _seeds(self, unseen: list[int]) -> Iterator[Levels]:
        """One pair after the other that no row has yet and a row may have: of the levels that miss most."""
        while True:
            first = max(range(len(unseen)), key=lambda bit: unseen[bit].bit_count())
            if not unseen[first]:
                return
            second = max(_ones(unseen[first]), key=lambda bit: unseen[bit].bit_count())
            levels = self._constraints.extended({}, self._levels((first, second)))
            if levels is not None:
                yield levels
                continue
            for one, other in ((first, second), (second, first)):
                self._never[one] |= 1 << other
                unseen[one] &= ~(1 << other)

    def _greedy(self, unseen: Sequence[int], number: int, taken: int) -> Sequence[int]:
        """The levels of a parameter, those first that make most new pairs with what is taken."""
        start = self._first[number]
        gains = [(unseen[start + level] & taken).bit_count() + self._random() for level in range(self._counts[number])]
        return sorted(range(len(gains)), key=gains.__getitem__, reverse=True)

    def _new_pairs(self, row: Row, unseen: Sequence[int]) -> int:
        seen = self._mask(enumerate(row))
        return sum((unseen[bit] & seen).bit_count() for bit in self._bits(row))

    def triples(self) -> Array:
        """An array of strength 3; its first rows are one of strength 2."""
        rows = list(self.pairs().rows)
        while len(rows) < _enough(self._counts):
            rows.append(self._filled({}, self._drawn))
        left, forbidden = self._left(rows)
        while left:
            row = self._packed(left)
            rows.append(row)
            mask = self._mask(enumerate(row))
            left = [triple for triple in left if not all(mask >> bit & 1 for bit in triple)]
        return Array(tuple(rows), combinations(self._counts, 3), forbidden)

    def _left(self, rows: Sequence[Row]) -> tuple[list[Triple], int]:
        """The triples that no row has and that are allowed, and how many are forbidden."""
        left: list[Triple] = []
        forbidden = 0
        for first, second, unseen in self._unseen(rows):
            never = self._never[first] | self._never[second]
            if self._never[first] >> second & 1:
                never = unseen
            forbidden += (unseen & never).bit_count()
            for third in _ones(unseen & ~never):
                triple = (first, second, third)
                # Of three that go together by twos a constraint can forbid the whole only if it binds all of them.
                bound = all(self._parameter[bit] in self._bound for bit in triple)
                if bound and self._constraints.extended({}, self._levels(triple)) is None:
                    forbidden += 1
                else:
                    left.append(triple)
        return left, forbidden

    def _unseen(self, rows: Sequence[Row]) -> Iterator[tuple[int, int, int]]:
        """Pairs of levels, with the levels of later parameters that are in no row with both."""
        # Mostly a part of the rows has all there is, so that the others need not be looked at.
        parts = [self._haves(rows[:_GLANCE]), self._haves(rows[_GLANCE:])]
        levels = self._first[-1]
        every = (1 << levels) - 1
        for first in range(levels):
            for second in range(self._first[self._parameter[first] + 1], levels):
                start = self._first[self._parameter[second] + 1]
                unseen = every >> start << start
                for seen, have in parts:
                    both = (have[first] & have[second]).to_bytes(len(seen), "little")
                    unseen &= ~functools.reduce(operator.or_, itertools.compress(seen, both), 0)
                    if not unseen:
                        break
                else:
                    yield first, second, unseen

    def _haves(self, rows: Sequence[Row]) -> tuple[list[int], list[int]]:
        """The levels of each row, as a mask; and which rows have each level, with a byte for a row."""
        have = [0] * self._first[-1]
        for number, row in enumerate(rows):
            for bit in self._bits(row):
                have[bit] |= 1 << 8 * number
        return [self._mask(enumerate(row)) for row in rows], have

    def _packed(self, left: Sequence[Triple]) -> Row:
        """A row with the first of some triples, and with as many others as go with it."""
        levels = self._constraints.extended({}, self._levels(left[0])) or {}
        for triple in left:
            more = {number: level for number, level in self._levels(triple).items() if levels.get(number) != level}
            if more and not any(number in levels for number in more):
                levels = self._constraints.extended(levels, more) or levels
        return self._filled(levels, self._drawn)

    def _filled(self, levels: Levels, wanted: Callable[[int, int], Sequence[int]]) -> Row:
        """A row with some levels given, which are allowed together.

        The parameters that there are constraints on come first, since no choice of the others can go wrong. One of their
        levels is always allowed: level 0.

        Args:
            levels: of some parameters.
            wanted: the levels of a parameter, the best first, when there is a mask of levels already.
        """
        taken = self._mask(levels.items())
        for number in self._order():
            if number not in levels:
                tried = (self._constraints.extended(levels, {number: level}) for level in wanted(number, taken))
                levels = next(found for found in tried if found is not None)
                taken = self._mask(levels.items())
        row = dict(levels)
        for number in self._shuffled(range(len(self._counts))):
            if number not in row:
                row[number] = wanted(number, taken)[0]
                taken |= 1 << self._first[number] + row[number]
        return tuple(row[number] for number in range(len(self._counts)))

    def _drawn(self, number: int, _: int) -> Sequence[int]:
        """Any levels."""
        return self._shuffled(range(self._counts[number]))

    def _order(self) -> list[int]:
        """The parameters that there are constraints on, those of many mostly first: the others follow them more easily."""
        bound = self._constraints.bound
        places = [place * (0.5 + self._random()) for place in range(len(bound))]
        return [bound[place] for place in sorted(range(len(bound)), key=places.__getitem__)]

    def _shuffled(self, numbers: Sequence[int]) -> list[int]:
        return sorted(numbers, key=lambda _: self._random())

    def _mask(self, levels: Iterable[tuple[int, int]]) -> int:
        return functools.reduce(operator.or_, [1 << self._first[number] + level for number, level in levels], 0)

    def _bits(self, row: Row) -> Iterator[int]:
        return map(operator.add, self._first, row)

    def _levels(self, bits: Iterable[int]) -> Levels:
        return {self._parameter[bit]: bit - self._first[self._parameter[bit]] for bit in bits}


def _ones(mask: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _enough(counts: Sequence[int]) -> int:
    """How many rows have to be drawn so that they leave few triples, as chance has it."""
    # Number of levels of three parameters -> how many combinations there are of as many.
    sizes: dict[int, int] = {1: 1}
    by_size: list[dict[int, int]] = [sizes, {}, {}, {}]
    for count, parameters in Counter(counts).items():
        for _ in range(parameters):
            for number in (3, 2, 1):
                for size, found in by_size[number - 1].items():
                    by_size[number][size * count] = by_size[number].get(size * count, 0) + found * count
    rows = 0
    while sum(found * (1 - 1 / size) ** rows for size, found in by_size[3].items()) > _FEW:
        rows += _STEP
    return rows


def combinations(counts: Sequence[int], strength: int) -> int:
    """How many combinations of the levels of that many parameters there are."""
    found = [1] + [0] * strength
    for count in counts:
        for size in range(strength, 0, -1):
            found[size] += found[size - 1] * count
    return found[strength]
