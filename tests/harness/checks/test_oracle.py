"""The oracle check, against what helm really renders."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from chartgen.harness import capabilities, values
from chartgen.harness.cases import profiles
from chartgen.harness.checks.oracle import EqualsOracle
from chartgen.harness.contexts import Contexts
from chartgen.harness.manifests import Reader
from chartgen.harness.results import State
from chartgen.harness.tools import RenderRequest
from chartgen.profiles import Profile
from chartgen.tree.context import Context


@dataclass
class FakeOracle:
    """Says what it was told to say, and keeps the context it was asked for."""

    said: list[dict[str, Any]]
    asked: list[Context] = field(default_factory=list)
    open: frozenset[str] = frozenset()

    def objects(self, context: Context, wanted: object = None) -> list[dict[str, Any]]:
        self.asked.append(context)
        return self.said

    def open_files(self, context: Context) -> frozenset[str]:
        return self.open


@pytest.fixture
def agreement(small):
    """A check, its case, a render and the objects that it must be equal to."""
    small.judge()
    path = small.root / "values" / "default.yaml"
    path.write_text("replicas: 3\n", encoding="utf-8")
    profile = Profile("default", path, "t", "s", {}, ())
    case = replace(profiles.case(profile, small.toolbox.renderers[0].version, "1.37"), namespace="gpu")
    run = small.toolbox.renderers[0].render(RenderRequest(small.chart, (path,), namespace="gpu"))
    rendered = Reader().read(run)
    oracle = FakeOracle([dict(document.object) for document in rendered.documents])
    return EqualsOracle(Contexts(values.load(small.chart), {case.helm: frozenset(["v1"])}), oracle), case, rendered


def test_the_same_objects_agree(agreement):
    """In any order."""
    check, case, rendered = agreement
    check.oracle.said.reverse()
    assert [finding.state for finding in check.run(case, rendered)] == [State.VALID]


def test_the_oracle_is_asked_with_helms_values(agreement):
    """The user's values over the chart's, the release, and what the cluster serves."""
    check, case, rendered = agreement
    check.run(replace(case, api_versions=("a/v1",)), rendered)
    [context] = check.oracle.asked
    assert context.values == {"replicas": 3}
    assert (context.namespace, context.chart_version, context.app_version) == ("gpu", "0.1.0", "v1")
    assert context.api_versions == {"v1", "a/v1"}


def test_another_value_is_found(agreement):
    """With both sides, by path; a number is not the string it spells."""
    check, case, rendered = agreement
    config = next(each for each in check.oracle.said if each["kind"] == "ConfigMap")
    config["data"] = {"replicas": 3}
    [finding] = check.run(case, rendered)
    assert (finding.state, finding.subject) == (State.INVALID, "ConfigMap/small")
    assert finding.message == 'data.replicas: helm has "3", the oracle 3'


def test_what_only_helm_evaluates_is_skipped_and_not_passed(agreement):
    """An object of an open file that was not computed; one that was is compared all the same."""
    check, case, rendered = agreement
    document = next(each for each in rendered.documents if each.kind == "ConfigMap")
    check.oracle.open = frozenset({document.source.removeprefix("small/templates/")})
    check.oracle.said = [each for each in check.oracle.said if each["kind"] != "ConfigMap"]
    assert {finding.state for finding in check.run(case, rendered)} == {State.SKIPPED, State.VALID}
    check.oracle.said.append({**document.object, "data": {}})
    assert State.INVALID in {finding.state for finding in check.run(case, rendered)}


def test_a_missing_and_an_extra_object_are_found(agreement):
    """Either side may have the other's lack."""
    check, case, rendered = agreement
    check.oracle.said[0] = {**check.oracle.said[0], "metadata": {"name": "other", "namespace": "gpu"}}
    assert {finding.message for finding in check.run(case, rendered)} == {
        "computed and not rendered by helm",
        "rendered by helm and not computed",
    }


def test_an_object_in_another_namespace_is_another(agreement):
    """Name and kind alone do not tell objects apart."""
    check, case, rendered = agreement
    account = next(each for each in check.oracle.said if each["kind"] == "ServiceAccount")
    account["metadata"] = {**account["metadata"], "namespace": "elsewhere"}
    assert len(check.run(case, rendered)) == 2


def test_objects_computed_twice_are_found(agreement):
    """An object that the oracle has twice and helm once is no agreement."""
    check, case, rendered = agreement
    check.oracle.said.append(check.oracle.said[0])
    assert [finding.state for finding in check.run(case, rendered)] == [State.INVALID]


def test_a_chart_without_trees_is_skipped(agreement):
    """It is said, and it is not counted as valid."""
    check, case, rendered = agreement
    assert [finding.state for finding in replace(check, oracle=None).run(case, rendered)] == [State.SKIPPED]


def test_what_a_helm_takes_a_cluster_to_serve_is_asked_of_helm(toolbox, tmp_path: Path):
    """Every Helm names the core API."""
    for renderer in toolbox.renderers:
        assert "apps/v1" in capabilities.api_versions(renderer, tmp_path / renderer.version)
