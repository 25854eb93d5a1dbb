"""Requirements put side by side: as few assignments as possible that honour all of them.

A requirement says what may stand at some paths. Two of them share a row when they agree where both say something, when none
gives a value to what the other has as a parent, and when the rules of the chart take them together. Each goes into the first
row that has room, so the result is the same on every run. Rows are bits of one number: which of them have a value at a path,
and which have this one, so that the rows with room are found at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chartgen.harness.case import Case, Group
from chartgen.harness.cases import assignments
from chartgen.harness.cases.rulebook import Rulebook
from chartgen.harness.cases.truths import LEFT_OUT, Pins, Space


@dataclass(frozen=True)
class Requirement:
    """What a row has to say.

    Attributes:
        options: the values, by number, that may stand at a path; any of them will do.
        mended: values of these and of further paths with which the rules are kept; for a row of its own.
    """

    options: Mapping[str, tuple[int, ...]]
    mended: Pins = field(default_factory=dict)


@dataclass
class Row:
    """An assignment that is being made.

    Attributes:
        pins: the values so far.
        bits: the truths of the rules' conditions with them.
    """

    pins: dict[str, int]
    bits: int


class Packer:
    """Puts requirements into rows.

    Args:
        space: what values are numbers in.
        rulebook: the rules that each row keeps.
        base: what every row has.
        apart: paths that never have the same value in a row: names of objects, of which there would be two.
    """

    def __init__(
        self, space: Space, rulebook: Rulebook, base: Pins | None = None, apart: frozenset[str] = frozenset()
    ) -> None:
        self.rows: list[Row] = []
        self._space = space
        self._rulebook = rulebook
        self._apart = sorted(apart)
        self.base = dict(base or {})
        self._base_bits = rulebook.bits(self.base)
        self._given: dict[str, int] = {}
        self._holding: dict[tuple[str, int], int] = {}
        # Rows in which the rules did not take some values. A row may take them once it has more, but trying again costs too much.
        self._refused: dict[tuple[tuple[str, tuple[int, ...]], ...], int] = {}

    def place(self, requirement: Requirement) -> int | None:
        """The number of the row that honours a requirement from now on, or None when none can."""
        room = self._room(requirement.options)
        if room:
            exact = room
            for path in requirement.options:
                exact &= self._given.get(path, 0)
            if exact:
                return _lowest(exact)
        ruled = tuple(pin for pin in requirement.options.items() if self._rulebook.reads(pin[0]))
        refused = self._refused.get(ruled, 0)
        room &= ~refused
        while room:
            number = _lowest(room)
            if self._added(number, requirement.options, dict(ruled)):
                return number
            refused |= 1 << number
            self._refused[ruled] = refused
            room &= room - 1
        return self._opened(requirement)

    def _room(self, options: Mapping[str, tuple[int, ...]]) -> int:
        """The rows that do not disagree."""
        room = (1 << len(self.rows)) - 1
        for path, numbers in options.items():
            fits = ~self._given.get(path, 0)
            for number in numbers:
                fits |= self._holding.get((path, number), 0)
            room &= fits
            for other in self._space.related(path):
                room &= ~self._given.get(other, 0)
            if path in self._apart and numbers != (LEFT_OUT,):
                room &= ~self._named_alike(path, numbers)
            if not room:
                break
        return room

    def _named_alike(self, path: str, numbers: tuple[int, ...]) -> int:
        """The rows that have one of the values at another path of those that are kept apart."""
        found = 0
        for number in numbers:
            value = self._space.value(path, number)
            for other in self._apart:
                if other != path:
                    found |= self._holding.get((other, self._space.number(other, value)), 0)
        return found

    def _added(self, number: int, options: Mapping[str, tuple[int, ...]], ruled: Iterable[str]) -> bool:
        """Whether a row could take the values in without breaking a rule; it has them then."""
        row = self.rows[number]
        new = {path: numbers[number % len(numbers)] for path, numbers in options.items() if path not in row.pins}
        bits = row.bits
        matters = [path for path in ruled if path in new]
        if matters:
            bits = self._rulebook.changed(bits, {**row.pins, **new}, matters)
            if bits != row.bits and self._rulebook.breach_at(bits, matters):
                return False
        self._set(number, new, bits)
        return True

    def _opened(self, requirement: Requirement) -> int | None:
        """A new row, if the rules take one."""
        options = requirement.options
        if any(path in self.base and self.base[path] not in numbers for path, numbers in options.items()):
            return None
        if any(other in self.base for path in options for other in self._space.related(path)):
            return None
        values = {**{path: numbers[0] for path, numbers in options.items()}, **self.base}
        if self._rulebook.breach(self._rulebook.bits(values)):
            values |= requirement.mended
            if not requirement.mended or self._rulebook.breach(self._rulebook.bits(values)):
                return None
        number = len(self.rows)
        self.rows.append(Row({}, self._base_bits))
        self._set(number, values, self._rulebook.bits(values))
        return number

    def _set(self, number: int, new: Pins, bits: int) -> None:
        row = self.rows[number]
        row.pins.update(new)
        row.bits = bits
        bit = 1 << number
        for path, value in new.items():
            self._given[path] = self._given.get(path, 0) | bit
            self._holding[path, value] = self._holding.get((path, value), 0) | bit


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def cases(
    rows: Sequence[Pins], space: Space, name: str, group: Group, helms: Sequence[str], kubes: Sequence[str]
) -> Iterator[Case]:
    """A case for each row: ``file/0007``.

    Args:
        rows: the assignments.
        space: what their values are numbers in.
        name: what the names open with.
        group: of the cases.
        helms: Helm versions, which alternate.
        kubes: Kubernetes minor versions, which rotate.
    """
    for number, pins in enumerate(rows):
        assignment = space.assignment(pins)
        yield Case(
            name=f"{name}/{number:04}",
            group=group,
            helm=helms[number % len(helms)],
            kube=kubes[number // len(helms) % len(kubes)],
            values=assignments.nest(assignment),
            api_versions=assignments.apis(assignment),
        )
