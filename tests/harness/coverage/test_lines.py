"""Which lines of a template are reached: what the trees say, held against what helm prints of marked templates."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support import charts

from chartgen import profiles
from chartgen.harness import capabilities, oracle, tools
from chartgen.harness.case import Case, Group
from chartgen.harness.contexts import Contexts
from chartgen.harness.coverage import measure
from chartgen.harness.coverage.truths import Conditions, Truths
from chartgen.harness.tools import Helm, RenderRequest
from chartgen.harness.values import load

_POOLS = [{"name": name, "os": "ubuntu22.04", "nodeSelector": {"pool": name}} for name in ("a", "b")]
_STATIC = {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04", "nodePools": _POOLS}}
_PROFILES = {profile.name: profile for profile in profiles.load(charts.ROOT / "values")}


@pytest.fixture(scope="module")
def truths() -> Truths:
    """Our chart's conditions."""
    chart = load(charts.CHART)
    found = oracle.find(charts.ROOT, chart)
    assert found
    return Truths(found)


@pytest.fixture(scope="module")
def helm(tmp_path_factory: pytest.TempPathFactory) -> Helm:
    """The newest Helm."""
    return tools.find_helms(charts.ROOT, tmp_path_factory.mktemp("helm"))[0]


@pytest.fixture(scope="module")
def marked(truths: Truths, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[int]]]:
    """A copy of our chart in which each plain line carries its number as a comment, and the numbers of each file."""
    folder = tmp_path_factory.mktemp("marked") / "chart"
    shutil.copytree(charts.CHART, folder)
    numbers: dict[str, list[int]] = {}
    for chart in truths.charts:
        for file in chart.files:
            numbers[file.path] = _mark(folder / file.path, [line.number for line in file.lines])
    return folder, numbers


def _mark(path: Path, numbers: list[int]) -> list[int]:
    """The lines that could be marked: those without an action, outside of definitions, whose text YAML reads again."""
    lines = path.read_text().splitlines()
    found: list[int] = []
    depth = 0  # of blocks inside a definition
    for number, line in enumerate(lines, 1):
        opens = len(re.findall(r"{{-? (?:if|with|range|define) ", line)) if depth or "{{- define " in line else 0
        depth += opens
        plain = "{{" not in line and not line.rstrip().endswith("|") and line.strip() != "---"
        if number in numbers and plain and not depth:
            lines[number - 1] = f"{line} # MARK {path.name} {number}"
            found.append(number)
        depth -= bool(depth and line.strip() == "{{- end }}")
    path.write_text("\n".join(lines) + "\n")
    return found


@pytest.mark.parametrize(
    ("name", "values"),
    [("default", {}), ("everything-on", {}), ("everything-off", {}), ("default", _STATIC), ("everything-on", _STATIC)],
)
def test_a_line_is_reached_when_helm_prints_it(helm, marked, truths, tmp_path, name, values):
    """For every template, in very different settings."""
    folder, numbers = marked
    profile = _PROFILES[name]
    served = {helm.version: capabilities.api_versions(helm, tmp_path)}
    case = Case("x", Group.GIVEN, helm.version, "1.37", values=values, files=(profile.path,), api_versions=profile.apis)
    context = Contexts(load(charts.CHART), served).of(case)
    assert context
    hits = {file.path: file for file in measure.measure(truths, truths.rows(context), charts.CHART)}
    request = RenderRequest(
        folder, case.files, api_versions=case.api_versions, given=values, given_path=tmp_path / "given.yaml"
    )
    run = helm.render(request)
    assert run.status == 0, run.report()
    printed = _printed(run.stdout)
    for path, marks in numbers.items():
        reached = {number for number in marks if hits[path].lines[number]}
        assert reached == printed.get(path, set()), path


def _printed(text: str) -> dict[str, set[int]]:
    """The marks in what helm printed, by template."""
    found: dict[str, set[int]] = {}
    source = ""
    for line in text.splitlines():
        if line.startswith("# Source: "):
            source = line.removeprefix("# Source: gpu-operator/")
        for number in re.findall(r"# MARK \S+ (\d+)", line):
            found.setdefault(source, set()).add(int(number))
    return found


def test_every_template_is_what_the_trees_print(truths):
    """Else nothing is said of it; a line or a branch that nothing can reach would be a mistake of the printer."""
    files = measure.measure(truths, [], charts.CHART)
    assert [file.path for file in files if file.problem] == []
    assert all(file.line_share.reached == 0 for file in files)


def test_a_template_that_was_changed_is_not_measured(truths, tmp_path):
    """Its lines are not those of the trees."""
    folder = tmp_path / "chart"
    shutil.copytree(charts.CHART, folder)
    (folder / "templates" / "operator" / "role.yaml").write_text("kind: Role\n")
    problems = {file.path: file.problem for file in measure.measure(truths, [], folder) if file.problem}
    assert problems == {"templates/operator/role.yaml": "not what the trees print"}


def test_columns_are_the_rows_turned_round(truths):
    """A condition made of others holds where they say."""
    chart: Conditions = truths.charts[0]
    rows = [0b101, 0b011, 0b000]
    found = measure.columns(chart, rows)
    first, second = chart.atoms[0], chart.atoms[1]
    assert found.all == 0b111
    assert found.holds(first) == 0b011
    assert found.holds(second) == 0b010
