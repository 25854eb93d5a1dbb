"""What the profile says of the ClusterPolicy holds: each path below spec has the value that was written down by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chartgen.harness import compare
from chartgen.harness.cases import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict

_KIND = "ClusterPolicy"


@dataclass(frozen=True)
class Expectations:
    """Hand-written facts, which the agreement of helm and the oracle cannot replace: both come from one tree."""

    name: str = "expectations"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        expected = case.profile.cluster_policy
        if not expected:
            return [skipped("the profile says nothing of the ClusterPolicy")]
        policies = [document for document in rendered.documents if document.kind == _KIND]
        if len(policies) != 1:
            return [invalid(_KIND, f"the profile speaks of one and {len(policies)} are rendered")]
        policy = policies[0]
        findings: list[Finding] = []
        for path, value in expected.items():
            found = find(policy.object.get("spec"), path)
            wrong = list(compare.differences(found, value, f"spec.{path}"))
            findings += [
                invalid(policy.identity, f"{place} is {left}, and {right} is expected") for place, left, right in wrong
            ]
        return verdict(findings)


def find(value: Any, path: str) -> Any:
    """The value at a path; None where there is nothing."""
    for key in compare.split(path):
        if isinstance(key, int):
            value = value[key] if isinstance(value, list) and key < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value
