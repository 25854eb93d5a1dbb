"""What was found in a document, so that no distinct document is looked at twice: most of a case's were in an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from chartgen.harness.manifests import Document

Found = TypeVar("Found")


@dataclass
class Memo(Generic[Found]):
    """Looks at documents and remembers. Threads may share it: the worst they can do is to look at a document twice.

    A look that breaks is not remembered.

    Attributes:
        look: what there is to find in a document; it must depend on the document alone.
    """

    look: Callable[[Document], Iterable[Found]]
    _known: dict[tuple[str, str], tuple[Found, ...]] = field(default_factory=dict)

    def __call__(self, document: Document) -> tuple[Found, ...]:
        """What is found in a document."""
        # A document without a kind is called by its template, see `Document.identity`.
        key = (document.text, "" if document.kind else document.source)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(self.look(document))
        return found
