"""What a check is. Each one is a module of `chartgen.harness.checks`; `chartgen.harness.checks.registry` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from chartgen.harness.case import Case
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, verdict


class Check(Protocol):
    """Judges a render.

    A check starts as failed: one that returns nothing is taken for one that could not judge. It earns success with the
    one finding of state valid that `chartgen.harness.results.verdict` adds when there is nothing to complain about.
    """

    @property
    def name(self) -> str:
        """One or two words, unique; what ``--check`` and reports call it."""
        ...

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """What there is to say about a case.

        Raises:
            ToolFailed: a program that the check uses failed; the runner makes it an error.
        """
        ...


@dataclass
class EachDocument:
    """A check that looks at one document at a time, and at nothing else.

    Documents repeat from case to case, so each distinct one is judged once; what was said then is said again. Threads may
    share it: the worst they can do is judge a document twice. A judgement that breaks is not remembered.

    Attributes:
        name: see `Check`.
        judge: what there is to say about a document; nothing when all is well. It must depend on the document alone.
    """

    name: str
    judge: Callable[[Document], Iterable[Finding]]
    _known: dict[tuple[str, str], tuple[Finding, ...]] = field(default_factory=dict)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `Check`."""
        findings: list[Finding] = []
        for document in rendered.documents:
            # A document without a kind is called by its template, see `Document.identity`.
            key = (document.text, "" if document.kind else document.source)
            said = self._known.get(key)
            if said is None:
                said = self._known[key] = tuple(self.judge(document))
            findings += said
        return verdict(findings)
