"""What the profile says of objects holds: each path has the value that was written down by hand.

Of the ClusterPolicy it speaks by paths below its spec, of all others by paths from their root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartgen.harness import compare
from chartgen.harness.case import Case
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict

_KIND = "ClusterPolicy"


@dataclass(frozen=True)
class Expectations:
    """Hand-written facts, which the agreement of helm and the oracle cannot replace: both come from one tree."""

    name: str = "expectations"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        profile = case.profile
        if profile is None or (not profile.cluster_policy and not profile.fields):
            return [skipped("no profile says anything of what is in the objects")]
        findings: list[Finding] = []
        if profile.cluster_policy:
            policies = [document for document in rendered.documents if document.kind == _KIND]
            below = {f"spec.{path}": value for path, value in profile.cluster_policy.items()}
            findings += _judged(_KIND, policies, below)
        for name, expected in profile.fields.items():
            findings += _judged(name, [each for each in rendered.documents if each.identity == name], expected)
        return verdict(findings)


def _judged(name: str, found: Sequence[Document], expected: Mapping[str, Any]) -> Iterator[Finding]:
    """What is wrong with the one document of a name."""
    if len(found) != 1:
        yield invalid(name, f"the profile speaks of one and {len(found)} are rendered")
        return
    for path, value in expected.items():
        for place, left, right in compare.differences(find(found[0].object, path), value, path):
            yield invalid(found[0].identity, f"{place} is {left}, and {right} is expected")


def find(value: Any, path: str) -> Any:
    """The value at a path; None where there is nothing."""
    for key in compare.split(path):
        if isinstance(key, int):
            value = value[key] if isinstance(value, list) and key < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value
