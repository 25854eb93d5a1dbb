"""Schema folders below a chart's own: what a subchart shares with its parent, and mistakes in what the parent sets for it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from support import nfd

from chartgen.components.nfd import helper_set
from chartgen.errors import ChartgenError
from chartgen.schema import loader
from chartgen.schema.model import Schema
from chartgen.tree import helper_texts


class Folder:
    """A parent and its subchart, written file by file."""

    def __init__(self, root: Path) -> None:
        self._root = root / "schemas"
        self.write("chart.yaml", "name: whole\nsubcharts: [{schemas: below, condition: part.enabled}]\n")
        self.write("types/shared.yaml", "types: {word: {type: string, description: A word.}}\n")
        self.write("below/chart.yaml", "name: part\nversion: 1.0.0\n")
        self.write("below/types/own.yaml", "types: {size: {type: integer, description: A size.}}\n")
        top = "name: top\ntype: object\ndescription: T.\nproperties:\n  deep: {type: size}\n  said: {type: word}\n"
        self.write(
            "below/top.yaml", top + "  free: {type: map, values: {type: any, description: A.}, description: M.}\n"
        )

    def write(self, path: str, text: str) -> None:
        """A file below ``schemas/``."""
        target = self._root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text))

    def overrides(self, properties: str) -> None:
        """The parent's value for the subchart: what it sets for ``top``."""
        self.write(
            "part.yaml",
            "name: part\ntype: object\nopen: true\ndescription: P.\nproperties:\n"
            f"  top: {{type: object, open: true, description: T., properties: {properties}}}\n",
        )

    def load(self) -> Schema:
        """The parent's schema."""
        return loader.load(self._root)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A parent and its subchart without mistakes."""
    return Folder(tmp_path)


def _problems(folder: Folder) -> list[str]:
    with pytest.raises(ChartgenError) as raised:
        folder.load()
    return [str(problem) for problem in raised.value.problems]


def test_a_subchart_uses_its_parents_types(folder: Folder) -> None:
    """And its own, which the parent does not see."""
    schema = folder.load()
    assert list(schema.subcharts) == ["part"]
    assert set(schema.subcharts["part"].types) == {"word", "size"}
    assert set(schema.types) == {"word"}
    assert [field.path for field in schema.subcharts["part"].walk()] == ["top", "top.deep", "top.said", "top.free"]


def test_a_value_that_the_subchart_does_not_have(folder: Folder) -> None:
    """The parent's file and line, and the value that was meant."""
    folder.overrides("{deap: {type: integer, default: 1, description: D.}}")
    (problem,) = _problems(folder)
    assert problem.startswith("schemas/part.yaml:6: part.top.deap: a value that part does not have")
    assert "did you mean top.deep?" in problem


def test_a_value_of_another_type(folder: Folder) -> None:
    """A default of the parent must be what the subchart takes."""
    folder.overrides("{deep: {type: string, default: much, description: D.}}")
    (problem,) = _problems(folder)
    assert problem.startswith("schemas/part.yaml:6: part.top.deep: ")
    assert "integer" in problem


def test_keys_that_nobody_declares(folder: Folder) -> None:
    """Below a map the parent may set what it likes."""
    folder.overrides(
        "{free: {type: object, open: true, description: F., properties: {x: {type: string, description: X.}}}}"
    )
    assert "part" in folder.load().fields


def test_mistakes_of_the_subchart_are_told_once(folder: Folder) -> None:
    """With its own file, together with those of the parent."""
    folder.write("below/top.yaml", "name: top\ntype: wurd\ndescription: T.\n")
    folder.write("other.yaml", "name: other\ntype: wrod\ndescription: O.\n")
    first, second = _problems(folder)
    assert first.startswith("schemas/below/top.yaml:2: type: the unknown type wurd")
    assert second.startswith("schemas/other.yaml:2: type: the unknown type wrod")
    assert "did you mean word?" in first


def test_an_entry_without_a_condition(folder: Folder) -> None:
    """Each subchart has a switch."""
    folder.write("chart.yaml", "name: whole\nsubcharts: [{schemas: below}]\n")
    (problem,) = _problems(folder)
    assert problem.startswith("schemas/chart.yaml:2: subcharts.0: no condition")


def test_keys_of_the_subchart_that_are_no_values(folder: Folder) -> None:
    """The parent knows them by the path that its users write."""
    folder.write("below/keys.yaml", "retired: {old: {since: '1', use: top.deep}}\nmisplaced: {deep: top.deep}\n")
    schema = folder.load()
    assert set(schema.strays) == {"part.old", "part.deep"}
    assert set(schema.subcharts["part"].strays) == {"old", "deep"}


def test_no_helper_of_the_subchart_is_idle() -> None:
    """Each that only the subchart has is called by one of its templates."""
    text = (nfd.CHART / "templates" / "_helpers.tpl").read_text()
    own = [
        name
        for name in helper_set.DEFINITIONS
        if helper_set.DEFINITIONS[name] is not helper_texts.DEFINITIONS.get(name)
    ]
    assert own
    assert not [name for name in own if f'define "node-feature-discovery.{name}"' not in text]
