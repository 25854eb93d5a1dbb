"""The assignments of a file's sites, sorted into those that are possible and those that are not, and why."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chartgen.harness.cases import sites
from chartgen.harness.cases.packing import Requirement
from chartgen.harness.cases.rulebook import Mender, Rulebook
from chartgen.harness.cases.sites import Atom, File, Site
from chartgen.harness.cases.truths import Pins, Truths
from chartgen.harness.cases.turns import Options, Together, Turns
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition, Leaf

# Truths of atoms, in the order of the site.
Vector = tuple[tuple[Atom, bool], ...]


@dataclass(frozen=True)
class FileNumbers:
    """What came of a file.

    Attributes:
        file: see `File.name`.
        conditions: how many atoms it has.
        sites: sites whose atoms are not all among those of another one.
        by_decision: how many of them were enumerated by decision.
        by_logic: assignments that no value leads to.
        by_rule: assignments that the chart refuses, by the name of the rule.
        possible: all others.
        covered: those of them that a case has.
    """

    file: str
    conditions: int
    sites: int
    by_decision: int
    by_logic: int
    by_rule: Mapping[str, int]
    possible: int
    covered: int

    @property
    def assignments(self) -> int:
        """All that there are: of sites that are enumerated in full each combination, of the others each decision."""
        return self.by_logic + sum(self.by_rule.values()) + self.possible


@dataclass
class Plan:
    """A file with its assignments.

    Attributes:
        file: the file.
        sites: how many there are that are not part of another.
        by_decision: how many of these were enumerated by decision.
        by_logic: assignments that no value leads to.
        by_rule: assignments that the chart refuses, by the name of the rule.
        possible: what is to be covered, by the site's place.
    """

    file: File
    sites: int = 0
    by_decision: int = 0
    by_logic: int = 0
    by_rule: Counter[str] = field(default_factory=Counter)
    possible: list[tuple[str, Vector]] = field(default_factory=list)

    def uncovered(self, seen: Seen) -> list[str]:
        """The possible assignments that no case has."""
        missing = [(place, vector) for place, vector in self.possible if not seen.has(vector)]
        return [f"{self.file.name}: {place}: {told(vector)}" for place, vector in missing]

    def numbers(self, uncovered: int) -> FileNumbers:
        """What came of the file, when so many possible assignments are in no case."""
        return FileNumbers(
            file=self.file.name,
            conditions=len(self.file.atoms),
            sites=self.sites,
            by_decision=self.by_decision,
            by_logic=self.by_logic,
            by_rule=dict(sorted(self.by_rule.items())),
            possible=len(self.possible),
            covered=len(self.possible) - uncovered,
        )


class Planner:
    """Enumerates.

    Args:
        turns: how conditions can turn out.
        rules: the rules of the chart.
        mender: finds what has to be given besides.
        limit: sites with more assignments are enumerated by decision; none is when None.
    """

    def __init__(self, turns: Turns, rules: Rulebook, mender: Mender, limit: int | None) -> None:
        self._turns = turns
        self._rules = rules
        self._mender = mender
        self._limit = limit
        self._ruled: dict[tuple[tuple[str, tuple[int, ...]], ...], tuple[str, Pins]] = {}
        self._wanted: dict[Vector, Requirement] = {}
        self._choices: dict[Vector, _Choice] = {}

    @property
    def requirements(self) -> list[Requirement]:
        """What the planned files want, once each."""
        return list(self._wanted.values())

    def plan(self, file: File) -> Plan:
        """The assignments of a file."""
        plan = Plan(file)
        for site in sites.widest(file.sites):
            plan.sites += 1
            if self._limit is None or 2 ** len(site.atoms) <= self._limit:
                self._in_full(site, plan)
            else:
                plan.by_decision += 1
                self._by_decision(site, plan)
        return plan

    def _in_full(self, site: Site, plan: Plan) -> None:
        given = dict(site.given)
        choices: list[list[_Choice]] = []
        for group in self._turns.groups(tuple(dict.fromkeys((*given, *site.atoms)))):
            turns = [tuple(zip(group, turn, strict=True)) for turn in self._turns.all_of(group)]
            allowed = [turn for turn in turns if all(given.get(atom, truth) is truth for atom, truth in turn)]
            choices.append([self._choice(turn, group) for turn in allowed])
        reached = 0
        for chosen in itertools.product(*choices):
            reached += 1
            self._sort(site, chosen, plan)
        plan.by_logic += 2 ** len(site.atoms) - reached

    def _by_decision(self, site: Site, plan: Plan) -> None:
        by_leaf = {atom.condition: atom for atom in site.atoms}
        for decided in decisions(site.guards):
            truths = dict(site.given) | {by_leaf[leaf]: truth for leaf, truth in decided.items()}
            groups = self._turns.groups(tuple(truths))
            chosen = [self._choice(tuple((atom, truths[atom]) for atom in group), group) for group in groups]
            if all(choice.options for choice in chosen):
                self._sort(site, chosen, plan)
            else:
                plan.by_logic += 1

    def _choice(self, truths: Vector, group: Together) -> _Choice:
        if truths not in self._choices:
            options = self._turns.options(group, tuple(truth for _, truth in truths)) or {}
            ruled = tuple((path, numbers) for path, numbers in options.items() if self._rules.reads(path))
            self._choices[truths] = _Choice(truths, options, ruled)
        return self._choices[truths]

    def _sort(self, site: Site, chosen: Iterable[_Choice], plan: Plan) -> None:
        """Counts an assignment where it belongs, and notes what a case needs for it."""
        vector = tuple(pair for choice in chosen for pair in choice.truths)
        if vector not in self._wanted:
            rule, mended = self._ruling(tuple(pin for choice in chosen for pin in choice.ruled))
            if rule:
                plan.by_rule[rule] += 1
                return
            options = {path: numbers for choice in chosen for path, numbers in choice.options.items()}
            self._wanted[vector] = Requirement(options, mended)
        plan.possible.append((site.place, vector))

    def _ruling(self, key: tuple[tuple[str, tuple[int, ...]], ...]) -> tuple[str, Pins]:
        """The rule that refuses these values whatever else is given, or what has to be given besides."""
        if key not in self._ruled:
            pins = {path: numbers[0] for path, numbers in key}
            breach = self._rules.breach(self._rules.bits(pins))
            mended = self._mender.mend(pins, dict(key)) if breach else {}
            self._ruled[key] = (breach.rule, {}) if breach and mended is None else ("", mended or {})
        return self._ruled[key]


@dataclass(frozen=True)
class _Choice:
    """A way in which some atoms turn out.

    Attributes:
        truths: the atoms with their truths.
        options: what may be given for it; nothing when no value leads there.
        ruled: those of the options that a rule reads.
    """

    truths: Vector
    options: Options
    ruled: tuple[tuple[str, tuple[int, ...]], ...]


def told(vector: Vector) -> str:
    """For a person."""
    return ", ".join(f"{'' if truth else 'not '}{atom}" for atom, truth in vector)


def decisions(guards: Sequence[Condition]) -> Iterator[dict[Leaf, bool]]:
    """The ways in which guards are read, one in the other: an inner one only while the outer one holds."""
    open_: list[dict[Leaf, bool]] = [{}]
    for guard in guards:
        ways = [way for known in open_ for way in _ways(guard, known)]
        yield from (known for truth, known in ways if not truth)
        open_ = [known for truth, known in ways if truth]
    yield from open_


def _ways(condition: Condition, known: dict[Leaf, bool]) -> list[tuple[bool, dict[Leaf, bool]]]:
    """How a condition is read from left to right, up to where it is decided: the outcome, and what was asked."""
    match condition:
        case conditions.Not(inner):
            return [(not truth, after) for truth, after in _ways(inner, known)]
        case conditions.All(members) | conditions.Any(members):
            decides = isinstance(condition, conditions.Any)
            done: list[tuple[bool, dict[Leaf, bool]]] = []
            still = [known]
            for member in members:
                ways = [way for each in still for way in _ways(member, each)]
                done += [way for way in ways if way[0] is decides]
                still = [after for truth, after in ways if truth is not decides]
            return [*done, *((not decides, after) for after in still)]
        case _:
            if condition in known:
                return [(known[condition], known)]
            return [(truth, {**known, condition: truth}) for truth in (True, False)]


class Seen:
    """Which truths the rows have, evaluated for each.

    Args:
        truths: evaluates conditions.
        rows: what is given in each.
    """

    def __init__(self, truths: Truths, rows: Sequence[Pins]) -> None:
        self._truths = truths
        self._rows = rows
        self._all = (1 << len(rows)) - 1
        self._holding: dict[tuple[str, int], int] = {}
        self._given: dict[str, int] = {}
        self._bits: dict[Atom, int] = {}
        for number, pins in enumerate(rows):
            bit = 1 << number
            for pin in pins.items():
                self._holding[pin] = self._holding.get(pin, 0) | bit
                self._given[pin[0]] = self._given.get(pin[0], 0) | bit

    def has(self, vector: Iterable[tuple[Atom, bool]]) -> bool:
        """Whether a row has all of these truths."""
        found = self._all
        for atom, truth in vector:
            bits = self._of(atom)
            found &= bits if truth else ~bits
            if not found:
                return False
        return bool(found)

    def _of(self, atom: Atom) -> int:
        """The rows in which an atom holds."""
        if atom not in self._bits:
            self._bits[atom] = self._by_value(atom) if self._is_simple(atom) else self._by_row(atom)
        return self._bits[atom]

    def _is_simple(self, atom: Atom) -> bool:
        """Whether one path alone decides, in all rows. Where Helm takes a subchart in at all, its switch does not matter."""
        near = self._truths.space.related(atom.paths[0])
        return len(atom.paths) == 1 and not any(self._given.get(path) for path in near)

    def _by_value(self, atom: Atom) -> int:
        path = atom.paths[0]
        found = self._all & ~self._given.get(path, 0) if self._truths.of(atom, {}) else 0
        for number in range(self._truths.space.count(path)):
            rows = self._holding.get((path, number), 0)
            if rows and self._truths.of(atom, {path: number}):
                found |= rows
        return found

    def _by_row(self, atom: Atom) -> int:
        return sum(1 << number for number, pins in enumerate(self._rows) if self._truths.of(atom, pins))
