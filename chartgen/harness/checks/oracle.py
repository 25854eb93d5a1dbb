"""Helm's output equals what the trees evaluate to: the same objects, each with the same content and types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness import compare
from chartgen.harness.case import Case
from chartgen.harness.contexts import Contexts
from chartgen.harness.manifests import Rendered
from chartgen.harness.oracle import Oracle
from chartgen.harness.results import Finding, error, invalid, skipped, verdict

_MOST_SHOWN = 8

Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class EqualsOracle:
    """Compares each object with its twin.

    Attributes:
        contexts: what the templates see.
        oracle: computes the objects; None for a chart without trees.
        wanted: which templates are looked at, by their path in the chart's folder; all of them when None.
    """

    contexts: Contexts
    oracle: Oracle | None
    wanted: Callable[[str], bool] | None = None
    name: str = "oracle"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        if self.oracle is None:
            return [skipped("this chart has no trees to compute it from")]
        context = self.contexts.of(case)
        if context is None:
            return [error(f"what Helm {case.helm} takes a cluster to serve is not known")]
        computed = self.oracle.objects(context, self.wanted)
        expected = {_key(each): each for each in computed}
        found = {_key(document.object): document.object for document in rendered.documents}
        open_files = tuple(f"{context.chart_name}/templates/{file}" for file in self.oracle.open_files(context))
        told = {_key(document.object) for document in rendered.documents if document.source.endswith(open_files)}
        counts = Counter(_key(each) for each in computed)
        findings = [
            invalid(f"{key[1]}/{key[3]}", "computed more than once")
            for key, count in counts.items()
            if count > 1 and not case.is_odd
        ]
        # Odd values may give two objects one name, and then only Helm knows which is which.
        keys = {key for key in (*expected, *found) if not (case.is_odd and counts[key] > 1)}
        for key in sorted(keys):
            subject = f"{key[1]}/{key[3]}"
            if key not in found:
                findings.append(invalid(subject, "computed and not rendered by helm"))
            elif key not in expected and key in told:
                findings.append(skipped(f"{subject} comes from an expression that only Helm evaluates"))
            elif key not in expected:
                findings.append(invalid(subject, "rendered by helm and not computed"))
            else:
                findings += _compared(subject, found[key], expected[key])
        return verdict(findings)


def _key(content: Mapping[str, Any]) -> Key:
    """What tells an object from all others."""
    metadata = content.get("metadata") or {}
    namespace = metadata.get("namespace") or ""
    return str(content.get("apiVersion")), str(content.get("kind")), str(namespace), str(metadata.get("name"))


def _compared(subject: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> list[Finding]:
    all_of_them = list(compare.differences(found, expected))
    if not all_of_them:
        return []
    diff = compare.diff(found, expected, "helm", "oracle")
    findings = [
        invalid(subject, f"{path}: helm has {left}, the oracle {right}", diff)
        for path, left, right in all_of_them[:_MOST_SHOWN]
    ]
    if len(all_of_them) > _MOST_SHOWN:
        findings.append(invalid(subject, f"and {len(all_of_them) - _MOST_SHOWN} more differences"))
    return findings
