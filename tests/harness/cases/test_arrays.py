"""Covering arrays across the whole chart."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from support import cases

from chartgen.harness.cases import arrays, assignments, covering
from chartgen.harness.cases.arrays import Settings
from chartgen.harness.cases.assignments import KUBE, RELEASE
from chartgen.schema import conditions
from chartgen.schema.model import Rule

PARAMETERS = cases.parameters()
NUMBERS = {parameter.path: number for number, parameter in enumerate(PARAMETERS)}


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return Settings(cache=tmp_path_factory.mktemp("arrays"))


@pytest.fixture(scope="module")
def array(settings):
    return arrays.array(cases.forbidden(), settings)


@pytest.fixture(scope="module")
def built(settings, array):
    """With the same array, which is in the cache by now."""
    assert len(list(settings.cache.iterdir())) == 1
    return arrays.build(cases.trees(), cases.feasibility(), settings, cases.HELMS, cases.KUBES)


def missing(
    rows: Sequence[Sequence[int]], numbers: Sequence[int], strength: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Combinations of levels that are in no row: by the set of rows that has each level."""
    have = {
        (number, level): sum(1 << place for place, row in enumerate(rows) if row[number] == level)
        for number in numbers
        for level in range(len(PARAMETERS[number].levels))
    }
    levels = {number: [key for key in have if key[0] == number] for number in numbers}
    for first, second in itertools.combinations(numbers, 2):
        rest = numbers[numbers.index(second) + 1 :] if strength == 3 else ()
        for pair in itertools.product(levels[first], levels[second]):
            both = have[pair[0]] & have[pair[1]]
            if strength == 2 and not both:
                yield pair
            for third in rest:
                yield from ((*pair, key) for key in levels[third] if not both & have[key])


def test_every_pair_is_in_a_row_or_no_values_have_it(array):
    """Of a pair that is in none, the chart itself says that whatever else is chosen a rule is broken."""
    left = list(missing(array.rows, list(NUMBERS.values()), 2))
    assert array.possible == covering.combinations([len(parameter.levels) for parameter in PARAMETERS], 2)
    assert 0 < array.forbidden == len(left) < 100
    assert [pair for pair in left if not refuted(values_of(pair))] == []


def test_every_triple_of_what_many_rules_are_about():
    """For the whole chart there are a thousand million, and the same code makes them."""
    toolkit = [f"toolkit.{name}" for name in ("enabled", "repository", "image", "version")]
    others = ["clusterPolicy.deployCR", "gpuCluster.deployCR", "cdi.enabled", "cdi.nriPluginEnabled"]
    bound = _Part([NUMBERS[path] for path in (*toolkit, *others)])
    triples = covering.Builder(bound.counts, bound, 0).triples()
    rows = [{number: row[place] for place, number in enumerate(bound.numbers)} for row in triples.rows]
    left = list(missing(rows, bound.numbers, 3))  # type: ignore[arg-type]  # rows by number
    assert triples.forbidden == len(left) > 0
    assert [triple for triple in left if cases.forbidden().extended({}, dict(triple)) is not None] == []
    assert [row for row in rows if cases.forbidden().extended({}, row) is None] == []


class _Part:
    """The constraints on some of the parameters, all others staying free to step aside."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = sorted(numbers)
        self.counts = [len(PARAMETERS[number].levels) for number in self.numbers]
        self.bound = range(len(self.numbers))

    def extended(self, levels: Mapping[int, int], more: Mapping[int, int]) -> Mapping[int, int] | None:
        whole = {self.numbers[place]: level for place, level in {**levels, **more}.items()}
        found = cases.forbidden().extended({}, whole)
        places = {number: place for place, number in enumerate(self.numbers)}
        return None if found is None else {places[each]: level for each, level in found.items() if each in places}


def values_of(levels: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {PARAMETERS[number].path: PARAMETERS[number].levels[level] for number, level in levels}


def refuted(fixed: dict[str, Any]) -> bool:
    """Whether a rule is broken whatever else is chosen: found out by asking the chart, and not the boxes.

    Of a rule that is broken one value that it reads is tried at all its levels; when none is left to try, it is proven.
    """
    told = cases.feasibility().broken(cases.feasibility().context(fixed))
    if not told:
        return False
    free = min(([path for path in read_by(rule) if path not in fixed] for rule in told), key=len)
    if not free:
        return True
    return all(refuted({**fixed, free[0]: level}) for level in PARAMETERS[NUMBERS[free[0]]].levels)


def read_by(rule: Rule) -> list[str]:
    """The parameters that a rule reads, with what the cluster serves and the switch of a subchart."""
    [chart] = [chart for chart in cases.trees().charts if rule in chart.schema.rules]
    served = [
        f"{assignments.API}{leaf.name}"
        for leaf in conditions.leaves(rule.condition)
        if isinstance(leaf, conditions.Api)
    ]
    read = {*served, *map(chart.path, conditions.paths(rule.condition)), *(["nfd.enabled"] if chart.name else [])}
    return [path for path in NUMBERS if path in read]


def test_rows_are_cases(built):
    """With their release, cluster and Helm, under names that sort."""
    first = built.cases[0]
    assert first.name == "array/2/0001"
    assert len({case.name for case in built.cases}) == len(built.cases) == built.numbers["rows"] < 120
    assert {case.helm for case in built.cases} == set(cases.HELMS)
    assert {case.kube for case in built.cases} == set(cases.KUBES)
    assert {case.release for case in built.cases} == set(PARAMETERS[NUMBERS[RELEASE]].levels)
    assert any("monitoring.coreos.com/v1" in case.api_versions for case in built.cases)
    assert KUBE not in first.values


def test_every_row_can_be_rendered(built):
    """It breaks no rule, and the JSON Schemas of the chart and its subchart take it."""
    for case in built.cases:
        context = cases.feasibility().of_values(case.values, frozenset(case.api_versions), case.helm_major)
        assert cases.feasibility().broken(context) == ()
        assert cases.feasibility().fits_schema(context)


def test_numbers_are_of_the_array(array, built):
    """Covered is what is possible without what is forbidden."""
    numbers = built.numbers
    assert numbers["parameters"] == len(PARAMETERS) > 600
    assert numbers["levels"] == sum(len(parameter.levels) for parameter in PARAMETERS)
    assert (numbers["possible"], numbers["forbidden"]) == (array.possible, array.forbidden)
    assert numbers["covered"] == numbers["possible"] - numbers["forbidden"]


@pytest.fixture
def made(monkeypatch):
    """How often an array was made, of three parameters alone."""
    few = PARAMETERS[:3]
    monkeypatch.setattr(arrays.parameters, "build", lambda *_: few)
    monkeypatch.setattr(arrays, "Forbidden", _Free)
    monkeypatch.setattr(arrays, "_case", lambda _varied, row, *_: row)
    count = []
    pairs = covering.Builder.pairs
    monkeypatch.setattr(covering.Builder, "pairs", lambda self: count.append(self) or pairs(self))
    return count


class _Free:
    """No constraints."""

    def __init__(self, _: Any, parameters: Any) -> None:
        self.parameters, self.boxes, self.bound = parameters, (), ()

    def extended(self, levels: Mapping[int, int], more: Mapping[int, int]) -> Mapping[int, int]:
        return {**levels, **more}


def test_an_array_is_kept(made, tmp_path):
    """Under what it was made from: another seed gives another one."""
    build = functools.partial(arrays.build, cases.trees(), cases.feasibility(), helms=cases.HELMS, kubes=cases.KUBES)
    first = build(Settings(cache=tmp_path))
    assert build(Settings(cache=tmp_path)) == first
    assert len(made) == 1
    build(Settings(seed=1, cache=tmp_path))
    assert len(made) == 2
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("damage", ["", "not json", "cut", "row"])
def test_a_damaged_array_is_made_anew(made, tmp_path, damage):
    """And never believed."""
    build = functools.partial(arrays.build, cases.trees(), cases.feasibility(), helms=cases.HELMS, kubes=cases.KUBES)
    first = build(Settings(cache=tmp_path))
    [file] = tmp_path.iterdir()
    digest, content = file.read_text(encoding="utf-8").split("\n")
    rows, *rest = json.loads(content)
    damaged = {"cut": f"{digest}\n{content[:-9]}", "row": f"{digest}\n{json.dumps([rows[1:], *rest])}"}
    file.write_text(damaged.get(damage, damage), encoding="utf-8")
    assert build(Settings(cache=tmp_path)) == first
    assert len(made) == 2
