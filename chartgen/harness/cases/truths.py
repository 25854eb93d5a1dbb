"""Whether conditions hold for an assignment, remembered: the same few values are looked at for thousands of assignments.

What a condition says depends on the values at its paths, above and below them, and on no others; so it is computed for
those alone, with the chart's defaults for them, by the evaluator that computes everything.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from chartgen.harness import oracle, values
from chartgen.harness.cases import assignments
from chartgen.harness.cases.assignments import API, UNSET, Assignment
from chartgen.harness.cases.sites import SWITCHES, Atom
from chartgen.tree.context import Context

# Values by their number in a `Space`, by path.
Pins = Mapping[str, int]
# The number of `UNSET` at every path.
LEFT_OUT = 0


class Space:
    """The values that may be given to each path, by number, so that they can be compared and counted quickly."""

    def __init__(self) -> None:
        self._values: dict[str, list[Any]] = {}
        self._numbers: dict[str, dict[str, int]] = {}
        self._below: dict[str, list[str]] = {}

    def number(self, path: str, value: Any) -> int:
        """The number of a value; a new one for a value that is new. 1, 1.0, true and "1" are different."""
        if path not in self._values:
            self._values[path], self._numbers[path] = [UNSET], {}
            for above in _above(path):
                self._below.setdefault(above, []).append(path)
        if value is UNSET:
            return LEFT_OUT
        key = json.dumps(value, sort_keys=True)
        known = self._numbers[path]
        if key not in known:
            known[key] = len(self._values[path])
            self._values[path].append(value)
        return known[key]

    def value(self, path: str, number: int) -> Any:
        """The value of a number."""
        return self._values[path][number]

    def count(self, path: str) -> int:
        """How many values a path has numbers for."""
        return len(self._values.get(path, ()))

    def pins(self, assignment: Assignment) -> dict[str, int]:
        """An assignment with its values by number."""
        return {path: self.number(path, value) for path, value in assignment.items()}

    def assignment(self, pins: Pins) -> dict[str, Any]:
        """The opposite."""
        return {path: self._values[path][number] for path, number in pins.items()}

    def related(self, path: str) -> tuple[str, ...]:
        """The other known paths that lie above or below: nothing can be given to both."""
        known = (above for above in _above(path) if above in self._values)
        return (*known, *self._below.get(path, ()))


@functools.cache
def _above(path: str) -> tuple[str, ...]:
    names = path.split(".") if not path.startswith("@") else [path]
    return tuple(".".join(names[:count]) for count in range(1, len(names)))


class Truths:
    """Evaluates atoms.

    Args:
        trees: what evaluates conditions.
        chart: the chart as it lies there, for its defaults.
        space: what pins are numbers in.
    """

    def __init__(self, trees: oracle.Trees, chart: values.Chart, space: Space) -> None:
        self._trees = trees
        self._chart = chart
        self.space = space
        self._known: dict[tuple[Atom, tuple[tuple[str, int], ...]], bool] = {}
        self._narrow: dict[tuple[str, tuple[str, ...]], values.Chart] = {}

    def of(self, atom: Atom, pins: Pins) -> bool:
        """Whether the condition holds where these values are given and all others are as the chart has them.

        That of a subchart that Helm does not take in does not.
        """
        key = (atom, tuple(self._relevant(atom, pins)))
        if key not in self._known:
            self._known[key] = self._evaluate(atom, dict(key[1]))
        return self._known[key]

    def _relevant(self, atom: Atom, pins: Pins) -> Iterator[tuple[str, int]]:
        for path in atom.paths:
            if path in pins:
                yield path, pins[path]
            for other in self.space.related(path):
                if other in pins:
                    yield other, pins[other]
        if atom.chart and SWITCHES[atom.chart] in pins:
            yield SWITCHES[atom.chart], pins[SWITCHES[atom.chart]]

    def _evaluate(self, atom: Atom, pins: Pins) -> bool:
        given = self.space.assignment(pins)
        if atom.paths[0].startswith(API):
            return given.get(atom.paths[0]) is True
        chart = self._chart_of(atom)
        context = Context(values=values.coalesce(chart, assignments.nest(given), 4))
        name = atom.chart or self._trees.charts[0].part.name
        for part, own in self._trees.contexts(context):
            if part.name == name:
                return part.evaluator(own).holds(atom.condition)
        return False

    def _chart_of(self, atom: Atom) -> values.Chart:
        """The chart with no more defaults than the condition can read: merging values takes its time."""
        key = (atom.chart, atom.paths)
        if key not in self._narrow:
            paths = [*atom.paths, *([SWITCHES[atom.chart]] if atom.chart else [])]
            subcharts = tuple(
                replace(sub, values=_pruned(sub.values, _below(sub.name, paths)))
                for sub in self._chart.charts
                if sub.name == atom.chart
            )
            declared = tuple(entry for entry in self._chart.declared if entry.name == atom.chart)
            self._narrow[key] = replace(
                self._chart, values=_pruned(self._chart.values, paths), charts=subcharts, declared=declared
            )
        return self._narrow[key]


def _below(name: str, paths: Iterable[str]) -> list[str]:
    """Paths as a subchart has them."""
    return [path.removeprefix(f"{name}.") for path in paths]


def _pruned(defaults: Mapping[str, Any], paths: Iterable[str]) -> dict[str, Any]:
    """The defaults at these paths and what is above them."""
    found: dict[str, Any] = {}
    for path in paths:
        _take(found, defaults, path.split("."))
    return found


def _take(found: dict[str, Any], defaults: Mapping[str, Any], names: list[str]) -> None:
    name, *below = names
    if name not in defaults:
        return
    value = defaults[name]
    if not below or not isinstance(value, Mapping):
        found[name] = value
        return
    _take(found.setdefault(name, {}), value, below)
