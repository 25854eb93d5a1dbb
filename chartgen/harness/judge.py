"""Schema judgement of single documents, each distinct document once for each Kubernetes.

kubeconform is a process, and starting one for each case would cost more than the judging. Most documents of a case were
in an earlier one, so only what is new is written to files and handed over.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chartgen.harness.manifests import Document
from chartgen.harness.schemas import Builtins, Custom, Kind
from chartgen.harness.tools import Status, ValidationRequest, Validator, Verdict


@dataclass
class Judge:
    """Judges documents and remembers.

    Attributes:
        validator: kubeconform, or a fake.
        builtins: schemas of Kubernetes' own kinds.
        custom: schemas of the chart's CRDs.
        scratch: a folder for the files that are handed over.
    """

    validator: Validator
    builtins: Builtins
    custom: Custom
    scratch: Path
    _known: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def judge(self, documents: Sequence[Document], kube: str) -> list[Verdict]:
        """A verdict for each document, in their order.

        Args:
            documents: each with a kind that there is a schema of, see `unknown`.
            kube: Kubernetes minor version.

        Raises:
            ToolFailed: see `Validator`.
        """
        with self._lock:
            new = sorted({document.text for document in documents if (kube, document.text) not in self._known})
            if new:
                self._judge(new, kube)
            return [self._known[kube, document.text] for document in documents]

    def unknown(self, documents: Sequence[Document], kube: str) -> set[Kind]:
        """The kinds of these documents that there is no schema of; those of the others are ready afterwards."""
        kinds = {kind_of(document) for document in documents} - set(self.custom.schemas)
        with self._lock:
            missing = self.builtins.prepare(kube, [kind for kind in kinds if kind.is_builtin])
        return missing | {kind for kind in kinds if not kind.is_builtin}

    def _judge(self, texts: Sequence[str], kube: str) -> None:
        locations = (self.custom.location, self.builtins.location(kube))
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            files: dict[Path, str] = {}
            for number, text in enumerate(texts):
                file = Path(folder) / f"{number}.yaml"
                file.write_text(text, encoding="utf-8")
                files[file] = text
            verdicts = self.validator.validate(ValidationRequest(tuple(files), kube, locations))
        for file, text in files.items():
            self._known[kube, text] = verdicts.get(file, Verdict(Status.ERROR, "no verdict"))


def kind_of(document: Document) -> Kind:
    """A document's kind."""
    return Kind(document.api_version, document.kind)
