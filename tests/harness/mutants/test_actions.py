"""Actions and blocks of a template."""

from __future__ import annotations

import pytest

from chartgen.harness.mutants import actions
from chartgen.harness.mutants.source import Edit, Source


def test_actions_are_found_where_strings_and_comments_mislead():
    """Braces in a string or a comment end nothing."""
    text = '{{- /* {{ no }} */ -}}a{{ printf "}}" | quote }}b{{- `{{` -}}'
    assert [action.body for action in actions.actions(text)] == ['printf "}}" | quote', "`{{`"]
    assert [text[action.start : action.end] for action in actions.actions(text)] == [
        '{{ printf "}}" | quote }}',
        "{{- `{{` -}}",
    ]


def test_a_condition_is_what_follows_the_word():
    """Of an else if too; an else has none."""
    text = "{{ if and .a\n .b }}{{ else if .c }}{{ else with .d }}{{ else }}{{ end }}"
    found = [(action.word, action.condition) for action in actions.actions(text)]
    assert found == [("if", "and .a\n .b"), ("else", ".c"), ("else", "with .d"), ("else", ""), ("end", "")]
    first = actions.actions(text)[0]
    assert text[first.condition_start :].startswith("and .a")


def test_blocks_nest():
    """Each ends where its own end is, and parts at its own else."""
    text = "{{ if .a }}{{ range .b }}{{ else }}{{ end }}{{ else if .c }}{{ end }}"
    outer, inner = actions.blocks(text)
    assert (outer.opening.word, [each.condition for each in outer.elses]) == ("if", [".c"])
    assert (inner.opening.word, len(inner.elses)) == ("range", 1)
    assert outer.closing.end == len(text)
    assert [guard.condition for guard in actions.guards(text)] == [".a", ".c"]


@pytest.mark.parametrize("text", ["{{ if .a }}", "{{ end }}", "{{ else }}", "{{ with .a }}{{ end }}{{ end }}"])
def test_what_does_not_end_is_not_whole(text):
    """Nor what ends nothing."""
    assert not actions.is_whole(text)


def test_terms_are_those_of_the_outermost_level():
    """What is read of something in parentheses belongs to it."""
    expression = 'and (eq (toString (.Values.a).b) "x y") (.Values.a).b .c'
    assert [term.text for term in actions.terms(expression)] == [
        "and",
        '(eq (toString (.Values.a).b) "x y")',
        "(.Values.a).b",
        ".c",
    ]
    words = [terms[0].text for _, terms in actions.calls(expression)]
    assert words == ["and", "eq", "toString"]
    assert all(expression[offset:].startswith(terms[0].text) for offset, terms in actions.calls(expression))


def test_lines_are_taken_away_whole():
    """Also the last one, whose end is that of the file."""
    source = Source("x", "a:\n  b: 1\n\n  c: 2\nd: 3\n")
    assert source.lines == ("a:", "  b: 1", "", "  c: 2", "d: 3")
    assert source.block(0) == 3
    assert source.edited([source.without_lines(0, 3)]) == "d: 3\n"
    assert source.edited([source.without_lines(4, 4)]) == "a:\n  b: 1\n\n  c: 2\n"
    assert source.edited([source.without(5, 9)]) == "a:\n\n  c: 2\nd: 3\n"
    assert source.edited([source.without(5, 6), Edit(0, 1, "x")]) == "x:\n  : 1\n\n  c: 2\nd: 3\n"
    assert Source("x", "a\nb").lines == ("a", "b")
    assert (Source("x", "a\nb").end(1), Source("x", "a\nb\n").end(1)) == (3, 3)
