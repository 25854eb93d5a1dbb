"""What holds for every form."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import sample_reports
from support.sample_reports import INVALID

from chartgen.harness.reports import formats
from chartgen.harness.reports.formats import Format
from chartgen.harness.results import Result

# Forms of what was reached, and not of what was found.
COVERAGE = (Format.LCOV, Format.COBERTURA)
REPORTS = {"passing": sample_reports.passing, "failing": sample_reports.failing, "stopped": sample_reports.stopped}


@pytest.mark.parametrize("form", [form for form in Format if form not in COVERAGE])
def test_no_finding_is_lost(form: Format) -> None:
    """Of a case, and of the run as a whole, which no case is."""
    whole = Result("coverage", "coverage", INVALID, "lines", "1 of 9 are reached")
    report = replace(sample_reports.failing(), results=(*sample_reports.failing().results, whole))
    text = formats.render(form, report)
    for word in ("1 of 9 are reached", "helm has 1, the oracle 2", "second line", "killed by signal 9"):
        assert word in text, word
    assert "--case coverage" not in text


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("name", REPORTS)
def test_a_form_is_the_same_each_time(form: Format, name: str) -> None:
    """Pure functions of the report; files of text end with a line."""
    assert formats.render(form, REPORTS[name]()) == formats.render(form, REPORTS[name]())
    assert formats.render(form, REPORTS[name]()).endswith("\n")


@pytest.mark.parametrize("form", [form for form in Format if form not in COVERAGE])
def test_a_run_without_cases_is_told(form: Format) -> None:
    """Nothing breaks where there is nothing."""
    assert formats.render(form, replace(sample_reports.passing(), cases=(), results=(), targets={}, sections=()))
