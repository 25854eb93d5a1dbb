"""Coverage as a table of the report, and as the numbers that the ledger is made of."""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.harness.coverage.measure import FileHits
from chartgen.harness.report import Section
from chartgen.harness.results import Result, State
from chartgen.harness.share import Share

_NOTE = (
    "What the accepted cases reached of each template: lines, and both sides of every branch. It follows from the trees that the "
    "templates are printed from, so it is exact. Files of text (helpers, NOTES.txt, the rules across fields) are not in it."
)


def section(files: Sequence[FileHits]) -> Section:
    """A row for each template."""
    rows = tuple((file.path, file.conditions, file.line_share, file.branch_share, file.problem) for file in files)
    return Section(
        "coverage", "Coverage of the templates", _NOTE, ("template", "conditions", "lines", "branches", "remark"), rows
    )


def shortfalls(files: Sequence[FileHits], percent: int) -> list[Result]:
    """What is reached less than it should be.

    Args:
        files: what is reached.
        percent: the least share of lines, and of sides of branches.
    """
    shares = {"lines": lines(files), "branches": branches(files)}
    return [
        Result(
            "coverage",
            "coverage",
            State.INVALID,
            name,
            f"{share} are reached, which is {share.percent} %; expected at least {percent} %",
        )
        for name, share in shares.items()
        if share.percent < percent
    ]


def lines(files: Sequence[FileHits]) -> Share:
    """The lines of all templates."""
    return Share.total(file.line_share for file in files)


def branches(files: Sequence[FileHits]) -> Share:
    """The sides of branches of all templates."""
    return Share.total(file.branch_share for file in files)
