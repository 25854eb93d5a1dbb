"""Labels, annotations, selectors, tolerations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness.checks import labels
from chartgen.harness.given import EachDocumentUnlessGiven
from chartgen.harness.results import State

CHART = """
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: a
      labels: {app.kubernetes.io/name: a, empty: "", short: A_b.c-1}
      annotations: {Example.com/any: "anything: at all", helm.sh/hook-weight: "1"}
    spec:
      selector: {matchLabels: {app: a}, matchExpressions: [{key: tier, operator: In, values: [front]}]}
      template:
        metadata: {labels: {app: a}, annotations: {checksum/config: abc}}
        spec:
          nodeSelector: {kubernetes.io/os: linux}
          tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}, {operator: Exists}]
          affinity:
            podAntiAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec: {selector: {app: web}}
    ---
    apiVersion: nvidia.com/v1
    kind: ClusterPolicy
    metadata: {name: policy}
    spec: {daemonsets: {labels: {team: ml}, annotations: {a: b}}}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: PrometheusRule
    metadata: {name: alerts}
    spec: {groups: [{rules: [{labels: {severity: "{{ $labels.x }}"}, annotations: {summary: 5}}]}]}
    ---
    apiVersion: nfd.k8s-sigs.io/v1alpha1
    kind: NodeFeatureRule
    metadata: {name: rule}
    spec: {rules: [{labels: {feature: "@cpu.cpuid"}, matchFeatures: [{matchExpressions: {vendor: {op: In, value: ["10de"]}}}]}]}
    ---
    apiVersion: v1
    kind: ResourceQuota
    metadata: {name: quota}
    spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [a]}]}}
    ---
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: things.example.com}
    spec: {schema: {properties: {nodeSelector: {type: object, not a label: 1}, tolerations: {type: array}}}}
    """


def said(case, rendered, text: str, values: dict | None = None) -> list[tuple[str, str]]:
    """What the check says against a render."""
    check = EachDocumentUnlessGiven("labels", labels.judge)
    found = check.run(replace(case, files=(), values=values or {}), rendered(text))
    return [(each.subject, each.message) for each in found if each.state is State.INVALID]


def test_good_labels_are_fine(case, rendered):
    """Members of other kinds that are called alike are no labels."""
    assert said(case, rendered, CHART) == []


A = "Deployment/a"


@pytest.mark.parametrize(
    ("old", "new", "subject", "words"),
    [
        ("app.kubernetes.io/name: a", "app.kubernetes.io/name: 5", A, "is 5, and values of labels are strings"),
        ("app.kubernetes.io/name: a", "app.kubernetes.io/name: yes", A, "is true, and values of labels are strings"),
        ("app.kubernetes.io/name: a", f"name: {'a' * 64}", A, "has 64 characters, and 63 are the most"),
        ("app.kubernetes.io/name: a", "name: a b", A, "metadata.labels.name: 'a b' must be letters"),
        ("app.kubernetes.io/name: a", "name: -a", A, "'-a' must be letters"),
        ("app.kubernetes.io/name: a", "a/b/c: a", A, "'a/b' before the / must be"),
        ("app.kubernetes.io/name: a", "/name: a", A, "'' before the / must be"),
        ("app.kubernetes.io/name: a", "a/: a", A, "'' must be letters"),
        ("app.kubernetes.io/name: a", f"{'n' * 64}: a", A, "has 64 characters"),
        ("Example.com/any", "any thing", A, "metadata.annotations.any thing: 'any thing' must be"),
        ('hook-weight: "1"', "hook-weight: 1", A, "is 1, and annotations are strings"),
        ('"anything: at all"', f'"{"x" * 262144}"', A, "262144 are the most"),
        ("{matchLabels: {app: a}, matchEx", "{matchLabels: {app: a/b}, matchEx", A, "spec.selector.matchLabels.app"),
        ("operator: In, values: [front]", "operator: in, values: [front]", A, '"in", and must be one of'),
        ("operator: In, values: [front]", "operator: In, values: []", A, "values is empty, and In needs one"),
        ("operator: In, values: [front]", "operator: Exists, values: [a]", A, "and Exists takes none"),
        ("values: [front]", "values: [fr ont]", A, "matchExpressions[0].values[0]: 'fr ont'"),
        ("key: tier", "key: ti er", A, "matchExpressions[0].key: 'ti er'"),
        ("metadata: {labels: {app: a}", "metadata: {labels: {app: [a}", A, None),
        ("{checksum/config: abc}", "{checksum/config: null}", A, "spec.template.metadata.annotations"),
        ("kubernetes.io/os: linux", "kubernetes.io/os: true", A, "nodeSelector.kubernetes\\.io/os is true"),
        ("key: nvidia.com/gpu", "key: nvidia.com/gpu/x", A, "tolerations[0].key"),
        ("effect: NoSchedule", "effect: Noschedule", A, '"Noschedule", and must be one of NoExecute'),
        ("effect: NoSchedule", "tolerationSeconds: 5", A, "for the effect NoExecute alone"),
        ("effect: NoSchedule", "value: x", A, "tolerations[0].value is not empty, and Exists takes none"),
        ("{operator: Exists}]", "{operator: Equal}]", A, "tolerations[1].key is empty, and Equal needs one"),
        ("topologyKey: kubernetes.io/hostname", "topologyKey: ''", A, "topologyKey: '' must be letters"),
        ("selector: {app: web}", "selector: {app: true}", "Service/web", "spec.selector.app is true"),
        ("labels: {team: ml}", "labels: {team: no}", "ClusterPolicy/policy", "spec.daemonsets.labels.team is false"),
        ("annotations: {a: b}", "annotations: {a: 1}", "ClusterPolicy/policy", "spec.daemonsets.annotations.a is 1"),
    ],
)
def test_a_bad_one_is_refused(case, rendered, old, new, subject, words):
    """With its place; a document that is no YAML is left to others."""
    assert old in CHART
    found = said(case, rendered, CHART.replace(old, new))
    if words is None:
        assert found == []
        return
    [(where, message)] = found
    assert where == subject
    assert words in message


def test_conditions_of_the_user_are_theirs(case, rendered):
    """They are copied; a label that the chart made a boolean of is its fault, whoever gave it."""
    chart = CHART.replace("operator: In, values: [front]", "operator: In, values: []")
    assert said(case, rendered, chart, {"affinity": {"key": "tier"}}) == []
    assert len(said(case, rendered, chart, {"affinity": {"key": "tiers"}})) == 1
    chart = CHART.replace("app.kubernetes.io/name: a", "mode: yes")
    assert len(said(case, rendered, chart, {"labels": {"mode": "yes"}})) == 1
