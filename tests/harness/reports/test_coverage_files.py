"""Coverage in the forms that CI systems read."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from chartgen.harness.coverage.measure import BranchHits, FileHits
from chartgen.harness.report import Report
from chartgen.harness.reports import cobertura, lcov

FILE = FileHits("templates/a.yaml", {1: 3, 2: 0}, (BranchHits(1, 3, 0), BranchHits(2, 0, 0)), 2)
UNKNOWN = FileHits("templates/b.yaml", problem="not what the trees print")
REPORT = Report("chart", (), (), {}, (), 0, 0, 0.1, folder="charts/x", coverage=(FILE, UNKNOWN))


def test_lcov_has_a_record_for_each_template():
    """A branch that nobody asked has a dash, as the format wants; a template that is not known has no record."""
    assert lcov.render(REPORT).splitlines() == [
        "TN:", "SF:charts/x/templates/a.yaml", "BRDA:1,0,0,3", "BRDA:1,0,1,0", "BRDA:2,0,0,-", "BRDA:2,0,1,-", "BRF:4",
        "BRH:1", "DA:1,3", "DA:2,0", "LF:2", "LH:1", "end_of_record",
    ]  # fmt: skip


def test_cobertura_has_a_class_for_each_template():
    """Lines with their hits, and how many sides of a branch were reached."""
    root = ET.fromstring(cobertura.render(REPORT))
    assert root.attrib["line-rate"] == "0.5000"
    assert (root.attrib["branches-covered"], root.attrib["branches-valid"]) == ("1", "4")
    assert [element.attrib["filename"] for element in root.iter("class")] == ["templates/a.yaml"]
    assert [dict(line.attrib) for line in root.iter("line")] == [
        {"number": "1", "hits": "3", "branch": "true", "condition-coverage": "50% (1/2)"},
        {"number": "2", "hits": "0", "branch": "true", "condition-coverage": "0% (0/2)"},
    ]
