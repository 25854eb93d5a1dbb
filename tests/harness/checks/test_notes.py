"""Notes that do not render, say nothing, or say what is not so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support import charts, helms

from chartgen import yamlio
from chartgen.harness import capabilities, oracle, tools, values
from chartgen.harness.case import Case, Group
from chartgen.harness.checks.notes import Notes, leftovers
from chartgen.harness.contexts import Contexts
from chartgen.harness.manifests import Reader, Rendered
from chartgen.harness.rerender import Rerender
from chartgen.harness.results import Finding, State

PROFILE = "# title: t\n# summary: s\n# expect: {objects: {set: [A/b]}}\n\n{}\n"


@pytest.fixture
def said(small):
    """What the check says of the small chart with some notes."""

    def ask(notes: str) -> list[tuple[str, str]]:
        small.write({"templates/NOTES.txt": notes})
        found = [each for each in small.judge(PROFILE, checks=("notes",)).results if each.check == "notes"]
        return [(each.state.value, each.message) for each in found]

    return ask


def test_a_chart_without_notes(small):
    """There is nothing to judge."""
    [result] = [each for each in small.judge(PROFILE, checks=("notes",)).results if each.check == "notes"]
    assert result.state is State.SKIPPED


def test_notes_with_braces_of_another_language_are_fine(said):
    """Commands print with Go's templates, too."""
    assert said("kubectl get x -o go-template='{{ `{{ range .items }}` }}'\n{{ .Release.Name }} map [a] 100%\n") == [
        ("valid", "")
    ]


@pytest.mark.parametrize(
    ("notes", "left"),
    [
        ("replicas {{ .Values.absent | toString }}.", "'<nil>'"),
        ('{{ printf "%d" "a" }}', "'%!d(string=a)'"),
        ('{{ print (dict "a" 1) }}', "'map[a:1]'"),
        ('{{ "{{ .Values.replicas }}" }}', "'{{ .Values.replicas }}'"),
        ('{{ "{{- include (x) . }}" }}', "'{{- include (x) . }}'"),
    ],
)
def test_what_a_template_left_behind_is_found(said, notes, left):
    """And shown."""
    assert said(notes) == [("invalid", f"NOTES.txt says {left}, which no reader understands")]


Ask = Callable[..., list[Finding]]


@pytest.fixture
def own(tmp_path: Path) -> Ask:
    """What the check says of this project's chart, with some of its notes changed."""
    helm = helms.find(helms.MAJORS[0], tmp_path / "home")
    chart = values.load(charts.CHART)
    served = {helm.version: capabilities.api_versions(helm, tmp_path)}
    reader = Reader()

    def render(case: Case, folder: Path) -> Rendered:
        request = tools.RenderRequest(folder, case.files, case.release, case.namespace, api_versions=case.api_versions)
        return reader.read(helm.render(request))

    def ask(given: dict, change: tuple[str, str] | None = None, **differs: object) -> list[Finding]:
        file = tmp_path / "values.yaml"
        file.write_text(yamlio.dump(given), encoding="utf-8")
        case = replace(Case("given/x", Group.GIVEN, helm.version, "1.37", files=(file,)), **differs)
        rerender = Rerender(charts.CHART, tmp_path, render)
        if change is not None:
            rerender = replace(rerender, chart_dir=rerender.copy("broken", lambda folder: edit(folder, *change)))
        check = Notes(oracle.find(charts.ROOT, chart), Contexts(chart, served), rerender)
        return [each for each in check.run(case, render(case, charts.CHART)) if each.state is not State.VALID]

    return ask


def edit(folder: Path, old: str, new: str) -> None:
    """Change the notes of a chart."""
    file = folder / "templates" / "NOTES.txt"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


STATIC = {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}}
GDS = {"gds": {"enabled": True}, "driver": {"enabled": False}}
WARNED = "{{- $warnings = append $warnings"


@pytest.mark.parametrize(
    "given",
    [{}, GDS, STATIC, {"psa": {"enabled": True}}, {"namespace": {"create": True}}, {"platform": {"openshift": True}}],
    ids=str,
)
def test_the_charts_own_notes_are_fine(own: Ask, given: dict) -> None:
    """With warnings and without; whoever labels the namespace."""
    assert own(given, namespace="gpus", api_versions=("security.openshift.io/v1",)) == []


@pytest.mark.parametrize(
    ("given", "change", "message"),
    [
        (
            GDS,
            (WARNED, "{{- $_ := append $warnings"),
            "NOTES.txt does not warn: gds.enabled, driver.enabled: the kernel",
        ),
        (
            {},
            (
                "{{- $warnings := list }}",
                '{{- $warnings := list "gds.enabled, driver.enabled: the kernel module comes with the driver container, which is switched off. Way out: load the module on the nodes by other means, or set driver.enabled=true." }}',
            ),
            "NOTES.txt warns without cause: gds.enabled, driver.enabled",
        ),
        ({}, (".Release.Namespace", ".Release.Name"), "NOTES.txt does not name the namespace gpus"),
        (
            {},
            ("pod-security.kubernetes.io", "security"),
            "it needs a namespace for privileged pods, and NOTES.txt says nothing",
        ),
        (
            STATIC,
            ("pod-security.kubernetes.io", "security"),
            "it needs a namespace for privileged pods, and NOTES.txt says nothing",
        ),
        (
            {"psa": {"enabled": True}},
            (
                "(not (and (ne (toString (.Values.operator).enabled)",
                "(or true (and (ne (toString (.Values.operator).enabled)",
            ),
            "NOTES.txt asks for a label on the namespace that nobody needs",
        ),
        ({}, ("{{- /* What", "{{- if false }}{{ end }}{{- /* What"), ""),
    ],
    ids=["silent", "loud", "namespace", "label", "static-label", "needless", "same"],
)
def test_notes_that_say_what_is_not_so(own: Ask, given: dict, change: tuple[str, str], message: str) -> None:
    """A warning too few or too many, no namespace, no command to label it or one too many."""
    found = [finding.message for finding in own(given, change, namespace="gpus", release="r")]
    assert bool(found) is bool(message)
    assert not message or any(each.startswith(message) for each in found), found


def test_leftovers_are_told_once() -> None:
    """However often they stand there."""
    assert list(leftovers("<nil> and <nil>")) == ["<nil>"]
