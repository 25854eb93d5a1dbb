"""Timing and the chart that ours is held against."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import anchor, measure
from benchmarks.measure import Part, Timing
from chartgen.harness import tools
from chartgen.harness.manifests import Reader
from chartgen.harness.tools import RenderRequest

ROOT = Path(__file__).resolve().parents[2]


def test_parts_take_turns_and_the_first_turn_does_not_count():
    """So that a slow phase of the machine hits all of them."""
    seen: list[str] = []
    parts = [Part(name, lambda name=name: seen.append(name) or 1) for name in "ab"]
    timings = measure.take_turns(parts, 2)
    assert seen == ["a", "b"] * 3
    assert [len(timing.seconds) for timing in timings] == [2, 2]


def test_the_time_of_one_piece_is_what_counts():
    """A part that does ten pieces of work takes a tenth for one."""
    [once] = measure.take_turns([Part("a", lambda: 1)], 3)
    [ten] = measure.take_turns([Part("a", lambda: 10**9)], 3)
    assert ten.median < once.median


def test_the_table_shows_the_median_and_the_ratio():
    """In milliseconds."""
    one = Timing(Part("one", lambda: 1), (0.1, 0.3, 0.2))
    two = Timing(Part("two", lambda: 1, "one"), (0.5,))
    assert measure.table([one, two]) == [
        "part  median ms    min    max  ratio",
        "one       200.0  100.0  300.0",
        "two       500.0  500.0  500.0   2.50 x one",
    ]


def test_the_anchor_is_of_upstream_s_size(tmp_path):
    """28 documents and 39 KB, as helm prints them."""
    try:
        helm = tools.find_helms(ROOT, tmp_path)[0]
    except tools.ToolMissing as missing:
        pytest.fail(str(missing), pytrace=False)
    run = helm.render(RenderRequest(anchor.write(tmp_path / "anchor")))
    assert len(Reader().read(run).documents) == 28
    assert 38_000 < len(run.stdout) < 40_000
