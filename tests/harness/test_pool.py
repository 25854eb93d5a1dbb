"""Worker processes: the same outcomes as in this one, and memory that is bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness import pool
from chartgen.harness.case import Case, Group
from chartgen.harness.options import Options
from chartgen.harness.session import Brief, Session


@pytest.fixture
def brief(small):
    """What sessions of the small chart are made from."""
    return Brief(small.chart, Options(small.root, jobs=2), small.toolbox)


def _cases(number: int, helm: str) -> list[Case]:
    return [Case(f"given/{at}", Group.GIVEN, helm, "1.37", {"replicas": at}) for at in range(number)]


def test_processes_say_what_one_says(brief):
    """Whatever the order in which they finish."""
    cases = _cases(pool.MANY, brief.toolbox.renderers[0].version)
    alone = {case.name: Session(brief).judge(case).documents for case in cases}
    together = {outcome.case: outcome.documents for outcome in pool.outcomes(brief, cases, processes=True)}
    assert together == alone


def test_a_session_that_holds_too_much_starts_over(brief, monkeypatch):
    """What it says of a case does not change."""
    cases = _cases(8, brief.toolbox.renderers[0].version)
    monkeypatch.setattr(pool, "_MOST_DOCUMENTS", 3)
    monkeypatch.setattr(pool, "_SESSIONS", [Session(brief)])
    held, said = [], []
    for case in cases:
        said += pool._judge_here([case])
        held.append(pool._SESSIONS[0].documents)
    assert max(held) <= 6
    assert [replace(outcome, seconds=0.0, new={}) for outcome in said] == [
        replace(Session(brief).judge(case), seconds=0.0, new={}) for case in cases
    ]
