"""What is in the cluster stays what is in git: the API server has nothing to add to a custom resource.

It fills in the defaults of a CRD when an object is stored. If that added anything under ``spec``, a GitOps tool would see
a difference that nobody can remove.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness import compare
from chartgen.harness.judge import kind_of
from chartgen.harness.manifests import Document
from chartgen.harness.results import Finding, invalid
from chartgen.harness.schemas import Custom


@dataclass(frozen=True)
class Drift:
    """Judges a document; see `chartgen.harness.check.EachDocument`.

    Attributes:
        custom: the chart's CRDs.
    """

    custom: Custom

    def judge(self, document: Document) -> Iterator[Finding]:
        """Each member that the stored object would have on top."""
        openapi = self.custom.openapi.get(kind_of(document))
        if openapi is None:
            return
        spec = document.object.get("spec")
        schema = openapi.get("properties", {}).get("spec", {})
        for path, _, value in compare.differences(spec, defaulted(spec, schema), "spec"):
            yield invalid(document.identity, f"{path}: the CRD's default would add {value}")


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
