"""What rules forbid, and how to get around it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from typing import Any

import pytest
from support import cases

from chartgen.harness.cases import assignments
from chartgen.schema.model import Severity

FORBIDDEN = cases.forbidden()
NUMBERS = {parameter.path: number for number, parameter in enumerate(cases.parameters())}


def of(values: Mapping[str, Any]) -> dict[int, int]:
    """Values by path as levels."""
    return {NUMBERS[path]: cases.parameters()[NUMBERS[path]].levels.index(value) for path, value in values.items()}


def broken(levels: Mapping[int, int]) -> set[str]:
    """What the chart says, asked without parameters and boxes."""
    context = cases.feasibility().context(FORBIDDEN.assignment(levels))
    return {rule.name for rule in cases.feasibility().broken(context)}


def told(levels: Mapping[int, int]) -> set[str]:
    """The rules whose boxes hold some levels, all the rest being at level 0."""
    return {
        box.rule.name
        for box in FORBIDDEN.boxes
        if all(mask >> levels.get(number, 0) & 1 for number, mask in box.sides.items())
    }


def test_boxes_are_where_rules_are_broken():
    """For rows at random, with levels of what rules are about: the chart says the same of each."""
    draw = random.Random(1)
    seen: set[str] = set()
    for _ in range(150):
        few = draw.sample(FORBIDDEN.bound, 30)
        levels = {number: draw.randrange(len(FORBIDDEN.parameters[number].levels)) for number in few}
        assert told(levels) == broken(levels)
        seen |= broken(levels)
    assert len(seen) > 30


def test_with_everything_at_its_default_nothing_is_broken():
    """So that level 0 can always be taken."""
    assert told({}) == broken({}) == set()


@pytest.mark.parametrize(
    ("given", "possible"),
    [
        ({"gpuCluster.deployCR": True}, True),
        ({"gpuCluster.deployCR": True, "clusterPolicy.deployCR": "false"}, True),
        ({"gpuCluster.deployCR": True, "clusterPolicy.deployCR": assignments.UNSET}, False),
        ({"toolkit.repository": "", "toolkit.enabled": assignments.UNSET}, True),
        ({"cdi.nriPluginEnabled": "true", "cdi.enabled": False}, False),
        ({"node-feature-discovery.master.serviceAccount.name": "sample"}, True),
    ],
)
def test_other_parameters_step_aside(given, possible):
    """A rule that would be broken is got around by levels that were not asked for, unless there are none."""
    found = FORBIDDEN.extended({}, of(given))
    assert (found is not None) is possible
    if found is not None:
        assert of(given).items() <= dict(found).items()
        assert broken(found) == set()


def test_what_was_allowed_stays_when_more_is_asked():
    """Levels are added and never changed."""
    first = FORBIDDEN.extended({}, of({"gpuCluster.deployCR": True}))
    assert first
    more = FORBIDDEN.extended(first, of({"cdi.nriPluginEnabled": True}))
    assert more
    assert dict(first).items() <= dict(more).items()
    assert broken(more) == set()


def test_a_rule_that_shall_be_broken_is_the_only_one():
    """Others are got around, this one stays."""
    [rule] = [rule for rule in cases.trees().schema.rules if rule.name == "gpu-cluster-needs-dra"]
    levels = FORBIDDEN.around(of({"gpuCluster.deployCR": True}), rule)
    assert broken(levels) == {rule.name}


def test_every_rule_has_boxes_but_those_that_the_schema_is_before():
    """Two rules are for those who skip the schema."""
    refusing = {
        rule.name for chart in cases.trees().charts for rule in chart.schema.rules if rule.severity is Severity.REFUSE
    }
    assert refusing - {box.rule.name for box in FORBIDDEN.boxes} == {"log-level-above-zero", "rolling-update-needs-one"}


def test_no_box_lies_in_another_of_its_rule():
    """Each costs time at every step."""
    for box, other in itertools.permutations(FORBIDDEN.boxes, 2):
        if box.rule is other.rule:
            within = all(
                number in box.sides and box.sides[number] | mask == mask for number, mask in other.sides.items()
            )
            assert not within
