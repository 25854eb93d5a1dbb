"""The Makefile and tools/venv.sh, as a person meets them: in a copy of the project with a PATH of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_PROGRAMS = ("sh", "make", "awk", "dirname", "find", "grep", "mkdir", "printf", "rm", "tail", "touch")


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """A PATH with what the project's scripts use, but no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in _PROGRAMS:
        found = shutil.which(name)
        if found:
            (folder / name).symlink_to(found)
    return folder


# A file of each kind that the chart depends on.
_CHANGING = ("chartgen/cli.py", "schemas/driver.yaml", "values/k3s.yaml", "charts/gpu-operator/values.yaml")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files that make reads, and one file of each kind that the chart depends on."""
    folder = tmp_path / "project"
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in _CHANGING:
        file = folder / name
        file.parent.mkdir(parents=True)
        file.touch()
    return folder


def script(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def make(project: Path, bin_folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run make with nothing on PATH but ``bin_folder``, and without what an outer make hands down."""
    kept = {
        key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PYTHON")
    }
    return subprocess.run(
        ["make", *words],
        cwd=project,
        env={**kept, "PATH": str(bin_folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def complaint(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What was said besides make's own line and the script's progress."""
    return [line for line in done.stderr.splitlines() if not line.startswith(("make:", "Making"))]


def test_help_lists_every_target(project: Path, bin_folder: Path) -> None:
    """`make` alone prints the help, and no target is forgotten in it."""
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    listed = re.findall(r"^  make (\S+) +\S", make(project, bin_folder).stdout, re.MULTILINE)
    assert phony
    assert listed == phony[1].split()


def test_no_python(project: Path, bin_folder: Path) -> None:
    """One sentence says what to do."""
    done = make(project, bin_folder, "chart")
    assert done.returncode != 0
    [sentence] = complaint(done)
    assert sentence.startswith("There is no Python 3.11 or newer on PATH: install one")


def test_old_python(project: Path, bin_folder: Path) -> None:
    """An old Python, or a version manager's stand-in that runs nothing, is as good as none."""
    script(bin_folder / "python3", "exit 1")
    [sentence] = complaint(make(project, bin_folder, "chart"))
    assert sentence.startswith("There is no Python 3.11 or newer on PATH")


def test_old_python_by_name(project: Path, bin_folder: Path) -> None:
    """Who names an old Python is told so, and no other is taken instead."""
    script(bin_folder / "python3.9", "exit 1")
    script(bin_folder / "python3.12", "exit 0")
    [sentence] = complaint(make(project, bin_folder, "chart", "PYTHON=python3.9"))
    assert sentence.startswith("python3.9 is not Python 3.11 or newer: name one that is")


def test_python_without_venv(project: Path, bin_folder: Path) -> None:
    """Debian parts venv from Python; the package to install is named."""
    script(bin_folder / "python3", 'case "$2" in *ensurepip*) exit 1 ;; esac')
    [sentence] = complaint(make(project, bin_folder, "chart"))
    assert sentence.startswith("python3 cannot make a virtual environment: install its venv package")


def test_no_network(project: Path, bin_folder: Path) -> None:
    """pip's own reason and the way out, in one sentence; no half-made environment counts as made."""
    script(project / "stub-python", "echo 'ERROR: No matching distribution found for click' >&2; exit 1")
    script(
        bin_folder / "python3",
        'if [ "$1" = -m ]; then mkdir -p .venv/bin; ln -s ../../stub-python .venv/bin/python; fi',
    )
    (bin_folder / "ln").symlink_to(shutil.which("ln") or "ln")
    [sentence] = complaint(make(project, bin_folder, "chart"))
    assert sentence.startswith(
        "The Python packages cannot be installed (ERROR: No matching distribution found for click): go"
    )
    assert not (project / ".venv" / ".made").exists()


@pytest.fixture
def built(project: Path, bin_folder: Path) -> Path:
    """A project whose chart is made and up to date; chartgen and helm only note that they were called."""
    script(project / ".venv/bin/chartgen", 'echo "chartgen $*" >>calls')
    script(project / ".venv/bin/python", "exit 0")
    script(bin_folder / "helm", 'echo "helm $1" >>calls')
    for file in (project / ".venv/.made", project / "build/chart.made"):
        file.parent.mkdir(exist_ok=True)
        file.touch()
    for path in [project, *project.rglob("*")]:
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return project


def calls(project: Path) -> list[str]:
    file = project / "calls"
    return file.read_text().splitlines() if file.exists() else []


def test_chart_with_nothing_changed_calls_nothing(built: Path, bin_folder: Path) -> None:
    """Only the line to type next is printed."""
    done = make(built, bin_folder, "chart")
    assert done.returncode == 0, done.stderr
    assert calls(built) == []
    line = "helm install --wait gpu-operator -n gpu-operator --create-namespace charts/gpu-operator"
    assert done.stdout.splitlines()[-1] == f"  {line}"


@pytest.mark.parametrize("name", [*_CHANGING, "CHANGELOG.md", "LICENSE"])
def test_chart_is_made_again_after_a_change(built: Path, bin_folder: Path, name: str) -> None:
    """Generated, linted and rendered, in this order."""
    (built / name).touch()
    make(built, bin_folder, "chart")
    assert calls(built) == ["chartgen generate", "helm lint", "helm template"]


def test_chart_is_made_again_after_a_removal(built: Path, bin_folder: Path) -> None:
    """A file that is gone has no time of its own, but its folder has."""
    (built / "charts/gpu-operator/values.yaml").unlink()
    make(built, bin_folder, "chart")
    assert "chartgen generate" in calls(built)


def test_line_to_type_names_the_installed_helm(built: Path, bin_folder: Path) -> None:
    """Who has no good helm on PATH can type the line all the same."""
    script(built / ".tools/bin/helm", "exit 0")
    assert "  .tools/bin/helm install --wait gpu-operator" in make(built, bin_folder, "chart").stdout
