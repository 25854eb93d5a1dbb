"""Every custom resource fits the CRD that the chart itself brings, and leaves nothing for the CRD's defaults to add.

The API server fills in defaults when an object is stored. If it added anything under ``spec``, what is in the cluster
would differ from what is in git, and a GitOps tool would see a difference that nobody can remove.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness import compare
from chartgen.harness.case import Case
from chartgen.harness.checks.kubeconform import judged
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict


@dataclass(frozen=True)
class CustomResources:
    """Judges the kinds of the groups that the chart's CRDs define.

    Attributes:
        judge: shared with `chartgen.harness.checks.kubeconform`.
    """

    judge: Judge
    name: str = "custom-resources"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        custom = self.judge.custom
        documents = [document for document in rendered.documents if kind_of(document).group in custom.groups]
        if not documents:
            return [skipped("no custom resource is rendered")]
        known = [document for document in documents if kind_of(document) in custom.schemas]
        findings = [
            invalid(document.identity, f"no CRD of the chart serves {kind_of(document)}")
            for document in documents
            if kind_of(document) not in custom.schemas
        ]
        findings += judged(known, self.judge.judge(known, case.kube))
        for document in known:
            spec = document.object.get("spec")
            schema = custom.openapi[kind_of(document)].get("properties", {}).get("spec", {})
            added = list(compare.differences(spec, defaulted(spec, schema), "spec"))
            findings += [
                invalid(document.identity, f"{path}: the CRD's default would add {value}") for path, _, value in added
            ]
        return verdict(findings)


def defaulted(value: Any, schema: Mapping[str, Any]) -> Any:
    """A value as the API server would store it: with the defaults of its schema, at every level that is there."""
    if isinstance(value, dict):
        members = schema.get("properties", {})
        result = {key: defaulted(member, members.get(key) or _rest(schema)) for key, member in value.items()}
        for key, member in members.items():
            if key not in result and "default" in member:
                result[key] = defaulted(copy.deepcopy(member["default"]), member)
        return result
    if isinstance(value, list):
        return [defaulted(item, schema.get("items") or {}) for item in value]
    return value


def _rest(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of members without one of their own."""
    rest = schema.get("additionalProperties")
    return rest if isinstance(rest, Mapping) else {}
