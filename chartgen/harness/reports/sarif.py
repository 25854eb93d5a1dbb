"""SARIF 2.1.0, for code scanning: a rule for each check, a result for each finding.

A finding that could not be judged is a result like any other, so that nobody takes a page without results for a pass; the
run then says too that it was not successful.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from chartgen import __version__
from chartgen.harness.checks import registry
from chartgen.harness.report import Report
from chartgen.harness.reports import grouping, text
from chartgen.harness.results import State

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_NUMBERS = re.compile(r"\d+")
# What the run itself demands, and no check.
_OWN = {
    "run": "Every case has a check that comes to a conclusion about it.",
    "coverage": "Enough lines and branches of the templates are reached.",
}


def render(report: Report) -> str:
    """See the module."""
    groups = grouping.alike(report.failures)
    names = list(
        dict.fromkeys([*(result.check for result in report.results), *(group.first.check for group in groups)])
    )
    content = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "chartgen",
                        "semanticVersion": __version__,
                        "rules": [_rule(name) for name in names],
                    }
                },
                "automationDetails": {"id": "chartgen-validate/"},
                "invocations": [_invocation(report)],
                "columnKind": "unicodeCodePoints",
                "results": [_result(group, names, report) for group in groups],
            }
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _rule(name: str) -> dict[str, Any]:
    demand = registry.demand(name) or _OWN.get(name, name)
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": {"text": demand},
        "fullDescription": {"text": demand},
        "help": {
            "text": f"{demand}\n\nRun this check alone: chartgen validate --check {name}",
            "markdown": f"{demand}\n\nRun this check alone: `chartgen validate --check {name}`",
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["helm", "kubernetes"]},
    }


def _invocation(report: Report) -> dict[str, Any]:
    complete = not report.stopped and all(failure.state is not State.ERROR for failure in report.failures)
    told: dict[str, Any] = {"executionSuccessful": complete, "exitCode": report.exit_code}
    if report.stopped:
        told["toolExecutionNotifications"] = [{"level": "error", "message": {"text": f"stopped: {report.stopped}"}}]
    return told


def _result(group: grouping.Alike, rules: list[str], report: Report) -> dict[str, Any]:
    first = group.first
    uri = _uri(first.source_template or report.chart_file)
    command = f"\n\n$ {first.command}" if first.command else ""
    result: dict[str, Any] = {
        "ruleId": first.check,
        "ruleIndex": rules.index(first.check),
        "level": "error",
        "message": {"text": f"{group.text}\n\nIn {text.told(group.cases)}.{command}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}}],
        "partialFingerprints": {"finding/v1": _fingerprint(group)},
        "occurrenceCount": len(group.cases),
        "properties": {"state": first.state.value, "cases": list(group.cases)},
    }
    if first.subject:
        result["locations"][0]["logicalLocations"] = [{"fullyQualifiedName": first.subject, "kind": "object"}]
    return result


def _uri(path: str) -> str:
    """Relative paths as they are, which a code host takes from the repository's root."""
    return Path(path).as_uri() if Path(path).is_absolute() else quote(path)


def _fingerprint(group: grouping.Alike) -> str:
    """The same for the same finding in every run; numbers in messages may change, and so may the cases."""
    first = group.first
    words = _NUMBERS.sub("#", first.message.partition("\n")[0])
    return hashlib.sha256("\0".join([first.check, first.subject, words]).encode()).hexdigest()[:32]
