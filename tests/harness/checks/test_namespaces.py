"""Objects of a namespace say which, and others say none."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from chartgen.harness import kinds
from chartgen.harness.checks.namespaces import Namespaces
from chartgen.harness.judge import Judge
from chartgen.harness.results import State
from chartgen.harness.schemas import Custom

CHART = """
    ---
    # Source: small/templates/account.yaml
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: a, namespace: gpu-operator}
    ---
    # Source: small/templates/role.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: a}
    ---
    # Source: small/templates/crd.yaml
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: things.example.com}
    spec: {group: example.com, scope: Cluster, names: {kind: Thing, plural: things}}
    ---
    # Source: small/templates/thing.yaml
    apiVersion: example.com/v1
    kind: Thing
    metadata: {name: a}
    ---
    # Source: small/templates/policy.yaml
    apiVersion: nvidia.com/v1
    kind: ClusterPolicy
    metadata: {name: a}
    ---
    # Source: small/templates/config.yaml
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: a, namespace: gpu-operator}
    ---
    # Source: small/templates/secret.yaml
    apiVersion: v1
    kind: Secret
    metadata: {name: a, namespace: gpu-operator}
    ---
    # Source: small/charts/sub/templates/config.yaml
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: b}
    ---
    # Source: small/charts/sub/templates/role.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata: {name: b}
    ---
    # Source: small/charts/sub/templates/account.yaml
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: b, namespace: gpu-operator}
    ---
    # Source: small/templates/roles.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleList
    items:
      - apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: r, namespace: kube-system}
    ---
    # Source: small/templates/unknown.yaml
    apiVersion: unknown.example.com/v1
    kind: Unknown
    metadata: {name: a}
    """


def said(case, rendered, text: str, values: dict | None = None) -> list[tuple[State, str, str]]:
    """What the check says of a render."""
    custom = Custom(None, {}, {}, {("nvidia.com", "ClusterPolicy"): False})
    found = Namespaces(Judge(None, custom)).run(replace(case, files=(), values=values or {}), rendered(text))
    return [(each.state, each.subject, each.message) for each in found]


def test_each_in_its_place_is_fine(case, rendered):
    """A subchart that mostly says no namespace and a kind that nobody knows are left in peace."""
    assert said(case, rendered, CHART) == [(State.VALID, "", "")]


@pytest.mark.parametrize(
    ("old", "new", "subject", "message"),
    [
        (
            "kind: ConfigMap\n    metadata: {name: a, namespace: gpu-operator}",
            "kind: ConfigMap\n    metadata: {name: a}",
            "ConfigMap/a",
            "no metadata.namespace, which most objects of small have",
        ),
        (
            "metadata: {name: r, namespace: kube-system}",
            "metadata: {name: r}",
            "Role/r",
            "no metadata.namespace, which most objects of small have",
        ),
        (
            "kind: ClusterRole\n    metadata: {name: a}",
            "kind: ClusterRole\n    metadata: {name: a, namespace: gpu-operator}",
            "ClusterRole/a",
            "metadata.namespace is gpu-operator, and ClusterRole objects belong to the whole cluster",
        ),
        (
            "kind: ClusterPolicy\n    metadata: {name: a}",
            "kind: ClusterPolicy\n    metadata: {name: a, namespace: x}",
            "ClusterPolicy/a",
            "metadata.namespace is x, and ClusterPolicy objects belong to the whole cluster",
        ),
        (
            "kind: Thing\n    metadata: {name: a}",
            "kind: Thing\n    metadata: {name: a, namespace: x}",
            "Thing/a",
            "metadata.namespace is x, and Thing objects belong to the whole cluster",
        ),
        ("scope: Cluster", "scope: Namespaced", "Thing/a", "no metadata.namespace, which most objects of small have"),
        (
            "kind: ConfigMap\n    metadata: {name: b}",
            "kind: ConfigMap\n    metadata: {name: b, namespace: ''}",
            "ConfigMap/b",
            "metadata.namespace is there and names none",
        ),
        (
            "kind: ConfigMap\n    metadata: {name: b}",
            "kind: ConfigMap\n    metadata: {name: b, namespace: null}",
            "ConfigMap/b",
            "metadata.namespace is there and names none",
        ),
    ],
)
def test_an_object_out_of_place_is_refused(case, rendered, old, new, subject, message):
    """One change each."""
    assert old in CHART
    assert said(case, rendered, CHART.replace(old, new)) == [(State.INVALID, subject, message)]


def test_objects_that_the_user_gives_are_theirs(case, rendered):
    """Whole, by their name."""
    chart = CHART.replace("metadata: {name: r, namespace: kube-system}", "metadata: {name: r}")
    assert said(case, rendered, chart, {"extraObjects": [{"metadata": {"name": "r"}}]}) == [(State.VALID, "", "")]


@pytest.mark.parametrize("minor", ["1.29", "1.37"])
def test_the_scope_of_every_kind_of_kubernetes_is_known(toolbox, minor):
    """By the schemas of the oldest and the newest version: a kind is what has metadata and is no list or answer."""
    folder = toolbox.builtins.source / f"v{minor}.0-local-strict"
    definitions = json.loads((folder / "_definitions.json").read_bytes())["$defs"]
    found = {
        (mark["group"], mark["kind"])
        for schema in definitions.values()
        for mark in schema.get("x-kubernetes-group-version-kind", ())
        if "metadata" in schema.get("properties", {}) and mark["kind"] != "Status" and not mark["kind"].endswith("List")
    }
    assert len(found) > 50
    assert found - set(kinds.load().scopes) == set()
