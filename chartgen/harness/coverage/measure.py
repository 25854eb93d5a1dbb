"""From the truth of every condition in every case to what was reached: lines, branches, and combinations of conditions.

Cases stand side by side in one long whole number for each condition, a bit for a case, so that a condition made of others is
known for all cases after a few operations on such numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chartgen.harness.coverage.lines import File
from chartgen.harness.coverage.truths import Conditions, Row, Truths
from chartgen.harness.share import Share
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition


@dataclass(frozen=True)
class BranchHits:
    """A line that decides: how many cases asked, and what the answer was."""

    number: int
    taken: int
    passed: int

    @property
    def sides(self) -> Share:
        """How many of its two sides were reached."""
        return Share((self.taken > 0) + (self.passed > 0), 2)


@dataclass(frozen=True)
class FileHits:
    """A template.

    Attributes:
        path: from the chart's folder.
        lines: number of each line that does something -> how many cases reached it.
        branches: see `BranchHits`.
        conditions: how many different conditions its branches ask.
        problem: why nothing is known of it; empty when it is.
    """

    path: str
    lines: Mapping[int, int] = field(default_factory=dict)
    branches: tuple[BranchHits, ...] = ()
    conditions: int = 0
    problem: str = ""

    @property
    def line_share(self) -> Share:
        """Lines reached."""
        return Share(sum(1 for hits in self.lines.values() if hits), len(self.lines))

    @property
    def branch_share(self) -> Share:
        """Sides of branches reached: each branch has two."""
        return Share.total(branch.sides for branch in self.branches)


@dataclass(frozen=True)
class Columns:
    """A chart's cases, turned round.

    Attributes:
        all: a one for each case.
        of: condition -> a one for each case in which it holds.
    """

    all: int
    of: dict[Condition, int]

    def holds(self, condition: Condition) -> int:
        """The cases in which a condition holds."""
        known = self.of.get(condition)
        if known is None:
            known = self.of[condition] = self._made(condition)
        return known

    def _made(self, condition: Condition) -> int:
        match condition:
            case conditions.All(members):
                found = self.all
                for member in members:
                    found &= self.holds(member)
                return found
            case conditions.Any(members):
                found = 0
                for member in members:
                    found |= self.holds(member)
                return found
            case conditions.Not(inner):
                return self.all & ~self.holds(inner)
            case _:
                raise KeyError(f"{condition} was not looked at")


def measure(truths: Truths, rows: Iterable[Row], chart_dir: Path) -> tuple[FileHits, ...]:
    """What was reached of each template.

    Args:
        truths: which conditions there are.
        rows: those of all cases that were rendered.
        chart_dir: the folder of the chart; a template that is not what the trees print is not measured.
    """
    sorted_rows: dict[tuple[int, str], list[int]] = {}
    for row in rows:
        sorted_rows.setdefault((row.chart, row.each), []).append(row.bits)
    found: list[FileHits] = []
    for number, chart in enumerate(truths.charts):
        plain = columns(chart, sorted_rows.get((number, ""), []))
        for file in chart.files:
            items = file.each.items if file.each else ""
            repeated = columns(chart, sorted_rows.get((number, items), [])) if items else plain
            found.append(_file(file, plain, repeated, chart_dir))
    return tuple(found)


def columns(chart: Conditions, rows: Sequence[int]) -> Columns:
    """The rows of a chart as columns."""
    width = len(chart.atoms)
    texts = [format(bits, f"0{width}b")[::-1] if width else "" for bits in rows]
    of: dict[Condition, int] = {}
    for number, atom in enumerate(chart.atoms):
        of[atom] = int("".join(text[number] for text in reversed(texts)) or "0", 2)
    return Columns((1 << len(rows)) - 1, of)


def _file(file: File, plain: Columns, repeated: Columns, chart_dir: Path) -> FileHits:
    path = chart_dir / file.path
    if not path.is_file() or path.read_text(encoding="utf-8") != file.text:
        return FileHits(file.path, problem="not what the trees print")
    hits = {line.number: (repeated if line.repeated else plain).holds(line.reached).bit_count() for line in file.lines}
    branches: list[BranchHits] = []
    for branch in file.branches:
        seen = repeated if branch.repeated else plain
        reached, holds = seen.holds(branch.reached), seen.holds(branch.condition)
        branches.append(BranchHits(branch.number, (reached & holds).bit_count(), (reached & ~holds).bit_count()))
    asked = {leaf for branch in file.branches for leaf in conditions.leaves(branch.condition)}
    return FileHits(file.path, hits, tuple(branches), len(asked))
