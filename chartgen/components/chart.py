"""All template files of the chart: the list that generation prints and the oracle evaluates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chartgen.components import custom_resources, operator, rbac
from chartgen.components.operands import gpu_feature_discovery
from chartgen.schema import conditions
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Manifest

# The operands, in the order in which the operator rolls them out.
OPERANDS: tuple[Manifest, ...] = (gpu_feature_discovery.manifest(),)


def manifests(schema: Schema) -> list[Manifest]:
    """Every template file that is made of trees, in the order of the chart's folders."""
    of_operator = [operator.manifest(), *rbac.manifests(), *custom_resources.manifests(schema)]
    return [*(_with_operator(manifest) for manifest in of_operator), *OPERANDS]


def _with_operator(manifest: Manifest) -> Manifest:
    """The manifest with all its objects bound to the operator being there."""
    runs = conditions.On("operator.enabled")
    documents = (
        replace(document, condition=conditions.all_of(runs, document.condition)) for document in manifest.documents
    )
    return replace(manifest, documents=tuple(documents))


def objects(schema: Schema, context: Context) -> list[dict[str, Any]]:
    """Every object that the chart renders for a context."""
    evaluator = Evaluator(Index.of(schema), context)
    return [found for manifest in manifests(schema) for found in evaluator.objects(manifest)]
