"""Helm renders the case without a word of warning, and every document is an object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chartgen.harness import places
from chartgen.harness.case import Case, Group
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.memo import Memo
from chartgen.harness.results import Finding, invalid, skipped, verdict

_REFUSED = re.compile(r"execution error at \(|values don't meet the specifications of the schema")
_PARTS = ("apiVersion", "kind", "metadata.name")


@dataclass
class Renders:
    """The first check: the others have nothing to look at when it fails.

    Attributes:
        may_be_empty: whether a render without objects is fine, since only a part of the chart is looked at.
        may_refuse: whether the chart may refuse values that nobody chose by hand, as long as it does so in its own words.
    """

    may_be_empty: bool = False
    may_refuse: bool = False
    name: str = "renders"
    _incomplete: Memo[Finding] = field(default_factory=lambda: Memo(incomplete))

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        if rendered.run.status != 0 and self.may_refuse and case.group is Group.ARRAY and _is_own(rendered.run.stderr):
            return verdict([skipped(f"the chart refuses these values itself: {rendered.run.stderr.strip()}")])
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
            findings += self._incomplete(document)
        return verdict(findings)


def _is_own(stderr: str) -> bool:
    """Whether a refusal was written by the chart's author: a `fail`, a `required`, or the schema of the values."""
    return _REFUSED.search(stderr) is not None


def incomplete(document: Document) -> Iterator[Finding]:
    """What an object lacks that every one has; in a list of objects, each of them."""
    for each in document.objects:
        missing = [key for key in _PARTS if not any(places.text(found) for _, found in places.find(each, key))]
        if missing:
            yield invalid(document.identity, f"no {', no '.join(missing)} in a document of {document.source}")
