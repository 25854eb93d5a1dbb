"""No mapping has a key twice: the last one wins in silence, so the first is text without effect."""

from __future__ import annotations

from collections.abc import Iterator

from chartgen import yamlio
from chartgen.errors import ChartgenError
from chartgen.harness.manifests import Document
from chartgen.harness.results import Finding, invalid


def judge(document: Document) -> Iterator[Finding]:
    """Reads a document once more, unless who read it has looked for duplicates; see `chartgen.harness.check.EachDocument`."""
    if document.keys_are_distinct:
        return
    for message in duplicates(document.text):
        yield invalid(document.identity, message)


def duplicates(text: str) -> tuple[str, ...]:
    """Each second key in a document, as a sentence."""
    try:
        yamlio.locate(text, "line")
    except ChartgenError as error:
        return tuple(
            f"{problem.path}: {problem.found} ({problem.where}); {problem.expected}" for problem in error.problems
        )
    return ()
