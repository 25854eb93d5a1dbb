"""A report as JUnit's XML."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support import sample_reports

from chartgen import yamlio
from chartgen.harness.reports import junit

FORMAT = yamlio.load((Path(__file__).resolve().parents[2] / "data" / "junit.yaml").read_text(encoding="utf-8"))
_TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")
REPORTS = {"passing": sample_reports.passing, "failing": sample_reports.failing, "stopped": sample_reports.stopped}


def parsed(report):
    """The root element."""
    return ElementTree.fromstring(junit.render(report).encode())


def problems(element: ElementTree.Element):
    """Where an element and all below it are not what the format allows."""
    allowed = FORMAT[element.tag]
    yield from (f"{element.tag} has {name}" for name in set(element.attrib) - set(allowed["attributes"]))
    yield from (f"{element.tag} lacks {name}" for name in set(allowed["required"]) - set(element.attrib))
    if (element.text or "").strip() and not allowed.get("text"):
        yield f"{element.tag} holds text"
    if not _TIME.fullmatch(element.get("time", "")):
        yield f"{element.tag} has the time {element.get('time')}"
    for child in element:
        if child.tag not in allowed["children"]:
            yield f"{element.tag} holds {child.tag}"
        else:
            yield from problems(child)


@pytest.mark.parametrize("name", REPORTS)
def test_the_format_is_kept(name):
    """Elements, attributes, and where text may stand; the counts are those of what follows."""
    root = parsed(REPORTS[name]())
    assert list(problems(root)) == []
    for suite in [root, *root]:
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert int(suite.get(attribute, "")) == len(suite.findall(f".//{tag}")), (suite.attrib, attribute)


def test_what_breaks_the_format_is_found():
    """By the test above."""
    root = ElementTree.fromstring("<testsuites count='1'>x<testsuite time='now'><case/></testsuite></testsuites>")
    assert len(list(problems(root))) == 2 + 4 + 1 + 1


def test_a_case_is_a_test_of_its_group():
    """Whatever checks say of it."""
    suites = {suite.get("name"): [test.get("name") for test in suite] for suite in parsed(sample_reports.failing())}
    assert suites == {
        "array": ["array/0007", "array/0008"],
        "profile": ["profile/k3s/helm4/kube1.37"],
        "refusal": ["refusal/0001"],
    }


def test_a_case_fails_once_with_all_that_was_found():
    """And the values and the command."""
    failing = parsed(sample_reports.failing())
    [failure] = failing.find(".//testcase[@name='array/0008']")
    assert (failure.tag, failure.get("type")) == ("failure", "nulls, oracle")
    assert failure.get("message", "").endswith("(and 1 more)")
    told = failure.text or ""
    assert "oracle: ClusterPolicy/policy: spec.x: helm has 1, the oracle 2" in told
    assert f"from {sample_reports.POLICY}" in told
    assert "+b: <none>" in told
    assert "values (kept/array/0008.yaml):\na: array/0008\n" in told
    assert told.endswith("$ helm template array/0008 --set 'a=b'")
    [error] = failing.find(".//testcase[@name='profile/k3s/helm4/kube1.37']")
    assert error.tag == "error"


def test_what_xml_cannot_hold_is_shown():
    """And the rest of the text is kept."""
    [failure] = parsed(sample_reports.failing()).find(".//testcase[@name='array/0008']")
    assert "second line \N{SYMBOL FOR ESCAPE}[0m </script> \N{SNOWMAN}" in (failure.text or "")


def test_a_stopped_run_does_not_look_like_a_pass():
    """One error for the run; the cases left are skipped."""
    root = parsed(sample_reports.stopped())
    assert root.get("errors") == "1"
    [skipped] = root.find(".//testcase[@name='refusal/0001']")
    assert (skipped.tag, skipped.get("message")) == ("skipped", "not judged: interrupted")


def test_no_cases_do_not_look_like_a_pass():
    """A CI takes a file without tests for a mistake, or for a pass."""
    assert parsed(replace(sample_reports.passing(), cases=(), results=())).get("errors") == "1"
