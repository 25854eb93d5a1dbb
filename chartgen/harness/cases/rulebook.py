"""The rules by which a chart refuses, asked many thousand times: which one an assignment breaks, and what would mend it.

Each rule becomes a few patterns of truths of its conditions, as bits of one number, so that asking costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chartgen.harness import oracle
from chartgen.harness.cases import assignments, sites
from chartgen.harness.cases.candidates import Candidates
from chartgen.harness.cases.sites import SWITCHES, Atom
from chartgen.harness.cases.truths import Pins, Truths
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition, Leaf
from chartgen.schema.model import Severity


@dataclass(frozen=True)
class Breach:
    """A way to break a rule.

    Attributes:
        rule: its name; that of a subchart's opens with the subchart's.
        care: the conditions by which it is broken, as bits.
        wanted: how they turn out then.
    """

    rule: str
    care: int
    wanted: int


def atoms(trees: oracle.Trees) -> tuple[Atom, ...]:
    """Every condition that decides about a refusal."""
    found: dict[Atom, None] = {}
    for chart in trees.charts:
        if chart.name in SWITCHES:
            found[sites.atom(trees.charts[0], conditions.On(SWITCHES[chart.name]))] = None
        for rule in chart.schema.rules:
            if rule.severity is Severity.REFUSE:
                found.update((sites.atom(chart, leaf), None) for leaf in conditions.leaves(rule.condition))
    return tuple(found)


@dataclass(frozen=True)
class _Reading:
    """What decides about rules at a path.

    Attributes:
        alone: conditions that nothing else decides about which can be given at the same time.
        joint: the other conditions that read the path, or one above it.
        care: those, as bits.
        breaches: the breaches that any of the conditions is part of.
    """

    alone: tuple[Atom, ...]
    joint: tuple[Atom, ...]
    care: int
    breaches: tuple[Breach, ...]


class Rulebook:
    """The refusing rules of a chart and its subcharts.

    Args:
        trees: the chart's description.
        truths: evaluates conditions.
    """

    def __init__(self, trees: oracle.Trees, truths: Truths) -> None:
        self._truths = truths
        self._atoms = atoms(trees)
        self._numbers = {atom: number for number, atom in enumerate(self._atoms)}
        self._breaches = tuple(self._all_breaches(trees))
        self._paths: dict[int, tuple[str, ...]] = {}
        self._readings: dict[str, _Reading] = {}
        self._effects: dict[tuple[str, int], tuple[int, int]] = {}
        self.default = self._set(0, self._atoms, {})

    def reads(self, path: str) -> bool:
        """Whether any rule depends on a path, or on one above or below it."""
        return bool(self._reading(path).breaches)

    def bits(self, pins: Pins) -> int:
        """The truths of all conditions."""
        return self.changed(self.default, pins, pins)

    def changed(self, bits: int, pins: Pins, new: Iterable[str]) -> int:
        """The truths after more values were given.

        Args:
            bits: the truths before.
            pins: all values, with the new ones.
            new: where the new ones are.
        """
        for path in new:
            reading = self._reading(path)
            key = (path, pins[path])
            if key not in self._effects:
                self._effects[key] = (self._mask(reading.alone), self._set(0, reading.alone, {path: pins[path]}))
            care, truths = self._effects[key]
            bits = bits & ~care | truths
            if reading.joint:
                bits = self._set(bits & ~reading.care, reading.joint, pins)
        return bits

    def broken(self, bits: int) -> tuple[str, ...]:
        """The names of the rules that are broken."""
        found = (breach.rule for breach in self._breaches if bits & breach.care == breach.wanted)
        return tuple(dict.fromkeys(found))

    def breach(self, bits: int) -> Breach | None:
        """The first way in which a rule is broken."""
        return _first(self._breaches, bits)

    def breach_at(self, bits: int, paths: Iterable[str]) -> Breach | None:
        """The same, where nothing was broken before these paths were given."""
        for path in paths:
            found = _first(self._reading(path).breaches, bits)
            if found:
                return found
        return None

    def paths(self, care: int) -> tuple[str, ...]:
        """What some conditions read, by their bits."""
        if care not in self._paths:
            some = [atom for number, atom in enumerate(self._atoms) if care >> number & 1]
            self._paths[care] = tuple(dict.fromkeys(path for atom in some for path in atom.paths))
        return self._paths[care]

    def _reading(self, path: str) -> _Reading:
        if path not in self._readings:
            found = [atom for atom in self._atoms if any(_near(path, other) for other in atom.paths)]
            alone = tuple(atom for atom in found if _decides(path, atom))
            joint = tuple(atom for atom in found if not _decides(path, atom))
            care = self._mask(found)
            breaches = tuple(breach for breach in self._breaches if breach.care & care)
            self._readings[path] = _Reading(alone, joint, self._mask(joint), breaches)
        return self._readings[path]

    def _mask(self, some: Iterable[Atom]) -> int:
        return sum(1 << self._numbers[atom] for atom in some)

    def _set(self, bits: int, some: Iterable[Atom], pins: Pins) -> int:
        return bits | sum(1 << self._numbers[atom] for atom in some if self._truths.of(atom, pins))

    def _all_breaches(self, trees: oracle.Trees) -> Iterator[Breach]:
        for chart in trees.charts:
            on = [sites.atom(trees.charts[0], conditions.On(SWITCHES[chart.name]))] if chart.name in SWITCHES else []
            for rule in chart.schema.rules:
                if rule.severity is not Severity.REFUSE:
                    continue
                leaves = {leaf: sites.atom(chart, leaf) for leaf in conditions.leaves(rule.condition)}
                always = self._mask(on)
                name = f"{chart.name}/{rule.name}".removeprefix("/")
                for care, wanted in self._ways(rule.condition, leaves):
                    yield Breach(name, care | always, wanted | always)

    def _ways(self, condition: Condition, leaves: Mapping[Leaf, Atom], *, wanted: bool = True) -> list[tuple[int, int]]:
        """The ways in which a condition turns out as wanted."""
        match condition:
            case conditions.Not(inner):
                return self._ways(inner, leaves, wanted=not wanted)
            case conditions.All(members) | conditions.Any(members):
                each = [self._ways(member, leaves, wanted=wanted) for member in members]
                return _together(each) if isinstance(condition, conditions.All) is wanted else _either(each)
            case _:
                bit = self._mask([leaves[condition]])
                return [(bit, bit if wanted else 0)]


def _first(breaches: Iterable[Breach], bits: int) -> Breach | None:
    for breach in breaches:
        if bits & breach.care == breach.wanted:
            return breach
    return None


def _near(path: str, other: str) -> bool:
    return path == other or assignments.clash(path, other)


def _decides(path: str, atom: Atom) -> bool:
    """Whether nothing else that can be given at the same time decides about a condition.

    The switch of a subchart does not count: it is a condition of each of its rules.
    """
    return len(atom.paths) == 1 and f"{atom.paths[0]}.".startswith(f"{path}.")


def _either(each: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    return list(dict.fromkeys(way for ways in each for way in ways))


def _together(each: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    found = [(0, 0)]
    for ways in each:
        found = [
            (care | more, wanted | also)
            for care, wanted in found
            for more, also in ways
            if (wanted ^ also) & care & more == 0
        ]
    return list(dict.fromkeys(found))


class Mender:
    """Finds what to give besides, so that no rule is broken.

    Args:
        rulebook: the rules.
        candidates: values to choose from.
        most: how many attempts; a search that needs more is given up.
    """

    def __init__(self, rulebook: Rulebook, candidates: Candidates, most: int = 20000) -> None:
        self._rulebook = rulebook
        self._candidates = candidates
        self._most = most
        self._attempts = 0
        self.gave_up = 0

    def mend(self, pins: Pins, choices: Mapping[str, tuple[int, ...]]) -> dict[str, int] | None:
        """The same values with what else has to be given, or None if nothing helps.

        Args:
            pins: what is given; fixed, but where there are choices.
            choices: other values that are as good at a path.
        """
        self._attempts = 0
        bits = self._rulebook.bits(pins)
        fixed = frozenset(path for path in pins if len(choices.get(path, ())) < 2)
        found = self._search(dict(pins), bits, choices, fixed)
        self.gave_up += self._attempts > self._most
        return found

    def _search(
        self, pins: dict[str, int], bits: int, choices: Mapping[str, tuple[int, ...]], fixed: frozenset[str]
    ) -> dict[str, int] | None:
        """One of the conditions by which a rule is broken has to turn out otherwise: tries each way to do that."""
        breach = self._rulebook.breach(bits)
        if breach is None:
            return pins
        self._attempts += 1
        if self._attempts > self._most:
            return None
        care = breach.care
        space = self._candidates.space
        for path in self._rulebook.paths(care):
            if path in fixed or any(other in pins for other in space.related(path)):
                continue
            effects: set[int] = set()
            for number in choices.get(path) or self._candidates.at(path):
                more = {**pins, path: number}
                after = self._rulebook.changed(bits, more, [path])
                if (after ^ bits) & care == 0 or after in effects:
                    continue
                effects.add(after)
                found = self._search(more, after, choices, fixed | {path})
                if found is not None:
                    return found
        return None
