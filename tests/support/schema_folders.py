"""Schema folders written out in a test."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from chartgen.errors import ChartgenError, Problem
from chartgen.schema import loader, model

GOOD: Mapping[str, str] = {"chart.yaml": "name: small\n", "top.yaml": "name: top\ntype: string\ndescription: Top.\n"}

Load = Callable[[Mapping[str, str]], model.Schema]
Mistakes = Callable[[Mapping[str, str]], list[Problem]]


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a folder of text files."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return folder


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads a folder with the given files on top of a good small schema."""

    def load_files(files: Mapping[str, str]) -> model.Schema:
        return loader.load(write(tmp_path / "schemas", {**GOOD, **files}))

    return load_files


@pytest.fixture
def mistakes(load: Load) -> Mistakes:
    """The problems of such a folder."""

    def find(files: Mapping[str, str]) -> list[Problem]:
        with pytest.raises(ChartgenError) as caught:
            load(files)
        return list(caught.value.problems)

    return find
