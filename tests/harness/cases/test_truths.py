"""Conditions evaluated for a few values, and values by number."""

from __future__ import annotations

import pytest
from support import cases

from chartgen.harness.cases import assignments, sites
from chartgen.harness.cases.assignments import UNSET
from chartgen.harness.cases.truths import LEFT_OUT, Space, Truths
from chartgen.schema.conditions import Api, Equals, Leaf, On, Set


def test_values_that_differ_in_type_have_different_numbers():
    """A number is not the text that spells it, and true is not 1; equal values have one number."""
    space = Space()
    values = [True, 1, 1.0, "1", "true", None, [], {}, {"a": 1, "b": 2}]
    numbers = [space.number("a", value) for value in values]
    assert len(set(numbers)) == len(values)
    assert space.number("a", {"b": 2, "a": 1}) == numbers[-1]
    assert space.number("a", UNSET) == LEFT_OUT
    assert space.count("a") == len(values) + 1


def test_pins_are_assignments():
    """There and back."""
    given = {"a.b": "x", "c": UNSET, "@api:x/v1": True}
    space = Space()
    assert space.assignment(space.pins(given)) == given


def test_related_paths_lie_above_and_below():
    """Of those that are known."""
    space = Space()
    for path in ("a.b", "a", "a.b.c", "ab", "a.bc", "@api:a.b/v1"):
        space.number(path, UNSET)
    assert set(space.related("a.b")) == {"a", "a.b.c"}
    space.number("a.b.d", UNSET)
    assert set(space.related("a.b")) == {"a", "a.b.c", "a.b.d"}


@pytest.fixture
def truths() -> Truths:
    """Of the committed chart."""
    return Truths(cases.trees(), cases.chart(), Space())


def holds(truths: Truths, chart: int, leaf: Leaf, given: assignments.Assignment) -> bool:
    atom = sites.atom(cases.trees().charts[chart], leaf)
    return truths.of(atom, truths.space.pins(given))


def test_defaults_stand_where_nothing_is_given(truths):
    """Those of the chart, and of its subchart."""
    assert holds(truths, 0, On("driver.enabled"), {})
    assert not holds(truths, 0, On("driver.enabled"), {"driver.enabled": "false"})
    assert holds(truths, 1, On("master.enable"), {})
    assert not holds(truths, 1, On("master.enable"), {"node-feature-discovery.master.enable": False})


def test_a_value_above_counts(truths):
    """Null for a parent takes the default away."""
    assert holds(truths, 0, Set("mig.strategy"), {})
    assert not holds(truths, 0, Set("mig.strategy"), {"mig": None})


def test_values_below_count(truths):
    """A map is there when one of its members is."""
    assert not holds(truths, 0, Set("cluster.proxy"), {})
    assert holds(truths, 0, Set("cluster.proxy"), {"cluster.proxy.noProxy": "x"})


def test_globals_reach_the_subchart(truths):
    """They are the parent's to give."""
    assert holds(truths, 1, Set("global.imageRegistry"), {"global.imageRegistry": "x"})
    assert not holds(truths, 1, Set("global.imageRegistry"), {})


def test_nothing_holds_in_a_subchart_that_is_off(truths):
    """Its templates are not looked at."""
    assert not holds(truths, 1, On("master.enable"), {"nfd.enabled": False})


def test_what_the_cluster_serves(truths):
    """An assignment says it like a value."""
    api = Api("a.example.com/v1")
    assert holds(truths, 0, api, {"@api:a.example.com/v1": True})
    assert not holds(truths, 0, api, {"@api:a.example.com/v1": UNSET})
    assert not holds(truths, 0, api, {})


def test_a_literal_is_compared_with_the_merged_value(truths):
    """As the evaluator does it."""
    assert holds(truths, 0, Equals("mig.strategy", "mixed"), {"mig.strategy": "mixed"})
    assert not holds(truths, 0, Equals("mig.strategy", "mixed"), {})
