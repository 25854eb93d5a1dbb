"""No mapping has a key twice: the last one wins in silence, so the first is text without effect."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from chartgen import yamlio
from chartgen.errors import ChartgenError
from chartgen.harness.case import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, invalid, verdict


@dataclass
class NoDuplicateKeys:
    """Reads each distinct document once more, since the fast reader does not see duplicates."""

    name: str = "duplicate-keys"
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        findings: list[Finding] = []
        for document in rendered.documents:
            findings += [invalid(document.identity, message) for message in self._duplicates(document.text)]
        return verdict(findings)

    def _duplicates(self, text: str) -> tuple[str, ...]:
        with self._lock:
            if text not in self._known:
                self._known[text] = duplicates(text)
            return self._known[text]


def duplicates(text: str) -> tuple[str, ...]:
    """Each second key in a document, as a sentence."""
    try:
        yamlio.locate(text, "line")
    except ChartgenError as error:
        return tuple(
            f"{problem.path}: {problem.found} ({problem.where}); {problem.expected}" for problem in error.problems
        )
    return ()
