"""What is computed of `extraObjects`, and what is left to Helm."""

from __future__ import annotations

from typing import Any

import pytest

from chartgen.components import extra_objects
from chartgen.tree.context import Context


def _context(*items: Any) -> Context:
    values = {"extraObjects": list(items), "operator": {"image": "op", "replicas": 2, "on": True, "map": {}}}
    return Context(values=values, release_name="r", namespace="n", chart_version="1", app_version="v2")


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ .Release.Name }}", "r"),
        ("{{.Release.Namespace}}", "n"),
        ("in-{{ .Release.Namespace }}", "in-n"),
        ("{{ .Chart.Name }}-{{ .Chart.Version }}", "gpu-operator-1"),
        ("{{ .Chart.AppVersion }}", "v2"),
        ("{{ .Values.operator.image }}:{{ .Values.operator.replicas }}", "op:2"),
        ("{{ .Values.operator.on }}", "true"),
        ("no expression", "no expression"),
    ],
)
def test_reads_of_values_and_facts_are_computed(template: str, text: str) -> None:
    """In keys and values, at any depth."""
    context = _context({"kind": "A", "list": [{"deep": template}], "n": 1, "none": None})
    assert extra_objects.objects(context) == [{"kind": "A", "list": [{"deep": text}], "n": 1, "none": None}]
    assert not extra_objects.is_open(context)


@pytest.mark.parametrize(
    "template",
    [
        "{{ .Values.operator.image | quote }}",
        "{{- .Release.Name }}",
        "{{ .Values.absent }}",
        "{{ .Values.operator.map }}",
        '{{ include "x" . }}',
        "{{ if .Values.operator }}a{{ end }}",
        "0{{ .Values.operator.replicas }}",
    ],
)
def test_anything_else_is_left_to_helm(template: str) -> None:
    """Functions, trimming, absent values, and what may turn into something else than a string."""
    context = _context({"kind": "A", "value": template}, {"kind": "B"})
    assert extra_objects.objects(context) == [{"kind": "B"}]
    assert extra_objects.is_open(context)


def test_a_text_may_hold_several_objects() -> None:
    """Empty documents are none."""
    context = _context("---\nkind: A\n---\n\n---\nkind: B\nname: {{ .Release.Name }}\n")
    assert extra_objects.objects(context) == [{"kind": "A"}, {"kind": "B", "name": "r"}]


@pytest.mark.parametrize("given", [None, []])
def test_there_may_be_none(given: Any) -> None:
    """Null is as good as an empty list."""
    context = Context(values={"extraObjects": given})
    assert extra_objects.objects(context) == []
    assert not extra_objects.is_open(context)
