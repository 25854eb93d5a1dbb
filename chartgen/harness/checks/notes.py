"""NOTES.txt says what it has to.

``helm template`` leaves the notes out, so that mistakes in them show only when somebody installs the chart. Where the
renderer does not tell them, a copy of the chart is rendered that has them as an object.

Of a chart with trees more is known: each rule that warns is told while it holds and at no other time, and whoever has to
label the namespace for privileged pods finds the command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chartgen.harness import places
from chartgen.harness.case import Case
from chartgen.harness.checks import pod_security
from chartgen.harness.contexts import Contexts
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.oracle import Oracle
from chartgen.harness.rerender import Rerender, left_out
from chartgen.harness.results import Finding, error, invalid, skipped, verdict
from chartgen.profiles import Level

FILE = "NOTES.txt"
# What a template leaves behind when something in it went wrong. Other braces are fine: commands print by Go templates, too.
_LEFTOVER = re.compile(
    r"\{\{[^}]*(?:\.(?:Values|Release|Chart|Capabilities|Files)|\b(?:include|tpl|toYaml))\b[^}]*\}\}|"
    r"<nil>|%!\w?\([^)]*\)|\bmap\[\w[^\]]*\]"
)
_ENFORCED = "pod-security.kubernetes.io/enforce"
# Resources of which an operator makes privileged pods.
_STACKS = frozenset(("ClusterPolicy", "GPUCluster", "NVIDIADriver"))
_OPERATOR = "Deployment/gpu-operator"
_DOCUMENT = """
---
apiVersion: v1
kind: ConfigMap
metadata: {name: the-notes-of-the-release}
data: {text: {{ include "the.notes.of.the.release" . | quote }}}
"""
_COPIED = "notes.yaml"


@dataclass(frozen=True)
class Notes:
    """Reads the notes of a case.

    Attributes:
        oracle: knows what is to be warned of; None for a chart without trees.
        contexts: what the templates see.
        rerender: renders once more; None when nobody can.
    """

    oracle: Oracle | None
    contexts: Contexts
    rerender: Rerender | None
    name: str = "notes"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        if self.rerender is None or not (self.rerender.chart_dir / "templates" / FILE).is_file():
            return [skipped(f"the chart has no {FILE}, or nobody renders it")]
        text = rendered.run.notes
        if not text.strip():
            reason = left_out(self.rerender, case)
            if reason is not None:
                return [reason]
            told = self._of_copy(case, self.rerender)
            if isinstance(told, Finding):
                return [told]
            text = told
        findings = [invalid("", f"{FILE} says {left!r}, which no reader understands") for left in leftovers(text)]
        if self.oracle is None:
            return verdict(findings)
        return verdict(findings + self._of_own(case, rendered, text, self.oracle))

    def _of_own(self, case: Case, rendered: Rendered, text: str, oracle: Oracle) -> list[Finding]:
        """What is known of the chart with trees."""
        context = self.contexts.of(case)
        if context is None:
            return [error(f"what Helm {case.helm} takes a cluster to serve is not known")]
        if not text.strip():
            return [invalid("", f"{FILE} says nothing")]
        findings: list[Finding] = []
        words = _words(text)
        for sentence, holds in oracle.warnings(context):
            if holds is not (_words(sentence) in words):
                findings.append(
                    invalid("", f"{FILE} {'does not warn' if holds else 'warns without cause'}: {sentence}")
                )
        if case.namespace not in text:
            findings.append(invalid("", f"{FILE} does not name the namespace {case.namespace}"))
        command = f"namespace {case.namespace} {_ENFORCED}=privileged"
        needed = next(_unlabelled(rendered), "")
        if needed and command not in words:
            findings.append(
                invalid(needed, f"it needs a namespace for privileged pods, and {FILE} says nothing of that")
            )
        if f"{_ENFORCED}=" in text and _is_needless(rendered):
            findings.append(
                invalid("", f"{FILE} asks for a label on the namespace that nobody needs, or somebody sets")
            )
        return findings

    def _of_copy(self, case: Case, rerender: Rerender) -> str | Finding:
        """The notes as an object of a changed copy."""
        other = rerender.render(case, rerender.copy("notes", _as_object))
        if other.run.status != 0:
            return error(f"the chart does not render with {FILE} as an object:\n{other.run.report()}")
        for document in other.documents:
            if document.source.endswith(f"/templates/{_COPIED}"):
                return str((document.object.get("data") or {}).get("text"))
        return error(f"the copy of {FILE} is not among what was rendered")


def leftovers(text: str) -> Iterator[str]:
    """What a template has left behind, each once."""
    yield from dict.fromkeys(match[0] for match in _LEFTOVER.finditer(text))


def _as_object(folder: Path) -> None:
    """Turn the notes into a template of an object."""
    notes = folder / "templates" / FILE
    body = notes.read_text(encoding="utf-8")
    define = '{{ define "the.notes.of.the.release" }}'
    (folder / "templates" / _COPIED).write_text(f"{define}{body}{{{{ end }}}}{_DOCUMENT}", encoding="utf-8")
    notes.unlink()


def _words(text: str) -> str:
    """Text on one line, so that wrapping does not matter."""
    return " ".join(text.split())


def _unlabelled(rendered: Rendered) -> Iterator[str]:
    """What makes privileged pods in a namespace that nobody labels."""
    for document in rendered.documents:
        if _labels_namespace(document):
            return
    for document in rendered.documents:
        if document.kind in _STACKS:
            yield document.identity
        for template in pod_security.pod_templates(document.object):
            if pod_security.level(list(pod_security.needs(template))) is Level.PRIVILEGED:
                yield document.identity


def _is_needless(rendered: Rendered) -> bool:
    """Whether somebody sees to the label, or no pod will ever want it: an operator makes pods of what is created later, too."""
    if any(_labels_namespace(document) for document in rendered.documents):
        return True
    operated = any(document.identity == _OPERATOR for document in rendered.documents)
    return not operated and next(_unlabelled(rendered), None) is None


def _labels_namespace(document: Document) -> bool:
    """Whether an object sees to the label: the namespace itself, an operator that is told to, or OpenShift."""
    content = document.object
    if document.kind == "Namespace":
        return _ENFORCED in (places.mapping(content.get("metadata")).get("labels") or {})
    if document.kind == "ClusterPolicy":
        return places.mapping(places.mapping(content.get("spec")).get("psa")).get("enabled") is True
    return document.kind == "SecurityContextConstraints"
