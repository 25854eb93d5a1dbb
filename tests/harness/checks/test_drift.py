"""What the API server adds to an object, and what it drops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chartgen.harness import manifests, schemas, session
from chartgen.harness.checks.drift import Drift
from chartgen.harness.judge import Judge
from chartgen.harness.results import State
from chartgen.harness.schemas import Kind

THING = Kind("example.com/v1", "Thing")
EMPTY = "the API server drops it, since it is empty"
POD = """
apiVersion: v1
kind: Pod
metadata: {name: x}
spec:
  containers:
    - name: a
      image: b
"""


@pytest.fixture
def drift(tools_found: session.Toolbox, tmp_path: Path) -> Callable[[str], list[str]]:
    """What the check says of a document; there is one CRD, with a default."""
    members = {"a": {"type": "string", "default": "d"}, "l": {"type": "array", "items": {"type": "string"}}}
    openapi = {"type": "object", "properties": {"spec": {"type": "object", "properties": members}}}
    custom = schemas.Custom(tmp_path, {THING: schemas.of_resource(openapi, THING)}, {THING: openapi})
    check = Drift(Judge(tools_found.builtins, custom))
    return lambda text: [finding.message for finding in check.judged(manifests.document("", text))]


def test_a_chart_with_an_empty_list(small):
    """The object and the path."""
    small.write({"templates/config.yaml": POD + "      env: []\n"})
    expected = f"spec.containers[0].env: {EMPTY} ([])"
    assert small.failures("drift") == [(State.INVALID, "Pod/x", expected)]


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ("metadata: {name: x, labels: {}}", "metadata.labels"),
        ("metadata: {name: x, annotations: {}}", "metadata.annotations"),
        ("spec: {tolerations: [], containers: [{name: a}]}", "spec.tolerations"),
        ("spec: {nodeSelector: {}, containers: [{name: a}]}", "spec.nodeSelector"),
        ("spec: {containers: [{name: a, args: []}]}", "spec.containers[0].args"),
        ("spec: {containers: [{name: a, resources: {limits: {}}}]}", "spec.containers[0].resources.limits"),
        (
            "spec: {volumes: [{name: v, configMap: {items: []}}], containers: [{name: a}]}",
            "spec.volumes[0].configMap.items",
        ),
    ],
)
def test_what_is_empty_is_dropped(drift, members, path):
    """At any depth."""
    [said] = drift(f"apiVersion: v1\nkind: Pod\n{members}\n")
    assert said.startswith(f"{path}: {EMPTY}")


@pytest.mark.parametrize(
    "text",
    [
        # an object that is empty says something by being there
        "{apiVersion: v1, kind: Pod, spec: {volumes: [{name: v, emptyDir: {}}], containers: [{name: a, resources: {}, securityContext: {}}]}}",
        "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: x}, spec: {podSelector: {}, ingress: [{}]}}",
        # nothing is let in, which a reader wants to see
        "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: x}, spec: {podSelector: {}, ingress: [], egress: []}}",
        # these stay
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: x}, rules: []}",
        "{apiVersion: v1, kind: Pod, spec: {volumes: [{name: v, projected: {sources: []}}], containers: [{name: a}]}}",
        # a default that the API server adds to every object is nothing to speak of
        "{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {ports: [{port: 1}]}}",
        # and scalars are left alone
        "{apiVersion: v1, kind: Pod, spec: {hostNetwork: false, containers: [{name: a, env: [{name: A, value: ''}]}]}}",
        # what the schema does not know is the business of another check
        "{apiVersion: v1, kind: Pod, spec: {strange: [], containers: []}}",
        "{apiVersion: v1, kind: Unheard, metadata: {labels: {}}}",
        "{apiVersion: v1, kind: Pod, spec: wrong, metadata: [wrong]}",
    ],
)
def test_what_stays(drift, text):
    """No word about it."""
    assert drift(text) == []


def test_a_status_is_dropped(drift):
    """In kinds that have one."""
    assert drift(POD + "status: {phase: Running}\n") == ["status: the API server drops it: only controllers write it"]
    assert drift("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, status: {}}") == []


def test_metadata_that_the_api_server_writes(drift):
    """Of any kind, custom resources too."""
    for head in ("apiVersion: v1, kind: ConfigMap", "apiVersion: example.com/v1, kind: Thing, spec: {a: b}"):
        text = f"{{{head}, metadata: {{name: x, uid: a, generation: 1}}}}"
        assert drift(text) == [
            "metadata.generation: only the API server writes it",
            "metadata.uid: only the API server writes it",
        ]


def test_a_crd_loses_what_it_is_without(drift):
    """Falses, zeros and empty texts, which other kinds may hold."""
    text = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: things.example.com}
        spec:
          preserveUnknownFields: false
          scope: Cluster
          group: example.com
          names: {kind: Thing, plural: things, categories: []}
          versions:
            - name: v1
              served: true
              storage: false
              additionalPrinterColumns: [{name: A, type: string, jsonPath: .a, priority: 0}]
              subresources: {status: {}}
              schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, nullable: false, default: "", enum: []}}}}
        """
    version = "spec.versions[0]"
    assert drift(text) == [
        "spec.preserveUnknownFields: the API server drops it, since false is what it is without",
        f"spec.names.categories: {EMPTY} ([])",
        f"{version}.additionalPrinterColumns[0].priority: the API server drops it, since 0 is what it is without",
        f"{version}.schema.openAPIV3Schema.properties.a.nullable: the API server drops it, since false is what it is without",
        f"{version}.schema.openAPIV3Schema.properties.a.enum: {EMPTY} ([])",
    ]


def test_defaults_of_a_crd_are_added(drift):
    """Unless they are written; what is empty in a custom resource stays as it is."""
    head = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: x}\n"
    assert drift(f"{head}spec: {{l: []}}\n") == ['spec.a: the CRD\'s default would add "d"']
    assert drift(f"{head}spec: {{a: b, l: []}}\n") == []
    # a null gives way to the default; that there is a null, another check says
    assert drift(f"{head}spec: {{a: null}}\n") == []


def test_metadata_of_a_custom_resource_is_that_of_any_object(drift):
    """What is empty in it is dropped."""
    text = "{apiVersion: example.com/v1, kind: Thing, metadata: {name: x, labels: {}}, spec: {a: b}}"
    assert drift(text) == [f"metadata.labels: {EMPTY} ({{}})"]
