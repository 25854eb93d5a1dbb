"""Schema judgement of single documents, in this process: each distinct document once for each schema.

Starting kubeconform for each case would cost a hundred times the judging. What it thinks of the same documents is asked
once, at the end of a run: see `chartgen.harness.second_opinion`.

Most kinds have the same schema in several Kubernetes versions, so that one judgement holds for all of them.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs

from chartgen.harness.manifests import Document
from chartgen.harness.schemas import Builtins, Custom, Kind
from chartgen.harness.violations import violations

# The API server's own schemas of CRDs are of this draft; those of the builtin kinds say themselves which they are of.
_DRAFT_OF_CRDS = jsonschema_rs.Draft4Validator


@dataclass(frozen=True)
class Schema:
    """A compiled schema.

    Attributes:
        digest: the same for equal schemas.
        content: the schema.
        validator: made of it.
    """

    digest: str
    content: Mapping[str, Any]
    validator: jsonschema_rs.Validator


@dataclass
class Judge:
    """Judges documents and remembers. Threads may share it.

    Attributes:
        builtins: schemas of Kubernetes' own kinds.
        custom: schemas of the chart's CRDs.
    """

    builtins: Builtins
    custom: Custom
    _schemas: dict[tuple[Kind, str], Schema | None] = field(default_factory=dict)
    _by_digest: dict[str, Schema] = field(default_factory=dict)
    _known: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def judge(self, document: Document, kube: str) -> tuple[str, ...] | None:
        """What is wrong with a document, one sentence for each mistake; None when there is no schema of its kind.

        Args:
            document: an object.
            kube: Kubernetes minor version.
        """
        schema = self.schema(kind_of(document), kube)
        if schema is None:
            return None
        key = (schema.digest, document.text)
        said = self._known.get(key)
        if said is None:
            said = self._known[key] = violations(schema.validator, schema.content, document.object)
        return said

    def schema(self, kind: Kind, kube: str) -> Schema | None:
        """The schema of a kind; None when that Kubernetes has not got the kind, or only a CRD that is not here could define it."""
        key = (kind, kube)
        if key not in self._schemas:
            with self._lock:
                self._schemas[key] = self._find(kind, kube)
        return self._schemas[key]

    def _find(self, kind: Kind, kube: str) -> Schema | None:
        if kind in self.custom.schemas:
            return self._compiled(json.dumps(self.custom.schemas[kind], sort_keys=True).encode())
        file = self.builtins.find(kube, kind) if kind.is_builtin else None
        return self._compiled(file.read_bytes()) if file else None

    def _compiled(self, text: bytes) -> Schema:
        digest = hashlib.blake2b(text, digest_size=16).hexdigest()
        if digest not in self._by_digest:
            content = json.loads(text)
            validator = jsonschema_rs.validator_for(content) if "$schema" in content else _DRAFT_OF_CRDS(content)
            self._by_digest[digest] = Schema(digest, content, validator)
        return self._by_digest[digest]


def kind_of(document: Document) -> Kind:
    """A document's kind."""
    return Kind(document.api_version, document.kind)
