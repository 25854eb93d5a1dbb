"""No object is rendered twice, and where a profile lists them, one that is missing and one too many are both wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from chartgen.harness.case import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, invalid, verdict


@dataclass(frozen=True)
class ExactObjects:
    """Compares ``Kind/name`` of what was rendered with the profile's set."""

    name: str = "objects"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        sources = {document.identity: document.source for document in rendered.documents}
        places = Counter(
            (document.api_version, document.identity, document.namespace or case.namespace)
            for document in rendered.documents
        )
        twice = [
            invalid(name, f"rendered {count} times") for (_, name, _), count in sorted(places.items()) if count > 1
        ]
        if case.profile is None:
            return verdict(twice)
        expected = set(case.profile.objects)
        findings = [
            invalid(name, "expected by the profile and not rendered") for name in sorted(expected - set(sources))
        ]
        findings += [
            invalid(name, f"rendered by {source} and not expected by the profile")
            for name, source in sorted(sources.items())
            if name not in expected
        ]
        return verdict(findings + twice)
