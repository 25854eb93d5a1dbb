"""Plain lines for a terminal or a log."""

from __future__ import annotations

from collections import Counter

from chartgen.harness.report import Report
from chartgen.harness.reports import grouping, printable
from chartgen.harness.results import State

_SHOWN = 3


def render(report: Report) -> str:
    """Each finding once with the cases it is in and a command that shows it, then what was skipped, then the counts."""
    lines = [f"chart: {report.chart}", f"judged by: {', '.join(report.tools)}", ""]
    shown = ""
    for group in grouping.alike(report.failures):
        first = group.first
        lines += [f"{first.state.value.upper()}  {first.check}  {group.text}", f"    in {told(group.cases)}"]
        if first.source_template:
            lines.append(f"    from {first.source_template}")
        if first.command not in ("", shown, *grouping.commands(first.message)):
            lines += [f"    $ {first.command}", f"    $ {report.command(first.case)}"]
            shown = first.command
        lines.append("")
    lines += [_skip(skip) for skip in grouping.skipped(report.results)]
    if report.stopped:
        lines.append(f"stopped: {report.stopped}; not judged: {told(report.unjudged) or 'none'}")
    lines += [summary(report), "FAILED" if report.exit_code else "passed"]
    return printable.text("\n".join(lines) + "\n")


def _skip(skip: grouping.Skip) -> str:
    about = f"of {told(skip.subjects)}, " if skip.subjects else ""
    return f"skipped  {skip.check}  {skip.reason} ({about}in {told(skip.cases)})"


def summary(report: Report) -> str:
    """The run in one line of counts."""
    states = Counter(result.state for result in report.results)
    results = ", ".join(f"{states[state]} {state.value}" for state in State)
    repeated = f"{report.documents} documents, {report.distinct} distinct"
    return f"{len(report.cases)} cases, {repeated}; results: {results}; {report.seconds:.1f} s"


def told(names: tuple[str, ...]) -> str:
    """The first by name, the others as a number."""
    rest = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
