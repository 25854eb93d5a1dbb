"""Results as tables."""

from __future__ import annotations

from dataclasses import replace

from support import sample_reports
from support.sample_reports import ERROR, INVALID, SKIPPED, VALID

from chartgen.harness.report import Target
from chartgen.harness.reports import matrix
from chartgen.harness.results import Result


def test_each_check_is_counted_for_each_group():
    """Skipped ones apart from those that it has nothing to do with; the worst result of a case counts, once."""
    rows = {row.name: row for row in matrix.checks(sample_reports.failing())}
    assert {group: dict(tally.counts) for group, tally in rows["oracle"].cells.items()} == {
        "array": {INVALID: 2}, "profile": {}, "refusal": {},
    }  # fmt: skip
    assert dict(rows["expectations"].cells["array"].counts) == {SKIPPED: 2}
    assert dict(rows["renders"].cells["refusal"].counts) == {VALID: 1}
    assert rows["kubeconform"].cells["profile"].state is ERROR
    assert rows["nulls"].demand.startswith("No document holds a null")


def test_the_worst_of_a_case_counts():
    """Whatever comes first."""
    results = [Result("array/1", "nulls", state, str(number)) for number, state in enumerate((VALID, INVALID, SKIPPED))]
    [row] = matrix.checks(replace(sample_reports.passing(), cases=("array/1",), results=tuple(results)))
    assert dict(row.cells["array"].counts) == {INVALID: 1}


def test_a_case_that_nothing_spoke_for_is_in_the_table():
    """The run speaks against it."""
    report = replace(sample_reports.passing(), cases=("array/1",), results=())
    [row] = matrix.checks(report)
    assert (row.name, row.demand, row.cells["array"].bad) == ("run", "", 1)


def test_each_cluster_is_counted():
    """By the worst that any check says of its cases."""
    tallies = matrix.targets(sample_reports.failing())
    assert {target: dict(tally.counts) for target, tally in tallies.items()} == {
        Target("1.29", "v4.3.1"): {INVALID: 1},
        Target("1.37", "v4.3.1"): {INVALID: 1, ERROR: 1},
        Target("1.37", "v3.22.0"): {VALID: 1},
    }
