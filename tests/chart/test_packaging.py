"""The chart as a package: what is in it, what it says of itself, and that helm has nothing to complain about."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from support import charts

from chartgen import profiles, yamlio
from chartgen.emit import changelog
from chartgen.harness import schemas, tools
from chartgen.harness.case import NEWEST, OLDEST
from chartgen.schema import loader
from chartgen.schema.model import Kind, Schema

ROWS = yamlio.load((charts.ROOT / "tests" / "data" / "packaging.yaml").read_text())["rows"]
CHECKS = {"annotation", "file", "checkout", "text", "chart", "later"}
PREFIX = "artifacthub.io/"
REFERENCE = re.compile(r"[a-z0-9.-]+\.[a-z]+(/[a-z0-9._-]+)+(:[\w.-]+|@sha256:[0-9a-f]{64})")
CELL = re.compile(r"(?<!\\)\|")
# Where a file of the package may lie; templates, CRDs and subcharts each have a folder.
AT_THE_TOP = {
    ".helmignore", "Chart.yaml", "DIFFERENCES.md", "LICENSE", "README.md", "values.schema.json", "values.yaml",
}  # fmt: skip


def command(helm: tools.Helm, *words: str) -> tools.Run:
    """Helm, with nothing of the user's own around it."""
    return tools.run([str(helm.program), *words], tools.helm_environment(helm.home))


@pytest.fixture
def package(gpu_operator: charts.Chart) -> dict[str, str]:
    """Path -> text of what `helm package` puts together, under each Helm."""
    done = command(gpu_operator.helm, "package", str(charts.CHART), "-d", str(gpu_operator.scratch))
    assert done.status == 0, done.report()
    [file] = gpu_operator.scratch.glob("*.tgz")
    assert file.name == f"gpu-operator-{facts()['version']}.tgz"
    with tarfile.open(file) as archive:
        members = [(member.name, archive.extractfile(member)) for member in archive.getmembers()]
        return {name.removeprefix("gpu-operator/"): found.read().decode() for name, found in members if found}


@pytest.fixture(scope="module")
def schema() -> Schema:
    """What the chart is made from."""
    return loader.load(charts.ROOT / "schemas")


def facts() -> dict[str, Any]:
    """Chart.yaml."""
    found: dict[str, Any] = yamlio.load((charts.CHART / "Chart.yaml").read_text())
    return found


def annotation(name: str) -> Any:
    """An annotation for Artifact Hub, read as YAML."""
    return yamlio.load(facts()["annotations"][PREFIX + name])


def readme() -> str:
    """README.md of the chart."""
    return (charts.CHART / "README.md").read_text(encoding="utf-8")


def test_every_row_has_a_check_or_a_reason() -> None:
    """No row is left at "no" that files alone can turn into "yes"."""
    for row in ROWS:
        assert set(row) - {"row"} <= CHECKS, row
        assert len(row) > 1, row
    assert len({row["row"] for row in ROWS}) == len(ROWS)


def test_every_row_is_fulfilled(package: dict[str, str]) -> None:
    """What each says is in the package, or in the chart's folder beside it."""
    chart = yamlio.load(package["Chart.yaml"])
    for row in ROWS:
        for name in row.get("annotation", []):
            assert str(chart["annotations"][PREFIX + name]).strip() not in ("", "[]", "{}"), row
        for path in row.get("file", []):
            assert path in package, row
        for path in row.get("checkout", []):
            assert (charts.CHART / path).is_file(), row
        for path, words in row.get("text", {}).items():
            assert all(word in package[path] for word in words), row
        assert all(chart.get(key) for key in row.get("chart", [])), row


def test_the_package_holds_nothing_else(package: dict[str, str]) -> None:
    """No test values, no editor's leftovers: everything lies where Helm looks for it."""
    for path in package:
        parts = path.removeprefix("charts/node-feature-discovery/").split("/")
        assert parts[0] in ("templates", "crds") or (len(parts) == 1 and parts[0] in AT_THE_TOP), path
        assert Path(path).suffix in (".yaml", ".tpl", ".txt", ".md", ".json", "") or parts == [".helmignore"], path


def test_lint_is_content(gpu_operator: charts.Chart) -> None:
    """Strictly, with the defaults and with values for chart-testing; a missing icon is only mentioned."""
    for given in ([], ["--values", str(charts.CHART / "ci" / "everything-off-values.yaml")]):
        done = command(gpu_operator.helm, "lint", "--strict", str(charts.CHART), *given)
        assert done.status == 0, done.stdout
        complaints = [line for line in done.stdout.splitlines() if line.startswith("[")]
        assert complaints == ["[INFO] Chart.yaml: icon is recommended"]


@pytest.mark.parametrize(
    "version",
    ["1.29.0", "v1.29.3-gke.1282000", "1.30.2+rke2r1", "v1.31.4-eks-aeac579", "v1.33.1+k3s1", "v1.37.0-rc.1"],
)
def test_versions_with_a_suffix_pass(gpu_operator: charts.Chart, version: str) -> None:
    """A vendor's suffix looks like a pre-release, which a plain constraint refuses."""
    done = command(gpu_operator.helm, "template", "x", str(charts.CHART), "--kube-version", version)
    assert done.status == 0, done.report()


def test_older_kubernetes_is_refused(gpu_operator: charts.Chart) -> None:
    """By Helm, before anything is installed."""
    done = command(gpu_operator.helm, "template", "x", str(charts.CHART), "--kube-version", "1.28.15")
    assert done.status != 0
    assert ">= 1.29.0-0" in done.stderr


def test_changes_are_those_of_the_changelog() -> None:
    """Each with a kind that Artifact Hub knows."""
    found = annotation("changes")
    assert found
    assert all(set(entry) == {"kind", "description"} and entry["kind"] in changelog.KINDS for entry in found)
    text = " ".join((charts.ROOT / "CHANGELOG.md").read_text().split())
    assert all(entry["description"] in text for entry in found)


def test_images_are_references_of_all_that_runs(newest: charts.Chart) -> None:
    """Whatever a render with everything on names as an image is in the list, but for images that only their owners have."""
    listed = {entry["image"] for entry in annotation("images")}
    assert all(REFERENCE.fullmatch(image) for image in listed), listed
    assert len({entry["name"] for entry in annotation("images")}) == len(annotation("images"))
    given = yamlio.load((charts.ROOT / "values" / "everything-on.yaml").read_text())
    named = {image for one in newest.all_objects(given) for image in images(one)}
    assert named
    untagged = {image.partition("-ubuntu")[0] for image in listed}
    private = {image for image in named if image.startswith("registry.example.com/")}
    assert named - private <= listed | untagged


def images(tree: Any) -> list[str]:
    """Every image that an object names: of its containers, or as repository, image and version."""
    if isinstance(tree, list):
        return [found for item in tree for found in images(item)]
    if not isinstance(tree, dict):
        return []
    found = [name for value in tree.values() for name in images(value)]
    if {"repository", "image", "version"} <= set(tree):
        found.append(f"{tree['repository']}/{tree['image']}:{tree['version']}")
    elif isinstance(tree.get("image"), str) and "name" in tree:
        found.append(tree["image"])
    return found


def test_crds_are_those_of_the_package() -> None:
    """Those of the subchart too; each with its kind, version and a description."""
    listed = {(entry["name"], entry["kind"], entry["version"]) for entry in annotation("crds")}
    found = set()
    for file in schemas.crd_files(charts.CHART):
        crd = yamlio.load(file.read_text())
        stored = next(version["name"] for version in crd["spec"]["versions"] if version["storage"])
        found.add((crd["metadata"]["name"], crd["spec"]["names"]["kind"], stored))
    assert listed == found
    assert all(entry["displayName"] and entry["description"].endswith(".") for entry in annotation("crds"))


def test_examples_are_valid(tmp_path: Path) -> None:
    """Each fits its CRD, and no member is unknown to it."""
    custom = schemas.write_custom(charts.CHART, tmp_path)
    examples = annotation("crdsExamples")
    assert len(examples) >= 5
    for example in examples:
        kind = schemas.Kind(example["apiVersion"], example["kind"])
        errors = [str(error) for error in jsonschema_rs.validator_for(custom.schemas[kind]).iter_errors(example)]
        assert errors == [], example


def test_readme_has_a_row_for_every_value(schema: Schema) -> None:
    """Those of the subchart under its name; what has no members of its own is a value."""
    rows = {cells[1].strip() for line in readme().splitlines() if len(cells := CELL.split(line)) == 6}
    expected = {field.path for field in schema.walk() if not (field.type.kind is Kind.OBJECT and field.children)}
    for name, part in schema.subcharts.items():
        leaves = [field for field in part.walk() if not (field.type.kind is Kind.OBJECT and field.children)]
        expected |= {f"{name}.{field.path}" for field in leaves}
    assert {f"`{path}`" for path in expected} - rows == set()


def test_readme_has_whole_tables() -> None:
    """Each line of a table has as many cells as its head; a bar in a cell would make one more."""
    width = 0
    for line in readme().splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        width = width or len(CELL.split(line))
        assert len(CELL.split(line)) == width, line


def test_readme_tells_of_every_profile() -> None:
    """By the name of its file, with its title."""
    for profile in profiles.load(charts.ROOT / "values"):
        assert f"| `{profile.name}.yaml` | **{profile.title}**: " in readme()


def test_readme_names_what_is_tested(schema: Schema) -> None:
    """The Kubernetes minors of the harness, and the Helms that the tests insist on."""
    tested = schema.chart["package"]["tested"]
    assert tested["kubernetes"] == f"{OLDEST} to {NEWEST}"
    assert tested["kubernetes"] in readme()
    assert tested["helm"] in readme()


def test_values_for_chart_testing_are_the_profiles() -> None:
    """Without their heads, and without those that need what a plain cluster does not serve."""
    found = profiles.load(charts.ROOT / "values")
    names = {f"{profile.name}-values.yaml" for profile in found if not profile.apis}
    assert {file.name for file in (charts.CHART / "ci").iterdir()} == names
    for profile in found:
        if not profile.apis:
            text = (charts.CHART / "ci" / f"{profile.name}-values.yaml").read_text()
            assert yamlio.load(text) == profile.values
