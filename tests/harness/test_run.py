"""A whole run: real programs, small charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chartgen.errors import ChartgenError
from chartgen.harness import run
from chartgen.harness.case import Group
from chartgen.harness.options import Options
from chartgen.harness.reports import text
from chartgen.harness.results import State
from chartgen.harness.tools import RenderRequest, Run, ToolFailed, ValidationRequest, Verdict

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class FakeHelm:
    """Prints one text, or crashes."""

    stdout: str = ""
    crash: str = ""
    version: str = "v4.0.0"

    def render(self, request: RenderRequest) -> Run:
        if self.crash:
            raise ToolFailed(self.crash)
        return Run("helm template x", 0, self.stdout, "", 0.1)


@dataclass(frozen=True)
class FakeKubeconform:
    """Always crashes."""

    version: str = "v0.0.0"
    fingerprint: str = ""

    def validate(self, request: ValidationRequest) -> Mapping[Path, Verdict]:
        raise ToolFailed("kubeconform was killed")


def test_a_good_chart_passes(small):
    """Nothing is wrong with the small chart that the other tests break."""
    report = small.judge()
    assert report.failures == ()
    assert report.exit_code == 0
    assert report.documents == report.distinct == 3


def test_every_check_speaks_for_a_good_chart(small):
    """Each check says valid, but for the oracle, which a chart without trees has not, and that of pods, of which there are none."""
    report = small.judge()
    valid = {result.check for result in report.results if result.state is State.VALID}
    skipped = {result.check for result in report.results if result.state is State.SKIPPED}
    assert {result.check for result in report.results} - valid == {
        "cel",
        "chart-files",
        "notes",
        "oracle",
        "pod-security",
    }
    assert skipped == {"cel", "chart-files", "notes", "oracle", "pod-security", "rbac"}
    assert len(valid) >= 15


def test_cases_are_every_helm_with_every_kubernetes(small, toolbox):
    """One case for each; equal documents are counted once."""
    report = replace(small, toolbox=toolbox).judge(kubes=())
    assert len(report.cases) == 2 * len(toolbox.renderers)
    assert "profile/default/helm4/kube1.29" in report.cases
    assert report.documents == 3 * len(report.cases)
    assert report.distinct == 3


def test_two_runs_say_the_same(small):
    """Results do not depend on which thread is first."""
    small.write({"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nwrong: null\n"})
    first, second = small.judge(kubes=()), small.judge(kubes=())
    assert first.results == second.results
    assert first.failures


def test_a_refused_render_fails_once_and_the_rest_is_skipped(small):
    """One message says why; the other checks do not add noise, nor count as valid."""
    small.write({"templates/config.yaml": "{{ fail `no way` }}"})
    report = small.judge()
    assert [result.check for result in report.failures] == ["renders"]
    assert {result.state for result in report.results} == {State.INVALID, State.SKIPPED}
    assert report.exit_code == 1


def test_a_helm_that_crashes_is_an_error(small):
    """A crash is told with its words, and it is never a pass."""
    crashing = replace(small, toolbox=replace(small.toolbox, renderers=(FakeHelm(crash="killed by signal 9"),)))
    report = crashing.judge()
    assert [(result.state, result.message) for result in report.failures] == [(State.ERROR, "killed by signal 9")]
    assert report.exit_code == 1


def test_a_kubeconform_that_crashes_is_an_error(small):
    """What it thinks of the documents is not known, whatever was judged without it."""
    report = replace(small, toolbox=replace(small.toolbox, validator=FakeKubeconform())).judge()
    broken = {result.check: result.state for result in report.failures}
    assert broken == {"kubeconform": State.ERROR}


def test_an_unknown_case_is_bad_input(small):
    """The message names what there is to choose from."""
    with pytest.raises(ChartgenError, match="profile/default/helm4"):
        small.judge(cases=("nothing",))


def test_an_unknown_kubernetes_is_bad_input(small):
    """The message lists the versions there are schemas for."""
    with pytest.raises(ChartgenError, match=r"--kube: .*1\.11.*1\.29, 1\.30"):
        small.judge(kubes=("1.11",))


def test_a_case_is_chosen_by_a_pattern(small):
    """Both the profile's name and the case's own are matched."""
    assert small.judge(cases=("default",)).cases == small.judge(cases=("*/kube1.37",)).cases


def test_no_chart_is_bad_input(small, tmp_path):
    """A folder without Chart.yaml is named."""
    with pytest.raises(ChartgenError, match=r"no Chart\.yaml"):
        run.judge(tmp_path / "nowhere", Options(tmp_path), small.toolbox)


def test_our_chart_passes(toolbox):
    """The committed chart, with every profile, every Helm and the oldest and newest Kubernetes."""
    options = Options(ROOT, groups=(Group.PROFILE,))
    report = run.judge(ROOT / "charts" / "gpu-operator", options, toolbox)
    assert report.exit_code == 0, text.render(report)


def test_a_failure_has_what_it_takes_to_see_it_again(small):
    """The values, the command and the template of a real one."""
    small.write({"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nwrong: null\n"})
    [failure] = [failure for failure in small.judge().failures if failure.check == "nulls"]
    assert failure.source_template.endswith("chart/templates/config.yaml")
    assert failure.command.startswith("helm template ") or "/helm" in failure.command
    assert "template gpu-operator" in failure.command


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"checks": ("referencs",)}, r"--check: referencs; .*did you mean references\?"),
        ({"components": ("acount",)}, r"--component: acount; .*did you mean account\?"),
    ],
)
def test_what_nobody_has_cannot_be_asked_for(small, options, message):
    """A run that looks at nothing would pass."""
    with pytest.raises(ChartgenError, match=message):
        small.judge(**options)
