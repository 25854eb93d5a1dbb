"""A run: plan the cases, take known outcomes from the store, judge the others, and report.

The result does not depend on the order in which workers finish. A check that breaks is an error and never a pass; so is
one that says nothing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from chartgen import yamlio
from chartgen.harness import (
    disagreements,
    fingerprint,
    kept_plans,
    ledger,
    plan,
    pool,
    preparation,
    schemas,
    session,
    store,
    tools,
    verdicts,
)
from chartgen.harness.case import Case
from chartgen.harness.cases.examples import Explorer
from chartgen.harness.cases.told import Plan
from chartgen.harness.checks import custom_resources, kubeconform
from chartgen.harness.coverage import measure, sections
from chartgen.harness.coverage.measure import FileHits
from chartgen.harness.coverage.truths import Truths
from chartgen.harness.judge import Judge
from chartgen.harness.options import Options
from chartgen.harness.progress import SILENT, Progress, shown
from chartgen.harness.report import Numbers, Repeat, Report, Target
from chartgen.harness.results import Result
from chartgen.harness.second_opinion import SecondOpinion
from chartgen.harness.session import Brief, Outcome, Printed, Toolbox
from chartgen.harness.store import Store
from chartgen.harness.verdicts import Verdicts

_KEEP_AFTER = 100


def validate(chart_dir: Path, options: Options, progress: Progress = SILENT) -> Report:
    """Judge a chart directory with the real helm and kubeconform.

    Args:
        chart_dir: the chart, as a user receives it.
        options: see `Options`.
        progress: is told how far the run is.

    Raises:
        ChartgenError: the input is bad: no chart, a profile without expectations, no such case.
        ToolMissing: helm, kubeconform or the Kubernetes schemas are not there.
        ToolFailed: helm cannot even say what it is, or the results of earlier runs are damaged.
    """
    with tempfile.TemporaryDirectory(prefix="chartgen-") as name:
        scratch = Path(name)
        found = preparation.toolbox(options, scratch)
        folder = options.cache_folder / "validate"
        with store.opened(folder / "outcomes.sqlite") as kept, verdicts.opened(folder / "verdicts.sqlite") as agreed:
            report = _Run(chart_dir, options, found, kept, agreed, progress).report()
            kept.tidy()
            if options.whole and not report.stopped:
                ledger.write(ledger.of(report), ledger.file(options.cache_folder))
            return report


def judge(chart_dir: Path, options: Options, toolbox: Toolbox) -> Report:
    """Judge a chart directory with given tools, in this process, and keep nothing; see `validate`."""
    return _Run(chart_dir, options, toolbox).report()


@dataclass(frozen=True)
class _Run:
    """One run.

    Attributes:
        chart_dir: see `validate`.
        options: see `validate`.
        toolbox: what judges.
        store: outcomes of earlier runs; None to judge everything, in this process.
        verdicts: what kubeconform agreed with in earlier runs; None to ask about everything.
        progress: is told how far the run is.
    """

    chart_dir: Path
    options: Options
    toolbox: Toolbox
    store: Store | None = None
    verdicts: Verdicts | None = None
    progress: Progress = SILENT

    def report(self) -> Report:
        """Everything from the plan to the report."""
        start = time.perf_counter()
        commit = tools.revision(self.options.project)
        mutants = ledger.mutants(self.options.cache_folder, commit)
        kubes = plan.kubes(self.options, self.toolbox.builtins.minors())
        judged = plan.subject(self.chart_dir, self.options)
        cluster = plan.Cluster(tuple(each.version for each in self.toolbox.renderers), kubes)
        planned = self._planned(judged, cluster)
        cases = list(planned.cases)
        every = preparation.judged_for(self.chart_dir, kubes)
        keys = self._keys(cases, every)
        known = self._known(keys)
        found, stopped = self._outcomes(cases, keys, known, partial(self._brief, judged, every))
        if self.options.examples and not stopped:
            tried = self._examples(judged, cluster, every)
            cases += [case for case, _ in tried]
            found |= {case.name: outcome for case, outcome in tried}
        outcomes = [found[case.name] for case in cases if case.name in found]
        reached = self._coverage(judged, outcomes)
        digests = [digest for outcome in outcomes for digest in outcome.documents]
        results = [result for outcome in outcomes for result in outcome.results]
        results += [] if stopped else self._disagreements(cases, outcomes, every)
        results += sections.shortfalls(reached, self.options.fail_under)
        folder = tools.short(str(self.chart_dir))
        return Report(
            chart=f"{folder} ({judged.chart.name} {judged.chart.version})",
            tools=self._tools(),
            cases=tuple(sorted(case.name for case in cases)),
            repeats=self._repeats(cases, outcomes, results),
            results=tuple(sorted(results, key=lambda result: result.order)),
            documents=len(digests),
            distinct=len(set(digests)),
            seconds=time.perf_counter() - start,
            folder=folder,
            kubes=kubes,
            helms=cluster.helms,
            targets={case.name: Target(case.kube, case.helm) for case in cases},
            reused=len(known),
            commit=commit,
            again=(folder, *self.options.again),
            stopped=stopped,
            numbers=Numbers(
                lines=sections.lines(reached),
                branches=sections.branches(reached),
                mutants=mutants,
                **planned.numbers,
            ),
            sections=(*planned.sections, *([sections.section(reached)] if reached else [])),
            coverage=reached,
        )

    def _examples(
        self, judged: plan.Subject, cluster: plan.Cluster, every: tuple[str, ...]
    ) -> list[tuple[Case, Outcome]]:
        """Random values and what came of them; see `chartgen.harness.cases.examples`."""
        if judged.trees is None or judged.feasibility is None:
            return []
        judging = session.Session(session.in_scratch(self._brief(judged, every), "examples"))
        explorer = Explorer(judged.trees, judged.feasibility, cluster.helms, cluster.kubes[-1], judging.judge)
        return explorer.explore(self.options.examples, self.options.seed)

    def _coverage(self, judged: plan.Subject, outcomes: Sequence[Outcome]) -> tuple[FileHits, ...]:
        """What all cases together reached of the templates; nothing for a chart without trees."""
        if judged.trees is None:
            return ()
        rows = (row for outcome in outcomes for row in outcome.rows)
        files = measure.measure(Truths(judged.trees), rows, self.chart_dir)
        return tuple(file for file in files if self.options.concerns(file.path))

    def _tools(self) -> tuple[str, ...]:
        helms = (f"helm {renderer.version}" for renderer in self.toolbox.renderers)
        more = (f"{linter.name} {linter.version}" for linter in self.toolbox.linters)
        return (*helms, f"kubeconform {self.toolbox.validator.version}", *more)

    def _brief(self, judged: plan.Subject, kubes: tuple[str, ...]) -> Brief:
        return preparation.brief(judged, self.options, self.toolbox, kubes)

    def _known(self, keys: Mapping[str, str]) -> dict[str, Outcome]:
        """The outcomes that an earlier run left, by the case's name."""
        if self.store is None or self.options.fresh:
            return {}
        known = self.store.find(list(keys.values()))
        return {name: known[key] for name, key in keys.items() if key in known}

    def _outcomes(
        self, cases: Sequence[Case], keys: dict[str, str], known: Mapping[str, Outcome], brief: Callable[[], Brief]
    ) -> tuple[dict[str, Outcome], str]:
        """An outcome for each case by its name, and why the run was stopped before there were all; empty otherwise."""
        found = dict(known)
        todo = [case for case in cases if case.name not in found]
        stopped = ""
        try:
            with shown(self.progress, len(cases), len(known)), self._keeping(keys) as fresh:
                judged_now = pool.outcomes(brief(), todo, processes=self.store is not None) if todo else iter(())
                for outcome in judged_now:
                    found[outcome.case] = outcome
                    fresh.append(outcome)
                    self.progress.advance(failed=outcome.failed)
                    if self.options.fail_fast and outcome.failed:
                        stopped = "at the first failure"
                        break
        except KeyboardInterrupt:
            stopped = "interrupted"
        return found, stopped

    def _planned(self, judged: plan.Subject, cluster: plan.Cluster) -> Plan:
        """The cases, of an earlier run where nothing has changed that they are made from."""
        make = partial(plan.make, judged, self.options, cluster)
        if self.store is None:
            return make()
        values = [folder for folder in (self.options.profiles or self.options.project / "values",) if folder.is_dir()]
        asked = repr(replace(self.options, fresh=False, jobs=1, fail_under=0, fail_fast=False))
        texts = (self._sources, fingerprint.of_folders(values), repr(cluster), asked)
        folder = self.options.cache_folder / "validate" / "plans"
        return kept_plans.recall(folder, fingerprint.of_texts(*texts), make)

    @cached_property
    def _sources(self) -> str:
        """A fingerprint of what judges and what is judged: the harness, the chart, its description and its previous version."""
        more = [self.options.project / "schemas", *([self.options.previous] if self.options.previous else [])]
        folders = [self.chart_dir, *(folder for folder in more if folder.is_dir())]
        return fingerprint.of_texts(fingerprint.of_harness(), fingerprint.of_folders(folders))

    def _keys(self, cases: Sequence[Case], kubes: Sequence[str]) -> dict[str, str]:
        """What the outcome of each case depends on, by the case's name."""
        if self.store is None:
            return {}
        common = fingerprint.of_texts(
            self._sources,
            self.toolbox.builtins.version,
            *self._tools(),
            *self.options.checks,
            "components",
            *self.options.components,
            "kubes",
            *kubes,
        )
        return {case.name: fingerprint.of_texts(common, fingerprint.of_case(case)) for case in cases}

    @contextmanager
    def _keeping(self, keys: dict[str, str]) -> Iterator[_Fresh]:
        """What is appended is kept, a part at a time, also when the run is interrupted."""
        fresh = _Fresh(self.store, keys, [])
        try:
            yield fresh
        finally:
            fresh.keep()

    def _disagreements(self, cases: Sequence[Case], outcomes: Sequence[Outcome], kubes: Sequence[str]) -> list[Result]:
        """What kubeconform thinks differently about."""
        if self.options.checks and not {kubeconform.NAME, custom_resources.NAME} & set(self.options.checks):
            return []
        by_name = {case.name: case for case in cases}
        judged = [(by_name[outcome.case], outcome) for outcome in outcomes]
        scratch = self.toolbox.scratch
        judging = Judge(self.toolbox.builtins, schemas.write_custom(self.chart_dir, scratch / "crds"))
        opinion = SecondOpinion(judging, self.toolbox.validator, scratch, self.verdicts)
        return disagreements.find(opinion, judged, kubes, partial(self._printed, outcomes), self.chart_dir)

    def _printed(self, outcomes: Sequence[Outcome], digests: Set[str]) -> dict[str, Printed]:
        """Documents by their digest: those of this run, and those that only the store still has."""
        found = {name: one for outcome in outcomes for name, one in outcome.new.items() if name in digests}
        missing = digests - found.keys()
        return {**found, **self.store.documents(missing)} if self.store and missing else found

    def _repeats(
        self, cases: Sequence[Case], outcomes: Sequence[Outcome], results: Sequence[Result]
    ) -> dict[str, Repeat]:
        """How to render each failed case again; values that are in no file are written to one, which the command names."""
        failed = {result.case for result in results if result.is_bad}
        commands = {outcome.case: outcome.command for outcome in outcomes if outcome.case in failed}
        found: dict[str, Repeat] = {}
        for case in cases:
            if case.name not in commands:
                continue
            text = yamlio.dump(dict(case.values)) if case.values else ""
            file = session.values_file(self.options, case) if text else None
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            given = [f"# {tools.short(str(path))}\n{path.read_text(encoding='utf-8')}" for path in case.files]
            found[case.name] = Repeat(commands[case.name], tools.short(str(file or "")), "\n".join([*given, text]))
        return found


@dataclass
class _Fresh:
    """Outcomes of this run on their way to the store."""

    store: Store | None
    keys: dict[str, str]
    waiting: list[Outcome]

    def append(self, outcome: Outcome) -> None:
        self.waiting.append(outcome)
        if len(self.waiting) >= _KEEP_AFTER:
            self.keep()

    def keep(self) -> None:
        """Writes what waits."""
        if self.store is not None:
            self.store.keep(self.waiting, self.keys)
        self.waiting.clear()
