"""The chart as a whole: every file of ``charts/gpu-operator`` from a loaded schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chartgen import yamlio
from chartgen.components import chart as components
from chartgen.components.nfd import chart as nfd
from chartgen.components.nfd import helper_set
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
# What people and tools leave in a folder that is then packaged on its own.
_IGNORED = """\
.git/
.gitignore
.DS_Store
*.bak
*.orig
*.swp
*.tmp
*~
"""


def emit(schema: Schema) -> list[GeneratedFile]:
    """All files of the chart and of its subchart, by path."""
    trees = templates.emit(schema, components.manifests(schema), Index.of(schema))
    files = [*_common(schema), differences.emit(), *trees]
    if nfd.NAME in schema.subcharts:
        part = schema.subcharts[nfd.NAME]
        trees = templates.emit(part, nfd.manifests(part), Index.of(part), helper_set.DEFINITIONS, with_notes=False)
        folder = f"charts/{nfd.NAME}"
        files += [
            GeneratedFile(f"{folder}/{file.path}", file.text)
            for file in (
                *_common(part),
                differences.emit(differences.NFD),
                *trees,
                GeneratedFile(".helmignore", _IGNORED),
            )
        ]
    return sorted(files, key=_path)


def _common(schema: Schema) -> list[GeneratedFile]:
    """What every chart has beside templates."""
    return [_chart_yaml(schema), values.emit(schema), jsonschema.emit(schema), *crds.emit(schema)]


def _path(file: GeneratedFile) -> str:
    return file.path


def _chart_yaml(schema: Schema) -> GeneratedFile:
    """Chart.yaml, from the facts of ``schemas/chart.yaml``."""
    facts = {"apiVersion": "v2", "type": "application", **schema.chart}
    ordered = {"apiVersion": facts["apiVersion"], **_picked(facts, _CHART_KEYS)}
    rest = {key: value for key, value in facts.items() if key not in ordered and key not in ("order", "subcharts")}
    if schema.subcharts:
        rest["dependencies"] = list(_dependencies(schema))
    return GeneratedFile("Chart.yaml", yamlio.dump({**ordered, **rest}))


def _dependencies(schema: Schema) -> Iterator[dict[str, str]]:
    """The subcharts; they lie in ``charts/`` as they are, so there is no repository to fetch them from."""
    for part, entry in zip(schema.subcharts.values(), schema.chart["subcharts"], strict=True):
        facts = {key: str(part.chart[key]) for key in ("name", "version")}
        yield {**facts, "repository": "", "condition": entry["condition"]}


def _picked(facts: dict[str, object], keys: Iterable[str]) -> dict[str, object]:
    return {key: facts[key] for key in keys if key in facts}
