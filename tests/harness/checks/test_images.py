"""Images in containers, variables, flags and custom resources."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness.checks import images
from chartgen.harness.given import EachDocumentUnlessGiven
from chartgen.harness.results import State

DIGEST = f"sha256:{'a' * 64}"
CHART = f"""
    apiVersion: apps/v1
    kind: Deployment
    metadata: {{name: a}}
    spec:
      template:
        spec:
          initContainers: [{{name: i, image: "registry.example.com:5000/a/b_c:v1.2-3"}}]
          containers:
            - name: c
              image: nvcr.io/nvidia/gpu-operator@{DIGEST}
              args: [--port=80, "--helper-image=quay.io/a/helper:1", "--image-pull-secret=a/b", "--image=$(IMAGE)"]
              env:
                - {{name: DRIVER_MANAGER_IMAGE, value: "nvcr.io/nvidia/manager:v1@{DIGEST}"}}
                - {{name: OTHER_IMAGE, value: ""}}
                - {{name: IMAGES, value: "a,b"}}
                - {{name: SCAN_IMAGE, value: "true"}}
          volumes: [{{name: v, image: {{reference: "grafana/grafana:11.0.0"}}}}]
    ---
    apiVersion: nvidia.com/v1
    kind: ClusterPolicy
    metadata: {{name: policy}}
    spec:
      driver: {{enabled: true, repository: nvcr.io/nvidia, image: driver, version: "595.91.07"}}
      dcgm: {{enabled: false, repository: "", image: dcgm, version: "4"}}
      toolkit: {{repository: nvcr.io/nvidia, image: toolkit, version: "{DIGEST}"}}
      validator: {{repository: "", image: "quay.io/own/validator:1", version: ""}}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: Prometheus
    metadata: {{name: p}}
    spec: {{image: "quay.io/prometheus/prometheus:v3", parts: [{{image: quay.io/a/b, imageTag: "3"}}]}}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {{name: t, annotations: {{helm.sh/hook: test}}}}
    spec: {{containers: [{{name: c, image: busybox}}]}}
    """


def said(case, rendered, text: str, values: dict | None = None) -> list[tuple[str, str]]:
    """What the check says against a render."""
    check = EachDocumentUnlessGiven("images", images.judge)
    found = check.run(replace(case, files=(), values=values or {}), rendered(text))
    return [(each.subject, each.message) for each in found if each.state is State.INVALID]


def test_good_images_are_fine(case, rendered):
    """A part that is switched off is not looked at, nor a flag with a variable; a test may be loose."""
    assert said(case, rendered, CHART) == []


FIRST = '"registry.example.com:5000/a/b_c:v1.2-3"'


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ('""', "is empty"),
        ('" a:1"', "white space"),
        ('"a/b:1 "', "white space"),
        ('"a/b :1"', "white space"),
        ('"repo/name:<no value>"', "what a template left behind"),
        ('"repo/name:%!s(int=5)"', "what a template left behind"),
        ('"repo/name:<nil>"', "what a template left behind"),
        ('"map[repository:a]"', "what a template left behind"),
        (f'"repo/name:{DIGEST}"', "joins the digest with a colon"),
        ('"repo/name@sha256:abc"', "has 'sha256:abc' for a digest"),
        (f'"repo/name@{"a" * 64}"', "for a digest"),
        ('"repo/name:"', "ends in a colon and has no tag"),
        ('"repo/name:a+b"', "has 'a+b' for a tag"),
        ('"repo/name:1:2"', "has '1:2' for a tag"),
        (f'"repo/name:{"1" * 129}"', "for a tag"),
        ('":v1"', "has no name"),
        ('"/name:1"', "an empty part between its slashes"),
        ('"repo//name:1"', "an empty part between its slashes"),
        ('"repo/:1"', "an empty part between its slashes"),
        ('"Repo/name:1"', "has 'Repo' in its name (capitals are not allowed)"),
        ('"quay.io/Name:1"', "capitals are not allowed"),
        ('"quay.io/a_-b:1"', "has 'a_-b' in its name"),
        ('"quay.io/quay.io/name:1"', "has the registry quay.io twice"),
        ('"nvcr.io/nvidia/nvcr.io/nvidia/driver:1"', "has the registry nvcr.io twice"),
        (f'"quay.io/{"a" * 260}:1"', "more than 255 characters"),
        ('"quay.io/name"', "has no tag and no digest"),
        ('"registry:5000/name"', "has no tag and no digest"),
        ('"name:latest"', "has the tag latest"),
    ],
)
def test_a_bad_reference_is_refused(case, rendered, new, words):
    """With its place and itself."""
    [(subject, message)] = said(case, rendered, CHART.replace(FIRST, new))
    assert subject == "Deployment/a"
    assert message.startswith("spec.template.spec.initContainers[0].image: ")
    assert words in message


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (f"gpu-operator@{DIGEST}", f"gpu-operator:{DIGEST}", "spec.template.spec.containers[0].image"),
        (f"manager:v1@{DIGEST}", "manager", "spec.template.spec.containers[0].env[0].value"),
        ("quay.io/a/helper:1", "quay.io/a/helper:", "spec.template.spec.containers[0].args[1]"),
        ("grafana/grafana:11.0.0", "grafana/grafana", "spec.template.spec.volumes[0].image.reference"),
        ('version: "595.91.07"', 'version: ""', "spec.driver.image"),
        ("repository: nvcr.io/nvidia, image: driver", "repository: '', image: driver", "spec.driver.image"),
        ("image: driver", "image: ''", "spec.driver.image"),
        ("enabled: false, repository", "enabled: true, repository", "spec.dcgm.image"),
        ("quay.io/own/validator:1", "quay.io/own/validator", "spec.validator.image"),
        ("prometheus:v3", "prometheus:", "spec.image"),
        ("image: busybox", "image: 'busybox:'", "spec.containers[0].image"),
        ("hook: test", "hook: pre-install", "spec.containers[0].image"),
    ],
)
def test_images_are_found_everywhere(case, rendered, old, new, place):
    """In variables, flags, volumes and custom resources, too."""
    assert old in CHART
    [(_, message)] = said(case, rendered, CHART.replace(old, new))
    assert message.startswith(f"{place}: ")


def test_what_the_user_asks_for_is_believed(case, rendered):
    """The tag latest, and a reference of their own; nothing else becomes right by it."""
    latest = CHART.replace(FIRST, "name:latest")
    assert said(case, rendered, latest, {"operator": {"version": "latest"}}) == []
    assert len(said(case, rendered, latest, {"operator": {"version": "late"}})) == 1
    own = CHART.replace(FIRST, "quay.io/name")
    assert said(case, rendered, own, {"image": "quay.io/name"}) == []
    assert len(said(case, rendered, own, {"image": "name"})) == 1
