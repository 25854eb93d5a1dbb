"""Coverage of the templates as LCOV has it: a record for each template, with the cases that reached each line and branch."""

from __future__ import annotations

from collections.abc import Iterator

from chartgen.harness.coverage.measure import FileHits
from chartgen.harness.report import Report


def render(report: Report) -> str:
    """One LCOV tracefile; templates that nothing is known of are left out."""
    lines = [line for file in report.coverage if not file.problem for line in _record(file, report.folder)]
    return "\n".join(["TN:", *lines]) + "\n"


def _record(file: FileHits, folder: str) -> Iterator[str]:
    yield f"SF:{folder}/{file.path}"
    for branch in file.branches:
        asked = branch.taken + branch.passed
        for side, hits in enumerate((branch.taken, branch.passed)):
            yield f"BRDA:{branch.number},0,{side},{hits if asked else '-'}"
    yield f"BRF:{file.branch_share.possible}"
    yield f"BRH:{file.branch_share.reached}"
    for number, hits in file.lines.items():
        yield f"DA:{number},{hits}"
    yield f"LF:{file.line_share.possible}"
    yield f"LH:{file.line_share.reached}"
    yield "end_of_record"
