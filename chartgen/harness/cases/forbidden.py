"""The combinations of levels that rules forbid, and how to get around them.

A rule across fields is a condition over values. Over parameters with a few levels each it comes down to *boxes*: a set of
levels for each of some parameters, such that every combination out of these sets breaks the rule. A condition that reads one
value is asked at each of its levels, one that compares two values at each pair; what remains is and, or and not.

`Forbidden.extended` finds levels for the other parameters such that no rule is broken, or proves that there are none: all
that is not said stands at its default, and as long as that fills a box, one of the box's parameters has to leave it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartgen.harness import oracle
from chartgen.harness.cases import assignments
from chartgen.harness.cases.assignments import API
from chartgen.harness.cases.parameters import Parameter
from chartgen.harness.cases.sites import SWITCHES
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition, Leaf
from chartgen.schema.model import Rule, Severity
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator

# Number of a parameter -> its levels as a bit mask; and -> the number of one of them.
Sides = Mapping[int, int]
Levels = Mapping[int, int]


@dataclass(frozen=True)
class Box:
    """Levels of some parameters, all combinations of which break a rule.

    Attributes:
        chart: whose rule it is; empty for the chart itself.
        rule: which one.
        sides: the levels of each parameter.
    """

    chart: str
    rule: Rule
    sides: Sides


class Forbidden:
    """All that the refusing rules of a chart and of its subcharts forbid.

    Attributes:
        parameters: what is varied.
        boxes: what no combination may lie in.
        bound: numbers of the parameters that boxes are about, those of most boxes first.
    """

    def __init__(self, trees: oracle.Trees, parameters: Sequence[Parameter]) -> None:
        self.parameters = parameters
        self.boxes = tuple(_boxes(trees, parameters))
        self._touching: dict[int, list[Box]] = {}
        for box in self.boxes:
            for number in box.sides:
                self._touching.setdefault(number, []).append(box)
        self.bound = tuple(sorted(self._touching, key=lambda number: (-len(self._touching[number]), number)))

    def extended(self, levels: Levels, more: Levels) -> Levels | None:
        """Both, and what others must be besides so that no rule is broken, all the rest being at its default.

        Args:
            levels: break no rule so far; nothing is known yet when they are empty.
            more: of other parameters.

        Returns:
            None if that cannot be. With `levels` empty that is a proof: no choice of the other parameters helps.
        """
        return self._search({**levels, **more}, tuple(more), None)

    def around(self, levels: Levels, rule: Rule) -> Levels:
        """Levels that break a rule, and what others must be besides so that no other rule is broken, if that can be."""
        return self._search(dict(levels), tuple(levels), rule) or levels

    def assignment(self, levels: Levels) -> dict[str, Any]:
        """Levels as values by path, without those that stand at their default."""
        chosen = ((self.parameters[number], level) for number, level in levels.items() if level)
        return {parameter.path: parameter.levels[level] for parameter, level in chosen}

    def _search(self, levels: dict[int, int], changed: tuple[int, ...], broken: Rule | None) -> dict[int, int] | None:
        near = (box for number in changed for box in self._touching.get(number, ()) if box.rule is not broken)
        full = next((box for box in near if _holds(box.sides, levels)), None)
        if full is None:
            return levels
        for number, mask in full.sides.items():
            if number not in levels:
                for level in range(len(self.parameters[number].levels)):
                    if not mask >> level & 1:
                        # Boxes that were looked at before may be full by now, so they are looked at again.
                        found = self._search({**levels, number: level}, (*changed, number), broken)
                        if found is not None:
                            return found
        return None


def _holds(sides: Sides, levels: Levels) -> bool:
    return all(mask >> levels.get(number, 0) & 1 for number, mask in sides.items())


def _boxes(trees: oracle.Trees, parameters: Sequence[Parameter]) -> Iterator[Box]:
    for described in trees.charts:
        asker = _Asker(described, parameters)
        for rule in described.schema.rules:
            if rule.severity is Severity.REFUSE:
                found = [{**sides, **asker.installed} for sides in asker.boxes(rule.condition, wanted=True)]
                yield from (Box(described.name, rule, sides) for sides in _largest(found))


class _Asker:
    """Turns the conditions of one chart into boxes.

    Attributes:
        installed: the levels of its switch, for a subchart, at which it is there at all.
    """

    def __init__(self, described: oracle.Described, parameters: Sequence[Parameter]) -> None:
        self._described = described
        self._parameters = parameters
        self._numbers = {parameter.path: number for number, parameter in enumerate(parameters)}
        self._tables: dict[Leaf, dict[tuple[int, ...], list[tuple[int, ...]]]] = {}
        self.installed: Sides = {}
        if described.name in SWITCHES:
            number = self._numbers[SWITCHES[described.name]]
            # Helm itself reads the switch, and to it only the boolean false is off.
            stood = parameters[number].stood
            self.installed = {number: sum(1 << level for level, value in enumerate(stood) if value is not False)}

    def boxes(self, condition: Condition, *, wanted: bool) -> list[dict[int, int]]:
        """Where a condition holds, or where it does not."""
        match condition:
            case conditions.Not(inner):
                return self.boxes(inner, wanted=not wanted)
            case conditions.All(members) | conditions.Any(members):
                parts = [self.boxes(member, wanted=wanted) for member in members]
                if isinstance(condition, conditions.All) is not wanted:
                    return [box for part in parts for box in part]
                found: list[dict[int, int]] = [{}]
                for part in parts:
                    both = (_both(one, other) for one in found for other in part)
                    found = _largest([box for box in both if box is not None])
                return found
            case _:
                return self._of_leaf(condition, wanted=wanted)

    def _of_leaf(self, leaf: Leaf, *, wanted: bool) -> list[dict[int, int]]:
        """One box for each combination of the levels of all parameters but one; those of the last are in one mask."""
        numbers = self._read(leaf)
        *firsts, last = numbers
        found: list[dict[int, int]] = []
        for levels in itertools.product(*(range(len(self._parameters[number].levels)) for number in firsts)):
            mask = 0
            for level in range(len(self._parameters[last].levels)):
                if self._holds(leaf, dict(zip(numbers, (*levels, level), strict=True))) is wanted:
                    mask |= 1 << level
            if mask:
                found.append({**{number: 1 << level for number, level in zip(firsts, levels, strict=True)}, last: mask})
        return _largest(found)

    def _read(self, leaf: Leaf) -> list[int]:
        """The parameters that a condition reads: at its paths, and where those hold others or lie in them."""
        if isinstance(leaf, conditions.Api):
            return [self._numbers[f"{API}{leaf.name}"]]
        paths = [self._described.path(path) for path in conditions.paths(leaf)]
        return [
            number
            for path, number in self._numbers.items()
            if any(path == read or assignments.clash(path, read) for read in paths)
        ]

    def _holds(self, leaf: Leaf, levels: Levels) -> bool:
        seen = {
            self._parameters[number].path: self._parameters[number].stood[level] for number, level in levels.items()
        }
        served = frozenset(assignments.apis(seen))
        values = assignments.nest(seen)
        own = values.get(self._described.name, {}) if self._described.name else values
        return Evaluator(self._described.index, Context(own, api_versions=served)).holds(leaf)


def _both(one: Sides, other: Sides) -> dict[int, int] | None:
    """What lies in two boxes; None when nothing does."""
    found = dict(one)
    for number, mask in other.items():
        found[number] = found.get(number, mask) & mask
        if not found[number]:
            return None
    return found


def _largest(boxes: Sequence[dict[int, int]]) -> list[dict[int, int]]:
    """The boxes that do not lie within another one."""
    found: list[dict[int, int]] = []
    for box in sorted(boxes, key=len):
        if not any(_within(box, other) for other in found):
            found.append(box)
    return found


def _within(box: Sides, other: Sides) -> bool:
    return all(number in box and box[number] | mask == mask for number, mask in other.items())
