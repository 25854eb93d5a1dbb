"""All template files of the chart: the list that generation prints and the oracle evaluates."""

from __future__ import annotations

from typing import Any

from chartgen.components import custom_resources, operator, rbac
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Manifest


def manifests(schema: Schema) -> list[Manifest]:
    """Every template file that is made of trees, in the order of the chart's folders."""
    return [operator.manifest(), *rbac.manifests(), *custom_resources.manifests(schema)]


def objects(schema: Schema, context: Context) -> list[dict[str, Any]]:
    """Every object that the chart renders for a context."""
    evaluator = Evaluator(Index.of(schema), context)
    return [found for manifest in manifests(schema) for found in evaluator.objects(manifest)]
