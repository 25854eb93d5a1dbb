"""All template files of the subchart ``node-feature-discovery``, and what they evaluate to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chartgen.components.nfd import gc, helper_set, master, prometheus, prune, topology_updater, worker
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Manifest

NAME = "node-feature-discovery"


def manifests(schema: Schema) -> list[Manifest]:
    """Every template file that is made of trees."""
    return [
        *master.manifests(),
        *worker.manifests(),
        *topology_updater.manifests(schema),
        *gc.manifests(),
        *prune.manifests(),
        prometheus.manifest(),
    ]


DEFINITIONS = helper_set.DEFINITIONS


class Trees:
    """The trees of the subchart, built once to be evaluated for many contexts.

    Attributes:
        index: its fields.
        manifests: its template files.
    """

    def __init__(self, schema: Schema) -> None:
        self.index = Index.of(schema)
        self.manifests = tuple(manifests(schema))
        self._facts = {key: str(schema.chart[key]) for key in ("name", "version", "appVersion")}

    def context(self, parent: Context, values: Mapping[str, Any]) -> Context:
        """What the subchart's templates see.

        Args:
            parent: what the parent's templates see.
            values: the subchart's, with its defaults and the globals, as Helm makes them.
        """
        return replace(
            parent,
            values=values,
            chart_name=self._facts["name"],
            chart_version=self._facts["version"],
            app_version=self._facts["appVersion"],
        )

    def objects(self, context: Context) -> list[dict[str, Any]]:
        """Every object that the subchart renders for a context of its own."""
        evaluator = Evaluator(self.index, context, DEFINITIONS)
        return [found for manifest in self.manifests for found in evaluator.objects(manifest)]
