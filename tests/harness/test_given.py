"""What a case's values say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness import given
from chartgen.harness.given import Doubt
from chartgen.harness.results import invalid


@pytest.fixture
def said(case, tmp_path):
    """What a file and the case's own values say."""
    file = tmp_path / "values.yaml"
    file.write_text("a: {name: of-the-file, set: true}\nb: [1.5, null]\n", encoding="utf-8")
    values = {"c": ["of-the-case", {"key-name": "first: second-name\n"}], "d": "{{ .Release.Name }}-late"}
    return given.of(replace(case, files=(file,), values=values))


@pytest.mark.parametrize("name", ["of-the-file", "of-the-case", "second-name", "1.5", "x-late"])
def test_names_are_words_of_values(said, name):
    """Numbers, words of a text, and what an expression may come to."""
    assert said.names(name)


@pytest.mark.parametrize("name", ["the-file", "second", "name", "late", "", "true", "key-name"])
def test_a_part_of_a_word_is_no_name(said, name):
    """Or every short name would be the user's; nor is a key."""
    assert not said.names(name)


def test_a_part_of_a_text_is_said(said):
    """Whatever it is."""
    assert said.says(".Release")
    assert said.says("key-na")
    assert not said.says(".Values")


def test_parts_are_declined_where_their_create_is_false(case):
    """By the key above it, in whichever letters."""
    values = {
        "serviceAccount": {"create": False},
        "rbac": {"create": "false"},
        "config": {"create": True},
        "x": [{"create": False}],
    }
    said = given.of(replace(case, files=(), values=values))
    assert said.declines(["*serviceaccount*"])
    assert said.declines(["config", "rbac"])
    assert not said.declines(["config", "x", "create"])
    assert not said.declines([])


def test_doubts_hold_unless_the_values_speak(case):
    """Findings hold always."""
    asked = replace(case, files=(), values={"tag": "latest-1"})
    findings = [invalid("a", "1"), invalid("b", "2"), invalid("c", "3")]
    doubts = [findings[0], Doubt(findings[1], "latest"), Doubt(findings[2], "latest", is_name=True)]
    assert given.settle(doubts, asked) == [findings[0], findings[2]]
