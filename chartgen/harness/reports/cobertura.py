"""Coverage of the templates as Cobertura has it, which GitLab, Jenkins, Azure and others show beside a change.

A folder of templates stands for a package, a template for a class. Nothing in it depends on the time of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

from chartgen.harness.coverage.measure import BranchHits, FileHits
from chartgen.harness.report import Report
from chartgen.harness.share import Share

_DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">'


def render(report: Report) -> str:
    """One Cobertura document; templates that nothing is known of are left out."""
    files = sorted((file for file in report.coverage if not file.problem), key=lambda file: file.path)
    root = ET.Element(
        "coverage", {**_rates(files), **_totals(files), "complexity": "0", "version": "1", "timestamp": "0"}
    )
    ET.SubElement(ET.SubElement(root, "sources"), "source").text = report.folder
    packages = ET.SubElement(root, "packages")
    for folder, group in groupby(files, key=lambda file: str(PurePosixPath(file.path).parent)):
        members = list(group)
        package = ET.SubElement(packages, "package", {"name": folder, **_rates(members), "complexity": "0"})
        classes = ET.SubElement(package, "classes")
        for file in members:
            _class(classes, file)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_DOCTYPE}\n{ET.tostring(root, encoding="unicode")}\n'


def _class(parent: ET.Element, file: FileHits) -> None:
    names = {"name": PurePosixPath(file.path).name, "filename": file.path}
    element = ET.SubElement(parent, "class", {**names, **_rates([file]), "complexity": "0"})
    ET.SubElement(element, "methods")
    lines = ET.SubElement(element, "lines")
    branches: dict[int, list[BranchHits]] = {}
    for branch in file.branches:
        branches.setdefault(branch.number, []).append(branch)
    for number, hits in file.lines.items():
        line = ET.SubElement(lines, "line", {"number": str(number), "hits": str(hits), "branch": "false"})
        if number in branches:
            share = Share.total(branch.sides for branch in branches[number])
            line.set("branch", "true")
            line.set("condition-coverage", f"{share.percent}% ({share.reached}/{share.possible})")


def _rates(files: Sequence[FileHits]) -> dict[str, str]:
    return {
        "line-rate": _rate(Share.total(file.line_share for file in files)),
        "branch-rate": _rate(Share.total(file.branch_share for file in files)),
    }


def _totals(files: Sequence[FileHits]) -> dict[str, str]:
    lines = Share.total(file.line_share for file in files)
    branches = Share.total(file.branch_share for file in files)
    return {
        "lines-covered": str(lines.reached),
        "lines-valid": str(lines.possible),
        "branches-covered": str(branches.reached),
        "branches-valid": str(branches.possible),
    }


def _rate(share: Share) -> str:
    return f"{share.rate:.4f}"
