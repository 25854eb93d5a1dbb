"""Plain lines for a terminal or a log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chartgen.harness.report import Failure, Report
from chartgen.harness.reports import grouping
from chartgen.harness.results import Result, State

_SHOWN_CASES = 3


def render(report: Report) -> str:
    """Each finding once with the cases it is in and a command that shows it, then what was skipped, then the counts."""
    lines = [f"chart: {report.chart}", f"judged by: {', '.join(report.tools)}", ""]
    shown = ""
    for group in grouping.alike(report.failures):
        first = group[0]
        lines += [f"{first.state.value.upper()}  {first.check}  {_said(first)}", f"    in {_in(group)}"]
        if first.command not in ("", shown, *grouping.commands(first.message)):
            lines.append(f"    $ {first.command}")
            shown = first.command
        lines.append("")
    skipped = grouping.alike([result for result in report.results if result.state is State.SKIPPED])
    lines += [f"skipped  {group[0].check}  {_said(group[0])} ({_in(group)})" for group in skipped]
    if report.stopped:
        lines.append(f"stopped: {report.stopped}")
    lines += [_summary(report), "FAILED" if report.exit_code else "passed"]
    return "\n".join(lines) + "\n"


def _summary(report: Report) -> str:
    states = Counter(result.state for result in report.results)
    told = ", ".join(f"{states[state]} {state.value}" for state in State)
    repeated = f"{report.documents} documents, {report.distinct} distinct"
    return f"{len(report.cases)} cases, {repeated}; results: {told}; {report.seconds:.1f} s"


def _said(result: Result | Failure) -> str:
    return f"{result.subject}: {result.message}" if result.subject else result.message


def _in(group: Sequence[Result | Failure]) -> str:
    names = list(dict.fromkeys(result.case for result in group))
    rest = len(names) - _SHOWN_CASES
    return ", ".join(names[:_SHOWN_CASES]) + (f" and {rest} more" if rest > 0 else "")
