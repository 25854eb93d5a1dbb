"""Rows: what every condition of the templates was in a case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chartgen.harness import oracle, values
from chartgen.harness.coverage.truths import Truths
from chartgen.tree import twins
from chartgen.tree.context import Context

ROOT = Path(__file__).resolve().parents[3]
CHART = values.load(ROOT / "charts" / "gpu-operator")
GIVEN = (
    {},
    {"driver": {"enabled": False}},
    {"driver": {"enabled": "false"}},
    {"driver": {"enabled": 0}},
    {"driver": {"env": [{"name": "A", "value": 1}]}},
    {"driver": {"env": [{"name": "A", "value": True}]}},
    {"driver": {"env": [{"name": "A", "value": "1"}]}},
    {"operator": {"enabled": False}, "cluster": {"nodePools": [{"name": "a"}, {"name": "b", "os": "rhel9"}]}},
    {"nfd": {"enabled": False}},
)


@pytest.fixture(scope="module")
def trees() -> oracle.Trees:
    """The description of the chart."""
    found = oracle.find(ROOT, CHART)
    assert found is not None
    return found


def contexts() -> list[Context]:
    made = [Context(values.coalesce(CHART, given, 4)) for given in GIVEN]
    return [*made, replace(made[0], api_versions=frozenset({"monitoring.coreos.com/v1/ServiceMonitor"}))]


def test_rows_are_those_of_each_condition_by_itself(trees):
    """Also when another case has read nearly the same: a boolean is no number, and no word."""
    truths = Truths(trees)
    for context in [*contexts(), *reversed(contexts())]:
        parts = trees.contexts(context)
        found = {(row.chart, row.bits) for row in truths.rows(context) if not row.each}
        expected = set[tuple[int, int]]()
        for number, (part, inner) in enumerate(parts):
            evaluator = part.evaluator(inner)
            held = [atom for atom in truths.charts[number].atoms if evaluator.holds(atom)]
            bits = sum(1 << truths.charts[number].atoms.index(atom) for atom in held)
            expected.add((number, bits))
        assert found == expected


def test_each_item_of_a_list_has_one_row(trees):
    """However many files repeat an object for it."""
    truths = Truths(trees)
    context = next(one for one in contexts() if (one.values["cluster"].get("nodePools")))
    rows = [row for row in truths.rows(context) if row.each]
    assert [row.each for row in rows] == ["cluster.nodePools"] * 2
    own = twins.overlaid([context.values["cluster"], context.values["cluster"]["nodePools"][1]])
    evaluator = trees.contexts(replace(context, values={**context.values, "cluster": own}))[0][0].evaluator(
        replace(context, values={**context.values, "cluster": own})
    )
    atoms = truths.charts[0].atoms
    assert rows[1].bits == sum(1 << number for number, atom in enumerate(atoms) if evaluator.holds(atom))
