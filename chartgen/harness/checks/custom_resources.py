"""Every custom resource fits the CRD that the chart itself brings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from chartgen.harness.case import NEWEST, Case
from chartgen.harness.check import EachDocument
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, invalid, skipped

NAME = "custom-resources"


@dataclass
class CustomResources:
    """Judges the kinds of the groups that the chart's CRDs define.

    Attributes:
        judge: shared with `chartgen.harness.checks.kubeconform`.
    """

    judge: Judge
    name: str = NAME

    def __post_init__(self) -> None:
        self._each = EachDocument(self.name, self._judged)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        documents = custom_resources(rendered, self.judge.custom.groups)
        if not documents:
            return [skipped("no custom resource is rendered")]
        return self._each.run(case, replace(rendered, documents=documents))

    def _judged(self, document: Document) -> Iterator[Finding]:
        said = self.judge.judge(document, NEWEST)  # a CRD is the same for every Kubernetes
        if said is None:
            yield invalid(document.identity, f"no CRD of the chart serves {kind_of(document)}")
        for sentence in said or ():
            yield invalid(document.identity, sentence)


def custom_resources(rendered: Rendered, groups: frozenset[str]) -> tuple[Document, ...]:
    """The documents of API groups that the chart's CRDs define kinds of."""
    return tuple(each for each in rendered.documents if each.api_version.rpartition("/")[0] in groups)
