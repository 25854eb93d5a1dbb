"""Checks that look at one document at a time."""

from __future__ import annotations

import pytest

from chartgen.harness.check import EachDocument
from chartgen.harness.results import State, invalid


def test_each_distinct_document_is_judged_once(case, rendered):
    """What was said of it is said again in the next case."""
    asked = []

    def judge(document):
        asked.append(document.name)
        return [invalid(document.identity, "bad")] if document.name == "bad" else []

    check = EachDocument("some", judge)
    first = rendered("---\n{kind: A, metadata: {name: good}}\n---\n{kind: A, metadata: {name: bad}}\n")
    second = rendered("---\n{kind: A, metadata: {name: bad}}\n---\n{kind: A, metadata: {name: bad}}\n")
    assert check.run(case, first) == [invalid("A/bad", "bad")]
    assert check.run(case, second) == [invalid("A/bad", "bad")] * 2
    assert asked == ["good", "bad"]


def test_success_is_stated(case, rendered):
    """A check says so when there is nothing to complain about."""
    [finding] = EachDocument("some", lambda document: ()).run(case, rendered("kind: A\n"))
    assert finding.state is State.VALID


def test_a_document_without_a_kind_is_told_by_its_template(case, rendered):
    """The same text in two templates is two subjects."""
    check = EachDocument("some", lambda document: [invalid(document.identity, "bad")])
    said = check.run(case, rendered("---\n# Source: a.yaml\nx: 1\n---\n# Source: b.yaml\nx: 1\n"))
    assert [finding.subject for finding in said] == ["a.yaml", "b.yaml"]


def test_a_judgement_that_breaks_is_not_remembered(case, rendered):
    """The next case breaks again, and does not pass."""

    def judge(document):
        raise KeyError("x")

    check = EachDocument("some", judge)
    for _ in range(2):
        with pytest.raises(KeyError):
            check.run(case, rendered("kind: A\n"))
