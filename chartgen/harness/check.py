"""What a check is. Each one is a module of `chartgen.harness.checks`; `chartgen.harness.checks.registry` lists them."""

from __future__ import annotations

from typing import Protocol

from chartgen.harness.case import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding


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
