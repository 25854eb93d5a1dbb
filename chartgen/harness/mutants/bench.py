"""Judging one mutant after the other, by the cases of a run, until the first of them fails.

A mutant differs from the chart in one file, so most of what it renders was judged before: a case that comes out to the
letter as it does from the chart, which is sound, is not judged again. That leaves a render for each case, and checks for the
few that differ. Cases that the changed file has to do with come first.

What a run asks of others than its checks (helm beside the engine, kubeconform) is not asked here: a run may find more than this.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from chartgen.errors import ChartgenError
from chartgen.harness import given, session
from chartgen.harness.case import Case, Group
from chartgen.harness.mutants import places
from chartgen.harness.mutants.fault import Mutant
from chartgen.harness.mutants.source import Source
from chartgen.harness.results import Result, State
from chartgen.harness.session import Brief, Session
from chartgen.harness.tools import ToolFailed

# Checks to which a CRD matters although the render is the same.
_OF_CRDS = ("kubeconform", "custom-resources", "cel", "drift", "namespaces", "references")


@dataclass(frozen=True)
class Trial:
    """What became of a mutant.

    Attributes:
        mutant: it.
        finding: what was said against it first; None when nothing was.
        cases: how many were rendered.
        seconds: what it took.
    """

    mutant: Mutant
    finding: Result | None
    cases: int
    seconds: float

    @property
    def is_caught(self) -> bool:
        """Whether a run would have failed."""
        return self.finding is not None


@dataclass
class Bench:
    """Judges mutants of a chart.

    Attributes:
        brief: what sessions for the chart itself are made from; it has a scratch folder of its own.
        cases: those of the run.
    """

    brief: Brief
    cases: Sequence[Case]
    _plain: dict[str, bytes] = field(default_factory=dict)
    _turn: int = 0

    def __post_init__(self) -> None:
        self._shared = session.shared(self.brief)
        self._sound = Session(self.brief, self._shared)
        self._copy = self.brief.toolbox.scratch / "mutant" / self.brief.chart_dir.resolve().name
        shutil.copytree(self.brief.chart_dir, self._copy)

    def judge_all(self, mutants: Sequence[Mutant]) -> list[Trial]:
        """Judges mutants of one file: a case that has told of one is asked first about the next."""
        told: Counter[str] = Counter()
        trials: list[Trial] = []
        for mutant in mutants:
            trials.append(self.judge(mutant, told))
            finding = trials[-1].finding
            told.update([finding.case] if finding else [])
        return trials

    def judge(self, mutant: Mutant, told: Mapping[str, int] = MappingProxyType({})) -> Trial:
        """Makes a mutant, judges it, and unmakes it.

        Args:
            mutant: what to make.
            told: case -> how many mutants like this it has told of.
        """
        start = time.perf_counter()
        file = self._copy / mutant.file
        sound = file.read_text(encoding="utf-8")
        brief = session.in_scratch(replace(self.brief, chart_dir=self._copy), "trial")
        self._write(file, Source(mutant.file, sound).edited(mutant.edits))
        try:
            asked = [case for case in self.cases if case.refusal is None or _may_be_refused(mutant.file)]
            ordered = sorted(asked, key=lambda case: (-told.get(case.name, 0), _turn(case, mutant)))
            finding, count = self._first_finding(mutant, brief, ordered)
        finally:
            self._write(file, sound)
            shutil.rmtree(brief.toolbox.scratch)
        return Trial(mutant, finding, count, time.perf_counter() - start)

    def _first_finding(self, mutant: Mutant, brief: Brief, cases: Sequence[Case]) -> tuple[Result | None, int]:
        """What is said first against the chart that was made, and how many cases that took."""
        try:
            trial = self._sessions(mutant, brief)
        except (ChartgenError, ToolFailed) as cause:
            return Result("", "chart", State.ERROR, "", str(cause)), 0
        for number, case in enumerate(cases, 1):
            same = self._is_same(trial.whole, case)
            judging = trial.of_same if same else trial.whole
            outcome = judging.judge(case) if judging else None
            if outcome and outcome.failed:
                return next(result for result in outcome.results if result.is_bad), number
        return None, len(cases)

    def _sessions(self, mutant: Mutant, brief: Brief) -> _Sessions:
        """Whoever judges a mutant; a change of the values that a chart starts from concerns each case."""
        if places.is_crd(mutant.file):
            made = replace(self._shared, judge=session.judge_of(brief))
            some = replace(brief, options=replace(brief.options, checks=_OF_CRDS))
            return _Sessions(Session(brief, made), Session(some, made))
        whole = Session(brief, self._shared)
        concerns_all = places.is_defaults(mutant.file) or places.is_chart_file(mutant.file)
        return _Sessions(whole, whole if concerns_all else None)

    def _is_same(self, mutated: Session, case: Case) -> bool:
        """Whether a case comes out as it does from the chart itself."""
        try:
            return _print(mutated, case, self._copy) == self._sound_print(case)
        except ToolFailed:
            return False

    def _sound_print(self, case: Case) -> bytes:
        found = self._plain.get(case.name)
        if found is None:
            found = self._plain[case.name] = _print(self._sound, case, self.brief.chart_dir)
        return found

    def _write(self, file: Path, text: str) -> None:
        """Writes a file, with a time that it never had: the engine takes a chart for another one by sizes and times."""
        file.write_text(text, encoding="utf-8")
        self._turn += 1
        stamp = file.stat().st_mtime_ns + self._turn
        os.utime(file, ns=(stamp, stamp))


@dataclass(frozen=True)
class _Sessions:
    """Whoever judges a mutant.

    Attributes:
        whole: asks every check.
        of_same: asks the checks that may find something in a render that is the same; None when there are none.
    """

    whole: Session
    of_same: Session | None


def _print(judging: Session, case: Case, folder: Path) -> bytes:
    """What came of a render, in few bytes."""
    run = judging.render(case)
    said = "\0".join((str(run.status), run.stdout, run.stderr.replace(str(folder.absolute()), ""), run.notes))
    return hashlib.blake2b(said.encode(), digest_size=16).digest()


def _may_be_refused(file: str) -> bool:
    """Whether a file has a say in what is refused: values that must be refused never get to the others."""
    return not (places.is_manifest(file) or places.is_notes(file) or places.is_crd(file))


def _turn(case: Case, mutant: Mutant) -> float:
    """When a case is asked: a small number for one that is likely to tell, a large one for one that takes long."""
    refusal = case.refusal
    if refusal is not None:
        name = refusal.path.rpartition(".")[2].partition("[")[0]
        is_near = refusal.path and (refusal.path in mutant.before or f'"{name}"' in mutant.before)
        about = places.is_values_schema(mutant.file) or places.is_rules(mutant.file)
        return (0 if is_near else 1) if about else 4
    if case.group is Group.RELEASE:
        return 5
    if (places.is_defaults(mutant.file) or places.is_chart_file(mutant.file)) and not given.of(case).keys:
        return 0
    # The more objects a profile expects, the more of the templates it has reached.
    return 3 - min(len(case.profile.objects), 999) / 1000 if case.profile and case.helm_major == 4 else 3
