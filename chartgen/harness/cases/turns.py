"""How conditions can turn out, and what to give for it.

Conditions that read different paths turn out independently of each other. Those that read the same path, or one above or
below it, do not: they are looked at as a group, with all values that may be given to their paths.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from chartgen.harness.cases.assignments import clash
from chartgen.harness.cases.candidates import Candidates
from chartgen.harness.cases.sites import Atom
from chartgen.harness.cases.truths import Pins, Truths

# Atoms that have to be looked at together, in the order of their site.
Together = tuple[Atom, ...]
# What may stand at some paths: any of the values will do.
Options = Mapping[str, tuple[int, ...]]


class Turns:
    """Finds values by truths.

    Args:
        truths: evaluates conditions.
        candidates: values to choose from.
    """

    def __init__(self, truths: Truths, candidates: Candidates) -> None:
        self._truths = truths
        self._candidates = candidates
        self._known: dict[Together, dict[tuple[bool, ...], list[Pins]]] = {}
        self._options: dict[tuple[Together, tuple[bool | None, ...]], Options | None] = {}

    def groups(self, atoms: Sequence[Atom]) -> list[Together]:
        """Atoms by what they have to be looked at together with, in their order."""
        groups: list[tuple[set[str], list[Atom]]] = []
        for atom in atoms:
            paths = set(self._paths(atom))
            joined = [group for group in groups if group[0] & paths]
            first = joined[0] if joined else (set(), [])
            if not joined:
                groups.append(first)
            for other in joined[1:]:
                first[0].update(other[0])
                first[1].extend(other[1])
                groups.remove(other)
            first[0].update(paths)
            first[1].append(atom)
        return [tuple(members) for _, members in groups]

    def all_of(self, group: Together) -> list[tuple[bool, ...]]:
        """Every way in which the atoms of a group can turn out."""
        return list(self._turns(group))

    def options(self, group: Together, wanted: tuple[bool | None, ...]) -> Options | None:
        """What to give so that the atoms turn out as wanted, None standing for either; None when nothing leads there."""
        key = (group, wanted)
        if key not in self._options:
            self._options[key] = self._find(group, wanted)
        return self._options[key]

    def _find(self, group: Together, wanted: tuple[bool | None, ...]) -> Options | None:
        found: list[Pins] = []
        for truths, pins in self._turns(group).items():
            if all(want is None or want is truth for want, truth in zip(wanted, truths, strict=True)):
                found += pins
        if not found:
            return None
        if len(found[0]) > 1:
            return {path: (number,) for path, number in found[0].items()}
        path = next(iter(found[0]))
        return {path: tuple(pins[path] for pins in found if path in pins)}

    def _turns(self, group: Together) -> dict[tuple[bool, ...], list[Pins]]:
        if group not in self._known:
            found: dict[tuple[bool, ...], list[Pins]] = {}
            for pins in self._all_pins(group):
                found.setdefault(tuple(self._truths.of(atom, pins) for atom in group), []).append(pins)
            self._known[group] = found
        return self._known[group]

    def _all_pins(self, group: Together) -> Iterator[Pins]:
        """Everything that may be given to the paths of a group, never to one and to what lies below it."""
        paths = list(dict.fromkeys(path for atom in group for path in self._paths(atom)))
        if len(paths) == 1:
            yield from ({paths[0]: number} for number in self._candidates.at(paths[0]))
            return
        above = [path for path in paths if any(clash(path, other) and other.startswith(path) for other in paths)]
        lowest = [path for path in paths if path not in above]
        for numbers in itertools.product(*map(self._candidates.kinds, lowest)):
            yield dict(zip(lowest, numbers, strict=True))
        for path in above:
            yield from ({path: number} for number in self._candidates.at(path) if number)

    def _paths(self, atom: Atom) -> Iterable[str]:
        """What decides about an atom: its paths, and those below that are given to on their own."""
        for path in atom.paths:
            yield path
            yield from (other for other in self._truths.space.related(path) if other.startswith(f"{path}."))
