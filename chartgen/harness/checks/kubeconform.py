"""Every object of Kubernetes' own kinds is valid for every chosen Kubernetes, and all of them have the kind.

A case names one Kubernetes, which decides what helm renders. Where it decides nothing, the same documents must be valid in
all others, too. Judged in this process; kubeconform itself speaks at the end, see `chartgen.harness.second_opinion`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chartgen.harness.case import Case
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict
from chartgen.harness.schemas import Kind

NAME = "kubeconform"
_LIST = Kind("v1", "List")


@dataclass
class Kubeconform:
    """Strict: members that the schema does not name are wrong, too.

    Attributes:
        judge: shared with `chartgen.harness.checks.custom_resources`.
        kubes: see `chartgen.harness.checks.registry.Setting`.
        guarded: see `chartgen.harness.checks.registry.Setting`.
    """

    judge: Judge
    kubes: tuple[str, ...] = ()
    guarded: frozenset[str] = frozenset()
    name: str = NAME
    _known: dict[tuple[str, tuple[str, ...], bool], tuple[Finding, ...]] = field(default_factory=dict)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        kubes = case.minors(self.kubes)
        groups = self.judge.custom.groups
        optional = self.guarded | set(case.api_versions)
        findings: list[Finding] = []
        for document in rendered.documents:
            if not document.kind or document.api_version.rpartition("/")[0] in groups:
                continue
            is_optional = bool({document.api_version, f"{document.api_version}/{document.kind}"} & optional)
            key = (document.text, kubes, is_optional)
            said = self._known.get(key)
            if said is None:
                said = self._known[key] = tuple(self._judged(document, kubes, is_optional=is_optional))
            findings += said
        return verdict(findings)

    def _judged(self, document: Document, kubes: Sequence[str], *, is_optional: bool) -> Iterator[Finding]:
        """What there is to say about a document; of an optional kind only those versions of Kubernetes count that have it."""
        kind = kind_of(document)
        if kind == _LIST:
            yield skipped("helm takes a List apart, and its items are not judged here", document.identity)
            return
        if not kind.is_builtin:
            yield skipped(
                f"no CRD in the chart defines {kind}, so there is no schema to judge it by", document.identity
            )
            return
        said = {kube: self.judge.judge(document, kube) for kube in kubes}
        without = [kube for kube in kubes if said[kube] is None]
        if without and (not is_optional or len(without) == len(kubes)):
            yield invalid(document.identity, f"Kubernetes {_listed(without)} has no {kind}")
        judged = [kube for kube in kubes if said[kube] is not None]
        for sentence in dict.fromkeys(each for kube in judged for each in said[kube] or ()):
            wrong = [kube for kube in judged if sentence in (said[kube] or ())]
            where = "" if wrong == judged else f" (Kubernetes {_listed(wrong)})"
            yield invalid(document.identity, f"{sentence}{where}")


def _listed(kubes: Sequence[str]) -> str:
    """Versions as words: those between the first and the last are not all named."""
    minors = [int(kube.rpartition(".")[2]) for kube in kubes]
    if len(kubes) > 2 and minors == list(range(minors[0], minors[0] + len(minors))):
        return f"{kubes[0]} to {kubes[-1]}"
    return ", ".join(kubes)
