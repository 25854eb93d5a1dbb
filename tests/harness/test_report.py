"""What a run says in the end."""

from __future__ import annotations

import pytest

from chartgen.harness.report import Report
from chartgen.harness.results import Result, State

VALID, INVALID, SKIPPED, ERROR = State.VALID, State.INVALID, State.SKIPPED, State.ERROR


def report(*results: Result, cases: tuple[str, ...] = ("a",)) -> Report:
    """A report of some results."""
    commands = {case: f"helm template {case}" for case in cases}
    return Report("c (c 0.1.0)", ("helm v4", "kubeconform v0"), cases, commands, results, 10, 4, 1.25)


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


def test_a_finding_of_many_cases_is_told_once():
    """With the first cases and the command of the first."""
    cases = tuple("abcde")
    text = report(*(Result(case, "nulls", INVALID, "A/b", "x is null") for case in cases), cases=cases).text()
    assert text.count("x is null") == 1
    assert "INVALID  nulls  A/b: x is null\n    in a, b, c and 2 more\n    $ helm template a\n" in text
    assert text.endswith("FAILED")


def test_a_command_is_not_told_twice():
    """When the message shows it already, or the finding before did."""
    refused = [
        Result(case, "renders", INVALID, "", f"helm refuses:\n$ helm template {case}\nError: x") for case in "ab"
    ]
    text = report(*refused, cases=("a", "b")).text()
    assert text.count("$ helm template") == 1
    two = report(Result("a", "nulls", INVALID, "A/b", "x"), Result("a", "nulls", INVALID, "A/b", "y")).text()
    assert two.count("$ helm template a") == 1


def test_the_counts_are_told():
    """Cases, documents, distinct ones, and results by state."""
    lines = report(Result("a", "nulls", VALID), Result("a", "oracle", SKIPPED, "", "no trees")).text().splitlines()
    assert lines[-1] == "passed"
    assert lines[-2] == ("1 cases, 10 documents, 4 distinct; results: 1 valid, 0 invalid, 1 skipped, 0 error; 1.2 s")
    assert "skipped  oracle  no trees (a)" in lines
