"""No document holds a null: it is a value that someone meant to leave out, and the API server may refuse it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chartgen.harness import compare
from chartgen.harness.manifests import Document
from chartgen.harness.results import Finding, invalid


def judge(document: Document) -> Iterator[Finding]:
    """Names the path of every null; see `chartgen.harness.check.EachDocument`."""
    for path in nulls(document.object):
        yield invalid(document.identity, f"{path} is null")


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
