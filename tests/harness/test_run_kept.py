"""A run that keeps what it finds: how it is followed, stopped and taken up again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from chartgen.harness import ledger, run, tools
from chartgen.harness.case import Group
from chartgen.harness.options import Options
from chartgen.harness.report import Report

PROFILE = """
# title: All defaults
# summary: Nothing set.
# expect:
#   objects:
#     set: [ServiceAccount/small, ConfigMap/small, ClusterPolicy/policy]

{}
"""
NULL = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: small, namespace: x}\nwrong: null\n"


@dataclass
class Watched:
    """Remembers what it was told; interrupts the run when it was told so often."""

    interrupt_after: int = -1
    told: list[object] = field(default_factory=list)

    def start(self, total: int, reused: int) -> None:
        self.told.append((total, reused))

    def advance(self, *, failed: bool) -> None:
        self.told.append(failed)
        if len(self.told) - 1 == self.interrupt_after:
            raise KeyboardInterrupt

    def finish(self) -> None:
        self.told.append("finished")


@pytest.fixture
def validate(small, monkeypatch) -> Callable[..., Report]:
    """Judges the small chart with four profiles, one after the other."""
    monkeypatch.setattr(tools, "find_helms", lambda project, home: small.toolbox.renderers)
    (small.root / "values").mkdir()
    for name in "abcd":
        (small.root / "values" / f"{name}.yaml").write_text(PROFILE.lstrip("\n"))

    def call(watched: Watched, **options: object) -> Report:
        return run.validate(small.chart, Options(small.root, kubes=("1.37",), jobs=1, **options), watched)

    return call


def test_a_run_says_how_far_it_is(small, validate):
    """Each case once, and which were known."""
    watched = Watched()
    assert validate(watched, groups=(Group.PROFILE,)).reused == 0
    assert watched.told == [(4, 0), False, False, False, False, "finished"]
    again = Watched()
    assert validate(again, groups=(Group.PROFILE,)).reused == 4
    assert again.told == [(4, 4), "finished"]


def test_an_interrupted_run_is_reported_and_resumed(small, validate):
    """It does not pass, is no ledger, and what was judged is known to the next run."""
    watched = Watched(interrupt_after=2)
    report = validate(watched)
    assert (report.stopped, report.exit_code) == ("interrupted", 1)
    assert len(report.unjudged) == len(report.cases) - 2
    assert report.failures == ()
    assert watched.told[-1] == "finished"
    assert not ledger.file(small.root / ".cache").exists()
    assert validate(Watched()).reused == 2


def test_a_run_stops_at_the_first_failure(small, validate):
    """When it is asked to; the cases left are told as one thing."""
    small.write({"templates/config.yaml": NULL})
    report = validate(Watched(), fail_fast=True)
    assert report.stopped == "at the first failure"
    assert {failure.case for failure in report.failures} == {"profile/a/helm4/kube1.37"}
    assert len(report.unjudged) == len(report.cases) - 1


def test_a_whole_run_leaves_a_ledger(small, validate):
    """A run of chosen cases does not."""
    report = validate(Watched(), cases=("a",))
    assert not ledger.file(small.root / ".cache").exists()
    report = validate(Watched())
    assert ledger.read(ledger.file(small.root / ".cache")) == ledger.of(report)
