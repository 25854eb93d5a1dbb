"""What kubeconform says of every distinct document of a run, asked at its end, in few calls for many files each.

Documents are judged in this process while cases are rendered. kubeconform is another program in another language with
another reader of YAML: where it comes to another conclusion, one of the two is wrong, and someone has to look. That is an
error, whichever of them refuses.
"""

from __future__ import annotations

import importlib.metadata
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chartgen import yamlio
from chartgen.harness import fingerprint, judge, manifests, schemas, violations
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Document
from chartgen.harness.results import Finding, error
from chartgen.harness.tools import Status, ValidationRequest, Validator, Verdict
from chartgen.harness.verdicts import Verdicts

# So many files a call: few enough for a command line and for memory, many enough that reading the schemas costs little.
_BATCH = 2000
_VERDICTS = (Status.VALID, Status.INVALID)


@dataclass(frozen=True)
class SecondOpinion:
    """Compares kubeconform's verdicts with those of this process.

    Attributes:
        judge: the first opinion, and the schemas.
        validator: kubeconform, or a fake.
        scratch: a folder for the files that are handed over.
        verdicts: what both agreed on in earlier runs; None to ask about everything.
    """

    judge: Judge
    validator: Validator
    scratch: Path
    verdicts: Verdicts | None = None

    def settled(self, digests: Iterable[str], kubes: Sequence[str]) -> set[str]:
        """The documents on which both agreed in an earlier run, so that nobody needs to read them again.

        Args:
            digests: see `chartgen.harness.manifests.digest`.
            kubes: Kubernetes minor versions.

        Raises:
            ToolFailed: the file of verdicts is damaged.
        """
        if self.verdicts is None:
            return set()
        keys = self._keys(digests, kubes)
        known = self.verdicts.find(key for each in keys.values() for key in each)
        return {digest for digest, each in keys.items() if known.issuperset(each)}

    def ask(self, texts: Iterable[str], kubes: Sequence[str]) -> dict[str, list[Finding]]:
        """Where the two disagree, or kubeconform could not judge; by the document's text.

        Documents without a kind that there is a schema of are left out: the checks say what there is to say of them.

        Args:
            texts: documents, as helm printed them.
            kubes: Kubernetes minor versions to judge them for.

        Raises:
            ToolFailed: see `Validator` and `Verdicts`.
        """
        distinct = sorted(set(texts))
        findings: dict[str, list[Finding]] = {}
        for at in range(0, len(distinct), _BATCH):
            batch = distinct[at : at + _BATCH]
            found = self._batch([manifests.document("", text) for text in batch], kubes)
            findings.update(found)
            if self.verdicts is not None:
                agreed = [manifests.digest(text) for text in batch if text not in found]
                self.verdicts.keep(key for keys in self._keys(agreed, kubes).values() for key in keys)
        return findings

    def _batch(self, documents: Sequence[Document], kubes: Sequence[str]) -> dict[str, list[Finding]]:
        findings: dict[str, list[Finding]] = {}
        asked: set[tuple[str, str]] = set()
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            files = {document.text: Path(folder) / f"{number}.yaml" for number, document in enumerate(documents)}
            for text, file in files.items():
                file.write_text(text, encoding="utf-8")
            for kube in kubes:
                todo = list(self._new(documents, kube, asked))
                locations = (self.judge.custom.location, self.judge.builtins.location(kube))
                request = ValidationRequest(tuple(files[document.text] for document in todo), kube, locations)
                verdicts = self.validator.validate(request) if todo else {}
                for document in todo:
                    theirs = verdicts.get(files[document.text], Verdict(Status.ERROR, "no verdict"))
                    ours = self.judge.judge(document, kube) or ()
                    findings.setdefault(document.text, []).extend(_compared(document, kube, ours, theirs))
        return {text: found for text, found in findings.items() if found}

    def _new(self, documents: Sequence[Document], kube: str, asked: set[tuple[str, str]]) -> Iterator[Document]:
        """The documents that were not yet judged by the schema that they have in a Kubernetes."""
        for document in documents:
            schema = self.judge.schema(kind_of(document), kube)
            if schema and (schema.digest, document.text) not in asked:
                asked.add((schema.digest, document.text))
                yield document

    def _keys(self, digests: Iterable[str], kubes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """What agreements on documents are kept under, one for each Kubernetes."""
        scopes = [fingerprint.of_texts(kube, *self._scope()) for kube in kubes]
        return {digest: tuple(fingerprint.of_texts(scope, digest) for scope in scopes) for digest in digests}

    def _scope(self) -> tuple[str, ...]:
        """Everything that an agreement depends on besides the document and the Kubernetes."""
        own = {str(kind): schema for kind, schema in self.judge.custom.schemas.items()}
        return (
            self.validator.version,
            self.validator.fingerprint,
            importlib.metadata.version("jsonschema-rs"),
            self.judge.builtins.version,
            schemas.FORMAT,
            json.dumps(own, sort_keys=True),
            fingerprint.of_modules(judge, manifests, schemas, violations, yamlio),
        )


def _compared(document: Document, kube: str, ours: Sequence[str], theirs: Verdict) -> Iterator[Finding]:
    """What there is to say when two opinions on a document differ; one that kubeconform cannot even read may be refused here."""
    subject = document.identity
    if theirs.status not in _VERDICTS and not ours:
        yield error(
            f"kubeconform cannot judge it for Kubernetes {kube}: {theirs.message or theirs.status.value}", subject
        )
    elif theirs.status is Status.INVALID and not ours:
        yield error(
            f"kubeconform refuses it for Kubernetes {kube}, and this harness does not: {theirs.message}", subject
        )
    elif theirs.status is Status.VALID and ours:
        yield error(f"kubeconform takes it for Kubernetes {kube}, and this harness does not: {ours[0]}", subject)
