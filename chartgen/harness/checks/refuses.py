"""Helm refuses a case that must be refused, and says so in the right words."""

from __future__ import annotations

from dataclasses import dataclass

from chartgen.harness.case import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict


@dataclass(frozen=True)
class Refuses:
    """A refusal that does not name the path was made for another reason, and the mistake in the values would pass alone."""

    name: str = "refuses"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        refusal = case.refusal
        if refusal is None:
            return [skipped("nothing is to be refused")]
        if rendered.run.status == 0:
            return [
                invalid(
                    refusal.path, f"helm accepts it, and must refuse it ({'; '.join(refusal.words) or 'by its path'})"
                )
            ]
        said = rendered.run.stderr
        findings: list[Finding] = []
        if not names(said, refusal.path):
            findings.append(invalid(refusal.path, f"the refusal does not name the path:\n{rendered.run.report()}"))
        findings += [
            invalid(refusal.path, f"the refusal does not say {words!r}:\n{rendered.run.report()}")
            for words in refusal.words
            if " ".join(words.split()) not in " ".join(said.split())
        ]
        return verdict(findings)


def names(said: str, path: str) -> bool:
    """Whether a message names a path: as Helm's rules write it, or as JSON Schema does (``at '/driver/version'``)."""
    pointer = "".join(f"/{name}" for name in path.replace("[", ".").replace("]", "").split("."))
    return not path or path in said or f"'{pointer}'" in said
