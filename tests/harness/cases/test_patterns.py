"""Texts on both sides of an expression."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support import judged

from chartgen.harness.cases import patterns
from chartgen.schema import conditions, model


def expressions() -> list[str]:
    """Every expression of the chart's schema and of its rules."""
    found: dict[str, None] = {}
    for schema in (judged.schema(), *judged.schema().subcharts.values()):
        for top in schema.fields.values():
            found.update(dict.fromkeys(of_type(top.type)))
        for rule in schema.rules:
            leaves = conditions.leaves(rule.condition)
            found.update((leaf.pattern, None) for leaf in leaves if isinstance(leaf, conditions.Matches))
    return list(found)


def of_type(type_: model.Type) -> Iterator[str]:
    if type_.pattern:
        yield type_.pattern
    for member in (*type_.properties.values(), type_.values, type_.items):
        if member is not None:
            yield from of_type(member.type)


@pytest.mark.parametrize("pattern", expressions())
def test_every_expression_of_the_chart_has_both_sides(pattern):
    """What is an example matches, and what is a misfit does not."""
    found = patterns.examples(pattern)
    assert any(found)
    assert [text for text in found if not re.search(pattern, text)] == []
    misfit = patterns.misfit(pattern)
    assert misfit
    assert not re.search(pattern, misfit)


@pytest.mark.parametrize(
    ("pattern", "some"),
    [
        ("^(a|b)$", ["a", "b"]),
        ("^x(a(b|c))?d$", ["xd", "xabd"]),
        ("^[a-c]+$", ["a", "c"]),
        ("^[^x]$", ["y"]),
        (r"^v?[0-9]{2,}\.[1-9]$", ["00.1", "v00.1"]),
        ("^.{3}$", ["xxx"]),
        (r"^\d\w$", ["0x"]),
        ("[.]|^x{4}", [".", "x.", "xxxx"]),
        ("^(?:ab|cd)e*?$", ["ab", "abe", "cd"]),
        ("^[]]$", ["]"]),
        ("(?i)^true$", ["true"]),
    ],
)
def test_each_alternative_has_an_example(pattern, some):
    """Branches, what may be left out, classes and counts; where nothing is anchored also inside a longer text."""
    assert set(some) <= set(patterns.examples(pattern))


def test_an_expression_that_takes_all_has_no_misfit():
    """None, and not a text that matches."""
    assert patterns.misfit(".*|\n") is None
    assert patterns.misfit("(?s).+") == ""


def test_a_form_that_is_not_known_costs_an_example():
    """What is read wrongly does not match, and is left out."""
    assert patterns.examples(r"^(?=a)b") == ()
