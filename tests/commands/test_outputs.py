"""``--format``: what is written where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from support import sample_reports

from chartgen.commands import outputs
from chartgen.commands.outputs import Output
from chartgen.harness.report import Report
from chartgen.harness.reports import formats, text
from chartgen.harness.reports.formats import Format


def deliver(*arguments: str, report: Report | None = None, environment: dict[str, str] | None = None) -> Result:
    """A command that delivers a report as it is told."""

    @click.command()
    @outputs.option
    def command(outputs: Sequence[Output]) -> None:
        deliver_to(report or sample_reports.passing(), outputs, environment or {})

    deliver_to = outputs.deliver
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_text_is_printed() -> None:
    """When nothing else is asked for."""
    assert deliver().stdout == text.render(sample_reports.passing())


@pytest.mark.parametrize("form", Format)
def test_each_form_is_printed(form: Format) -> None:
    """When it alone is asked for."""
    done = deliver("--format", form.value, report=sample_reports.failing())
    assert done.exit_code == 0
    assert done.stdout.endswith("\n")
    assert done.stdout == formats.render(form, sample_reports.failing())


def test_files_are_written_beside_it(tmp_path: Path) -> None:
    """As many as one likes, into folders that need not exist; text is printed still, or what is asked for."""
    page, junit = tmp_path / "a" / "b" / "report.html", tmp_path / "junit=1.xml"
    done = deliver("--format", f"html={page}", "--format", f"junit={junit}")
    assert done.stdout == text.render(sample_reports.passing())
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert junit.read_text(encoding="utf-8").startswith("<?xml ")
    assert json.loads(deliver("--format", f"html={page}", "--format", "json").stdout)["version"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "yaml"), "'yaml' is none of text, json, junit, sarif, github, html"),
        (("--format", "html="), "'html=' names no file"),
        (("--format", "json", "--format", "sarif"), "json and sarif would both go to standard output"),
    ],
    ids=["form", "file", "twice"],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], said: str) -> None:
    """With exit code 2, before anything is judged."""
    done = deliver(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())


def test_a_file_that_cannot_be_written_is_no_pass(tmp_path: Path) -> None:
    """And nothing is printed that looks like one."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        deliver("--format", f"html={tmp_path / 'file' / 'report.html'}")


def test_github_gets_its_page(tmp_path: Path) -> None:
    """Added to what other steps wrote there; only when the form is asked for."""
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    environment = {"GITHUB_STEP_SUMMARY": str(page)}
    deliver(environment=environment)
    assert page.read_text() == "before\n"
    deliver("--format", "github", environment=environment)
    assert page.read_text(encoding="utf-8").startswith("before\n## chartgen validate: ✅ passed\n")
