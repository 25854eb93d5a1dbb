"""What each condition of the templates was in a case: true or false, a bit for each.

A render is described by these bits alone: lines, branches and combinations of conditions that it reached follow from them.
They are few enough to be kept with every outcome.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from chartgen.components.chart import Part
from chartgen.harness import oracle
from chartgen.harness.coverage import lines
from chartgen.harness.coverage.lines import File
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import twins
from chartgen.tree.context import Context, lookup
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Each

# What conditions read that is no value: the APIs of the cluster.
_CLUSTER = "."


@dataclass(frozen=True)
class Row:
    """The conditions of one chart in one case.

    Attributes:
        chart: number of the chart among those of the oracle.
        each: path of the list whose item was laid over the values; empty for the values as they are.
        bits: a one for each condition that holds, the first condition in the lowest place.
    """

    chart: int
    each: str
    bits: int


@dataclass(frozen=True)
class Conditions:
    """The templates of a chart and the conditions in them.

    Attributes:
        part: the chart's trees.
        files: its templates.
        atoms: the conditions that read something, in the order of their bits.
    """

    part: Part
    files: tuple[File, ...]
    atoms: tuple[Condition, ...]

    @cached_property
    def repeats(self) -> tuple[Each, ...]:
        """What objects are repeated for: each list once, however many files repeat something for it."""
        found = {(file.each.items, file.each.over): file.each for file in self.files if file.each}
        return tuple(found.values())

    @cached_property
    def groups(self) -> tuple[_Group, ...]:
        """The conditions, by the values that they read."""
        found: dict[tuple[str, ...], list[tuple[int, Condition]]] = {}
        for number, atom in enumerate(self.atoms):
            paths = (_CLUSTER,) if isinstance(atom, conditions.Api) else conditions.paths(atom)
            found.setdefault(paths, []).append((1 << number, atom))
        return tuple(_Group(paths, tuple(atoms)) for paths, atoms in found.items())


@dataclass
class _Group:
    """Conditions that read the same, and what came of them: most values are those of an earlier case.

    Attributes:
        paths: what they read.
        atoms: the bit of each, and the condition.
        known: what was read -> the bits of those that hold.
    """

    paths: tuple[str, ...]
    atoms: tuple[tuple[int, Condition], ...]
    known: dict[Hashable, int] = field(default_factory=dict)

    def bits(self, evaluator: Evaluator, context: Context) -> int:
        """The bits of those that hold."""
        key = tuple([_key(lookup(context.values, path)) for path in self.paths])
        if self.paths[0] == _CLUSTER:
            key = (context.api_versions,)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = sum(bit for bit, atom in self.atoms if evaluator.holds(atom))
        return found


def _key(value: Any) -> Hashable:
    """The same for values that are the same, to the type."""
    kind = type(value)
    if kind is str or value is None:
        return value  # type: ignore[no-any-return]  # a string, or nothing
    return kind, repr(value)


class Truths:
    """Finds the truth of every condition.

    Args:
        trees: the chart's description.
    """

    def __init__(self, trees: oracle.Trees) -> None:
        self._trees = trees
        self.charts = tuple(_conditions(described.part) for described in trees.charts)
        self._numbers = {chart.part.name: number for number, chart in enumerate(self.charts)}

    def rows(self, context: Context) -> tuple[Row, ...]:
        """The rows of a case."""
        found: list[Row] = []
        for part, inner in self._trees.contexts(context):
            number = self._numbers[part.name]
            chart = self.charts[number]
            found.append(Row(number, "", _bits(chart, inner)))
            for each in chart.repeats:
                items = lookup(inner.values, each.items) or [{}]
                found += [Row(number, each.items, _bits(chart, _overlaid(inner, each, item))) for item in items]
        return tuple(found)


def _overlaid(context: Context, each: Each, item: Mapping[str, Any]) -> Context:
    own = twins.overlaid([lookup(context.values, each.over), item])
    return replace(context, values={**context.values, each.over: own})


def _bits(chart: Conditions, context: Context) -> int:
    evaluator = chart.part.evaluator(context)
    return sum(group.bits(evaluator, context) for group in chart.groups)


def _conditions(part: Part) -> Conditions:
    files = tuple(lines.read(manifest, part.index, part.name, part.folder) for manifest in part.manifests)
    return Conditions(part, files, tuple(dict.fromkeys(_atoms(files))))


def _atoms(files: Iterable[File]) -> Iterable[Condition]:
    for file in files:
        for branch in file.branches:
            yield from conditions.leaves(branch.condition)
            yield from conditions.leaves(branch.reached)
        for line in file.lines:
            yield from conditions.leaves(line.reached)
