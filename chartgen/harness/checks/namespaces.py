"""Objects of a namespace say which, and objects of the whole cluster say none.

``helm install`` puts an object without a namespace into that of the release, but ``helm template | kubectl apply`` puts it
into whichever is current. Many charts rely on the first all through, and a chart that never says a namespace is left in
peace; one that says it in most objects has forgotten it in the others. Each subchart is a chart of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from chartgen.harness import given, kinds
from chartgen.harness.case import Case
from chartgen.harness.given import Doubt
from chartgen.harness.judge import Judge
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.memo import Memo
from chartgen.harness.places import mapping, text
from chartgen.harness.results import Finding, invalid, verdict
from chartgen.harness.schemas import Kind

_CRD = "CustomResourceDefinition"
# Whether objects of a kind lie in a namespace; None where that is not known.
Scope = bool | None


@dataclass(frozen=True)
class Place:
    """Where an object says that it lies.

    Attributes:
        identity: ``Kind/name``.
        group: API group.
        kind: kind.
        says: whether there is a ``metadata.namespace``.
        namespace: which; empty when it is no name.
        defines: the kind that it defines, and whether that one's objects lie in a namespace; None when it is no CRD.
    """

    identity: str
    group: str
    kind: str
    says: bool
    namespace: str
    defines: tuple[tuple[str, str], bool] | None = None


@dataclass
class Namespaces:
    """Knows the scope of Kubernetes' own kinds, and of those that a CRD of the chart or of the render defines.

    Attributes:
        judge: has read the chart's CRDs.
    """

    judge: Judge
    name: str = "namespaces"
    _places: Memo[Place] = field(default_factory=lambda: Memo(places))

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        found = [(chart_of(document), place) for document in rendered.documents for place in self._places(document)]
        scopes = {
            **kinds.load().scopes,
            **self.judge.custom.namespaced,
            **dict(place.defines for _, place in found if place.defines is not None),
        }
        votes: Counter[str] = Counter()
        for chart, place in found:
            if scopes.get((place.group, place.kind)):
                votes[chart] += (place.namespace == case.namespace) - (not place.namespace)
        said: list[Finding | Doubt] = []
        for chart, place in found:
            said += _judged(place, scopes.get((place.group, place.kind)), chart if votes[chart] >= 0 else "")
        return verdict(given.settle(said, case))


def chart_of(document: Document) -> str:
    """The chart or subchart that a document came from: ``gpu-operator/charts/node-feature-discovery``."""
    return document.source.rpartition("/templates/")[0]


def places(document: Document) -> Iterator[Place]:
    """What each object of a document says."""
    for each in document.objects:
        metadata = mapping(each.get("metadata"))
        kind = Kind(text(each.get("apiVersion")), text(each.get("kind")))
        yield Place(
            f"{kind.kind}/{text(metadata.get('name'))}" if kind.kind else document.source,
            kind.group,
            kind.kind,
            "namespace" in metadata,
            text(metadata.get("namespace")),
            defined(each) if kind.kind == _CRD else None,
        )


def defined(definition: Mapping[str, Any]) -> tuple[tuple[str, str], bool]:
    """The (group, kind) that a CRD defines, and whether its objects lie in a namespace."""
    spec = mapping(definition.get("spec"))
    kind = text(mapping(spec.get("names")).get("kind"))
    return (text(spec.get("group")), kind), spec.get("scope") == "Namespaced"


def _judged(place: Place, scope: Scope, chart: str) -> Iterator[Finding | Doubt]:
    """What is wrong with one object; `chart` is empty where its chart leaves namespaces to helm."""
    if place.says and not place.namespace:
        yield invalid(place.identity, "metadata.namespace is there and names none")
    elif scope is False and place.says:
        yield invalid(
            place.identity,
            f"metadata.namespace is {place.namespace}, and {place.kind} objects belong to the whole cluster",
        )
    elif scope is True and not place.says and chart:
        # Objects that the user gives whole are theirs.
        missing = invalid(place.identity, f"no metadata.namespace, which most objects of {chart} have")
        yield Doubt(missing, place.identity.partition("/")[2], is_name=True)
