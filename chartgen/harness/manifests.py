"""What helm printed, as documents.

Documents repeat: over a whole run some five of six were seen before. `Reader` therefore reads each distinct text once
and hands out the same object again, so objects must not be changed by whoever looks at them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import yaml

from chartgen import yamlio
from chartgen.harness import compare, places
from chartgen.harness.tools import Run, ToolFailed

_SEPARATOR = re.compile(r"^---[ \t]*(?:#.*)?$\n?", re.MULTILINE)
_DIGEST_LENGTH = 32
_ONE_IN = 100
_MOST_SHOWN = 4
_SOURCE = re.compile(r"\A# Source: (.+)\n")


@dataclass(frozen=True)
class Document:
    """One document of a render.

    Attributes:
        source: the template it came from, as helm says it: ``gpu-operator/templates/operator/deployment.yaml``.
        text: the YAML, without helm's comment.
        object: what it says; empty when that is no mapping, or no YAML.
        problem: why there is no object; empty when there is one.
        keys_are_distinct: whether it is known that no mapping in it has a key twice.
    """

    source: str
    text: str
    object: Mapping[str, Any]
    problem: str = ""
    keys_are_distinct: bool = False

    @cached_property
    def digest(self) -> str:
        """See `digest`."""
        return digest(self.text)

    @cached_property
    def api_version(self) -> str:
        """``apps/v1``; empty when absent."""
        return places.text(self.object.get("apiVersion"))

    @cached_property
    def kind(self) -> str:
        """``Deployment``; empty when absent."""
        return places.text(self.object.get("kind"))

    @cached_property
    def name(self) -> str:
        """``metadata.name``; empty when absent."""
        return places.text(places.mapping(self.object.get("metadata")).get("name"))

    @cached_property
    def namespace(self) -> str:
        """``metadata.namespace``; empty when absent."""
        return places.text(places.mapping(self.object.get("metadata")).get("namespace"))

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

    What a renderer tells of a document is taken for what it says: reading YAML here takes many times as long. A sample is
    read here all the same, and has to come out the same; if it does not, nothing is taken from the renderer any more.

    Attributes:
        one_in: how large the sample is: one of so many, chosen by their text, and the first.
        known: digest -> the document, as it was first seen.
    """

    one_in: int = _ONE_IN
    known: dict[str, Document] = field(default_factory=dict)
    _trusting: bool = field(default=True, init=False)

    def read(self, run: Run) -> Rendered:
        """The documents of a render; none when helm refused. Documents of comments alone are left out, as the API does.

        Raises:
            ToolFailed: the renderer says something else of a document than what is read here.
        """
        if run.status != 0:
            return Rendered(run, ())
        documents: list[Document] = []
        for part in _SEPARATOR.split(run.stdout):
            match = _SOURCE.match(part)
            # Helm 3 and 4 print different numbers of empty lines after a document.
            text = (part[match.end() :] if match else part).rstrip("\n") + "\n"
            document = self._document(match[1].strip() if match else "", text, run)
            if document is not None:
                documents.append(document)
        return Rendered(run, tuple(documents))

    def _document(self, source: str, text: str, run: Run) -> Document | None:
        if not text.strip():
            return None
        name = digest(text)
        known = self.known.get(name)
        if known is None:
            told = run.objects.get(name) if self._trusting else None
            known = self._told(Document(source, text, json.loads(told), keys_are_distinct=True), run) if told else None
            known = self.known[name] = known or document(source, text)
        if not known.object and not known.problem:
            return None
        return known if known.source == source else replace(known, source=source)

    def _told(self, found: Document, run: Run) -> Document:
        """What the renderer says, checked if it is in the sample."""
        if self.known and int(found.digest, 16) % self.one_in != 0:
            return found
        read = document(found.source, found.text)
        differing = list(islice(compare.differences(found.object, read.object), _MOST_SHOWN))
        if read.problem or differing:
            self._trusting = False
            places = [f"{path or 'all of it'}: {left} instead of {right}" for path, left, right in differing]
            raise ToolFailed(
                f"{found.identity} was read in another way than here, so all others are read here:\n"
                + "\n".join([*places, read.problem])
                + f"\nreport this as a bug\n$ {run.command}"
            )
        return found


def document(source: str, text: str) -> Document:
    """Read one document.

    Args:
        source: see `Document`.
        text: see `Document`.
    """
    return Document(source, text, *_parse(text))


def digest(text: str) -> str:
    """A short name for a document's text, the same in every process and in the engine."""
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


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
