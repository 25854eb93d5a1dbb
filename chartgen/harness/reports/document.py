"""A JSON document, for programs.

Its keys are stable: within a `VERSION` keys are only added, and none changes its meaning.

======================  ==========================================================================================
``version``             of this form, a number.
``passed``              whether the exit code is 0.
``stopped``             why not all cases were judged, or "".
``chart``, ``tools``    what was judged, and the programs that judged.
``kubernetes``          minor versions that were judged for.
``helm``                versions that rendered.
``cases``               ``total``, ``unjudged``, ``reused`` from an earlier run, ``groups``: how many each group has.
``documents``           ``total`` and ``distinct``.
``seconds``             ``total`` of wall time, and ``phases``.
``checks``              a list: ``name``, ``demands``, and how many results of each state it gave in each group.
``findings``            a list: ``state``, ``check``, ``subject``, ``message``, the ``cases`` that it is in, and of the first
                        of them helm's ``command``, chartgen's ``again``, ``valuesFile``, ``values`` (YAML), ``source``
                        (the file) and ``diff``.
``skipped``             a list: ``check``, ``reason``, the ``subjects`` it is about, ``cases``: how many, ``example``: one of
                        them.
``numbers``             what was covered; each a number, or ``reached`` and ``possible``.
``sections``            tables: ``key``, ``title``, ``note``, ``columns``, ``rows``.
======================  ==========================================================================================
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from chartgen.harness.report import Cell, Report, Section
from chartgen.harness.reports import grouping, matrix
from chartgen.harness.share import Share

VERSION = 1


def render(report: Report) -> str:
    """See the module."""
    content = {
        "version": VERSION,
        "passed": report.exit_code == 0,
        "stopped": report.stopped,
        "chart": report.chart,
        "tools": list(report.tools),
        "kubernetes": list(report.kubes),
        "helm": list(report.helms),
        "cases": {
            "total": len(report.cases),
            "unjudged": len(report.unjudged),
            "reused": report.reused,
            "groups": dict(report.groups),
        },
        "documents": {"total": report.documents, "distinct": report.distinct},
        "seconds": {"total": round(report.seconds, 3), "phases": _rounded(report)},
        "checks": [_check(row) for row in matrix.checks(report)],
        "findings": [_finding(group, report) for group in grouping.alike(report.failures)],
        "skipped": [_skipped(skip) for skip in grouping.skipped(report.results)],
        "numbers": {
            field.name: _cell(getattr(report.numbers, field.name)) for field in dataclasses.fields(report.numbers)
        },
        "sections": [_section(section) for section in report.sections],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _rounded(report: Report) -> dict[str, float]:
    return {phase: round(seconds, 3) for phase, seconds in report.phases.items()}


def _check(row: matrix.Row) -> dict[str, Any]:
    groups = {
        group: {state.value: count for state, count in tally.counts.items()} for group, tally in row.cells.items()
    }
    return {"name": row.name, "demands": row.demand, "groups": groups}


def _finding(group: grouping.Alike, report: Report) -> dict[str, Any]:
    first = group.first
    return {
        "state": first.state.value,
        "check": first.check,
        "subject": first.subject,
        "message": first.message,
        "cases": list(group.cases),
        "command": first.command,
        "again": report.command(first.case),
        "valuesFile": first.values_file,
        "values": first.values_text,
        "source": first.source_template,
        "diff": first.diff,
    }


def _skipped(skip: grouping.Skip) -> dict[str, Any]:
    return {
        "check": skip.check,
        "reason": skip.reason,
        "subjects": list(skip.subjects),
        "cases": len(skip.cases),
        "example": skip.cases[0],
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "key": section.key,
        "title": section.title,
        "note": section.note,
        "columns": list(section.columns),
        "rows": [[_cell(cell) for cell in row] for row in section.rows],
    }


def _cell(cell: Cell) -> Any:
    return {"reached": cell.reached, "possible": cell.possible} if isinstance(cell, Share) else cell
