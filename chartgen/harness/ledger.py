"""The proof ledger: the numbers behind what the README claims, of one run over one commit.

A run over all cases writes it as JSON, and `chartgen ledger` shows the last one.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from chartgen import files
from chartgen.errors import ChartgenError, Problem
from chartgen.harness.report import Numbers, Report
from chartgen.harness.share import NOTHING, Share

VERSION = 1
# What a revision ends with when files differ from it.
DIRTY = "-dirty"
_MUTANTS = Path("validate") / "mutants.json"


@dataclass(frozen=True)
class Ledger:
    """What one run proved.

    Attributes:
        commit: the revision that was judged; empty when it is not known.
        chart: see `Report`.
        passed: whether there was no finding.
        numbers: see `Numbers`.
        cases: how many there were.
        documents: how many were judged.
        distinct: how many of them differed from all others.
        kubes: Kubernetes minor versions.
        helms: Helm versions.
        checks: names of the checks that came to a conclusion.
    """

    commit: str
    chart: str
    passed: bool
    numbers: Numbers
    cases: int
    documents: int
    distinct: int
    kubes: tuple[str, ...]
    helms: tuple[str, ...]
    checks: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A line of the ledger.

    Attributes:
        name: what is counted.
        value: how many, or which.
        means: what that says, in a sentence.
    """

    name: str
    value: str | int | Share
    means: str


class Form(Enum):
    """How the ledger is shown."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def of(report: Report) -> Ledger:
    """The ledger of a run."""
    return Ledger(
        commit=report.commit,
        chart=report.chart,
        passed=report.exit_code == 0,
        numbers=report.numbers,
        cases=len(report.cases),
        documents=report.documents,
        distinct=report.distinct,
        kubes=report.kubes,
        helms=report.helms,
        checks=report.concluded,
    )


def entries(ledger: Ledger) -> list[Entry]:
    """The ledger's lines, without those of what was not done."""
    numbers = ledger.numbers
    found = [
        Entry("Commit", ledger.commit, "The revision that was judged."),
        Entry("Verdict", "passed" if ledger.passed else "failed", "Whether the run had no finding."),
        Entry("Cases", ledger.cases, "Renders that were judged, each with values, a cluster and a Helm of its own."),
        Entry("Documents", f"{ledger.documents:,}, {ledger.distinct:,} distinct" if ledger.documents else 0, "Kubernetes objects that were judged."),
        Entry("Checks", len(ledger.checks), f"What each render is held to: {', '.join(ledger.checks)}."),
        Entry("Kubernetes", ", ".join(ledger.kubes), "Minor versions whose schemas every document was held to."),
        Entry("Helm", ", ".join(ledger.helms), "Versions that rendered."),
        Entry("Conditions", numbers.conditions, "Conditions in template files, each counted once."),
        Entry("Assignments", numbers.assignments, "Combinations of the conditions of each file that were rendered, of all that can be."),
        Entry("Pairs", numbers.pairs, "Pairs of values of two parameters that some case has, of all that the rules allow."),
        Entry("Triples", numbers.triples, "The same of three."),
        Entry("Rules", numbers.rules, "Rules across fields with a case that Helm refused in the rule's own words."),
        Entry("Refusals", numbers.refusals, "Values that must be refused, and were, with the path in the message."),
        Entry("Lines", numbers.lines, "Lines of templates that some case reached."),
        Entry("Branches", numbers.branches, "Branches of templates that some case took."),
        Entry("Mutants", numbers.mutants, "Charts broken on purpose that a check found out."),
    ]  # fmt: skip
    return [entry for entry in found if entry.value not in ("", 0, NOTHING)]


def show(ledger: Ledger, form: Form) -> str:
    """The ledger in a form."""
    return _FORMS[form](ledger)


def _text(ledger: Ledger) -> str:
    lines = [f"{entry.name:<12} {_value(entry)}" for entry in entries(ledger)]
    return "\n".join([ledger.chart, *lines]) + "\n"


def _markdown(ledger: Ledger) -> str:
    rows = [f"| {entry.name} | {_value(entry)} | {entry.means} |" for entry in entries(ledger)]
    return "\n".join(["| What | How many | What it says |", "|---|---|---|", *rows]) + "\n"


def _value(entry: Entry) -> str:
    return f"{entry.value:,}" if isinstance(entry.value, int) else str(entry.value)


def _json(ledger: Ledger) -> str:
    return _dumped(_plain(ledger))


def _plain(ledger: Ledger) -> dict[str, Any]:
    return {"version": VERSION, **dataclasses.asdict(ledger)}


def _dumped(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


_FORMS: Mapping[Form, Callable[[Ledger], str]] = {Form.TEXT: _text, Form.JSON: _json, Form.MARKDOWN: _markdown}


def file(cache: Path) -> Path:
    """Where a cache folder keeps the ledger of the last whole run."""
    return cache / "validate" / "ledger.json"


def keep_mutants(cache: Path, commit: str, found_out: Share) -> None:
    """Keep how many charts broken on purpose were found out; it takes too long for every run, and holds for one commit."""
    content = {"version": VERSION, "commit": commit, **dataclasses.asdict(found_out)}
    files.write_whole(cache / _MUTANTS, _dumped(content).encode())


def mutants(cache: Path, commit: str) -> Share:
    """What `keep_mutants` kept of a commit; nothing when there is none of it, or when files differ from the commit.

    Raises:
        ChartgenError: what was kept is damaged.
    """
    path = cache / _MUTANTS
    if not path.is_file() or not commit or commit.endswith(DIRTY):
        return NOTHING
    with _readable(path, "a count of mutants"):
        content = json.loads(path.read_text(encoding="utf-8"))
        share = Share(int(content["reached"]), int(content["possible"]))
        return share if content["commit"] == commit else NOTHING


def write(ledger: Ledger, path: Path) -> None:
    """Keep a ledger."""
    files.write_whole(path, _dumped(_plain(ledger)).encode())


@contextmanager
def _readable(path: Path, what: str) -> Iterator[None]:
    """A damaged file is bad input, with the way out."""
    try:
        yield
    except (ValueError, KeyError, TypeError) as cause:
        problem = Problem(str(path), "", f"what cannot be read ({cause})", what, "delete it and run again")
        raise ChartgenError([problem]) from cause


def read(path: Path) -> Ledger:
    """The ledger that was kept.

    Raises:
        ChartgenError: there is none, or it is damaged.
    """
    if not path.is_file():
        raise ChartgenError([Problem(str(path), "", "nothing", "the ledger of a run", "run `chartgen validate`")])
    with _readable(path, "a ledger"):
        return _read(json.loads(path.read_text(encoding="utf-8")))


def _read(content: Mapping[str, Any]) -> Ledger:
    if content["version"] != VERSION:
        raise ValueError(f"version {content['version']}")
    fields = {field.name: content[field.name] for field in dataclasses.fields(Ledger)}
    numbers: dict[str, Any] = {
        name: Share(**value) if isinstance(value, Mapping) else int(value) for name, value in fields["numbers"].items()
    }
    lists = {name: tuple(fields[name]) for name in ("kubes", "helms", "checks")}
    return Ledger(**{**fields, **lists, "numbers": Numbers(**numbers)})
