"""What a run says in the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness.report import Failure, Repeat, Report
from chartgen.harness.results import Result, State

VALID, INVALID, SKIPPED, ERROR = State.VALID, State.INVALID, State.SKIPPED, State.ERROR


def report(*results: Result, cases: tuple[str, ...] = ("a",)) -> Report:
    """A report of some results."""
    repeats = {case: Repeat(f"helm template {case}") for case in cases}
    return Report("c (c 0.1.0)", ("helm v4", "kubeconform v0"), cases, repeats, results, 10, 4, 1.25)


@pytest.mark.parametrize(
    ("states", "code"),
    [((VALID,), 0), ((VALID, SKIPPED), 0), ((VALID, INVALID), 1), ((VALID, ERROR), 1), ((SKIPPED,), 1), ((), 1)],
)
def test_only_what_is_valid_passes(states, code):
    """Skipped does not fail a case that something speaks for, and does not speak for it either."""
    assert report(*(Result("a", "check", state) for state in states)).exit_code == code


def test_no_cases_do_not_pass():
    """Nothing was judged."""
    assert report(cases=()).exit_code == 1


def test_a_case_that_nothing_speaks_for_is_named():
    """Beside one that passes."""
    failures = report(Result("a", "check", VALID), Result("b", "check", SKIPPED), cases=("a", "b")).failures
    assert [(failure.case, failure.state) for failure in failures] == [("b", ERROR)]


def test_a_failure_says_how_to_repeat_it():
    """With the case's values and command, the file and the diff."""
    made = replace(
        report(Result("a", "oracle", INVALID, "A/b", "x", "charts/c/templates/b.yaml", "-1\n+2")),
        repeats={"a": Repeat("helm template a", "kept/a.yaml", "x: 1\n")},
    )
    assert made.failures == (
        Failure(
            "a", "oracle", INVALID, "A/b", "x", "kept/a.yaml", "x: 1\n", "helm template a", "charts/c/templates/b.yaml", "-1\n+2",
        ),
    )  # fmt: skip


def test_a_run_that_was_stopped_does_not_pass():
    """Whatever it said until then."""
    assert replace(report(Result("a", "check", VALID)), stopped="interrupted").exit_code == 1


def test_what_a_stopped_run_did_not_come_to_is_no_failure_of_its_own():
    """A case that was judged and that nothing spoke for still is."""
    results = [Result("a", "check", VALID), Result("b", "check", SKIPPED)]
    stopped = replace(report(*results, cases=("a", "b", "c")), stopped="interrupted")
    assert stopped.unjudged == ("c",)
    assert [failure.case for failure in stopped.failures] == ["b"]
    assert [failure.case for failure in replace(stopped, stopped="").failures] == ["b", "c"]


def test_groups_are_counted():
    """By what a case's name opens with."""
    assert report(cases=("array/1", "array/2", "profile/k3s")).groups == {"array": 2, "profile": 1}
