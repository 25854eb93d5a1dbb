"""What computes the objects that helm must render."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from chartgen.components import chart as trees
from chartgen.components import validations
from chartgen.components.chart import Part
from chartgen.harness import values
from chartgen.schema import default_values, loader
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Manifest

_GLOBAL = "global"
# What Chart.yaml says that Helm goes by.
FACTS = ("name", "version", "appVersion", "kubeVersion")


class Oracle(Protocol):
    """A description of a chart that can be evaluated."""

    def objects(self, context: Context, wanted: Callable[[str], bool] | None = None) -> list[dict[str, Any]]:
        """Every object that the templates of the chart and its subcharts must produce.

        Args:
            context: what the chart's templates see.
            wanted: which templates are asked for, by their path in the chart's folder; all of them otherwise.
        """
        ...

    def open_files(self, context: Context) -> frozenset[str]:
        """Template files that may produce more than that: they hold expressions of the user's that only Helm evaluates."""
        ...

    def warnings(self, context: Context) -> list[tuple[str, bool]]:
        """Every sentence that NOTES.txt may warn with, and whether it has to."""
        ...

    def promises(self) -> list[Promise]:
        """What the files of the chart and of its subcharts must say."""
        ...


@dataclass(frozen=True)
class Promise:
    """What the files of a chart must say, besides its templates.

    Attributes:
        name: as `Described`.
        facts: of Chart.yaml.
        values: what values.yaml holds.
        switches: subchart -> the values path that switches it.
    """

    name: str
    facts: Mapping[str, str]
    values: Mapping[str, Any]
    switches: Mapping[str, str]


@dataclass(frozen=True)
class Described:
    """What is known of a chart that was generated: the one that is judged, or one of its subcharts.

    Attributes:
        name: under which the parent holds its values; empty for the chart itself.
        schema: what its trees were made from.
        part: its trees.
    """

    name: str
    schema: Schema
    part: Part

    @property
    def index(self) -> Index:
        """Its fields, by the path that its own templates read."""
        return self.part.index

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        """Its template files, as far as they are trees."""
        return self.part.manifests

    def path(self, own: str) -> str:
        """A values path as a user of the whole writes it; globals are those of the parent."""
        return f"{self.name}.{own}" if self.name and own.split(".", maxsplit=1)[0] != _GLOBAL else own


class Trees:
    """The oracle of the chart that is generated here.

    Attributes:
        schema: what the trees were made from.
        index: its fields by path.
        manifests: every template file of the chart itself.
        charts: the chart and its subcharts.
    """

    def __init__(self, schema: Schema) -> None:
        self._trees = trees.Trees(schema)
        self.schema = schema
        self.index = self._trees.own.index
        self.manifests = self._trees.own.manifests
        subcharts = (Described(part.name, schema.subcharts[part.name], part) for part in self._trees.subcharts)
        self.charts = (Described("", schema, self._trees.own), *subcharts)

    def contexts(self, context: Context) -> list[tuple[Part, Context]]:
        """The trees of each chart that is rendered for a context, with what its own templates see."""
        return self._trees.contexts(context)

    def objects(self, context: Context, wanted: Callable[[str], bool] | None = None) -> list[dict[str, Any]]:
        """See `Oracle`."""
        return self._trees.objects(context, wanted)

    def open_files(self, context: Context) -> frozenset[str]:
        """See `Oracle`."""
        return trees.open_files(context)

    def warnings(self, context: Context) -> list[tuple[str, bool]]:
        """See `Oracle`."""
        evaluator = Evaluator(self.index, context)
        return [(check.text, evaluator.holds(check.condition)) for check in validations.warnings(self.schema)]

    def promises(self) -> list[Promise]:
        """See `Oracle`."""
        return [_promise(described) for described in self.charts]


def _promise(described: Described) -> Promise:
    schema = described.schema
    entries = schema.chart.get("subcharts", ())
    switches = {part: entry["condition"] for part, entry in zip(schema.subcharts, entries, strict=True)}
    facts = {name: str(schema.chart.get(name, "")) for name in FACTS}
    return Promise(described.name, facts, default_values.of(schema), switches)


def find(project: Path, chart: values.Chart) -> Trees | None:
    """The oracle of a chart; None when it is not the one that the project's schemas describe.

    Args:
        project: the folder with ``schemas/``.
        chart: what is to be judged.

    Raises:
        ChartgenError: mistakes in the schemas.
    """
    folder = project / "schemas"
    if not folder.is_dir():
        return None
    schema = loader.load(folder)
    return Trees(schema) if schema.chart["name"] == chart.name else None
