"""Helm renders the case without a word of warning, and every document is an object."""

from __future__ import annotations

from dataclasses import dataclass

from chartgen.harness.case import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, invalid, verdict


@dataclass(frozen=True)
class Renders:
    """The first check: the others have nothing to look at when it fails.

    Attributes:
        may_be_empty: whether a render without objects is fine, since only a part of the chart is looked at.
    """

    may_be_empty: bool = False
    name: str = "renders"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        if rendered.run.status != 0:
            return [invalid("", f"helm refuses:\n{rendered.run.report()}")]
        findings = [
            invalid("", f"helm says: {line.strip()}") for line in rendered.run.stderr.splitlines() if line.strip()
        ]
        if not rendered.documents and not self.may_be_empty:
            findings.append(invalid("", "nothing was rendered"))
        for document in rendered.documents:
            if document.problem:
                findings.append(invalid(document.source, document.problem))
                continue
            missing = [key for key, value in _parts(document.api_version, document.kind, document.name) if not value]
            if missing:
                findings.append(
                    invalid(document.identity, f"no {', no '.join(missing)} in a document of {document.source}")
                )
        return verdict(findings)


def _parts(api_version: str, kind: str, name: str) -> list[tuple[str, str]]:
    return [("apiVersion", api_version), ("kind", kind), ("metadata.name", name)]
