"""A report for GitHub's runner."""

from __future__ import annotations

import re
from dataclasses import replace

from support import sample_reports
from support.sample_reports import INVALID

from chartgen.harness.reports import github, printable
from chartgen.harness.results import Result

_COMMAND = re.compile(r"::error (?P<properties>[^:]*)::(?P<message>.*)")


def read(line):
    """A command as the runner reads it: properties and message, unescaped."""
    match = _COMMAND.fullmatch(line)
    assert match, line
    properties = dict(pair.split("=", 1) for pair in match["properties"].split(","))
    unescaped = {name: _data(value.replace("%3A", ":").replace("%2C", ",")) for name, value in properties.items()}
    return unescaped, _data(match["message"])


def _data(text):
    return text.replace("%0A", "\n").replace("%25", "%")


def commands(report):
    """All commands, read."""
    return [read(line) for line in github.render(report).splitlines() if line.startswith("::")]


def test_a_finding_is_a_command_on_its_file():
    """Once for all of its cases."""
    found = {
        properties["title"]: (properties["file"], message) for properties, message in commands(sample_reports.failing())
    }
    assert set(found) == {"oracle: invalid", "nulls: invalid", "kubeconform: error"}
    file, message = found["oracle: invalid"]
    assert file == sample_reports.POLICY
    assert message == (
        "ClusterPolicy/policy: spec.x: helm has 1, the oracle 2\n\nin array/0007, array/0008\n"
        "$ helm template array/0007 --set 'a=b'"
    )
    assert found["kubeconform: error"][0] == "charts/gpu-operator/Chart.yaml"


def test_odd_text_arrives_as_it_is():
    """A message with the marks of commands in it is one command."""
    messages = [message for _, message in commands(sample_reports.failing())]
    assert any(printable.text(sample_reports.ODD) in message for message in messages)


def test_an_odd_file_name_arrives_as_it_is():
    """With a colon, a comma and a percent sign."""
    result = Result("array/0007", "nulls", INVALID, "A/b", "x", "c/100%,a:b.yaml")
    report = replace(sample_reports.passing(), cases=("array/0007",), results=(result,))
    assert commands(report)[0][0]["file"] == "c/100%,a:b.yaml"


def test_the_run_is_told_in_the_log():
    """After the commands."""
    lines = github.render(sample_reports.passing()).splitlines()
    assert lines[0].startswith("4 cases, ")
    assert lines[-1] == "passed"
    assert "::error title=stopped::interrupted" in github.render(sample_reports.stopped())


def test_the_page_of_a_job():
    """The verdict, the findings with how to see them again, and tables whose cells keep to themselves."""
    page = github.summary(sample_reports.failing())
    assert page.startswith("## chartgen validate: ❌ failed")
    assert "<summary><b>nulls</b> ConfigMap/&lt;x&gt;: &lt;b&gt;50%&lt;/b&gt; &amp;" in page
    assert f"```diff\n{sample_reports.DIFF}\n```" in page
    assert "```sh\nhelm template array/0007 --set 'a=b'\n```" in page
    assert "| a\\|b.yaml | 7 | 15 of 16 |" in page
    assert "| oracle | ❌ 2 of 2 | - | - |" in page
    assert "**Stopped**: interrupted. 1 cases were not judged." in github.summary(sample_reports.stopped())
    assert github.summary(sample_reports.passing()).startswith("## chartgen validate: ✅ passed")


def test_a_fence_in_a_message_does_not_end_the_block():
    """It is put into a longer one."""
    result = Result("array/0007", "nulls", INVALID, "A/b", "x\n```\ny")
    page = github.summary(replace(sample_reports.passing(), cases=("array/0007",), results=(result,)))
    assert "````\nx\n```\ny\n````" in page


def test_a_page_has_an_end():
    """GitHub takes no more than a megabyte."""
    results = tuple(Result("array/0007", "nulls", INVALID, f"A/{number}", "x" * 50_000) for number in range(500))
    page = github.summary(replace(sample_reports.passing(), cases=("array/0007",), results=results))
    assert len(page.encode()) < 1_000_000
    assert "and 450 more." in page
