"""Schemas for the emitters: the real one, and small ones written out in a test."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from chartgen.schema import loader, model

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"


@pytest.fixture(scope="session")
def schema() -> model.Schema:
    """The schema of the chart."""
    return loader.load(SCHEMAS)


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., model.Schema]:
    """Loads a schema of one value, and of named types, both written as in a schema file."""

    def load(field: str, types: str = "") -> model.Schema:
        (tmp_path / "types").mkdir(exist_ok=True)
        (tmp_path / "chart.yaml").write_text("name: tiny\ndescription: A chart.\n")
        (tmp_path / "top.yaml").write_text("name: top\n" + textwrap.dedent(field))
        if types:
            (tmp_path / "types" / "some.yaml").write_text("types:\n" + textwrap.indent(textwrap.dedent(types), "  "))
        return loader.load(tmp_path)

    return load
