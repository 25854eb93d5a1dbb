"""Sizes and manners that no linter of ours checks: see CONTRIBUTING, "Rules that are checked"."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = sorted(path for folder in ("chartgen", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CODE, ids=named)
def test_module_has_one_subject(path: Path) -> None:
    """Past 500 lines, or 60 in a function, it has two."""
    text = path.read_text()
    assert len(text.splitlines()) <= 500
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, (
                f"{named(path)}:{node.lineno}: {node.name} is longer than 60 lines"
            )


@pytest.mark.parametrize("path", TESTS, ids=named)
def test_test_module_has_one_subject(path: Path) -> None:
    """Past 400 lines nobody finds a test."""
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", [path for path in CODE if path.name == "__init__.py"], ids=named)
def test_init_is_empty(path: Path) -> None:
    """A module lives where its name says; only the package root holds something, the version."""
    if path.parent != ROOT / "chartgen":
        assert path.read_text() == ""


def test_lock_is_exact_and_names_no_index() -> None:
    """Every package has one version and its hashes, and comes from wherever pip is told to look."""
    text = (ROOT / "requirements.lock").read_text()
    entries = [line for line in text.splitlines() if line[:1].isalnum()]
    assert entries
    assert all(re.match(r"[a-z0-9-]+==\S+ .*\\$", entry) for entry in entries)
    assert text.count("--hash=sha256:") >= len(entries)
    assert "://" not in text
