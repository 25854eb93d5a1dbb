"""What a check is. Each one is a module of `chartgen.harness.checks`; `chartgen.harness.checks.registry` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from chartgen.harness.case import Case
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.memo import Memo
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

    Documents repeat from case to case, so each distinct one is judged once; what was said then is said again.

    Attributes:
        name: see `Check`.
        judge: what there is to say about a document; nothing when all is well. It must depend on the document alone.
    """

    name: str
    judge: Callable[[Document], Iterable[Finding]]
    _found: Memo[Finding] = field(init=False)

    def __post_init__(self) -> None:
        self._found = Memo(self.judge)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `Check`."""
        return verdict([finding for document in rendered.documents for finding in self._found(document)])
