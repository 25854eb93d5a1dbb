"""APIs that are gone, or will be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from chartgen.harness import schemas, session
from chartgen.harness.case import NEWEST, Case
from chartgen.harness.checks import deprecated_apis
from chartgen.harness.checks.deprecated_apis import DeprecatedApis, table
from chartgen.harness.judge import Judge
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import State
from chartgen.harness.schemas import Kind

INVALID = State.INVALID
BUDGET = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: x}\n"
KUBES = ("1.29", NEWEST)


@pytest.fixture
def judge(tools_found: session.Toolbox) -> Judge:
    """One without CRDs."""
    return Judge(tools_found.builtins, schemas.Custom(tools_found.scratch, {}, {}))


@pytest.fixture
def said(judge: Judge, case: Case, rendered: Callable[..., Rendered]) -> Callable[..., list[str]]:
    """What the check says of documents."""

    def ask(text: str, **members: object) -> list[str]:
        members = {"kubes": KUBES} | members
        findings = DeprecatedApis(judge, **members).run(case, rendered(text))
        return [finding.message for finding in findings if finding.state is not State.VALID]

    return ask


def test_a_chart_with_a_removed_api(small):
    """The release that removed it, and what to use."""
    small.write({"templates/config.yaml": BUDGET})
    expected = "policy/v1beta1 PodDisruptionBudget was removed in Kubernetes 1.25; use policy/v1"
    assert small.failures("deprecated-apis") == [(INVALID, "PodDisruptionBudget/x", expected)]


def test_a_chart_with_good_apis(small):
    """Custom resources, too, are none of this check's business."""
    results = [result for result in small.judge().results if result.check == "deprecated-apis"]
    assert [result.state for result in results] == [State.VALID]


@pytest.mark.parametrize(
    ("api", "expected"),
    [
        # found by comparing schemas: the newest version of a kind is what to use
        ("networking.k8s.io/v1beta1, kind: ServiceCIDR", "was removed in Kubernetes 1.37; use networking.k8s.io/v1"),
        (
            "coordination.k8s.io/v1alpha1, kind: LeaseCandidate",
            "removed in Kubernetes 1.32; use coordination.k8s.io/v1beta1",
        ),
        (
            "resource.k8s.io/v1alpha2, kind: PodSchedulingContext",
            "removed in Kubernetes 1.31; nothing has taken its place",
        ),
        # from the table
        ("extensions/v1beta1, kind: Ingress", "was removed in Kubernetes 1.22; use networking.k8s.io/v1"),
        ("v1, kind: Endpoints", "is deprecated since Kubernetes 1.33; use discovery.k8s.io/v1 EndpointSlice"),
    ],
)
def test_what_has_become_of_a_kind(said, api, expected):
    """And what to use instead."""
    [message] = said(f"{{apiVersion: {api}, metadata: {{name: x}}}}")
    assert message.endswith(expected)


@pytest.mark.parametrize(
    "api",
    [
        "apps/v1, kind: Deployment",
        "v1, kind: Unheard",
        "apps/v9, kind: Deployment",
        "example.com/v1beta1, kind: Ingress",
    ],
)
def test_what_is_served_or_unknown_is_left_alone(said, api):
    """A kind that never was is the business of another check."""
    assert said(f"{{apiVersion: {api}, metadata: {{name: x}}}}") == []


def test_references_count(said):
    """An object may name an API that is gone; with the place."""
    scaler = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: x}, spec: {scaleTargetRef: {apiVersion: %s, kind: Deployment, name: y}}}"
    assert said(scaler % "apps/v1") == []
    assert said(scaler % "extensions/v1beta1") == [
        "spec.scaleTargetRef: extensions/v1beta1 Deployment was removed in Kubernetes 1.16; use apps/v1"
    ]


def test_a_guarded_api_is_left_alone(said):
    """The template asks whether it is served."""
    assert said(BUDGET, guarded=frozenset(["policy/v1beta1"])) == []
    assert said(BUDGET, guarded=frozenset(["policy/v1beta1/PodDisruptionBudget"])) == []
    assert said(BUDGET, guarded=frozenset(["policy/v1"])) != []


def test_what_is_rendered_for_older_versions_alone_is_not_judged(judge, case, rendered):
    """A template that reads the version renders something else for the newest."""
    [finding] = DeprecatedApis(judge).run(replace(case, kube="1.29"), rendered(BUDGET))
    assert (finding.state, finding.message) == (State.SKIPPED, f"nothing is judged for Kubernetes {NEWEST}, the newest")


@pytest.mark.parametrize("kind", ["Role", "ClusterRole"])
def test_a_rule_for_what_is_gone_grants_nothing(said, kind):
    """Each rule by itself."""
    role = (
        f"apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata: {{name: x}}\nrules:\n"
        "  - {apiGroups: [policy], resources: [poddisruptionbudgets], verbs: [get]}\n"
        "  - {apiGroups: [policy, extensions], resources: [podsecuritypolicies], verbs: [use]}\n"
    )
    [message] = said(role)
    assert message.startswith("rules[1] grants nothing: podsecuritypolicies.policy was removed in Kubernetes 1.25, ")
    assert message.endswith("podsecuritypolicies.extensions was removed in Kubernetes 1.22")


@pytest.mark.parametrize(
    "rule",
    [
        "{apiGroups: [extensions, networking.k8s.io], resources: [ingresses], verbs: [get]}",
        "{apiGroups: [policy], resources: [podsecuritypolicies, poddisruptionbudgets], verbs: [get]}",
        "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}",
        "{apiGroups: [resource.k8s.io], resources: [resourceclasses], verbs: [get]}",
        "{nonResourceURLs: [/metrics], verbs: [get]}",
        "{}",
        "wrong",
    ],
)
def test_a_rule_that_grants_something_is_left_alone(said, rule):
    """In some Kubernetes that is judged for: 1.29 still had resourceclasses."""
    assert (
        said(f"{{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {{name: x}}, rules: [{rule}]}}") == []
    )


def test_what_is_gone_is_told_once_nobody_has_it(said):
    """The oldest Kubernetes that is judged for decides."""
    rule = "{apiGroups: [resource.k8s.io], resources: [resourceclasses/status], verbs: [get]}"
    role = f"{{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {{name: x}}, rules: [{rule}]}}"
    assert said(role, kubes=("1.31", NEWEST)) == [
        "rules[0] grants nothing: resourceclasses.resource.k8s.io was removed in Kubernetes 1.31"
    ]


def test_the_table_agrees_with_the_schemas(judge):
    """What is said to be gone is, and since when; what is to be used is there."""
    minors = judge.builtins.minors()
    for kind, fate in table().kinds.items():
        assert bool(judge.schema(kind, NEWEST)) is fate.is_served, kind
        if fate.kube in minors[1:] and not fate.is_served:
            assert judge.schema(kind, minors[minors.index(fate.kube) - 1]), kind
            assert not judge.schema(kind, fate.kube), kind
        if "/v" in fate.use and " " not in fate.use:
            assert judge.schema(Kind(fate.use, kind.kind), NEWEST), kind


def test_stable_versions_come_first():
    """Of several the one that is there to stay."""
    versions = ["v1alpha2", "v1beta1", "v2", "v1", "v1beta2"]
    ranked = sorted((Kind(f"a/{version}", "B") for version in versions), key=deprecated_apis._rank)
    assert [kind.version for kind in ranked] == ["v2", "v1", "v1beta2", "v1beta1", "v1alpha2"]
