"""JUnit's XML, which every CI shows: a suite for each group of cases, a test for each case.

A test is a case and not a check of a case, since a CI lists tests: a run has thousands of cases, and twenty times as many
results. A case has at most one failure, because most CIs show only the first; it holds all that was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from chartgen.harness.report import Failure, Report
from chartgen.harness.reports import printable
from chartgen.harness.results import State

# Attribute of a suite -> the element that it counts.
_COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}


def render(report: Report) -> str:
    """See the module."""
    failures: dict[str, list[Failure]] = {}
    for failure in report.failures:
        failures.setdefault(failure.case, []).append(failure)
    root = ElementTree.Element("testsuites", name=printable.text(f"chartgen validate: {report.chart}"))
    root.set("time", f"{report.seconds:.3f}")
    unjudged = dict.fromkeys(report.unjudged, report.stopped)
    for group in report.groups:
        suite = ElementTree.SubElement(root, "testsuite", name=group)
        for case in report.cases:
            if case.partition("/")[0] == group:
                _test(suite, case, failures.get(case, []), unjudged.get(case, ""))
        _count(suite)
    _whole(root, report, [name for name in failures if name not in set(report.cases)], failures)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _test(suite: ElementTree.Element, case: str, failures: Sequence[Failure], unjudged: str) -> None:
    test = ElementTree.SubElement(suite, "testcase", classname=suite.get("name", ""), name=printable.text(case))
    if unjudged:
        ElementTree.SubElement(test, "skipped", message=printable.text(f"not judged: {unjudged}"))
    if not failures:
        return
    kind = "failure" if any(failure.state is State.INVALID for failure in failures) else "error"
    first = _told(failures[0]).splitlines()[0]
    more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
    names = ", ".join(dict.fromkeys(failure.check for failure in failures))
    told = ElementTree.SubElement(test, kind, type=printable.text(names), message=printable.text(first + more))
    told.text = printable.text(_body(failures))


def _body(failures: Sequence[Failure]) -> str:
    """All findings of a case, then what shows them again."""
    lines: list[str] = []
    for failure in failures:
        lines += [_told(failure), *([f"from {failure.source_template}"] if failure.source_template else [])]
        lines += [failure.diff] if failure.diff else []
    last = failures[0]
    if last.values_text:
        lines += ["", f"values ({last.values_file or 'not kept'}):", last.values_text.rstrip("\n")]
    if last.command:
        lines += ["", f"$ {last.command}"]
    return "\n".join(lines)


def _told(failure: Failure) -> str:
    subject = f"{failure.subject}: " if failure.subject else ""
    return f"{failure.check}: {subject}{failure.message}"


def _whole(
    root: ElementTree.Element, report: Report, names: Sequence[str], failures: Mapping[str, Sequence[Failure]]
) -> None:
    """What is said of the run as a whole; a CI that reads only this file must see it."""
    incomplete = report.stopped or ("" if report.cases else "there were no cases")
    if not incomplete and not names:
        return
    suite = ElementTree.SubElement(root, "testsuite", name="run")
    for name in names:
        _test(suite, name, failures[name], "")
    if incomplete:
        test = ElementTree.SubElement(suite, "testcase", classname="run", name="every case was judged")
        ElementTree.SubElement(test, "error", type="run", message=printable.text(incomplete))
    _count(suite)


def _count(suite: ElementTree.Element) -> None:
    for name, tag in _COUNTED.items():
        suite.set(name, str(len(suite.findall(f".//{tag}"))))
