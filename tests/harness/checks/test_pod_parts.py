"""The parts of a pod."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness.checks import pod_parts
from chartgen.harness.given import EachDocumentUnlessGiven
from chartgen.harness.results import State

CHART = """
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: a}
    spec:
      volumeClaimTemplates: [{metadata: {name: disk}}]
      template:
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: x}]
          volumes: [{name: config, configMap: {name: c}}, {name: block, emptyDir: {}}, {name: early, emptyDir: {}}]
          initContainers:
            - {name: first, volumeMounts: [{name: early, mountPath: /a}]}
          containers:
            - name: main
              env: [{name: A, value: "1"}, {name: B, value: "2"}]
              ports: [{name: http, containerPort: 80}, {name: dns, containerPort: 80, protocol: UDP}]
              livenessProbe: {httpGet: {path: /, port: http}}
              readinessProbe: {tcpSocket: {port: "8080"}}
              lifecycle: {preStop: {httpGet: {port: http}}}
              volumeMounts: [{name: config, mountPath: /config}, {name: disk, mountPath: /disk}]
              volumeDevices: [{name: block, devicePath: /dev/x}]
              resources: {claims: [{name: gpu}]}
    ---
    apiVersion: batch/v1
    kind: CronJob
    metadata: {name: b}
    spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: main}]}}}}}
    """


def said(case, rendered, text: str, values: dict | None = None) -> list[tuple[str, str]]:
    """What the check says against a render."""
    check = EachDocumentUnlessGiven("pod-parts", pod_parts.judge)
    found = check.run(replace(case, files=(), values=values or {}), rendered(text))
    return [(each.subject, each.message) for each in found if each.state is State.INVALID]


def test_a_pod_that_fits_together_is_fine(case, rendered):
    """Claims of a StatefulSet are volumes; one number with two protocols is two ports."""
    assert said(case, rendered, CHART) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name: first", "name: main", "spec.template.spec.containers: the container main is of the pod 2 times"),
        ("name: block, empty", "name: config, empty", None),
        (
            "{name: disk, mountPath: /disk}",
            "{name: disc, mountPath: /disk}",
            "spec.template.spec.containers[0].volumeMounts[1].name: the pod has no volume disc",
        ),
        (
            "volumeClaimTemplates: [{metadata: {name: disk}}]",
            "replicas: 1",
            "spec.template.spec.containers[0].volumeMounts[1].name: the pod has no volume disk",
        ),
        (
            "[{name: early, mountPath: /a}]",
            "[]",
            "spec.template.spec.volumes: no container mounts the volume early",
        ),
        (
            "mountPath: /disk",
            "mountPath: /config",
            "spec.template.spec.containers[0].volumeMounts: the path /config is there 2 times",
        ),
        ("name: B", "name: A", "spec.template.spec.containers[0].env: the variable A is there 2 times"),
        ("name: dns", "name: http", "spec.template.spec.containers[0].ports: the name http is there 2 times"),
        (", protocol: UDP", "", "spec.template.spec.containers[0].ports: 80/TCP is there 2 times"),
        (
            "path: /, port: http",
            "path: /, port: web",
            "spec.template.spec.containers[0].livenessProbe.httpGet.port: the container has no port web",
        ),
        (
            'tcpSocket: {port: "8080"}',
            "tcpSocket: {port: tcp}",
            "spec.template.spec.containers[0].readinessProbe.tcpSocket.port: the container has no port tcp",
        ),
        (
            "preStop: {httpGet: {port: http}}",
            "preStop: {httpGet: {port: web}}",
            "spec.template.spec.containers[0].lifecycle.preStop.httpGet.port: the container has no port web",
        ),
        (
            "claims: [{name: gpu}]",
            "claims: [{name: gpus}]",
            "spec.template.spec.containers[0].resources.claims[0].name: the pod has no resource claim gpus",
        ),
    ],
)
def test_what_does_not_fit_is_refused(case, rendered, old, new, message):
    """One change each; a volume that lost its name to another is missed where it is mounted, too."""
    assert old in CHART
    found = said(case, rendered, CHART.replace(old, new))
    if message is None:
        assert len(found) == 2
    else:
        assert found == [("StatefulSet/a", message)]


def test_a_volume_of_the_user_may_be_without_a_mount(case, rendered):
    """It is theirs."""
    chart = CHART.replace("[{name: early, mountPath: /a}]", "[]")
    assert said(case, rendered, chart, {"extraVolumes": [{"name": "early"}]}) == []
