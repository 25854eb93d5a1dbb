"""Every object of Kubernetes' own kinds is valid for the case's Kubernetes, and that Kubernetes has the kind."""

from __future__ import annotations

from dataclasses import dataclass

from chartgen.harness.case import Case
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, error, invalid, skipped, verdict
from chartgen.harness.schemas import Kind
from chartgen.harness.tools import Status, Verdict


@dataclass(frozen=True)
class Kubeconform:
    """Strict: members that the schema does not name are wrong, too.

    Attributes:
        judge: shared with `chartgen.harness.checks.custom_resources`.
    """

    judge: Judge
    name: str = "kubeconform"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        own = self.judge.custom.groups
        documents = [
            document for document in rendered.documents if document.kind and kind_of(document).group not in own
        ]
        unknown = self.judge.unknown(documents, case.kube)
        known = [document for document in documents if kind_of(document) not in unknown]
        strange = [document for document in documents if kind_of(document) in unknown]
        findings = [_strange(document, kind_of(document), case.kube) for document in strange]
        return verdict(findings + judged(known, self.judge.judge(known, case.kube)))


def _strange(document: Document, kind: Kind, kube: str) -> Finding:
    if kind.is_builtin:
        return invalid(document.identity, f"Kubernetes {kube} has no {kind}")
    return skipped(f"no CRD in the chart defines {kind}, so there is no schema to judge it by", document.identity)


def judged(documents: list[Document], verdicts: list[Verdict]) -> list[Finding]:
    """The findings on documents that were judged by a schema; none on those that are valid."""
    findings: list[Finding] = []
    for document, given in zip(documents, verdicts, strict=True):
        if given.status is Status.INVALID:
            findings.append(invalid(document.identity, given.message))
        elif given.status is not Status.VALID:
            findings.append(error(f"{given.status.value}: {given.message}", document.identity))
    return findings
