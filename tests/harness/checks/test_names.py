"""Names of objects and in objects."""

from __future__ import annotations

import pytest

from chartgen.harness.check import EachDocument
from chartgen.harness.checks import names
from chartgen.harness.results import State

CHART = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: good.name-1, namespace: gpu-operator}
    spec:
      template:
        spec:
          volumes: [{name: data-1, emptyDir: {}}]
          initContainers: [{name: first}]
          containers:
            - name: main
              ports: [{name: http-metrics, containerPort: 80}]
              env: [{name: _A.b-C1, value: x}]
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec: {ports: [{name: http, port: 80}]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings}
    data: {config.yaml: x, _.keep: y}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: here}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: once}
    ---
    apiVersion: batch/v1
    kind: CronJob
    metadata: {name: nightly}
    ---
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: store}
    spec: {volumeClaimTemplates: [{metadata: {name: disk}}]}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: "System:Reader"}
    ---
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: hook}
    webhooks: [{name: pods.check.example.com}]
    ---
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: things.example.com}
    spec: {group: example.com, names: {kind: Thing, plural: things}}
    ---
    apiVersion: networking.k8s.io/v1
    kind: Ingress
    metadata: {name: way}
    spec: {rules: [{host: "*.example.com"}, {http: {paths: []}}]}
    """


def said(case, rendered, text: str) -> list[tuple[str, str]]:
    """What the check says against a render."""
    found = EachDocument("names", names.judge).run(case, rendered(text))
    return [(each.subject, each.message) for each in found if each.state is State.INVALID]


def test_good_names_are_fine(case, rendered):
    """Dots where they may be, a colon in a role."""
    assert said(case, rendered, CHART) == []


@pytest.mark.parametrize(
    ("old", "new", "subject", "words"),
    [
        ("good.name-1", "Good", "Deployment/Good", "metadata.name 'Good' must be lower case"),
        ("good.name-1", "a..b", "Deployment/a..b", "must be lower case"),
        ("good.name-1", f"{'a' * 254}", f"Deployment/{'a' * 254}", "has 254 characters, and 253 are the most"),
        ("namespace: gpu-operator", "namespace: gpu.operator", "Deployment/good.name-1", "metadata.namespace"),
        ("name: web", "name: 1web", "Service/1web", "must be a letter first"),
        ("name: web", "name: we.b", "Service/we.b", "must be a letter first"),
        ("name: web", f"name: {'w' * 64}", f"Service/{'w' * 64}", "has 64 characters, and 63 are the most"),
        ("name: here", "name: he.re", "Namespace/he.re", "metadata.name 'he.re' must be"),
        (
            "name: once",
            f"name: {'o' * 64}",
            f"Job/{'o' * 64}",
            "63 are the most, since it becomes the value of a label",
        ),
        ("name: nightly", f"name: {'n' * 53}", f"CronJob/{'n' * 53}", "52 are the most"),
        ("name: store", f"name: {'s' * 53}", f"StatefulSet/{'s' * 53}", "52 are the most"),
        ("name: disk", "name: disk_1", "StatefulSet/store", "spec.volumeClaimTemplates[0].metadata.name"),
        ('"System:Reader"', '"a/b"', "ClusterRole/a/b", "no / and no %"),
        ("name: main", "name: main_1", "Deployment/good.name-1", "spec.template.spec.containers[0].name"),
        ("name: first", "name: ''", "Deployment/good.name-1", "spec.template.spec.initContainers[0].name ''"),
        ("name: data-1", "name: data.1", "Deployment/good.name-1", "spec.template.spec.volumes[0].name"),
        ("http-metrics", "http-metrics-all", "Deployment/good.name-1", "has 16 characters, and 15 are the most"),
        ("http-metrics", '"80"', "Deployment/good.name-1", "one letter at least"),
        ("http-metrics", "a--b", "Deployment/good.name-1", "containers[0].ports[0].name 'a--b'"),
        ("_A.b-C1", "1A", "Deployment/good.name-1", "containers[0].env[0].name '1A'"),
        ("_A.b-C1", "'A=B'", "Deployment/good.name-1", "containers[0].env[0].name 'A=B'"),
        ("name: http,", "name: HTTP,", "Service/web", "spec.ports[0].name 'HTTP'"),
        ("config.yaml: x", "a/b.yaml: x", "ConfigMap/settings", "a key of data, 'a/b.yaml' must be"),
        ("config.yaml: x", "'': x", "ConfigMap/settings", "a key of data, '' must be"),
        ("config.yaml: x", f"a: {'x' * 1048577}", "ConfigMap/settings", "1048576 are the most"),
        ("pods.check.example.com", "pods.check", "ValidatingWebhookConfiguration/hook", "three parts or more"),
        ("name: things.", "name: thing.", "CustomResourceDefinition/thing.example.com", "defines things.example.com"),
        ('"*.example.com"', '"*"', "Ingress/way", "spec.rules[0].host '*' must be a domain"),
    ],
)
def test_a_bad_name_is_refused(case, rendered, old, new, subject, words):
    """With its place and what it must be."""
    assert old in CHART
    [(found, message)] = said(case, rendered, CHART.replace(old, new))
    assert found == subject
    assert words in message
