"""What holds for every check."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from chartgen.harness import schemas, session, values
from chartgen.harness.checks import registry
from chartgen.harness.contexts import Contexts
from chartgen.harness.judge import Judge
from chartgen.harness.results import Finding, State


@dataclass(frozen=True)
class Silent:
    """A check that never comes to a conclusion."""

    name: str = "silent"

    def run(self, case, rendered) -> list[Finding]:
        return []


@dataclass(frozen=True)
class Breaking:
    """A check with a mistake in it."""

    name: str = "breaking"

    def run(self, case, rendered) -> list[Finding]:
        raise KeyError("x")


@pytest.fixture
def checks():
    """All checks."""
    chart = values.Chart("c", "0.1.0", "", {})
    judging = Judge(None, schemas.Custom(Path(), {}, {}))
    return registry.build(registry.Setting(chart, judging, None, Contexts(chart, {}), {}))


def test_names_are_unique_and_the_first_comes_first(checks):
    """Reports and options use them."""
    names = [check.name for check in checks]
    assert len(set(names)) == len(names)
    assert names[0] == registry.FIRST


def test_each_check_says_what_it_demands(checks):
    """In its module's own words, which reports show; a name that is no check's has none."""
    for check in checks:
        assert registry.demand(check.name).endswith("."), check.name
        assert "`" not in registry.demand(check.name), check.name
    assert registry.demand("nulls").startswith("No document holds a null")
    assert registry.demand("run") == ""


def test_a_check_that_says_nothing_is_an_error(case, rendered):
    """Success must be earned."""
    [finding] = session.ask(Silent(), case, rendered("kind: A\n"))
    assert (finding.state, finding.message) == (State.ERROR, "the check came to no conclusion")


def test_a_check_that_breaks_is_an_error(case, rendered):
    """And says with what."""
    [finding] = session.ask(Breaking(), case, rendered("kind: A\n"))
    assert (finding.state, finding.message) == (State.ERROR, "the check broke: KeyError: 'x'")


def test_what_may_be_asked_for_is_what_there_is(checks):
    """The checks of every run, and the one that is made only when it is named."""
    assert set(registry.known()) == {*(check.name for check in checks), "policies"}
