"""No document holds a null: it is a value that someone meant to leave out, and the API server may refuse it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness import compare
from chartgen.harness.case import Case
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, invalid, verdict


@dataclass(frozen=True)
class NoNulls:
    """Names the path of every null."""

    name: str = "nulls"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        findings: list[Finding] = []
        for document in rendered.documents:
            findings += [invalid(document.identity, f"{path} is null") for path in nulls(document.object)]
        return verdict(findings)


def nulls(value: Any, path: str = "") -> Iterator[str]:
    """The paths of all nulls in a value."""
    if value is None:
        yield path
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield from nulls(member, compare.join(path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from nulls(item, f"{path}[{number}]")
