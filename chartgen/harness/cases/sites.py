"""What each template file depends on: its sites, and the conditions that decide about them.

A *site* is a place in a file with a guard of its own, and the guards around it are part of it: that of its object, of the
parents that are there only when a member is, of the choices that it stands in. A default that stands in for an absent value
and a choice among the arguments of a helper are such places as well. The *atoms* of a site are the conditions that its guards
are made of; an assignment of truth to all of them decides all that can be decided there.

An atom is known by its chart and its condition, a site by its file and its place, a file by its path in the chart. All of
them come in the order of the trees, so that two runs tell of the same things in the same order.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chartgen.harness import oracle
from chartgen.harness.cases import assignments
from chartgen.harness.oracle import Described
from chartgen.schema import conditions
from chartgen.schema.conditions import ALWAYS, NEVER, Api, Condition, Leaf
from chartgen.tree.nodes import Argument, Document, Each, Helper, Manifest, Node, Value, When
from chartgen.tree.presence import Presences, assume, parts, simplify

# Helm's own switch of a subchart, by the subchart's name: while it is off, none of its files is looked at.
SWITCHES: Mapping[str, str] = {"node-feature-discovery": "nfd.enabled"}


@dataclass(frozen=True)
class Atom:
    """A condition that reads something.

    Attributes:
        chart: name of the subchart whose values it reads; empty for the chart itself.
        condition: the condition, as that chart's templates have it.
        paths: what it reads, as a user of the whole chart writes it, with ``@api:`` for what the cluster serves.
    """

    chart: str
    condition: Leaf
    paths: tuple[str, ...]

    def __post_init__(self) -> None:
        """Atoms are keys of nearly everything here, and hashing a condition each time would be half of the work."""
        object.__setattr__(self, "_hash", zlib.crc32(repr((self.chart, self.condition)).encode()))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined,no-any-return]  # set above; no field, so that it takes no part in ==

    def __str__(self) -> str:
        """For a person: ``Set(driver.version)``."""
        kind = type(self.condition).__name__
        rest = [
            str(value)
            for name, value in vars(self.condition).items()
            if value and name not in ("path", "other", "key_from", "name" if isinstance(self.condition, Api) else "")
        ]
        return f"{kind}({', '.join([*self.paths, *rest])})"


@dataclass(frozen=True)
class Site:
    """A place with a guard of its own.

    Attributes:
        place: the object and the way to the place in it, ``DaemonSet/2: spec.template.spec.containers[0].env``.
        guards: what must hold, from the object's condition to the place's own.
        atoms: what the guards read, in order and once.
        given: truths of further atoms without which the guards are not asked, or not for the values as they stand: Helm takes
            the subchart in; the object is not repeated for each item of a list, whose members would stand in.
    """

    place: str
    guards: tuple[Condition, ...]
    atoms: tuple[Atom, ...]
    given: tuple[tuple[Atom, bool], ...] = ()


@dataclass(frozen=True)
class File:
    """A template file.

    Attributes:
        name: path in the chart: ``templates/policy/clusterpolicy.yaml``.
        chart: name of the subchart that it belongs to; empty for the chart itself.
        atoms: what its sites read, in order and once.
        sites: places that have a guard.
    """

    name: str
    chart: str
    atoms: tuple[Atom, ...]
    sites: tuple[Site, ...]


def find(trees: oracle.Trees) -> tuple[File, ...]:
    """The template files of a chart and of its subcharts, in the order of the trees."""
    found: list[File] = []
    for chart in trees.charts:
        given = _switched_on(trees.charts[0], chart)
        found += [_file(chart, manifest, given) for manifest in chart.manifests]
    return tuple(found)


def widest(sites: Iterable[Site]) -> tuple[Site, ...]:
    """The sites whose atoms are not all among those of another one; the first of several with the same atoms."""
    kept: list[tuple[frozenset[Atom], Site]] = []
    for site in sorted(sites, key=lambda site: -len(site.atoms)):
        atoms = frozenset(site.atoms)
        if not any(atoms <= other and site.given == wider.given for other, wider in kept):
            kept.append((atoms, site))
    return tuple(site for _, site in kept)


def atom(chart: Described, leaf: Leaf) -> Atom:
    """The atom of a condition that a chart's templates or rules have."""
    return _atom(chart.name, leaf, tuple(map(chart.path, conditions.paths(leaf))))


@functools.cache
def _atom(chart: str, leaf: Leaf, paths: tuple[str, ...]) -> Atom:
    """One record for each, so that they are quick to compare."""
    return Atom(chart, leaf, (f"{assignments.API}{leaf.name}",) if isinstance(leaf, Api) else paths)


def _switched_on(root: Described, chart: Described) -> tuple[tuple[Atom, bool], ...]:
    if chart.name not in SWITCHES:
        return ()
    return ((atom(root, conditions.On(SWITCHES[chart.name])), True),)


def _file(chart: Described, manifest: Manifest, given: tuple[tuple[Atom, bool], ...]) -> File:
    folder = f"charts/{chart.name}/templates" if chart.name else "templates"
    found: dict[str, Site] = {}
    objects: dict[str, int] = {}
    for document in manifest.documents:
        kind = str(document.tree.get("kind", "object"))
        objects[kind] = objects.get(kind, 0) + 1
        name = kind if objects[kind] == 1 else f"{kind}/{objects[kind]}"
        for place, guards in _document(document, chart.part.presences):
            leaves = dict.fromkeys(leaf for guard in guards for leaf in conditions.leaves(guard))
            whole = _unused(f"{name}: {place}".removesuffix(": "), found)
            more = given
            if document.each is not None and any(_stood_in_for(leaf, document.each) for leaf in leaves):
                more = (*given, (atom(chart, conditions.Set(document.each.items)), False))
            found[whole] = Site(whole, guards, tuple(atom(chart, leaf) for leaf in leaves), more)
    atoms = dict.fromkeys(atom for site in found.values() for atom in site.atoms)
    return File(f"{folder}/{manifest.file}", chart.name, tuple(atoms), tuple(found.values()))


def _stood_in_for(leaf: Condition, each: Each) -> bool:
    """Whether a condition reads what an item of a repeated object has in its place."""
    return any(f"{path}.".startswith(f"{each.over}.") and path != each.items for path in conditions.paths(leaf))


def _unused(name: str, taken: Mapping[str, Site]) -> str:
    """A name that is not taken: a place may have several guards, one in the other."""
    names = (name if number == 1 else f"{name} ({number})" for number in range(1, len(taken) + 2))
    return next(each for each in names if each not in taken)


_Guarded = tuple[str, tuple[Condition, ...]]


def _document(document: Document, presences: Presences) -> Iterator[_Guarded]:
    outer = () if document.condition == ALWAYS else (document.condition,)
    if outer:
        yield "", outer
    if document.each is not None:
        yield "", (*outer, conditions.Set(document.each.items))
    yield from _Walk(presences).members(document.tree, assume(document.condition, frozenset()), outer, "")


@dataclass(frozen=True)
class _Walk:
    """Goes through a tree as the printer does: what is known to hold is not asked again."""

    presences: Presences

    def members(
        self, node: Node, assumed: frozenset[Condition], guards: tuple[Condition, ...], place: str
    ) -> Iterator[_Guarded]:
        if isinstance(node, Mapping):
            for key, member in node.items():
                yield from self.node(member, assumed, guards, f"{place}.{key}".removeprefix("."))
            return
        several = len(parts(node)) > 1
        for number, part in enumerate(parts(node)):
            yield from self.node(part, assumed, guards, f"{place}[{number}]" if several else place)

    def node(
        self, node: Node, assumed: frozenset[Condition], guards: tuple[Condition, ...], place: str
    ) -> Iterator[_Guarded]:
        own = simplify(self.presences.of(node), assumed)
        if own not in (ALWAYS, NEVER):
            guards = (*guards, own)
            yield place, guards
        inner = assume(own, assumed)
        for condition in _choices(node):
            yield place, (*guards, condition)
        if not isinstance(node, When):
            yield from self.members(node, inner, guards, place)
            return
        condition = simplify(node.condition, inner)
        branches: list[tuple[Condition, Node]] = [] if condition == NEVER else [(condition, node.node)]
        if node.otherwise is not None and condition != ALWAYS:
            branches.append((conditions.negate(condition), node.otherwise))
        if condition not in (ALWAYS, NEVER, own):
            yield place, (*guards, condition)
        for branch, part in branches:
            more = () if branch in (ALWAYS, own) else (branch,)
            yield from self.node(part, assume(branch, inner), (*guards, *more), place)


def _choices(node: Node) -> Iterator[Condition]:
    """What is decided inside an expression: whether a default stands in, and which argument a helper gets."""
    if isinstance(node, Value) and node.default is not None:
        yield conditions.Set(node.path)
    if isinstance(node, Helper):
        for argument in node.arguments:
            members: Iterable[Argument] = argument.values() if isinstance(argument, Mapping) else (argument,)
            for member in members:
                yield from _choices_of_argument(member)


def _choices_of_argument(argument: Argument) -> Iterator[Condition]:
    if isinstance(argument, When):
        yield argument.condition
    elif isinstance(argument, Value) and argument.default is not None:
        yield conditions.Set(argument.path)
