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


def context(schema: Schema, parent: Context, values: Mapping[str, Any]) -> Context:
    """What the subchart's templates see.

    Args:
        schema: of the subchart.
        parent: what the parent's templates see.
        values: the subchart's, with its defaults and the globals, as Helm makes them.
    """
    facts = {key: str(schema.chart[key]) for key in ("name", "version", "appVersion")}
    return replace(
        parent,
        values=values,
        chart_name=facts["name"],
        chart_version=facts["version"],
        app_version=facts["appVersion"],
    )


def objects(schema: Schema, given: Context) -> list[dict[str, Any]]:
    """Every object that the subchart renders for a context of its own."""
    evaluator = Evaluator(Index.of(schema), given, helper_set.DEFINITIONS)
    return [found for manifest in manifests(schema) for found in evaluator.objects(manifest)]
