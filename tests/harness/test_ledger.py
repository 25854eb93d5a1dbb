"""The proof ledger: from a report to a file and back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support import sample_reports

from chartgen.errors import ChartgenError
from chartgen.harness import ledger
from chartgen.harness.ledger import Form
from chartgen.harness.report import Numbers
from chartgen.harness.share import Share


def made():
    """The ledger of the passing report."""
    return ledger.of(sample_reports.passing())


def test_a_ledger_is_kept_to_the_letter(tmp_path):
    """What is read is what was written, and nothing else lies beside it."""
    ledger.write(made(), tmp_path / "a" / "ledger.json")
    assert ledger.read(tmp_path / "a" / "ledger.json") == made()
    assert [file.name for file in (tmp_path / "a").iterdir()] == ["ledger.json"]


def test_it_counts_what_came_to_a_conclusion():
    """A check that skipped every case proved nothing."""
    assert made().checks == ("nulls", "refuses", "renders")
    assert (made().commit, made().cases, made().passed) == ("0123abc", 4, True)
    assert not ledger.of(sample_reports.failing()).passed


def test_what_was_not_done_is_not_claimed():
    """No pairs, no mutants; what was done in vain is told."""
    names = [entry.name for entry in ledger.entries(made())]
    assert {"Conditions", "Assignments", "Rules", "Kubernetes"} <= set(names)
    assert not {"Pairs", "Triples", "Mutants", "Lines"} & set(names)
    vain = replace(made(), numbers=Numbers(mutants=Share(0, 5)))
    assert "Mutants" in [entry.name for entry in ledger.entries(vain)]


def test_a_person_reads_it():
    """Plain lines, and a table for a README."""
    text = ledger.show(made(), Form.TEXT)
    assert text.startswith("charts/gpu-operator (gpu-operator 1.2.3)\n")
    assert "\nAssignments  15 of 16\n" in text
    assert "\nDocuments    40, 12 distinct\n" in text
    table = ledger.show(made(), Form.MARKDOWN)
    assert table.startswith("| What | How many | What it says |\n|---|---|---|\n")
    assert "\n| Rules | 3 of 3 | " in table


def test_a_program_reads_it():
    """What `write` keeps."""
    content = json.loads(ledger.show(made(), Form.JSON))
    assert content["version"] == 1
    assert content["numbers"]["assignments"] == {"reached": 15, "possible": 16}


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"version": 1}', "\udcff", None],
    ids=["empty", "list", "no-version", "no-fields", "bytes", "other-version"],
)
def test_a_damaged_ledger_is_bad_input(tmp_path, content):
    """And never taken for one that says nothing."""
    file = tmp_path / "ledger.json"
    if content is None:
        content = ledger.show(made(), Form.JSON).replace('"version": 1', '"version": 2')
    file.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(ChartgenError, match=r"what cannot be read .*\(delete it and run again\)"):
        ledger.read(file)


def test_no_ledger_is_bad_input(tmp_path):
    """With the command that makes one."""
    with pytest.raises(
        ChartgenError, match=r"ledger\.json: nothing; expected the ledger of a run \(run `chartgen validate`\)"
    ):
        ledger.read(tmp_path / "ledger.json")


def test_mutants_are_counted_for_one_commit(tmp_path):
    """Of another one, or of files that are in none, nothing is claimed."""
    assert ledger.mutants(tmp_path, "abc") == Share()
    ledger.keep_mutants(tmp_path, "abc", Share(212, 214))
    assert ledger.mutants(tmp_path, "abc") == Share(212, 214)
    assert ledger.mutants(tmp_path, "def") == Share()
    ledger.keep_mutants(tmp_path, "abc-dirty", Share(212, 214))
    assert ledger.mutants(tmp_path, "abc-dirty") == Share()


def test_a_damaged_count_of_mutants_is_bad_input(tmp_path):
    """And not a run without mutants."""
    ledger.keep_mutants(tmp_path, "abc", Share(1, 1))
    (tmp_path / "validate" / "mutants.json").write_text("{}")
    with pytest.raises(ChartgenError, match="what cannot be read"):
        ledger.mutants(tmp_path, "abc")
