"""Kubeconform's opinion at the end of a run, and where it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chartgen.harness import run, store, verdicts
from chartgen.harness.case import Group
from chartgen.harness.options import Options
from chartgen.harness.results import State
from chartgen.harness.tools import Status, ToolFailed, ValidationRequest, Verdict


@dataclass(frozen=True)
class Contrary:
    """A kubeconform that refuses every ConfigMap, or crashes."""

    crashes: bool = False
    version: str = "v0"
    fingerprint: str = "f"

    def validate(self, request: ValidationRequest) -> Mapping[Path, Verdict]:
        if self.crashes:
            raise ToolFailed("kubeconform was killed")
        return {
            file: Verdict(Status.INVALID, "never") if "ConfigMap" in file.read_text() else Verdict(Status.VALID)
            for file in request.files
        }


def contrary(small, **members):
    """The small chart judged by another kubeconform."""
    return replace(small, toolbox=replace(small.toolbox, validator=Contrary(**members)))


def test_a_disagreement_is_told_of_the_first_case_that_has_the_document(small):
    """Once, with the template, and with the command that renders it."""
    report = contrary(small).judge(kubes=("1.36", "1.37"))
    [result] = [result for result in report.results if result.is_bad]
    assert (result.case, result.check) == ("profile/default/helm4/kube1.36", "kubeconform")
    assert result.subject == "ConfigMap/small"
    assert result.state is State.ERROR
    assert result.message == "kubeconform refuses it for Kubernetes 1.36, and this harness does not: never"
    assert result.source.endswith("chart/templates/config.yaml")
    assert list(report.repeats) == [result.case]


def test_a_crash_is_an_error(small):
    """Told once."""
    [result] = contrary(small, crashes=True).judge(kubes=("1.36", "1.37")).failures
    assert (result.state, result.message) == (State.ERROR, "kubeconform was killed")


def test_nobody_asks_when_other_checks_are_wanted(small):
    """A person who wants one check is not kept waiting."""
    assert contrary(small).judge(checks=("nulls",)).failures == ()


@pytest.fixture
def remembered(small, tmp_path):
    """Judges with what earlier runs left."""

    def judge(validator=None):
        toolbox = replace(small.toolbox, validator=validator or small.toolbox.validator)
        with store.opened(tmp_path / "o.sqlite") as kept, verdicts.opened(tmp_path / "v.sqlite") as agreed:
            options = Options(small.root, kubes=("1.37",), groups=(Group.PROFILE,))
            return run._Run(small.chart, options, toolbox, kept, agreed).report()

    small.judge()
    return judge


def test_what_was_agreed_on_is_not_asked_again(remembered, small):
    """The same kubeconform has nothing to do, or it would crash."""
    same = small.toolbox.validator
    first = remembered()
    second = remembered(Contrary(crashes=True, version=same.version, fingerprint=same.fingerprint))
    assert first.failures == second.failures == ()
    assert first.results == second.results


def test_documents_of_known_outcomes_are_asked_about_by_another_kubeconform(remembered, small):
    """Of the same version, so that nothing is rendered anew; their texts are in the store."""
    assert remembered().failures == ()
    report = remembered(Contrary(version=small.toolbox.validator.version))
    assert report.reused == len(report.cases)
    assert [failure.subject for failure in report.failures] == ["ConfigMap/small"]
