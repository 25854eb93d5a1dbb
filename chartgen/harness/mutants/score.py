"""The mutation test of the harness: charts broken on purpose, each judged as a run judges the chart.

A harness that passes a chart proves little unless it fails a broken one. The score is the share of mutants that some check
finds out. A mutant that nobody can find out, since it does what the chart does, is named in a file with the reason; a line
of that file that fits no mutant which got away is told, so that the file does not outlive its reasons.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.harness import ledger, plan, preparation, run, session, tools, workers
from chartgen.harness.agreement import Agreement
from chartgen.harness.case import Case
from chartgen.harness.mutants import catalogue
from chartgen.harness.mutants.bench import Bench, Trial
from chartgen.harness.mutants.fault import Mutant
from chartgen.harness.options import Options
from chartgen.harness.progress import SILENT, Progress, shown
from chartgen.harness.session import Brief
from chartgen.harness.share import Share

# Below this many mutants, starting processes costs more than it saves.
_MANY = 8

# The bench of this worker process, made when the process starts.
_BENCHES: list[Bench] = []


@dataclass(frozen=True)
class Excuse:
    """Why a mutant that gets away is no gap.

    Attributes:
        fault: its kind.
        file: the changed file, by its path in the chart's folder.
        before: the lines that are changed, without the spaces around them.
        after: the same lines with the fault; empty for any.
        reason: a sentence.
    """

    fault: str
    file: str
    before: str
    after: str
    reason: str

    def fits(self, mutant: Mutant) -> bool:
        """Whether it speaks of a mutant."""
        return (self.fault, self.file, self.before) == (
            mutant.fault,
            mutant.file,
            mutant.before.strip(),
        ) and self.after in ("", mutant.after.strip())


@dataclass(frozen=True)
class Score:
    """What became of all mutants.

    Attributes:
        trials: each, in the order of the mutants.
        excuses: see `Excuse`.
    """

    trials: tuple[Trial, ...]
    excuses: tuple[Excuse, ...] = ()

    @property
    def share(self) -> Share:
        """How many were found out; those that are excused count as not."""
        return Share(sum(trial.is_caught for trial in self.trials), len(self.trials))

    @property
    def excused(self) -> tuple[tuple[Trial, Excuse], ...]:
        """Those that got away for a known reason."""
        pairs = ((trial, self._excuse(trial)) for trial in self._survivors)
        return tuple((trial, excuse) for trial, excuse in pairs if excuse)

    @property
    def gaps(self) -> tuple[Trial, ...]:
        """Those that got away, and nobody knows why."""
        return tuple(trial for trial in self._survivors if not self._excuse(trial))

    @property
    def stale(self) -> tuple[Excuse, ...]:
        """Excuses for mutants that are found out."""
        caught = [trial.mutant for trial in self.trials if trial.is_caught]
        return tuple(excuse for excuse in self.excuses if any(map(excuse.fits, caught)))

    @property
    def _survivors(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if not trial.is_caught)

    def _excuse(self, trial: Trial) -> Excuse | None:
        return next((excuse for excuse in self.excuses if excuse.fits(trial.mutant)), None)


@dataclass(frozen=True)
class Request:
    """Which mutants are made.

    Attributes:
        count: how many at least.
        seed: see `chartgen.harness.mutants.catalogue.choose`.
        faults: names of faults; all when empty.
        components: parts of paths of files that may be changed; all when empty.
        excused: a file of excuses; None for none.
    """

    count: int
    seed: int = 0
    faults: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    excused: Path | None = None

    @property
    def whole(self) -> bool:
        """Whether mutants of all kinds and files are made; only then the score speaks for the harness."""
        return not self.faults and not self.components


def measure(chart_dir: Path, request: Request, options: Options, progress: Progress = SILENT) -> Score:
    """Makes mutants of a chart and judges them, if the chart itself has no finding.

    Args:
        chart_dir: the chart.
        request: which mutants.
        options: of the run whose cases and checks are asked.
        progress: is told how far it is; a mutant that gets away counts as failed.

    Raises:
        ChartgenError: the chart has findings, or no place for such faults; or the file of excuses is none.
        ToolMissing, ToolFailed: see `chartgen.harness.run.validate`.
    """
    excuses = read_excuses(request.excused) if request.excused else ()
    mutants = _chosen(chart_dir, request)
    if run.validate(chart_dir, options, progress).exit_code:
        problem = Problem(str(chart_dir), "", "a chart with findings", "one without", "see `chartgen validate`")
        raise ChartgenError([problem])
    found: list[Trial] = []
    with tempfile.TemporaryDirectory(prefix="chartgen-mutants-") as name, shown(progress, len(mutants), 0):
        for trial in trials(*_prepared(chart_dir, options, Path(name)), mutants):
            found.append(trial)
            progress.advance(failed=not trial.is_caught)
    order = {mutant: number for number, mutant in enumerate(mutants)}
    score = Score(tuple(sorted(found, key=lambda trial: order[trial.mutant])), excuses)
    if request.whole:
        ledger.keep_mutants(options.cache_folder, tools.revision(options.project), score.share)
    return score


def _chosen(chart_dir: Path, request: Request) -> list[Mutant]:
    files = [
        source
        for source in catalogue.sources(chart_dir)
        if not request.components or any(part in source.file for part in request.components)
    ]
    faults = [fault for fault in catalogue.FAULTS if not request.faults or fault.name in request.faults]
    mutants = catalogue.choose(files, request.count, request.seed, faults)
    if not mutants:
        raise ChartgenError([Problem(str(chart_dir), "", "no place for such a fault", "another fault or component")])
    return mutants


def _prepared(chart_dir: Path, options: Options, scratch: Path) -> tuple[Brief, Sequence[Case]]:
    """What judges, and the cases of a run. The engine is alone: that it agrees with helm is no matter of the mutants."""
    found = preparation.toolbox(options, scratch)
    renderers = tuple(each.engine if isinstance(each, Agreement) else each for each in found.renderers)
    kubes = plan.kubes(options, found.builtins.minors())
    judged = plan.subject(chart_dir, options)
    cases = plan.make(judged, options, plan.Cluster(tuple(each.version for each in renderers), kubes)).cases
    every = preparation.judged_for(chart_dir, kubes)
    return preparation.brief(judged, options, replace(found, renderers=renderers), every), cases


def trials(brief: Brief, cases: Sequence[Case], mutants: Sequence[Mutant]) -> Iterator[Trial]:
    """A trial of each mutant, as they come.

    Args:
        brief: what sessions for the chart itself are made from.
        cases: those of the run.
        mutants: of the chart.
    """
    files = sorted({mutant.file for mutant in mutants})
    chunks = [[mutant for mutant in mutants if mutant.file == file] for file in files]
    if brief.options.jobs < 2 or len(mutants) < _MANY:
        bench = Bench(session.in_scratch(brief, "bench"), cases)
        for chunk in chunks:
            yield from bench.judge_all(chunk)
        return
    with workers.processes(brief.options.jobs, _start, brief, tuple(cases)) as pool:
        # The longest first, so that no worker is left with one of them in the end.
        waiting = [pool.submit(_judge, chunk) for chunk in sorted(chunks, key=len, reverse=True)]
        for done in as_completed(waiting):
            yield from done.result()


def read_excuses(file: Path) -> tuple[Excuse, ...]:
    """What a file says of mutants that get away.

    Raises:
        ChartgenError: it says something else.
    """
    entries = yamlio.locate(file.read_text(encoding="utf-8"), str(file)).data or []
    problems: list[Problem] = []
    found: list[Excuse] = []
    for number, entry in enumerate(entries):
        try:
            found.append(Excuse(**{"after": "", **entry}))
        except TypeError as cause:
            problems.append(Problem(str(file), f"[{number}]", str(cause), "fault, file, before, after and reason"))
    if problems:
        raise ChartgenError(problems)
    return tuple(found)


def _start(brief: Brief, cases: tuple[Case, ...]) -> None:
    """Prepares a worker process."""
    _BENCHES[:] = [Bench(session.in_scratch(brief, workers.name()), cases)]


def _judge(mutants: Sequence[Mutant]) -> list[Trial]:
    return _BENCHES[0].judge_all(mutants)
