"""The rules of CRDs in a run, and those of our own CRDs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from chartgen.harness import schemas, validations
from chartgen.harness.checks.cel import Cel
from chartgen.harness.manifests import Rendered
from chartgen.harness.rerender import Rerender
from chartgen.harness.results import State
from chartgen.harness.schemas import Kind

CHART = Path(__file__).resolve().parents[3] / "charts" / "gpu-operator"
DRIVER = Kind("nvidia.com/v1alpha1", "NVIDIADriver")
CLUSTER = Kind("nvidia.com/v1alpha1", "GPUCluster")
DOMAIN = Kind("resource.nvidia.com/v1beta1", "ComputeDomain")
# kind, object before or None, object now, the message or nothing
RULED: Sequence[tuple[Kind, Any, Any, str]] = [
    (DRIVER, None, {"spec": {"default": True, "nodeSelector": {"a": "b"}}}, "serves all nodes"),
    (DRIVER, None, {"spec": {"default": True, "nodeSelector": {}}}, ""),
    (DRIVER, None, {"spec": {"default": True}}, ""),
    (DRIVER, None, {"spec": {"default": False, "nodeSelector": {"a": "b"}}}, ""),
    (DRIVER, None, {"spec": {"nodeSelector": {"a": "b"}}}, ""),
    (DRIVER, None, {"spec": {}}, ""),
    (DRIVER, {"spec": {"driverType": "gpu"}}, {"spec": {"driverType": "vgpu"}}, "driverType is fixed"),
    (DRIVER, {"spec": {"driverType": "gpu"}}, {"spec": {"driverType": "gpu"}}, ""),
    (DRIVER, None, {"spec": {"driverType": "vgpu"}}, ""),
    (DRIVER, {"spec": {"usePrecompiled": True}}, {"spec": {"usePrecompiled": False}}, "usePrecompiled is fixed"),
    (DRIVER, {"spec": {"usePrecompiled": True}}, {"spec": {"usePrecompiled": True}}, ""),
    (DRIVER, {"spec": {}}, {"spec": {"usePrecompiled": True}}, ""),
    (CLUSTER, None, {"metadata": {"name": "gpu-cluster"}}, ""),
    (CLUSTER, None, {"metadata": {"name": "other"}}, "its name is gpu-cluster"),
    (DOMAIN, {"spec": {"numNodes": 1}}, {"spec": {"numNodes": 2}}, "spec of a ComputeDomain is fixed"),
    (DOMAIN, {"spec": {"numNodes": 1}}, {"spec": {"numNodes": 1}}, ""),
    (DOMAIN, None, {"spec": {"numNodes": 1}}, ""),
]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> schemas.Custom:
    """The CRDs of our chart."""
    return schemas.write_custom(CHART, tmp_path_factory.mktemp("crds"))


@pytest.mark.parametrize(("kind", "old", "new", "said"), RULED)
def test_our_rules(own, kind, old, new, said):
    """What each lets through, and what it refuses."""
    found = [each.message for each in validations.of_schema(own.openapi[kind]).judge(new, old)]
    assert len(found) == bool(said)
    assert all(said in message for message in found)


def test_every_rule_of_ours_refuses_something(own):
    """The table above leaves none out, and all can be judged."""
    messages = {rule.message for schema in own.openapi.values() for rule in rules_of(validations.of_schema(schema))}
    refused = {each for each in messages if any(said and said in each for _, _, _, said in RULED)}
    assert messages
    assert refused == messages


def rules_of(rules: validations.Rules | None) -> list[validations.Rule]:
    """Every rule of a schema."""
    if rules is None:
        return []
    below = [*rules.members.values(), rules.items, rules.rest]
    return [*rules.own, *(rule for each in below for rule in rules_of(each))]


def with_rule(small, rule: str) -> None:
    """Gives the CRD of the small chart a rule about the driver's version."""
    crd = (small.chart / "crds" / "policies.yaml").read_text(encoding="utf-8")
    plain = "version: {type: string}"
    assert plain in crd
    small.write({
        "crds/policies.yaml": crd.replace(plain, f"version: {{type: string, x-kubernetes-validations: [{rule}]}}")
    })  # fmt: skip


def test_a_good_object_keeps_its_rules(small):
    """And the check says so."""
    with_rule(small, "{rule: \"self.matches('^[0-9]+$')\"}")
    results = [result for result in small.judge().results if result.check == "cel"]
    assert [result.state for result in results] == [State.VALID]


def test_a_broken_rule_is_told_in_its_own_words(small):
    """With the path of the part that it is about."""
    with_rule(small, "{rule: \"self.startsWith('570.')\", message: only the old branch}")
    assert small.failures("cel") == [
        (State.INVALID, "ClusterPolicy/policy", "spec.driver.version: only the old branch")
    ]


def test_a_rule_that_is_no_cel_is_an_error(small):
    """Nobody can say whether it is kept."""
    with_rule(small, "{rule: self.unheardOf()}")
    [(state, _, message)] = small.failures("cel")
    assert state is State.ERROR
    assert message.startswith("spec.driver.version: self.unheardOf(): undeclared reference to 'unheardOf'")


def test_a_rule_that_needs_what_is_not_here_is_skipped(small):
    """By name; it is not taken for kept, nor does it fail the run of someone who can do nothing about it."""
    with_rule(small, "{rule: isQuantity(self)}")
    results = [result for result in small.judge().results if result.check == "cel"]
    said = {result.state: result.message for result in results}
    assert said[State.SKIPPED] == "spec.driver.version: isQuantity(self): isQuantity is not known here"


def test_a_chart_without_rules_is_skipped(small):
    """There is nothing to judge."""
    [result] = [result for result in small.judge().results if result.check == "cel"]
    assert (result.state, result.message) == (State.SKIPPED, "no object is rendered whose CRD has rules")


def test_an_upgrade_is_held_against_what_was_there(own, case, rendered: Callable[..., Rendered], tmp_path: Path):
    """The object of the same kind, namespace and name; another one was never there."""
    text = "{{apiVersion: nvidia.com/v1alpha1, kind: NVIDIADriver, metadata: {{name: {}}}, spec: {{driverType: {}}}}}\n"
    old = rendered(text.format("a", "gpu"))
    upgraded = Cel(own, Rerender(tmp_path, tmp_path, lambda case, chart: old, tmp_path))
    [finding] = upgraded.run(case, rendered(text.format("a", "vgpu")))
    assert (finding.state, finding.subject) == (State.INVALID, "NVIDIADriver/a")
    assert finding.message.startswith("spec.driverType: driverType is fixed")
    assert [finding.state for finding in upgraded.run(case, rendered(text.format("b", "vgpu")))] == [State.VALID]
    installed = Cel(own, Rerender(tmp_path, tmp_path, lambda case, chart: old))
    assert [finding.state for finding in installed.run(case, rendered(text.format("a", "vgpu")))] == [State.VALID]


def test_a_chart_that_breaks_a_rule_about_changes(small, tmp_path):
    """Upgraded from its previous version, with the same values."""
    with_rule(small, "{rule: self == oldSelf, message: for good}")
    previous = tmp_path / "previous"
    shutil.copytree(small.chart, previous)
    policy = (small.chart / "templates" / "policy.yaml").read_text(encoding="utf-8")
    small.write({"templates/policy.yaml": policy.replace('"580"', '"570"')})
    results = [result for result in small.judge(previous=previous, checks=("cel",)).results if result.check == "cel"]
    assert [(result.state, result.subject, result.message) for result in results] == [
        (State.INVALID, "ClusterPolicy/policy", "spec.driver.version: for good")
    ]
    assert small.judge(checks=("cel",)).failures == ()
