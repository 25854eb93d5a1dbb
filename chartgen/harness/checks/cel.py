"""Every custom resource keeps the rules that its CRD sets up in CEL, as the API server would judge it.

Rules about changes are judged with a previous version of the chart, which renders what an upgrade would meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from chartgen.harness import validations
from chartgen.harness.case import Case
from chartgen.harness.judge import kind_of
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.rerender import Rerender, left_out
from chartgen.harness.results import Finding, error, invalid, skipped, verdict
from chartgen.harness.schemas import Custom, Kind
from chartgen.harness.validations import Broken, Rules


@dataclass
class Cel:
    """Holds objects against rules, each distinct object once.

    Attributes:
        custom: the chart's CRDs.
        rerender: renders the previous version of the chart; None when nobody can.
    """

    custom: Custom
    rerender: Rerender | None = None
    name: str = "cel"
    _rules: Mapping[Kind, Rules] = field(init=False)
    _known: dict[tuple[str, str], tuple[Finding, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = {kind: validations.of_schema(schema) for kind, schema in self.custom.openapi.items()}
        self._rules = {kind: rules for kind, rules in found.items() if rules}

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        documents = [document for document in rendered.documents if kind_of(document) in self._rules]
        if not documents:
            return [skipped("no object is rendered whose CRD has rules")]
        before = {_identity(document, case): document for document in self._before(case)}
        findings: list[Finding] = []
        for document in documents:
            old = before.get(_identity(document, case))
            key = (document.text, old.text if old else "")
            said = self._known.get(key)
            if said is None:
                said = self._known[key] = tuple(self._judged(document, old))
            findings += said
        return verdict(findings)

    def _before(self, case: Case) -> tuple[Document, ...]:
        """What the release was made of before an upgrade; nothing when it is new, or the previous version refuses the values."""
        if self.rerender is None or self.rerender.previous is None or left_out(self.rerender, case):
            return ()
        return self.rerender.render(case, self.rerender.previous).documents

    def _judged(self, document: Document, old: Document | None) -> Iterator[Finding]:
        broken = self._rules[kind_of(document)].judge(document.object, old.object if old else None)
        return (_finding(document.identity, each) for each in broken)


def _finding(subject: str, broken: Broken) -> Finding:
    said = f"{broken.path or 'the object'}: {broken.message}"
    if broken.unrunnable is None:
        return invalid(subject, said)
    return skipped(said, subject) if broken.unrunnable.is_known else error(said, subject)


def _identity(document: Document, case: Case) -> tuple[str, str, str, str]:
    """What makes an object of now and one of before the same."""
    group = document.api_version.rpartition("/")[0]
    return group, document.kind, document.namespace or case.namespace, document.name
