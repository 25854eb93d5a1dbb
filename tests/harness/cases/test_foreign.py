"""A chart of somebody else's: what is tried without trees, and that the habits of good charts are no faults."""

from __future__ import annotations

import json

import pytest

from chartgen.harness import run, values
from chartgen.harness.cases import foreign
from chartgen.harness.options import Options
from chartgen.harness.results import State

HABITS = {
    "Chart.yaml": """
        apiVersion: v2
        name: habits
        version: 1.2.3
        dependencies:
          - {name: cache, version: 0.1.0, condition: cache.enabled}
        """,
    "values.yaml": """
        enabled: true
        mode: simple
        host: ""
        cache: {enabled: false}
        extraObjects: []
        job: {enabled: true}
        """,
    "values.schema.json": json.dumps(
        {
            "type": "object",
            "properties": {
                "mode": {"enum": ["simple", "cluster"]},
                "job": {"type": "object", "properties": {"enabled": {"type": "boolean"}}},
            },
        }
    ),
    "ci/extra-values.yaml": """
        extraObjects:
          - apiVersion: v1
            kind: ConfigMap
            metadata: {name: "{{ .Release.Name }}-extra", namespace: "{{ .Release.Namespace }}"}
        """,
    "charts/cache/Chart.yaml": "{apiVersion: v2, name: cache, version: 0.1.0}\n",
    "charts/cache/templates/config.yaml": """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "{{ .Release.Name }}-cache", namespace: "{{ .Release.Namespace }}"}
        """,
    "templates/config.yaml": """
        {{- if eq .Values.mode "cluster" }}{{ $_ := required "host is needed in a cluster" .Values.host }}{{ end }}
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "{{ .Release.Name }}", namespace: "{{ .Release.Namespace }}"}
        data:
          known: {{ not (lookup "v1" "ConfigMap" .Release.Namespace "x") | quote }}
        """,
    "templates/extra.yaml": """
        {{- range .Values.extraObjects }}
        ---
        {{ tpl (toYaml .) $ }}
        {{- end }}
        """,
    "templates/job.yaml": """
        {{- if .Values.job.enabled }}
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: {{ .Release.Name }}-hook
          namespace: {{ .Release.Namespace }}
          annotations:
            helm.sh/hook: pre-install,pre-upgrade
            helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
        {{- end }}
        """,
}


@pytest.fixture
def chart(small):
    """A chart with subcharts, hooks, a list of extra objects, templates in values, and lookups."""
    for file in sorted(small.chart.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    return small.write(HABITS)


def _judge(chart, small, tmp_path, **options):
    return run.judge(chart, Options(tmp_path / "elsewhere", kubes=("1.37",), **options), small.toolbox)


def test_choices_are_switches_and_enums(chart):
    """Of the schema, and of the default values, which a subchart's switch is among."""
    found = foreign.choices(chart, values.load(chart))
    assert {choice.path: choice.levels for choice in found} == {
        "cache.enabled": (True,), "enabled": (False,), "job.enabled": (False,), "mode": ("cluster",),
    }  # fmt: skip


def test_habits_are_no_faults(chart, small, tmp_path):
    """And what the chart refuses in its own words is not one either."""
    report = _judge(chart, small, tmp_path)
    assert report.failures == ()
    assert {"given/ci/extra-values", "array/1/cache.enabled=true", "array/2/0001"} <= set(report.cases)
    refused = [result for result in report.results if "host is needed in a cluster" in result.message]
    assert {result.state for result in refused} == {State.SKIPPED}


def test_a_broken_switch_is_a_fault(chart, small, tmp_path):
    """A template that breaks is no refusal, and the switch that breaks it is named."""
    small.write({"templates/broken.yaml": "{{ if not .Values.job.enabled }}{{ .Values.nothing.here }}{{ end }}"})
    failures = _judge(chart, small, tmp_path).failures
    assert "array/1/job.enabled=false" in {failure.case for failure in failures}
    assert {failure.check for failure in failures} == {"renders"}


def test_values_files_are_judged_alone(chart, small, tmp_path):
    """As a team does with those of its own releases."""
    file = tmp_path / "mine.yaml"
    file.write_text("mode: cluster\n")
    report = _judge(chart, small, tmp_path, files=(file,))
    assert {case.partition("/")[0] for case in report.cases} == {"given"}
    assert [failure.check for failure in report.failures] == ["renders"]
