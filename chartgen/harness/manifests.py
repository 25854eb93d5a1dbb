"""What helm printed, as documents.

Documents repeat: over a whole run some five of six were seen before. `Reader` therefore reads each distinct text once
and hands out the same object again, so objects must not be changed by whoever looks at them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import yaml

from chartgen import yamlio
from chartgen.harness.tools import Run

_SEPARATOR = re.compile(r"^---[ \t]*(?:#.*)?$\n?", re.MULTILINE)
_SOURCE = re.compile(r"\A# Source: (.+)\n")


@dataclass(frozen=True)
class Document:
    """One document of a render.

    Attributes:
        source: the template it came from, as helm says it: ``gpu-operator/templates/operator/deployment.yaml``.
        text: the YAML, without helm's comment.
        object: what it says; empty when that is no mapping, or no YAML.
        problem: why there is no object; empty when there is one.
    """

    source: str
    text: str
    object: Mapping[str, Any]
    problem: str = ""

    @cached_property
    def api_version(self) -> str:
        """``apps/v1``; empty when absent."""
        return _string(self.object.get("apiVersion"))

    @cached_property
    def kind(self) -> str:
        """``Deployment``; empty when absent."""
        return _string(self.object.get("kind"))

    @cached_property
    def name(self) -> str:
        """``metadata.name``; empty when absent."""
        return _string(_mapping(self.object.get("metadata")).get("name"))

    @cached_property
    def namespace(self) -> str:
        """``metadata.namespace``; empty when absent."""
        return _string(_mapping(self.object.get("metadata")).get("namespace"))

    @property
    def objects(self) -> tuple[Mapping[str, Any], ...]:
        """The object, or those in it when it is a list of objects (``RoleList``, ``List``)."""
        items = self.object.get("items")
        if self.kind.endswith("List") and isinstance(items, list):
            return tuple(item for item in items if isinstance(item, dict))
        return (self.object,)

    @cached_property
    def identity(self) -> str:
        """How reports call it: ``Deployment/gpu-operator``, or the template when it has no kind."""
        return f"{self.kind}/{self.name}" if self.kind else self.source


@dataclass(frozen=True)
class Rendered:
    """A render.

    Attributes:
        run: helm's run; status 0 when it rendered.
        documents: what it printed, in helm's order.
    """

    run: Run
    documents: tuple[Document, ...]


@dataclass
class Reader:
    """Reads documents, each distinct text once. Threads may share it: the worst they can do is read a text twice.

    Attributes:
        known: text -> the document, as it was first seen.
    """

    known: dict[str, Document] = field(default_factory=dict)

    def read(self, run: Run) -> Rendered:
        """The documents of a render; none when helm refused. Documents of comments alone are left out, as the API does."""
        if run.status != 0:
            return Rendered(run, ())
        documents: list[Document] = []
        for part in _SEPARATOR.split(run.stdout):
            match = _SOURCE.match(part)
            # Helm 3 and 4 print different numbers of empty lines after a document.
            text = (part[match.end() :] if match else part).rstrip("\n") + "\n"
            document = self._document(match[1].strip() if match else "", text)
            if document is not None:
                documents.append(document)
        return Rendered(run, tuple(documents))

    def _document(self, source: str, text: str) -> Document | None:
        if not text.strip():
            return None
        known = self.known.get(text)
        if known is None:
            known = self.known[text] = document(source, text)
        if not known.object and not known.problem:
            return None
        return known if known.source == source else replace(known, source=source)


def document(source: str, text: str) -> Document:
    """Read one document.

    Args:
        source: see `Document`.
        text: see `Document`.
    """
    return Document(source, text, *_parse(text))


def digest(text: str) -> str:
    """A short name for a document's text, the same in every process."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _parse(text: str) -> tuple[Mapping[str, Any], str]:
    try:
        content = yamlio.load(text)
    except (yaml.YAMLError, ValueError) as cause:
        return {}, f"not YAML: {' '.join(str(cause).split())}"
    if content is None:
        return {}, ""
    if not isinstance(content, dict):
        return {}, f"a {type(content).__name__} and not an object"
    return content, "" if content else "an empty object"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
