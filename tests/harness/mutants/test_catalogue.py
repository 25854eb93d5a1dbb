"""The choice of mutants of the committed chart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.charts import CHART

from chartgen.errors import ChartgenError
from chartgen.harness.mutants import catalogue
from chartgen.harness.mutants.source import Edit, Source

COUNT = 250


@pytest.fixture(scope="module")
def files():
    """The chart's files."""
    return catalogue.sources(CHART)


@pytest.fixture(scope="module")
def chosen(files):
    """The standard choice."""
    return catalogue.choose(files, COUNT)


def test_every_fault_and_every_file_has_a_mutant(files, chosen):
    """Whatever is wrong anywhere is asked for."""
    assert len(chosen) >= COUNT
    assert {mutant.fault for mutant in chosen} == {fault.name for fault in catalogue.FAULTS}
    assert {mutant.file for mutant in chosen} == {source.file for source in files}


def test_each_mutant_is_another_chart(files, chosen):
    """No two say the same, and each says something else than the chart."""
    texts = {source.file: source for source in files}
    changed = {(mutant.file, texts[mutant.file].edited(mutant.edits)) for mutant in chosen}
    assert len(changed) == len(chosen)
    assert not {(source.file, source.text) for source in files} & changed


def test_the_choice_depends_on_the_seed_alone(files):
    """The same again for the same seed, and others for another."""
    some = [source for source in files if "templates/operator/" in source.file]
    first, again, other = (catalogue.choose(some, 60, seed) for seed in (0, 0, 1))
    assert first == again
    assert len({mutant.rank for mutant in first} & {mutant.rank for mutant in other}) < 30


def test_a_change_of_the_chart_leaves_the_choice_as_it_is(files):
    """A line more in a template moves the others, and nothing is chosen anew."""
    some = [source for source in files if "templates/operator/" in source.file]
    chosen = catalogue.choose(some, 60)
    moved = catalogue.choose([replace(source, text=f"# more\n{source.text}") for source in some], 60)
    assert [mutant.rank for mutant in moved] == [mutant.rank for mutant in chosen]
    assert [mutant.line for mutant in moved] == [mutant.line + 1 for mutant in chosen]


def test_what_only_a_reader_sees_is_no_mutant():
    """Another description is the same schema, and a template with a block that never ends is none."""
    schema = Source("values.schema.json", '{"description": "a", "type": "object"}\n')
    [mutant] = catalogue.all_of([schema], [fault for fault in catalogue.FAULTS if fault.name == "type-widened"])
    assert catalogue.differs(mutant, schema)
    assert not catalogue.differs(replace(mutant, edits=(Edit(17, 18, "b"),)), schema)
    template = Source("templates/x.yaml", "{{- if .Values.a }}\na: 1\n{{- end }}\n")
    assert not catalogue.differs(replace(mutant, edits=(template.without_lines(2, 2),)), template)


def test_a_folder_without_a_chart_is_bad_input(tmp_path):
    """There is nothing to change."""
    with pytest.raises(ChartgenError, match="no file that can be changed"):
        catalogue.sources(tmp_path)
