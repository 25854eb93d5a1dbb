"""Commands for GitHub's runner, which make each finding an annotation of its file, and the page that it shows of a job.

GitHub keeps ten errors of a step, so each finding is told once, with the number of its cases.
"""

from __future__ import annotations

from chartgen.harness.report import Report
from chartgen.harness.reports import grouping, matrix, printable, text
from chartgen.harness.results import State
from chartgen.harness.share import Share

# GitHub refuses a page of more than a megabyte; a person reads less.
_MOST_ON_PAGE = 50
_MOST_OF_MESSAGE = 4000
_MOST_ROWS = 100


def render(report: Report) -> str:
    """A workflow command for each finding, then the run in a line."""
    lines = [_command(group, report) for group in grouping.alike(report.failures)]
    if report.stopped:
        lines.append(f"::error title=stopped::{_data(report.stopped)}")
    return "\n".join([*lines, text.summary(report), "FAILED" if report.exit_code else "passed"]) + "\n"


def _command(group: grouping.Alike, report: Report) -> str:
    first = group.first
    place = first.source_template or report.chart_file
    parts = [f"{group.text}\n\nin {text.told(group.cases)}"]
    parts += [f"$ {first.command}"] if first.command else []
    properties = f"file={_property(place)},title={_property(f'{first.check}: {first.state.value}')}"
    return f"::error {properties}::{_data(chr(10).join(parts))}"


def _data(message: str) -> str:
    """A message on one line; carriage returns are pictures already."""
    return printable.text(message).replace("%", "%25").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def summary(report: Report) -> str:
    """The page of a job, in Markdown."""
    verdict = "❌ failed" if report.exit_code else "✅ passed"
    lines = [f"## chartgen validate: {verdict}", "", f"`{report.chart}`, judged by {', '.join(report.tools)}.", ""]
    lines += [f"{text.summary(report)}.", ""]
    if report.stopped:
        lines += [f"**Stopped**: {_cell(report.stopped)}. {len(report.unjudged)} cases were not judged.", ""]
    lines += _findings(report)
    lines += ["### What was judged", "", *_checks(report)]
    for section in report.sections:
        lines += [f"### {section.title}", "", section.note, ""]
        lines += _table(section.columns, [[_shown(cell) for cell in row] for row in section.rows])
    return printable.text("\n".join(lines))


def _findings(report: Report) -> list[str]:
    groups = grouping.alike(report.failures)
    if not groups:
        return []
    lines = [f"### {len(groups)} findings", ""]
    for group in groups[:_MOST_ON_PAGE]:
        first = group.first
        lines += [f"<details><summary><b>{_html(first.check)}</b> {_html(group.headline)}</summary>", ""]
        lines += [
            f"In {text.told(group.cases)}." + (f" From `{first.source_template}`." if first.source_template else "")
        ]
        for kind, body in (
            ("", first.message),
            ("diff", first.diff),
            ("yaml", first.values_text),
            ("sh", first.command),
        ):
            lines += _fenced(kind, body) if body else []
        lines += ["", "</details>", ""]
    if len(groups) > _MOST_ON_PAGE:
        lines += [f"and {len(groups) - _MOST_ON_PAGE} more.", ""]
    return lines


def _fenced(kind: str, body: str) -> list[str]:
    """A block of code whose fence is longer than any in it."""
    fence = "```"
    while fence in body:
        fence += "`"
    cut = body if len(body) <= _MOST_OF_MESSAGE else f"{body[:_MOST_OF_MESSAGE]}…"
    return ["", f"{fence}{kind}", cut.rstrip("\n"), fence]


def _checks(report: Report) -> list[str]:
    rows = []
    for row in matrix.checks(report):
        cells = []
        for group in report.groups:
            tally = row.cells[group]
            valid, bad = tally.counts.get(State.VALID, 0), tally.bad
            cells.append(f"❌ {bad} of {bad + valid}" if bad else str(valid) if valid else "-")
        rows.append([row.name, *cells])
    return _table(("check", *report.groups), rows)


def _table(columns: tuple[str, ...], rows: list[list[str]]) -> list[str]:
    if not rows:
        return []
    lines = [columns, ["---"] * len(columns), *rows[:_MOST_ROWS]]
    more = [f"and {len(rows) - _MOST_ROWS} more rows.", ""] if len(rows) > _MOST_ROWS else []
    return [*(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines), "", *more]


def _shown(cell: object) -> str:
    if isinstance(cell, Share):
        return str(cell)
    return f"{cell:.1f}" if isinstance(cell, float) else str(cell)


def _cell(value: str) -> str:
    return " ".join(_html(value).replace("|", "\\|").split())


def _html(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
