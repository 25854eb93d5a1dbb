"""Running cases through checks: render, read, judge; in threads, since the work is done by other programs.

The result does not depend on the order in which threads finish. A check that breaks is an error and never a pass; so is
one that says nothing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from chartgen import profiles, yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.harness import capabilities, oracle, schemas, sources, tools, values
from chartgen.harness.case import NEWEST, OLDEST, Case
from chartgen.harness.cases import profiles as profile_cases
from chartgen.harness.cases import selection
from chartgen.harness.check import Check
from chartgen.harness.checks import pod_security, registry
from chartgen.harness.judge import Judge
from chartgen.harness.manifests import Reader, Rendered
from chartgen.harness.report import Repeat, Report
from chartgen.harness.results import Finding, Result, State, error, skipped
from chartgen.harness.tools import Renderer, RenderRequest, ToolFailed, Validator


@dataclass(frozen=True)
class Options:
    """What to validate and how.

    Attributes:
        project: the folder with ``schemas/``, ``values/`` and ``.tools/``.
        cases: glob patterns for case or profile names; all when empty.
        kubes: Kubernetes minor versions; the oldest and the newest supported when empty.
        jobs: how many cases are worked on at a time.
        profiles: folder of values files; ``values/`` of the project when None.
        cache: folder for schemas that are kept between runs; ``.cache/schemas`` of the project when None.
    """

    project: Path
    cases: tuple[str, ...] = ()
    kubes: tuple[str, ...] = ()
    jobs: int = 2
    profiles: Path | None = None
    cache: Path | None = None


@dataclass(frozen=True)
class Toolbox:
    """The programs and the data that judge.

    Attributes:
        renderers: one for each major version of Helm.
        validator: judges by schema.
        builtins: schemas of Kubernetes' own kinds.
        scratch: a folder for the time of the run.
    """

    renderers: tuple[Renderer, ...]
    validator: Validator
    builtins: schemas.Builtins
    scratch: Path


def validate(chart_dir: Path, options: Options) -> Report:
    """Judge a chart directory with the real helm and kubeconform.

    Args:
        chart_dir: the chart, as a user receives it.
        options: see `Options`.

    Raises:
        ChartgenError: the input is bad: no chart, a profile without expectations, no such case.
        ToolMissing: helm, kubeconform or the Kubernetes schemas are not there.
        ToolFailed: helm cannot even say what it is.
    """
    with tempfile.TemporaryDirectory(prefix="chartgen-") as name:
        scratch = Path(name)
        found = Toolbox(
            tools.find_helms(options.project, scratch / "helm"),
            tools.find_kubeconform(options.project),
            schemas.find_builtins(options.cache or options.project / ".cache" / "schemas"),
            scratch,
        )
        return judge(chart_dir, options, found)


def judge(chart_dir: Path, options: Options, toolbox: Toolbox) -> Report:
    """Judge a chart directory with given tools; see `validate`."""
    start = time.perf_counter()
    chart = values.load(chart_dir)
    renderers = {renderer.version: renderer for renderer in toolbox.renderers}
    found = profiles.load(options.profiles or options.project / "values")
    todo = _cases(options, toolbox, list(renderers), found)
    computed = oracle.find(options.project, chart)
    asked = {
        version: capabilities.api_versions(each, toolbox.scratch) for version, each in renderers.items() if computed
    }
    custom = schemas.write_custom(chart_dir, toolbox.scratch / "crds")
    judging = Judge(toolbox.validator, toolbox.builtins, custom, toolbox.scratch)
    setting = registry.Setting(chart, judging, computed, asked, pod_security.declared(found))
    runner = _Runner(chart_dir, renderers, registry.build(setting), Reader(), toolbox.scratch / "values")
    outcomes = runner.run(todo, options.jobs)
    texts = [document.text for outcome in outcomes for document in outcome.rendered.documents]
    results = [result for outcome in outcomes for result in outcome.results]
    return Report(
        chart=f"{chart_dir} ({chart.name} {chart.version})",
        tools=(*(f"helm {version}" for version in renderers), f"kubeconform {toolbox.validator.version}"),
        cases=tuple(sorted(case.name for case in todo)),
        repeats={outcome.case.name: _repeat(outcome) for outcome in outcomes},
        results=tuple(sorted(results, key=lambda result: result.order)),
        documents=len(texts),
        distinct=len(set(texts)),
        seconds=time.perf_counter() - start,
        folder=str(chart_dir),
        kubes=tuple(dict.fromkeys(case.kube for case in todo)),
        helms=tuple(dict.fromkeys(case.helm for case in todo)),
    )


def _cases(options: Options, toolbox: Toolbox, helms: Sequence[str], found: Sequence[profiles.Profile]) -> list[Case]:
    """The cases that the options ask for.

    Raises:
        ChartgenError: there is none, or a Kubernetes without schemas is asked for.
    """
    known = toolbox.builtins.minors()
    kubes = options.kubes or (OLDEST, NEWEST)
    problems = [Problem("--kube", "", kube, f"one of {', '.join(known)}") for kube in kubes if kube not in known]
    if problems:
        raise ChartgenError(problems)
    return selection.select(profile_cases.build(found, helms, kubes), options.cases)


@dataclass(frozen=True)
class _Outcome:
    """A case with its render and what was said about it."""

    case: Case
    rendered: Rendered
    results: tuple[Result, ...]


def _repeat(outcome: _Outcome) -> Repeat:
    given = outcome.case.values
    return Repeat(outcome.rendered.run.command, values_text=yamlio.dump(dict(given)) if given else "")


@dataclass(frozen=True)
class _Runner:
    """Takes cases through their checks."""

    chart_dir: Path
    renderers: Mapping[str, Renderer]
    checks: Sequence[Check]
    reader: Reader
    scratch: Path

    def run(self, todo: Sequence[Case], jobs: int) -> list[_Outcome]:
        """The outcomes, in the order of the cases; an interrupt stops after the cases that are under way."""
        pool = ThreadPoolExecutor(max_workers=jobs)
        try:
            return list(pool.map(self._case, todo))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _case(self, case: Case) -> _Outcome:
        request = RenderRequest(
            chart=self.chart_dir,
            values=case.files,
            given=case.values or None,
            given_path=self.scratch / f"{case.name}.yaml",
            release=case.release,
            namespace=case.namespace,
            kube_version=case.kube,
            api_versions=case.api_versions,
        )
        try:
            rendered = self.reader.read(self.renderers[case.helm].render(request))
        except ToolFailed as failure:
            empty = Rendered(tools.Run("", -1, "", str(failure), 0.0), ())
            return _Outcome(case, empty, (Result(case.name, registry.FIRST, State.ERROR, "", str(failure)),))
        results: list[Result] = []
        for check in self.checks:
            if (check.name == registry.REFUSES) is not (case.refusal is not None):
                continue
            if rendered.run.status != 0 and check.name not in (registry.FIRST, registry.REFUSES):
                said = [skipped("there is no render to look at")]
            else:
                said = _ask(check, case, rendered)
            results += [self._result(check, case, rendered, finding) for finding in said]
        return _Outcome(case, rendered, tuple(results))

    def _result(self, check: Check, case: Case, rendered: Rendered, finding: Finding) -> Result:
        bad = finding.state in (State.INVALID, State.ERROR)
        source = sources.find(rendered, finding.subject, self.chart_dir, case.parent) if bad else ""
        return Result(
            case.name, check.name, finding.state, finding.subject, finding.message, source=source, diff=finding.diff
        )


def _ask(check: Check, case: Case, rendered: Rendered) -> list[Finding]:
    """What a check says; a check that breaks or says nothing is an error."""
    try:
        said = check.run(case, rendered)
    except Exception as cause:  # noqa: BLE001 - whatever breaks in a check must show as an error of this case
        return [error(f"the check broke: {type(cause).__name__}: {cause}")]
    return said or [error("the check came to no conclusion")]
