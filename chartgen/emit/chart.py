"""The chart as a whole: every file of ``charts/gpu-operator`` from a loaded schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from chartgen import yamlio
from chartgen.components import chart as components
from chartgen.components.nfd import chart as nfd
from chartgen.components.nfd import helper_set
from chartgen.emit import crds, differences, jsonschema, packaging, readme, templates, values
from chartgen.emit.sources import Sources
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
# What is told elsewhere in Chart.yaml, or nowhere in it.
_OTHER_KEYS = ("order", "subcharts", "package")


def emit(schema: Schema, sources: Sources) -> list[GeneratedFile]:
    """All files of the chart and of its subchart, by path.

    Args:
        schema: of the chart.
        sources: what else it is made of.
    """
    trees = templates.emit(schema, components.manifests(schema), Index.of(schema))
    annotations = packaging.chart_annotations(schema, sources)
    files = [*_common(schema, annotations), differences.emit(), readme.emit(schema, sources), *trees]
    files += packaging.emit(sources)
    if nfd.NAME in schema.subcharts:
        part = schema.subcharts[nfd.NAME]
        trees = templates.emit(part, nfd.manifests(part), Index.of(part), helper_set.DEFINITIONS, with_notes=False)
        folder = f"charts/{nfd.NAME}"
        files += [
            GeneratedFile(f"{folder}/{file.path}", file.text)
            for file in (
                *_common(part, {}),
                differences.emit(differences.NFD),
                *trees,
                *packaging.emit_subchart(sources),
            )
        ]
    return sorted(files, key=_path)


def _common(schema: Schema, annotations: Mapping[str, str]) -> list[GeneratedFile]:
    """What every chart has beside templates."""
    return [_chart_yaml(schema, annotations), values.emit(schema), jsonschema.emit(schema), *crds.emit(schema)]


def _path(file: GeneratedFile) -> str:
    return file.path


def _chart_yaml(schema: Schema, annotations: Mapping[str, str]) -> GeneratedFile:
    """Chart.yaml, from the facts of ``schemas/chart.yaml``."""
    facts = {"apiVersion": "v2", "type": "application", **schema.chart}
    ordered = {"apiVersion": facts["apiVersion"], **_picked(facts, _CHART_KEYS)}
    rest = {key: value for key, value in facts.items() if key not in ordered and key not in _OTHER_KEYS}
    if schema.subcharts:
        rest["dependencies"] = list(_dependencies(schema))
    if annotations:
        rest["annotations"] = dict(annotations)
    return GeneratedFile("Chart.yaml", yamlio.dump({**ordered, **rest}))


def _dependencies(schema: Schema) -> Iterator[dict[str, str]]:
    """The subcharts; they lie in ``charts/`` as they are, so there is no repository to fetch them from."""
    for part, entry in zip(schema.subcharts.values(), schema.chart["subcharts"], strict=True):
        facts = {key: str(part.chart[key]) for key in ("name", "version")}
        yield {**facts, "repository": "", "condition": entry["condition"]}


def _picked(facts: dict[str, object], keys: Iterable[str]) -> dict[str, object]:
    return {key: facts[key] for key in keys if key in facts}
