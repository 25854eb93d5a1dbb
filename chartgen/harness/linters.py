"""Linters of the trade for Kubernetes objects: kube-linter and checkov, through their own programs where they are installed.

They judge a folder of objects together, since some of their policies look at several. Configuration files of their own
count, as they do for whoever runs them by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from chartgen.harness import tools
from chartgen.harness.tools import Run, ToolFailed

KUBE_LINTER = "kube-linter"
CHECKOV = "checkov"


@dataclass(frozen=True, order=True)
class Violation:
    """What a linter says against an object.

    Attributes:
        file: where the object stands.
        policy: which of the linter's checks says so.
        message: what is wrong.
        remedy: what to do; empty when it does not say.
    """

    file: str
    policy: str
    message: str
    remedy: str = ""


class Linter(Protocol):
    """Holds objects against policies."""

    @property
    def name(self) -> str:
        """As what it is known."""
        ...

    @property
    def version(self) -> str:
        """As the program says it."""
        ...

    def judge(self, folder: Path) -> tuple[Violation, ...]:
        """Everything that it says against the files of a folder, each of which holds an object; files by their names alone.

        Raises:
            ToolFailed: it says nothing that can be read.
        """
        ...


@dataclass(frozen=True)
class KubeLinter:
    """The real one.

    Attributes:
        program: path of the executable.
        version: as the program says it.
    """

    program: Path
    version: str
    name: str = KUBE_LINTER

    def judge(self, folder: Path) -> tuple[Violation, ...]:
        """See `Linter`."""
        done = tools.run([str(self.program), "lint", "--format", "json", str(folder)])
        # It says nothing at all where there is no object that it knows.
        return _read(done, self.name, _of_kube_linter) if done.status or done.stdout.strip() else ()


def _of_kube_linter(said: Any) -> Iterator[Violation]:
    for report in said["Reports"] or []:
        file = Path(report["Object"]["Metadata"]["FilePath"]).name
        yield Violation(file, report["Check"], report["Diagnostic"]["Message"], report.get("Remediation") or "")


@dataclass(frozen=True)
class Checkov:
    """The real one.

    Attributes:
        program: path of the executable.
        version: as the program says it.
    """

    program: Path
    version: str
    name: str = CHECKOV

    def judge(self, folder: Path) -> tuple[Violation, ...]:
        """See `Linter`."""
        command = [str(self.program), "--directory", str(folder), "--framework", "kubernetes", "--output", "json"]
        done = tools.run([*command, "--quiet", "--compact", "--skip-download"])
        return _read(done, self.name, _of_checkov)


def _of_checkov(said: Any) -> Iterator[Violation]:
    for part in said if isinstance(said, list) else [said]:
        # Without anything to judge there is nothing but a count.
        for each in part["results"]["failed_checks"] if "results" in part else []:
            remedy = each.get("guideline") or ""
            yield Violation(Path(each["file_path"]).name, each["check_id"], each["check_name"], remedy)


def _read(done: Run, name: str, listed: Callable[[Any], Iterable[Violation]]) -> tuple[Violation, ...]:
    """A linter's answer; status 1 means that it found something."""
    if done.status not in (0, 1):
        raise ToolFailed(f"{name} ended with status {done.status}\n{done.report()}")
    try:
        return tuple(sorted(set(listed(json.loads(done.stdout)))))
    except (ValueError, KeyError, TypeError) as cause:
        raise ToolFailed(f"{name}'s answer cannot be read ({cause})\n{done.report()}") from cause


def find(project: Path) -> tuple[Linter, ...]:
    """Those of the linters that are on PATH or in the project's ``.tools/bin``."""
    found: dict[str, Linter] = {}
    kinds: Mapping[str, tuple[list[str], type[KubeLinter | Checkov]]] = {
        KUBE_LINTER: (["version"], KubeLinter),
        CHECKOV: (["--version"], Checkov),
    }
    for name, (ask, kind) in kinds.items():
        for program in tools.programs((name,), project):
            done = tools.run([str(program), *ask])
            if done.status == 0:
                found.setdefault(name, kind(program, done.stdout.strip()))
    return tuple(found.values())
