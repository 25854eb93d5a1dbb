"""A report as plain lines."""

from __future__ import annotations

from chartgen.harness.report import Repeat, Report
from chartgen.harness.reports import text
from chartgen.harness.results import Result, State

VALID, INVALID, SKIPPED = State.VALID, State.INVALID, State.SKIPPED


def rendered(*results: Result, cases: tuple[str, ...] = ("a",)) -> str:
    """A report of some results as text."""
    repeats = {case: Repeat(f"helm template {case}") for case in cases}
    return text.render(Report("c (c 0.1.0)", ("helm v4", "kubeconform v0"), cases, repeats, results, 10, 4, 1.25))


def test_a_finding_of_many_cases_is_told_once():
    """With the first cases and the command of the first."""
    cases = tuple("abcde")
    told = rendered(*(Result(case, "nulls", INVALID, "A/b", "x is null") for case in cases), cases=cases)
    assert told.count("x is null") == 1
    assert (
        "INVALID  nulls  A/b: x is null\n    in a, b, c and 2 more\n    $ helm template a\n    $ chartgen validate --case a\n"
        in told
    )
    assert told.endswith("\nFAILED\n")


def test_a_command_is_not_told_twice():
    """When the message shows it already, or the finding before did."""
    refused = [
        Result(case, "renders", INVALID, "", f"helm refuses:\n$ helm template {case}\nError: x") for case in "ab"
    ]
    told = rendered(*refused, cases=("a", "b"))
    assert told.count("$ helm template") == 1
    two = rendered(Result("a", "nulls", INVALID, "A/b", "x"), Result("a", "nulls", INVALID, "A/b", "y"))
    assert two.count("$ helm template a") == 1


def test_the_counts_are_told():
    """Cases, documents, distinct ones, and results by state."""
    lines = rendered(Result("a", "nulls", VALID), Result("a", "oracle", SKIPPED, "", "no trees")).splitlines()
    assert lines[-1] == "passed"
    assert lines[-2] == ("1 cases, 10 documents, 4 distinct; results: 1 valid, 0 invalid, 1 skipped, 0 error; 1.2 s")
    assert "skipped  oracle  no trees (in a)" in lines


def test_what_was_skipped_is_told_once_for_each_reason():
    """With the first of what it is about."""
    results = [Result("a", "names", SKIPPED, f"Secret/{number}", "not ours") for number in range(5)]
    assert "skipped  names  not ours (of Secret/0, Secret/1, Secret/2 and 2 more, in a)" in rendered(*results)
