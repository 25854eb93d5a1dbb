"""Linters of the trade have nothing to say, but for what is accepted with a reason.

They know good practice in general, and not what a chart is for: a driver has to be privileged. What is accepted of this
project's chart stands in ``policies.yaml``, each with its reason. They are asked when this check is named, since a run of
checkov takes as long as hundreds of cases.
"""

from __future__ import annotations

import fnmatch
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from chartgen import yamlio
from chartgen.harness.case import Case
from chartgen.harness.linters import Linter, Violation
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict

NAME = "policies"
_FILE = Path(__file__).with_name("policies.yaml")
_NONE = skipped("neither kube-linter nor checkov is on PATH or in .tools/bin")


@dataclass(frozen=True)
class Accepted:
    """What a linter may say.

    Attributes:
        linter: which one.
        policies: of which checks of its own.
        objects: patterns for ``Kind/name``.
        reason: why that is as it should be.
    """

    linter: str
    policies: frozenset[str]
    objects: tuple[str, ...]
    reason: str

    def covers(self, linter: str, policy: str, identity: str) -> bool:
        """Whether it is about this."""
        return (
            linter == self.linter
            and policy in self.policies
            and any(fnmatch.fnmatchcase(identity, pattern) for pattern in self.objects)
        )


def accepted(chart: str) -> tuple[Accepted, ...]:
    """What is accepted of a chart; nothing of one that nobody has written it down for."""
    data = yamlio.load(_FILE.read_text(encoding="utf-8"))
    if data["chart"] != chart:
        return ()
    return tuple(
        Accepted(entry["linter"], frozenset(entry["policies"]), tuple(entry["objects"]), entry["reason"])
        for entry in data["accepted"]
    )


@dataclass
class Policies:
    """Asks the linters, about each distinct render once.

    Attributes:
        linters: those that are installed.
        accepted: what they may say.
        scratch: a folder for the objects as files.
    """

    linters: tuple[Linter, ...]
    accepted: tuple[Accepted, ...]
    scratch: Path
    name: str = NAME
    _known: dict[tuple[str, ...], tuple[Finding, ...]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        if not self.linters:
            return [_NONE]
        texts = tuple(document.text for document in rendered.documents)
        with self._lock:
            if texts not in self._known:
                self._known[texts] = tuple(self._judged(rendered.documents))
            return verdict(list(self._known[texts]))

    def _judged(self, documents: Iterable[Document]) -> Iterable[Finding]:
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            names: dict[str, str] = {}
            for number, document in enumerate(documents):
                file = Path(folder) / f"{number:04}.yaml"
                file.write_text(document.text, encoding="utf-8")
                names[file.name] = document.identity
            for linter in self.linters:
                for each in linter.judge(Path(folder)):
                    identity = names.get(each.file, each.file)
                    if not any(entry.covers(linter.name, each.policy, identity) for entry in self.accepted):
                        yield invalid(identity, _told(linter, each))


def _told(linter: Linter, violation: Violation) -> str:
    remedy = f" ({violation.remedy})" if violation.remedy else ""
    return f"{linter.name} {violation.policy}: {violation.message}{remedy}"
