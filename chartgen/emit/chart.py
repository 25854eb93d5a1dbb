"""The chart as a whole: every file of ``charts/gpu-operator`` from a loaded schema."""

from __future__ import annotations

from collections.abc import Iterable

from chartgen import yamlio
from chartgen.components import chart as components
from chartgen.emit import crds, differences, jsonschema, templates, values
from chartgen.files import GeneratedFile
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index

_CHART_KEYS = (
    "name",
    "description",
    "type",
    "version",
    "appVersion",
    "kubeVersion",
    "home",
    "sources",
    "keywords",
    "maintainers",
)


def emit(schema: Schema) -> list[GeneratedFile]:
    """All files of the chart, by path."""
    manifests = components.manifests(schema)
    files = [
        _chart_yaml(schema),
        values.emit(schema),
        jsonschema.emit(schema),
        differences.emit(),
        *crds.emit(schema),
        *templates.emit(schema, manifests, Index.of(schema)),
    ]
    return sorted(files, key=_path)


def _path(file: GeneratedFile) -> str:
    return file.path


def _chart_yaml(schema: Schema) -> GeneratedFile:
    """Chart.yaml, from the facts of ``schemas/chart.yaml``."""
    facts = {"apiVersion": "v2", "type": "application", **schema.chart}
    ordered = {"apiVersion": facts["apiVersion"], **_picked(facts, _CHART_KEYS)}
    rest = {key: value for key, value in facts.items() if key not in ordered and key != "order"}
    return GeneratedFile("Chart.yaml", yamlio.dump({**ordered, **rest}))


def _picked(facts: dict[str, object], keys: Iterable[str]) -> dict[str, object]:
    return {key: facts[key] for key in keys if key in facts}
