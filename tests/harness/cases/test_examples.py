"""Values made at random: what breaks a chart is found, made small, and told with a file to run again."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from support import charts

from chartgen.harness import oracle, run, session, values
from chartgen.harness.case import Case, Group, Refusal
from chartgen.harness.cases.examples import Explorer
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.options import Options
from chartgen.harness.results import Result, State
from chartgen.harness.session import Outcome

CHART = values.load(charts.CHART)


@pytest.fixture(scope="module")
def trees() -> oracle.Trees:
    """Our chart's description."""
    found = oracle.find(charts.ROOT, CHART)
    assert found
    return found


def _explorer(trees: oracle.Trees, is_bad: Any) -> Explorer:
    def judge(case: Case) -> Outcome:
        state = State.INVALID if is_bad(case) else State.VALID
        return Outcome(case.name, "", (Result(case.name, "renders", state),))

    return Explorer(trees, Feasibility(charts.CHART, CHART, trees), ["v4.3.1", "v3.22.0"], "1.37", judge)


def test_what_fails_is_made_small(trees):
    """Only what it takes to fail is left."""

    def is_bad(case: Case) -> bool:
        return any(isinstance(value, list) for member in case.values.values() for value in (member or {}).values())

    *passed, (case, outcome) = _explorer(trees, is_bad).explore(400, seed=3)
    assert outcome.failed
    [(_, member)] = case.values.items()
    assert [*member.values()] == [[]]
    assert not any(each.failed for _, each in passed)


def test_the_same_seed_tries_the_same_values(trees):
    """And another one others."""
    tried = [[case.name for case, _ in _explorer(trees, lambda case: False).explore(10, seed)] for seed in (1, 1, 2)]
    assert tried[0] == tried[1] != tried[2]


def test_what_a_rule_forbids_must_be_refused(trees):
    """In the words of the rule, which the evaluation knows."""
    explorer = _explorer(trees, lambda case: False)
    for assignment in ({"cdi.nriPluginEnabled": True, "cdi.enabled": False}, {"cdi.enabled": False}):
        explorer._attempt(assignment)
    refusals = [case.refusal for case, _ in explorer.found.values()]
    [rule] = [rule for rule in trees.schema.rules if rule.name == "nri-needs-cdi"]
    assert refusals == [Refusal(rule.paths[0], (rule.message,)), None]
    assert {case.group for case, _ in explorer.found.values()} == {Group.EXAMPLE}


def test_a_run_tells_what_it_found(toolbox, tmp_path):
    """A helper that forgets to take nulls out breaks on values with one, and these are in a file."""
    folder = tmp_path / "chart"
    shutil.copytree(charts.CHART, folder)
    helpers = folder / "templates" / "_helpers.tpl"
    asked = '{{- if contains ":null" (toJson .) }}'
    assert asked in helpers.read_text()
    helpers.write_text(helpers.read_text().replace(asked, "{{- if false }}"))
    options = Options(
        charts.ROOT,
        groups=(Group.RELEASE,),
        cases=("*shortest-name/default",),
        examples=80,
        seed=1,
        cache=tmp_path / "cache",
    )
    report = run.judge(folder, options, toolbox)
    [case] = {failure.case for failure in report.failures if failure.case.startswith("example/")}
    file = Path(report.repeats[case].values_file)
    assert "null" in file.read_text()
    assert session.values_file(options, Case(case, Group.EXAMPLE, "", "")) == file
