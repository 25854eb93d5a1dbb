"""The parameters of the covering arrays: what can be varied across the chart, and the levels of each.

A parameter is a value that templates read by a path of its own: every switch, every enum, every text, number, list and map
that some condition asks about, the keys that only NOTES.txt asks about, in the chart and in its subcharts; besides them
what the cluster serves, the Kubernetes minor, the Helm, and the shape of the release's name and namespace.

No parameter is what lies below a value that templates write as it was given: members of affinities, probes, security
contexts, resources, and of the items of lists. No condition reads them, so they cannot change what another value does;
each is varied by itself, with every member of its enums, among the samples of fields. Nor are rows of `null` for each map:
null is a level only where it is the one way to take a default away.

The first level is what stands when nothing is said. The others are one for each side of each condition that asks about
the value, and one for each branch of its type: the members of an enum, a number where a text may be one, a switch spelt as a
text. A switch has that spelling on the side that is not its default, where a template that takes every text for true
would show it; the other one is among the samples too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartgen.harness import oracle
from chartgen.harness.cases import candidates, patterns, releases, smallest
from chartgen.harness.cases.assignments import API, HELM, KUBE, NAMESPACE, RELEASE, UNSET
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.schema import check, conditions
from chartgen.schema.conditions import Condition, Leaf
from chartgen.schema.model import Field, Kind
from chartgen.schema.paths import Index
from chartgen.tree import nodes, presence
from chartgen.tree.context import Context, lookup
from chartgen.tree.evaluate import Evaluator

_RELEASES = ("gpu-operator", releases.SHORTEST, releases.LONGEST, releases.DOTTED)
_NAMESPACES = ("gpu-operator", releases.SHORTEST, releases.LONGEST_NAMESPACE)
# A text that several fields may have at once, and one that only one has.
_SHARED = "sample"
_ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Parameter:
    """Something that can be varied.

    Attributes:
        path: of a value as the user of the chart writes it, or of the surroundings (``@kube``).
        levels: what it is varied over, the default first.
        stood: what templates see at each level.
    """

    path: str
    levels: tuple[Any, ...]
    stood: tuple[Any, ...]


def build(
    trees: oracle.Trees, feasibility: Feasibility, helms: Sequence[str], kubes: Sequence[str]
) -> tuple[Parameter, ...]:
    """All parameters: of the chart, of its subcharts, of the surroundings.

    Args:
        trees: the chart's description.
        feasibility: says what stands when nothing is said.
        helms: the Helm versions to vary over.
        kubes: the Kubernetes minors, likewise.
    """
    standing = feasibility.context({}).values
    found: list[Parameter] = []
    apis: set[str] = set()
    for described in trees.charts:
        asked = questions(described)
        apis.update(name for name in asked if name.startswith(API))
        known = {parameter.path for parameter in found}
        for own in values(described, asked):
            if own.path not in known:
                path = described.path(own.path)
                levels = _Levels(described.index, own, lookup(standing, path))
                found.append(levels.parameter(path, asked))
    retired = (stray.path for stray in trees.schema.strays.values() if stray.retired)
    found += (Parameter(path, (UNSET, True), (None, True)) for path in retired)
    around: dict[str, Sequence[Any]] = {KUBE: kubes, HELM: helms, RELEASE: _RELEASES, NAMESPACE: _NAMESPACES}
    around.update(dict.fromkeys(sorted(apis), (False, True)))
    found += (Parameter(path, tuple(chosen), tuple(chosen)) for path, chosen in around.items())
    return tuple(found)


def questions(described: oracle.Described) -> dict[str, list[Leaf]]:
    """What the templates and the rules of a chart ask about each values path; about an API under its `API` path."""
    found: dict[str, list[Leaf]] = {}
    for condition in _conditions(described):
        for leaf in conditions.leaves(condition):
            paths = [f"{API}{leaf.name}"] if isinstance(leaf, conditions.Api) else conditions.paths(leaf)
            for path in paths:
                known = found.setdefault(path, [])
                if leaf not in known:
                    known.append(leaf)
    return found


def _conditions(described: oracle.Described) -> Iterator[Condition]:
    for manifest in described.manifests:
        for document in manifest.documents:
            yield document.condition
            if document.each is not None:
                yield conditions.Set(document.each.items)
            yield from _of_node(document.tree)
    for rule in described.schema.rules:
        yield rule.condition


def _of_node(node: nodes.Node) -> Iterator[Condition]:
    match node:
        case nodes.When(condition, _, _):
            yield condition
        case nodes.Value(path, _):
            yield conditions.Set(path)
        case nodes.Helper():
            yield node.presence
            yield from map(conditions.Set, presence.reads(node))
        case nodes.EnvMerge(_, layers):
            yield from (conditions.Set(layer) for layer in layers if isinstance(layer, str))
    for part in presence.parts(node):
        yield from _of_node(part)


def values(described: oracle.Described, asked: Mapping[str, object]) -> Iterator[Field]:
    """The values that are parameters: they part the chart's values so that each leaf lies in one, or below it.

    Args:
        described: the chart.
        asked: by the paths that its templates read.
    """
    above = {path[:end] for path in asked for end in range(len(path)) if path[end] == "."}

    def parts(member: Field) -> Iterator[Field]:
        is_read = member.path in asked and member.path not in above
        if is_read or not member.children:
            yield member
            return
        for child in member.children:
            yield from parts(child)

    for name, top in described.schema.fields.items():
        if name not in described.schema.subcharts:
            yield from parts(top)


class _Levels:
    """Finds the levels of a value.

    Args:
        index: the fields of the chart that it belongs to.
        own: its field.
        standing: its default, as templates see it.
    """

    def __init__(self, index: Index, own: Field, standing: Any) -> None:
        self._index = index
        self._field = own
        self._standing = standing
        self._found: list[Any] = [UNSET]
        self._stood: list[Any] = [standing]

    def parameter(self, path: str, asked: Mapping[str, Sequence[Leaf]]) -> Parameter:
        """The parameter, with a level for each branch of its type and for each side of each condition."""
        for level in self._by_type():
            self._add(level)
        for leaf in asked.get(self._field.path, ()):
            for level in self._shared(leaf, asked):
                self._add(level)
            if conditions.paths(leaf) == (self._field.path,) and not self._is_answered(leaf):
                for side in (True, False):
                    self._reach(leaf, side=side)
        return Parameter(path, tuple(self._found), tuple(self._stood))

    def _is_answered(self, leaf: Leaf) -> bool:
        """Whether a switch means something when it is absent, so that nobody can tell if it is there."""
        return isinstance(leaf, conditions.Set) and self._field.unset is not None

    def _by_type(self) -> Iterator[Any]:
        type_, standing = self._field.type, self._standing
        if type_.kind is Kind.BOOLEAN:
            default = self._field.unset if standing is None else standing in (True, "true")
            yield from (True, False) if default is None else (not default,)
            if not type_.strict:
                yield "false" if default else "true"
            return
        if type_.enum:
            yield from type_.enum
        if type_.kind is Kind.INTEGER:
            yield from list(smallest.integers(type_))[-1:]
        elif not type_.enum and smallest.is_empty(standing):
            yield smallest.given(self._field)
        if type_.kind in (Kind.STRING, Kind.INT_OR_STRING, Kind.REFERENCE):
            if isinstance(standing, int):
                yield next(smallest.texts(type_))
            else:
                yield from smallest.union(type_)
        elif type_.kind in (Kind.LIST, Kind.MAP, Kind.OBJECT) and not smallest.is_empty(standing):
            yield smallest.given(self._field)

    def _shared(self, leaf: Leaf, asked: Mapping[str, Sequence[Leaf]]) -> Iterator[Any]:
        """Levels for conditions on two values: a text that both may have, and one that only this one has."""
        type_ = self._field.type
        match leaf:
            case conditions.Same():
                yield from (_SHARED, smallest.own_text(self._field.path))
            case conditions.Has(path, _, key_from) if key_from == self._field.path != path:
                yield from (_SHARED, _ELSEWHERE)
            case conditions.Has(_, _, key_from) if key_from and type_.values is not None:
                yield {_SHARED: smallest.given(type_.values)}

    def _reach(self, leaf: Leaf, *, side: bool) -> None:
        """Add a level on one side of a condition, unless there is one or no value is on it.

        A text that shall not match is one that is there: rules that ask for a form ask whether there is a text as well.
        """
        is_there = isinstance(leaf, conditions.Matches) and not side
        if any(self._holds(leaf, value) is side for value in self._stood if value or not is_there):
            return
        for level in self._candidates(leaf, side=side):
            if self._takes(level) and self._holds(leaf, self._seen(level)) is side:
                self._add(level)
                return

    def _candidates(self, leaf: Leaf, *, side: bool) -> Iterator[Any]:
        type_ = self._field.type
        match leaf:
            case conditions.Equals(_, literal) if side:
                yield literal
            case conditions.Matches(_, pattern) if type_.kind is Kind.INTEGER:
                yield from (int(text) for text in (*patterns.examples(pattern), "0", "2") if text.isdecimal())
            case conditions.Matches(_, pattern) if side:
                yield from smallest.texts(type_, patterns.examples(pattern))
            case conditions.Matches():
                yield from smallest.texts(type_)
            case conditions.Has(_, key, "") if side and type_.kind is Kind.LIST:
                yield [key]
            case conditions.Has(_, key, "") if side:
                yield {key: _SHARED if type_.values is None else smallest.given(type_.values)}
            case conditions.Some(_, condition, _):
                yield from candidates.items(self._field, condition)
            case conditions.Twice(_, member):
                yield from candidates.alike(self._field, member)
            case conditions.Variable(_, name, pattern) if side:
                yield from ([{"name": name, "value": text}] for text in patterns.examples(pattern))
            case conditions.On():
                return
        if side:
            yield smallest.given(self._field)
            return
        yield {Kind.LIST: [], Kind.STRING: "", Kind.INT_OR_STRING: ""}.get(type_.kind)
        yield None

    def _takes(self, level: Any) -> bool:
        """Whether the chart's schema takes a level: null and the empty text stand for no value at all.

        Lists and maps are made of what it takes.
        """
        type_ = self._field.type
        if level is None or isinstance(level, list | Mapping):
            return True
        if level == "" and type_.kind in (Kind.STRING, Kind.INT_OR_STRING, Kind.REFERENCE):
            return not type_.min_length
        return not any(check.mismatches(type_, level))

    def _add(self, level: Any) -> None:
        stood = self._seen(level)
        if not any(type(stood) is type(other) and stood == other for other in self._stood):
            self._found.append(level)
            self._stood.append(stood)

    def _seen(self, level: Any) -> Any:
        """What templates see at a level: a map is laid over the default, null takes it away."""
        if isinstance(level, Mapping) and isinstance(self._standing, Mapping):
            return {**self._standing, **level}
        return level

    def _holds(self, leaf: Leaf, value: Any) -> bool:
        return Evaluator(self._index, Context(smallest.at(tuple(self._field.path.split(".")), value))).holds(leaf)
