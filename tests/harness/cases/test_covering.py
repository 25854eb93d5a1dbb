"""Covering arrays, held against a counter that knows nothing of how they were made."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from chartgen.harness.cases import covering
from chartgen.harness.cases.covering import Array, Builder


@dataclass(frozen=True)
class Ruled:
    """Constraints by trying everything: what is forbidden is written down, as levels that must not come together."""

    counts: tuple[int, ...]
    forbidden: tuple[Mapping[int, int], ...] = ()

    @property
    def bound(self) -> Sequence[int]:
        return sorted({number for levels in self.forbidden for number in levels})

    def allows(self, row: Sequence[int]) -> bool:
        return not any(all(row[number] == level for number, level in levels.items()) for levels in self.forbidden)

    def extended(self, levels: Mapping[int, int], more: Mapping[int, int]) -> Mapping[int, int] | None:
        fixed = {**levels, **more}
        ranges = [
            [fixed[number]] if number in fixed else range(count) if number in self.bound else [0]
            for number, count in enumerate(self.counts)
        ]
        row = next((row for row in itertools.product(*ranges) if self.allows(row)), None)
        return None if row is None else {**{number: row[number] for number in self.bound}, **fixed}


def counted(array: Array, ruled: Ruled, strength: int) -> tuple[int, list[dict[int, int]]]:
    """How many combinations there are, and those that are in no row."""
    combinations = [
        dict(zip(numbers, levels, strict=True))
        for numbers in itertools.combinations(range(len(ruled.counts)), strength)
        for levels in itertools.product(*(range(ruled.counts[number]) for number in numbers))
    ]
    missing = [
        combination
        for combination in combinations
        if not any(all(row[number] == level for number, level in combination.items()) for row in array.rows)
    ]
    return len(combinations), missing


MODELS = {
    "switches": Ruled((2,) * 7),
    "several levels": Ruled((5, 4, 3, 2, 2, 3)),
    "one parameter": Ruled((3,)),
    "a forbidden pair": Ruled((2, 3, 2, 3), ({0: 1, 1: 2},)),
    "a level with nobody": Ruled((2, 2, 2, 2), ({0: 1, 1: 0}, {0: 1, 1: 1})),
    "a triple": Ruled((2, 2, 2, 3, 2), ({0: 1, 1: 1, 2: 1},)),
    # Neither constraint names parameters 0 and 1 alone, both together forbid the pair: parameter 2 has two levels.
    "a pair by two triples": Ruled((2, 2, 2, 3, 3), ({0: 1, 1: 1, 2: 0}, {0: 1, 1: 1, 2: 1})),
    "a triple by two": Ruled((2, 2, 2, 2, 3), ({0: 1, 1: 1, 2: 1, 3: 0}, {0: 1, 3: 1, 2: 1})),
}


@pytest.mark.parametrize("strength", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_every_combination_is_in_a_row_or_forbidden(name, strength):
    """Rows keep the constraints; what is in none of them can be in none."""
    ruled = MODELS[name]
    builder = Builder(ruled.counts, ruled, seed=1)
    array = builder.pairs() if strength == 2 else builder.triples()
    possible, missing = counted(array, ruled, strength)
    assert all(ruled.allows(row) and len(row) == len(ruled.counts) for row in array.rows)
    assert [levels for levels in missing if ruled.extended({}, levels) is not None] == []
    assert (array.possible, array.forbidden) == (possible, len(missing))


def test_rows_that_are_missing_would_be_noticed():
    """By the counter of these tests."""
    ruled = MODELS["several levels"]
    array = Builder(ruled.counts, ruled, seed=1).pairs()
    assert counted(Array(array.rows[1:], 0, 0), ruled, 2)[1] != []


def test_a_seed_gives_one_array():
    """The same each time, and another one for another seed."""
    ruled = MODELS["several levels"]
    arrays = [Builder(ruled.counts, ruled, seed).triples() for seed in (1, 1, 2)]
    assert arrays[0] == arrays[1]
    assert arrays[0].rows != arrays[2].rows


def test_rows_are_few():
    """No more than half as many again as there must be: of forty switches and ten parameters of three levels."""
    ruled = Ruled((2,) * 40 + (3,) * 10)
    builder = Builder(ruled.counts, ruled, seed=0)
    assert len(builder.pairs().rows) <= 24
    assert len(Builder(ruled.counts, ruled, seed=0).triples().rows) <= 100


@pytest.mark.parametrize("strength", [1, 2, 3, 4])
def test_combinations_are_counted_without_making_them(strength):
    """As many as there are."""
    counts = (2, 3, 4, 2, 5)
    made = sum(len(list(itertools.product(*map(range, chosen)))) for chosen in itertools.combinations(counts, strength))
    assert covering.combinations(counts, strength) == made
