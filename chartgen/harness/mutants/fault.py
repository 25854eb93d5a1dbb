"""A kind of mistake that is made in a chart on purpose, and a chart that has one."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chartgen.harness.mutants.source import Edit, Source

Edits = tuple[Edit, ...]


@dataclass(frozen=True)
class Fault:
    """A kind of mistake.

    Attributes:
        name: unique, such as ``guard-removed``.
        means: what is done to the chart, in a sentence.
        concerns: whether it can be made in a file, by its path in the chart's folder.
        plant: every way to make it in a file.
    """

    name: str
    means: str
    concerns: Callable[[str], bool]
    plant: Callable[[Source], Iterable[Edits]]


@dataclass(frozen=True)
class Mutant:
    """A chart that differs from the good one in one place.

    Attributes:
        fault: the name of its kind.
        file: the changed file's path in the chart's folder.
        line: of the first change, from 1.
        before: the lines that are changed, as they were.
        after: the same lines with the fault.
        twin: which of several places that read the same it is, from 0.
        edits: the change.
    """

    fault: str
    file: str
    line: int
    before: str
    after: str
    twin: int
    edits: Edits

    @property
    def name(self) -> str:
        """``guard-removed templates/metrics.yaml:12``."""
        return f"{self.fault} {self.file}:{self.line}"

    @property
    def rank(self) -> str:
        """A number for drawing by lot; a change elsewhere in the chart does not alter it."""
        said = "\0".join((self.fault, self.file, self.before, self.after, str(self.twin)))
        return hashlib.blake2b(said.encode(), digest_size=12).hexdigest()

    @property
    def diff(self) -> str:
        """What is changed, as ``diff -u`` shows it, without lines around it."""
        sides = (self.before.splitlines(), self.after.splitlines())
        _, _, *lines = difflib.unified_diff(*sides, n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith("@@"))
