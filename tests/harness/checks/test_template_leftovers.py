"""What templates leave behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness.checks import template_leftovers
from chartgen.harness.given import EachDocumentUnlessGiven
from chartgen.harness.results import State

CHART = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: a, labels: {app: a}, annotations: {note: plain}}
    spec:
      template:
        spec:
          containers:
            - name: c
              image: a:1
              args: ["--format=go-template={{.status}}", "100%", "a map of it"]
              env: [{name: SCRIPT, value: "if x\\n\\tthen\\n"}]
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: dashboards}
    data: {board.json: '{"legend": "{{pod}}", "rate": "heatmap[5m:1m]", "none": null}', none: "null", tab: "a\\tb"}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: PrometheusRule
    metadata: {name: alerts}
    spec: {groups: [{rules: [{alert: A, annotations: {summary: "{{ $labels.pod }} is {{ $value }}"}}]}]}
    ---
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: things.example.com}
    spec: {description: "A value such as {{ .Values.x }} or <nil>"}
    """
A = "Deployment/a"


def said(case, rendered, text: str, values: dict | None = None) -> list[tuple[str, str]]:
    """What the check says against a render."""
    check = EachDocumentUnlessGiven("template-leftovers", template_leftovers.judge)
    found = check.run(replace(case, files=(), values=values or {}), rendered(text))
    return [(each.subject, each.message) for each in found if each.state is State.INVALID]


def test_braces_of_other_programs_are_fine(case, rendered):
    """Dashboards, alerts, flags, and descriptions in a CRD."""
    assert said(case, rendered, CHART) == []


@pytest.mark.parametrize(
    ("old", "new", "subject", "words"),
    [
        ("note: plain", "note: <no value>", A, "metadata.annotations.note holds <no value>, which Go prints"),
        ("note: plain", 'note: "\\u003cno value\\u003e"', A, "holds <no value>"),
        ("note: plain", "note: 'a %!s(<int>) b'", A, "holds %!s("),
        ("note: plain", "note: 'a %!d(string=x)'", A, "holds %!d("),
        ("note: plain", "note: 'a%!(EXTRA string=b)'", A, "holds %!(EXTRA"),
        ("note: plain", "note: <nil>", A, "holds <nil>"),
        ("note: plain", "note: 'map[a:b c:d]'", A, "holds map[a:b c:d]"),
        ("note: plain", "note: 'map[]'", A, "holds map[]"),
        ("name: c", "name: 'map[name:x]'", A, "spec.template.spec.containers[0].name holds map[name:x]"),
        ("note: plain", "note: '{{ .Values.a }}'", A, "holds an expression of Helm"),
        ("note: plain", "note: 'x {{- include \"a.b\" . }}'", A, "holds an expression of Helm"),
        ("note: plain", "'{{ .Release.Name }}': plain", A, "metadata.annotations holds an expression of Helm"),
        ("{app: a}", "{app: '{{ x }}'}", A, "metadata.labels.app holds braces"),
        ("name: c", "name: '{{'", A, "containers[0].name holds braces"),
        ("image: a:1", "image: 'a:1}}'", A, "containers[0].image holds braces"),
        ("note: plain", "note: 'null'", A, "is the word null"),
        ("note: plain", 'note: "a\\r\\nb"', A, "has line ends of Windows"),
        ("note: plain", 'note: "a\\tb"', A, "holds a tab"),
        ("{{pod}}", "{{ .Values.pod }}", "ConfigMap/dashboards", "data.board.json holds an expression of Helm"),
        ("{{ $value }}", "{{ .Values.x }}", "PrometheusRule/alerts", "holds an expression of Helm"),
        ("a map of it", "--level=<nil>", A, "args[2] holds <nil>"),
    ],
)
def test_each_leftover_is_refused(case, rendered, old, new, subject, words):
    """With its place."""
    assert old in CHART
    [(found, message)] = said(case, rendered, CHART.replace(old, new))
    assert found == subject
    assert words in message


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("'{{ .Values.a }}'", "{{ .Values.a }}"),
        ("'map[a:b]'", "see map[a:b]"),
        ("<nil>", "a <nil>"),
        ("'null'", "null"),
        ('"a\\r\\nb"', "one\r\ntwo"),
        ('"a\\tb"', "a\tb"),
    ],
)
def test_what_the_user_wrote_is_no_leftover(case, rendered, text, given):
    """Values hold such text; without them it is one."""
    chart = CHART.replace("note: plain", f"note: {text}")
    assert said(case, rendered, chart, {"a": [{"b": given}]}) == []
    assert len(said(case, rendered, chart, {"a": "other"})) == 1
