"""A report as JSON: its keys are an interface."""

from __future__ import annotations

import json

from support import sample_reports

from chartgen.harness.reports import document

KEYS = {
    "version", "passed", "stopped", "chart", "tools", "kubernetes", "helm", "cases", "documents", "seconds", "checks",
    "findings", "skipped", "numbers", "sections",
}  # fmt: skip


def loaded(report):
    """The document, read again."""
    return json.loads(document.render(report))


def test_the_keys_are_these():
    """And the module tells of each; taking one away, or changing what it holds, needs a new version."""
    content = loaded(sample_reports.failing())
    assert set(content) == KEYS
    assert content["version"] == 1
    assert all(f"``{key}``" in (document.__doc__ or "") for key in KEYS)


def test_a_finding_has_what_it_takes_to_see_it_again():
    """Once for all of its cases."""
    [finding] = [each for each in loaded(sample_reports.failing())["findings"] if each["check"] == "oracle"]
    assert finding == {
        "state": "invalid",
        "check": "oracle",
        "subject": "ClusterPolicy/policy",
        "message": "spec.x: helm has 1, the oracle 2",
        "cases": ["array/0007", "array/0008"],
        "command": "helm template array/0007 --set 'a=b'",
        "again": "chartgen validate charts/gpu-operator --kube 1.29 --kube 1.37 --case array/0007",
        "valuesFile": "kept/array/0007.yaml",
        "values": "a: array/0007\n",
        "source": sample_reports.POLICY,
        "diff": sample_reports.DIFF,
    }


def test_the_run_in_numbers():
    """Counts, tables and shares as numbers, not as text."""
    content = loaded(sample_reports.passing())
    assert (content["passed"], content["findings"]) == (True, [])
    assert content["cases"] == {
        "total": 4, "unjudged": 0, "reused": 1, "groups": {"array": 2, "profile": 1, "refusal": 1},
    }  # fmt: skip
    assert content["seconds"] == {"total": 2.5, "phases": {"render": 2.0, "judge": 0.5}}
    assert content["numbers"]["assignments"] == {"reached": 15, "possible": 16}
    assert content["sections"][0]["rows"] == [["a|b.yaml", 7, {"reached": 15, "possible": 16}]]
    assert content["skipped"] == [
        {"check": "expectations", "reason": "no profile", "subjects": [], "cases": 2, "example": "array/0007"}
    ]
    renders = next(check for check in content["checks"] if check["name"] == "renders")
    assert renders["groups"] == {"array": {"valid": 2}, "profile": {"valid": 1}, "refusal": {"valid": 1}}


def test_a_stopped_run_says_so():
    """And what it did not come to."""
    content = loaded(sample_reports.stopped())
    assert (content["passed"], content["stopped"], content["cases"]["unjudged"]) == (False, "interrupted", 1)


def test_odd_text_is_kept():
    """To the letter."""
    assert sample_reports.ODD in [finding["message"] for finding in loaded(sample_reports.failing())["findings"]]
