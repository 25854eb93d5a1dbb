"""A run's outcome as a record, and as an exit code. `chartgen.harness.reports` has a module for each form in which it is told."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chartgen.harness.coverage.measure import FileHits
from chartgen.harness.results import Result, State
from chartgen.harness.share import NOTHING, Share

Cell = str | int | float | Share


@dataclass(frozen=True)
class Section:
    """A table of a report: coverage by file, covering arrays, refusals.

    Attributes:
        key: one word, unique in a report: what the JSON document and links call it.
        title: its heading.
        note: a sentence that says what a row is.
        columns: a name for each.
        rows: as many cells as there are columns.
    """

    key: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Numbers:
    """What the run covered, in the numbers that claims are made of. Zero where nothing of the kind was done.

    Attributes:
        conditions: distinct conditions in all template files.
        assignments: of the conditions of each file, summed over files.
        pairs: of values of two parameters that the rules allow together.
        triples: of three.
        rules: rules across fields that a refused case proves.
        refusals: values that had to be refused, and were.
        lines: of the templates.
        branches: of the templates.
        mutants: charts broken on purpose, and those of them that checks found out.
    """

    conditions: int = 0
    assignments: Share = NOTHING
    pairs: Share = NOTHING
    triples: Share = NOTHING
    rules: Share = NOTHING
    refusals: Share = NOTHING
    lines: Share = NOTHING
    branches: Share = NOTHING
    mutants: Share = NOTHING


@dataclass(frozen=True)
class Target:
    """What a case is rendered for, and by which Helm."""

    kube: str
    helm: str


@dataclass(frozen=True)
class Repeat:
    """What it takes to render a case again.

    Attributes:
        command: helm's command, ready to paste.
        values_file: where the case's values lie after the run; empty when they were not kept.
        values_text: the values themselves, as YAML: those of values files, then those of the case.
    """

    command: str = ""
    values_file: str = ""
    values_text: str = ""


@dataclass(frozen=True)
class Failure:
    """A result that keeps the run from passing, with all that a person needs to see it again.

    Attributes:
        case: see `Result`; what is said of the run as a whole has a name that no case has.
        check: see `Result`.
        state: invalid or error.
        subject: see `Result`.
        message: see `Result`.
        values_file: see `Repeat`.
        values_text: see `Repeat`.
        command: see `Repeat`.
        source_template: see `Result.source`.
        diff: see `Result`.
    """

    case: str
    check: str
    state: State
    subject: str = ""
    message: str = ""
    values_file: str = ""
    values_text: str = ""
    command: str = ""
    source_template: str = ""
    diff: str = ""


@dataclass(frozen=True)
class Report:
    """A finished run.

    Attributes:
        chart: the chart's folder, name and version.
        tools: the programs that judged, with their versions.
        cases: names of all cases, sorted; a name opens with its group.
        repeats: case -> how to render it again; may hold only the cases that failed.
        results: everything that the checks said, in an order that does not depend on the run.
        documents: how many documents were judged.
        distinct: how many of them differed from all others.
        seconds: wall time.
        folder: the chart's folder.
        kubes: Kubernetes minor versions that were judged for.
        helms: Helm versions that rendered.
        targets: case -> what it was rendered for.
        phases: what was done -> its seconds of wall time.
        reused: how many cases were answered from the cache of an earlier run.
        numbers: see `Numbers`.
        sections: tables, in the order in which they are shown.
        coverage: what was reached of each template; empty for a chart without trees.
        commit: the revision of the project that was judged; empty when it is not known.
        again: the words after ``chartgen validate`` that plan the same cases.
        stopped: why not all cases were judged, when that is so; such a run does not pass.
    """

    chart: str
    tools: tuple[str, ...]
    cases: tuple[str, ...]
    repeats: Mapping[str, Repeat]
    results: tuple[Result, ...]
    documents: int
    distinct: int
    seconds: float
    folder: str = ""
    kubes: tuple[str, ...] = ()
    helms: tuple[str, ...] = ()
    targets: Mapping[str, Target] = field(default_factory=dict)
    phases: Mapping[str, float] = field(default_factory=dict)
    reused: int = 0
    numbers: Numbers = Numbers()
    sections: tuple[Section, ...] = ()
    coverage: tuple[FileHits, ...] = ()
    commit: str = ""
    again: tuple[str, ...] = ()
    stopped: str = ""

    @cached_property
    def failures(self) -> tuple[Failure, ...]:
        """What keeps the run from passing: invalid things, things that could not be judged, cases that nothing spoke for."""
        bad = [result for result in self.results if result.is_bad]
        settled = {result.case for result in self.results if result.state is State.VALID}
        settled |= {result.case for result in bad} | set(self.unjudged)
        silent = (
            Result(case, "run", State.ERROR, "", "no check came to the conclusion that anything is valid")
            for case in self.cases
            if case not in settled
        )
        return tuple(self._failure(result) for result in (*bad, *silent))

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """The cases that a run which was stopped did not come to. They are told once, and each of them would fail a run that was not."""
        judged = {result.case for result in self.results}
        return tuple(case for case in self.cases if case not in judged) if self.stopped else ()

    def _failure(self, result: Result) -> Failure:
        repeat = self.repeats.get(result.case, Repeat())
        return Failure(
            result.case,
            result.check,
            result.state,
            result.subject,
            result.message,
            repeat.values_file,
            repeat.values_text,
            repeat.command,
            result.source,
            result.diff,
        )

    @property
    def exit_code(self) -> int:
        """0 when everything was judged and is valid, else 1."""
        return 1 if self.failures or self.stopped or not self.cases else 0

    @cached_property
    def groups(self) -> Mapping[str, int]:
        """Group -> how many cases it has, in the order of their names."""
        return dict(Counter(case.partition("/")[0] for case in self.cases))

    def command(self, case: str) -> str:
        """The command that judges a case again, ready to paste; what is said of no case needs the whole run."""
        chosen = ("--case", case) if case in self._names else ()
        return shlex.join(["chartgen", "validate", *self.again, *chosen])

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.cases)

    @property
    def concluded(self) -> tuple[str, ...]:
        """The checks that came to a conclusion about some case, in the order of their results."""
        return tuple(dict.fromkeys(result.check for result in self.results if result.state is not State.SKIPPED))

    @property
    def chart_file(self) -> str:
        """The file that a finding without a template of its own is about."""
        return f"{self.folder or '.'}/Chart.yaml"

    @property
    def rate(self) -> float:
        """Cases a second, those from the cache included."""
        return len(self.cases) / self.seconds if self.seconds else 0.0
