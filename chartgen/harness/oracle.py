"""What computes the objects that helm must render."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from chartgen.components import chart as trees
from chartgen.harness import values
from chartgen.schema import loader
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree.context import Context


class Oracle(Protocol):
    """A description of a chart that can be evaluated."""

    def objects(self, context: Context) -> list[dict[str, Any]]:
        """Every object that the templates of the chart and its subcharts must produce."""
        ...

    def open_files(self, context: Context) -> frozenset[str]:
        """Template files that may produce more than that: they hold expressions of the user's that only Helm evaluates."""
        ...


class Trees:
    """The oracle of the chart that is generated here.

    Attributes:
        schema: what the trees were made from.
        index: its fields by path.
        manifests: every template file of the chart itself.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.index = Index.of(schema)
        self.manifests = tuple(trees.manifests(schema))
        self._trees = trees.Trees(schema)

    def objects(self, context: Context) -> list[dict[str, Any]]:
        """See `Oracle`."""
        return self._trees.objects(context)

    def open_files(self, context: Context) -> frozenset[str]:
        """See `Oracle`."""
        return trees.open_files(context)


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
