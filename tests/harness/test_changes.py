"""``--changed``: what a change concerns."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from chartgen.harness import changes, ledger, tools
from chartgen.harness.options import Options
from chartgen.harness.tools import ToolFailed

FILES = (
    "schemas/a.yaml", "values/default.yaml", "chart/Chart.yaml", "chart/templates/_helpers.tpl", "chart/templates/a.yaml",
    "chart/templates/validations.yaml", "README.md",
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A git work tree with one commit."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a: 1\n")
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    return tmp_path


def concerned(project: Path, *changed: str) -> Options | None:
    """The options after files have changed."""
    for name in changed:
        (project / name).write_text("a: 2\n")
    return changes.narrowed(Options(project, changed="HEAD"), project / "chart")


@pytest.mark.parametrize("changed", [(), ("README.md",)])
def test_what_no_case_depends_on_needs_no_run(project, changed):
    """Nothing, or a text for people."""
    assert concerned(project, *changed) is None


def test_a_template_is_looked_at_in_every_case(project):
    """And nothing but it."""
    assert concerned(project, "chart/templates/a.yaml") == Options(
        project, changed="HEAD", components=("templates/a.yaml",)
    )


def test_a_new_file_has_changed(project):
    """Although git does not know it yet."""
    options = concerned(project, "chart/templates/b.yaml")
    assert options
    assert options.components == ("templates/b.yaml",)


def test_a_profile_is_judged_whole(project):
    """With every Helm and Kubernetes."""
    assert concerned(project, "values/default.yaml") == Options(project, changed="HEAD", cases=("profile/default/*",))


@pytest.mark.parametrize(
    "changed",
    [
        ("schemas/a.yaml",),
        ("chart/Chart.yaml",),
        ("chart/templates/_helpers.tpl",),
        ("chart/templates/validations.yaml",),
        ("chart/templates/a.yaml", "values/default.yaml"),
    ],
)
def test_what_concerns_all_cases_runs_all(project, changed):
    """The options stay as they were."""
    assert concerned(project, *changed) == Options(project, changed="HEAD")


def test_an_unknown_revision_is_told(project):
    """In git's words."""
    with pytest.raises(ToolFailed, match="changed since nowhere"):
        changes.narrowed(replace(Options(project), changed="nowhere"), project / "chart")


def test_a_revision_says_whether_files_differ_from_it(project):
    """So that no one takes a run for one of the commit."""
    commit = tools.revision(project)
    assert len(commit) == 12
    (project / "README.md").write_text("a: 2\n")
    assert tools.revision(project) == f"{commit}{ledger.DIRTY}"


def test_no_work_tree_has_no_revision(tmp_path, monkeypatch):
    """Nor does one that git is not there to read."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert tools.revision(tmp_path) == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tools.revision(tmp_path) == ""
