"""The score: who got away, who may, and what a person is told."""

from __future__ import annotations

import pytest

from chartgen.errors import ChartgenError
from chartgen.harness.mutants import score, text
from chartgen.harness.mutants.bench import Trial
from chartgen.harness.mutants.fault import Mutant
from chartgen.harness.mutants.score import Excuse, Request, Score
from chartgen.harness.mutants.source import Edit
from chartgen.harness.results import Result, State
from chartgen.harness.share import Share

FOUND = Result("variation/1", "nulls", State.INVALID, "A/b", "it is null")


def mutant(line: int) -> Mutant:
    """Some mutant."""
    return Mutant(
        "guard-removed", "templates/x.yaml", line, f"  {{{{ if {line} }}}}", "  a", 0, (Edit(line, line, "a"),)
    )


def trial(line: int, finding: Result | None = None) -> Trial:
    """What became of it."""
    return Trial(mutant(line), finding, 3, 0.5)


def excuse(line: int, after: str = "") -> Excuse:
    """Why it may get away."""
    return Excuse("guard-removed", "templates/x.yaml", f"{{{{ if {line} }}}}", after, "It is the same.")


def test_an_excused_mutant_is_not_found_out():
    """It is told apart from a gap, and counts as little as one."""
    made = Score((trial(1, FOUND), trial(2), trial(3)), (excuse(2), excuse(4)))
    assert made.share == Share(1, 3)
    assert [one.mutant.line for one in made.gaps] == [3]
    assert [(one.mutant.line, each.reason) for one, each in made.excused] == [(2, "It is the same.")]
    assert made.stale == ()


def test_an_excuse_that_is_not_needed_is_told():
    """Of a mutant that is found out; nothing is known of one that was not made."""
    assert Score((trial(1, FOUND),), (excuse(1), excuse(2))).stale == (excuse(1),)


def test_an_excuse_may_be_for_one_change_of_several():
    """Of the same lines."""
    assert excuse(1, "a").fits(mutant(1))
    assert not excuse(1, "b").fits(mutant(1))


def test_a_person_is_told_what_got_away():
    """With the change, the reason if there is one, and how to try it again."""
    said = text.told(Score((trial(1, FOUND), trial(2), trial(3)), (excuse(2), excuse(1))))
    assert said == (
        "got away: guard-removed templates/x.yaml:3\n"
        "  -  {{ if 3 }}\n"
        "  +  a\n"
        "  $ chartgen mutate --fault guard-removed --component templates/x.yaml\n"
        "\n"
        "got away, and may: guard-removed templates/x.yaml:2\n"
        "  -  {{ if 2 }}\n"
        "  +  a\n"
        "  It is the same.\n"
        "\n"
        "excused, and found out: guard-removed templates/x.yaml: {{ if 1 }}\n"
        "\n"
        "      1 found out first by nulls\n"
        "1 of 3 mutants were found out (33 %), 1 got away, 1 more for a known reason\n"
    )


def test_excuses_are_read(tmp_path):
    """Each with a reason; what is no excuse is bad input."""
    file = tmp_path / "excuses.yaml"
    entry = "- {fault: guard-removed, file: templates/x.yaml, before: '{{ if 1 }}', reason: It is the same.}\n"
    file.write_text(entry)
    assert score.read_excuses(file) == (excuse(1),)
    file.write_text(f"{entry}- {{fault: a}}\n- 1\n")
    with pytest.raises(ChartgenError) as refused:
        score.read_excuses(file)
    assert str(refused.value).count("excuses.yaml: [") == 2


def test_only_a_score_of_all_kinds_speaks_for_the_harness():
    """One of some faults is not kept for the ledger."""
    assert Request(300).whole
    assert not Request(300, faults=("guard-removed",)).whole
    assert not Request(300, components=("templates",)).whole
