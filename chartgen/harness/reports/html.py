"""One page for a browser: what was covered, what was found, and how to see it again.

The page holds everything it needs, so that it can be mailed, kept as an artifact of a CI and opened from disk. Its policy
forbids it to fetch anything. `frames/page.html` says what stands where; what is shown is prepared here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from chartgen import frames
from chartgen.harness import ledger
from chartgen.harness.report import Cell, Failure, Report, Section
from chartgen.harness.reports import grouping, matrix, printable
from chartgen.harness.results import State
from chartgen.harness.share import Share

# A page of more would not open any more; the JSON form has them all.
_MOST_FINDINGS = 300
_MOST_CASES = 12
_NOTHING = "\N{EN DASH}"


def _shown(value: object) -> object:
    """What is put into the page; markup is of its own making."""
    return printable.text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


_ENVIRONMENT = frames.environment("chartgen.harness.reports", autoescape=True, finalize=_shown)


@dataclass(frozen=True)
class Line:
    """A line of a diff, with the kind that gives it its colour."""

    kind: str
    text: str


@dataclass(frozen=True)
class Finding:
    """A finding as the page shows it.

    Attributes:
        first: as its first case has it.
        headline: the first line of what is said.
        said: all of it, when there is more than the headline.
        cases: the first of its cases.
        count: how many cases it is in.
        diff: the diff's lines.
        repeat: the command of chartgen that judges the first case again.
    """

    first: Failure
    headline: str
    said: str
    cases: tuple[str, ...]
    count: int
    diff: tuple[Line, ...]
    repeat: str

    @property
    def rest(self) -> int:
        """How many cases are not named."""
        return self.count - len(self.cases)


@dataclass(frozen=True)
class Square:
    """A cell of a matrix.

    Attributes:
        kind: a state's value, or ``none``.
        shown: the count.
        title: the counts in words.
    """

    kind: str
    shown: str
    title: str


@dataclass(frozen=True)
class Part:
    """A phase of the run and its share of the time."""

    name: str
    seconds: float
    percent: float


def render(report: Report) -> str:
    """See the module."""
    groups = grouping.alike(report.failures)
    checks = matrix.checks(report)
    return _ENVIRONMENT.get_template("page.html").render(
        report=report,
        groups=tuple(report.groups),
        cases=len({failure.case for failure in report.failures}),
        findings=[_finding(group, report) for group in groups[:_MOST_FINDINGS]],
        found=len(groups),
        found_by=list(dict.fromkeys(group.first.check for group in groups)),
        checks=[(row, [_square(row.cells[group]) for group in report.groups]) for row in checks],
        targets=_targets(report),
        sections=report.sections,
        phases=_phases(report),
        skipped=grouping.skipped(report.results),
        ledger=ledger.entries(ledger.of(report)),
        number=number,
        is_share=is_share,
        is_number=is_number,
        has_numbers=has_numbers,
    )


def _finding(group: grouping.Alike, report: Report) -> Finding:
    first = group.first
    headline, _, more = first.message.partition("\n")
    return Finding(
        first=first,
        headline=headline,
        said=first.message if more.strip() else "",
        cases=group.cases[:_MOST_CASES],
        count=len(group.cases),
        diff=tuple(Line(_KINDS.get(line[:1], "same"), line) for line in first.diff.splitlines()),
        repeat=report.command(first.case),
    )


_KINDS = {"+": "added", "-": "removed", "@": "place"}


def _square(tally: matrix.Tally) -> Square:
    """A tally as a cell: what is bad of what was judged, or how many are valid."""
    valid = tally.counts.get(State.VALID, 0)
    told = ", ".join(f"{number(tally.counts[state])} {state.value}" for state in State if tally.counts.get(state))
    if tally.bad:
        return Square(tally.state.value, f"{number(tally.bad)} of {number(tally.bad + valid)}", told)
    if valid:
        return Square(State.VALID.value, number(valid), told)
    return Square(State.SKIPPED.value if tally.total else "none", _NOTHING, told or "no such case")


def _targets(report: Report) -> list[tuple[str, list[Square]]]:
    """A row for each Kubernetes version, a cell for each Helm."""
    tallies = matrix.targets(report)
    rows: dict[str, dict[str, matrix.Tally]] = {}
    for target, tally in tallies.items():
        rows.setdefault(target.kube, {})[target.helm] = tally
    order = [*(kube for kube in report.kubes if kube in rows), *(kube for kube in rows if kube not in report.kubes)]
    empty = matrix.Tally({})
    return [(kube, [_square(rows[kube].get(helm, empty)) for helm in report.helms]) for kube in order]


def _phases(report: Report) -> list[Part]:
    total = sum(report.phases.values()) or 1.0
    return [Part(name, seconds, seconds / total * 100) for name, seconds in report.phases.items()]


def number(value: float) -> str:
    """A number with separators; fractions with one place."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def is_share(cell: Cell) -> bool:
    """Whether a cell has a bar."""
    return isinstance(cell, Share)


def is_number(cell: Cell) -> bool:
    """Whether a cell is set flush right."""
    return isinstance(cell, int | float)


def has_numbers(section: Section, column: int) -> bool:
    """Whether a column is one of numbers, so that its heading is set like them."""
    cells: Sequence[Cell] = [row[column] for row in section.rows]
    return bool(cells) and all(is_number(cell) for cell in cells)
