"""What is in the cluster stays what is in git: the API server has nothing to add to a custom resource.

It fills in the defaults of a CRD when an object is stored. If that added anything under ``spec``, a GitOps tool would see
a difference that nobody can remove.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chartgen.harness import compare, stored
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
        for path, _, value in compare.differences(spec, stored.defaulted(spec, schema), "spec"):
            yield invalid(document.identity, f"{path}: the CRD's default would add {value}")
