"""All template files of the chart: the list that generation prints and the oracle evaluates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from chartgen.components import (
    availability,
    config,
    crds,
    custom_resources,
    extra_objects,
    hooks,
    metadata,
    operator,
    platform,
    rbac,
    release_test,
)
from chartgen.components.nfd import chart as nfd
from chartgen.components.operands import (
    container_toolkit,
    dcgm,
    dcgm_exporter,
    device_plugin,
    driver,
    gpu_feature_discovery,
    mig_manager,
    mps_control_daemon,
    node_labels,
    node_status_exporter,
    operator_metrics,
    operator_validation,
    pre_requisites,
)
from chartgen.schema import conditions
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree import helper_texts
from chartgen.tree.context import Context, lookup
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Manifest
from chartgen.tree.presence import Presences

# The operands, in the order in which the operator rolls them out.
OPERANDS: tuple[Manifest, ...] = (
    node_labels.manifest(),
    pre_requisites.manifest(),
    driver.manifest(),
    container_toolkit.manifest(),
    operator_validation.manifest(),
    device_plugin.manifest(),
    mps_control_daemon.manifest(),
    dcgm.manifest(),
    dcgm_exporter.manifest(),
    gpu_feature_discovery.manifest(),
    *mig_manager.manifests(),
    node_status_exporter.manifest(),
)
# What an operator makes beside them, and a chart without one has no use for.
OF_OPERATOR: tuple[Manifest, ...] = (operator_metrics.manifest(),)


def manifests(schema: Schema) -> list[Manifest]:
    """Every template file that is made of trees, in the order of the chart's folders."""
    always = [
        platform.namespace(),
        crds.manifest(schema),
        platform.node_feature_rule(),
        *config.manifests(),
        release_test.manifest(),
    ]
    of_operator = [
        operator.manifest(),
        *rbac.manifests(),
        *hooks.manifests(schema),
        platform.security_context_constraints(),
        platform.user_roles(),
        availability.disruption_budget(),
        availability.network_policy(),
        availability.metrics(),
        *custom_resources.manifests(schema),
    ]
    return [*always, *(_with_operator(manifest) for manifest in of_operator), *map(_released, OPERANDS)]


def _released(manifest: Manifest) -> Manifest:
    """An operand's manifest with the labels and annotations that all objects of a release carry."""
    documents = (replace(document, tree=metadata.released(document.tree)) for document in manifest.documents)
    return replace(manifest, documents=tuple(documents))


def _with_operator(manifest: Manifest) -> Manifest:
    """The manifest with all its objects bound to the operator being there."""
    runs = conditions.On("operator.enabled")
    documents = (
        replace(document, condition=conditions.all_of(runs, document.condition)) for document in manifest.documents
    )
    return replace(manifest, documents=tuple(documents))


@dataclass(frozen=True)
class Part:
    """A chart that is made of trees: this one, or a subchart of it.

    Attributes:
        name: of the chart.
        folder: where it lies in the chart's folder; empty for the chart itself.
        index: its fields.
        manifests: its template files that are made of trees.
        definitions: its helpers.
    """

    name: str
    folder: str
    index: Index
    manifests: tuple[Manifest, ...]
    definitions: Mapping[str, helper_texts.Definition]

    def path(self, manifest: Manifest) -> str:
        """A template's path in the folder of the chart that holds all parts."""
        return "/".join(name for name in (self.folder, "templates", manifest.file) if name)

    def evaluator(self, context: Context) -> Evaluator:
        """What computes its trees for a context of its own."""
        return Evaluator(self.index, context, self.definitions, self.presences)

    @cached_property
    def presences(self) -> Presences:
        """When each node of its trees is there."""
        return Presences(self.index)


class Trees:
    """The trees of the chart and of its subchart, built once to be evaluated for many contexts.

    Attributes:
        own: the chart itself.
        subcharts: those of its subcharts that have trees.
    """

    def __init__(self, schema: Schema) -> None:
        self.own = Part(
            str(schema.chart["name"]), "", Index.of(schema), tuple(manifests(schema)), helper_texts.DEFINITIONS
        )
        self._subchart = nfd.Trees(schema.subcharts[nfd.NAME]) if nfd.NAME in schema.subcharts else None
        self.subcharts: tuple[Part, ...] = (_part(self._subchart),) if self._subchart else ()

    def contexts(self, context: Context) -> list[tuple[Part, Context]]:
        """Each part that is rendered for a context, with what its own templates see.

        Helm itself reads the switch of a subchart, and to it only the boolean false is off.
        """
        found = [(self.own, context)]
        if self._subchart is not None and lookup(context.values, "nfd.enabled") is not False:
            inner = self._subchart.context(context, lookup(context.values, nfd.NAME) or {})
            found.append((self.subcharts[0], inner))
        return found

    def objects(self, context: Context, wanted: Callable[[str], bool] | None = None) -> list[dict[str, Any]]:
        """Every object that the chart and its subchart render, but those of `open_files` that cannot be computed.

        Args:
            context: what the chart's templates see.
            wanted: which templates are asked for, by their path in the chart's folder; all of them otherwise.
        """
        found: list[dict[str, Any]] = []
        for part, inner in self.contexts(context):
            evaluator = part.evaluator(inner)
            files = (one for one in part.manifests if wanted is None or wanted(part.path(one)))
            found += [each for manifest in files for each in evaluator.objects(manifest)]
        extra = wanted is None or wanted(f"templates/{extra_objects.FILE}")
        return [*found, *(extra_objects.objects(context) if extra else [])]


def _part(subchart: nfd.Trees) -> Part:
    return Part(nfd.NAME, f"charts/{nfd.NAME}", subchart.index, subchart.manifests, nfd.DEFINITIONS)


def objects(schema: Schema, context: Context) -> list[dict[str, Any]]:
    """The same for a single context."""
    return Trees(schema).objects(context)


def open_files(context: Context) -> frozenset[str]:
    """Template files that may render more than `objects` says: they hold expressions that only Helm can evaluate."""
    return frozenset({extra_objects.FILE} if extra_objects.is_open(context) else ())
