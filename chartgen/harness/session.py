"""A session: everything that judging a case needs, made once and used for many cases.

Each worker process has one. It renders, reads and asks the checks; what it says of a case is an `Outcome`, which is small
and can be sent, kept and compared.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chartgen.harness import capability_reads, oracle, schemas, sources, umbrella, values
from chartgen.harness.agreement import Agreement
from chartgen.harness.case import Case
from chartgen.harness.check import Check
from chartgen.harness.checks import pod_security, registry
from chartgen.harness.contexts import Contexts
from chartgen.harness.coverage.truths import Row, Truths
from chartgen.harness.judge import Judge
from chartgen.harness.linters import Linter
from chartgen.harness.manifests import Document, Reader, Rendered
from chartgen.harness.options import Options
from chartgen.harness.rerender import Rerender
from chartgen.harness.results import Finding, Result, State, error, skipped
from chartgen.harness.tools import Renderer, RenderRequest, Run, ToolFailed, Validator


@dataclass(frozen=True)
class Toolbox:
    """The programs and the data that judge.

    Attributes:
        renderers: one for each major version of Helm.
        validator: judges by schema.
        builtins: schemas of Kubernetes' own kinds.
        scratch: a folder for the time of the run.
        linters: linters of the trade, when they are asked for.
    """

    renderers: tuple[Renderer, ...]
    validator: Validator
    builtins: schemas.Builtins
    scratch: Path
    linters: tuple[Linter, ...] = ()


@dataclass(frozen=True)
class Brief:
    """What a session is made from; it can be sent to another process.

    Attributes:
        chart_dir: the chart, as a user receives it.
        options: see `Options`.
        toolbox: see `Toolbox`.
        api_versions: Helm version -> what that Helm takes every cluster to serve.
        pod_security: see `chartgen.harness.checks.pod_security.declared`.
        kubes: see `chartgen.harness.checks.registry.Setting`.
    """

    chart_dir: Path
    options: Options
    toolbox: Toolbox
    api_versions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pod_security: pod_security.Declared = field(default_factory=dict)
    kubes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Printed:
    """A distinct document: the template that it came from first, and its text."""

    source: str
    text: str


@dataclass(frozen=True)
class Outcome:
    """What was said about a case.

    Attributes:
        case: its name.
        command: helm's command, ready to paste.
        results: what the checks said.
        documents: digests of what was rendered, in helm's order.
        new: digest -> document, for those that this session saw for the first time.
        seconds: what the case took.
        rows: the truth of the templates' conditions; none when Helm refused, or the chart has no trees.
    """

    case: str
    command: str
    results: tuple[Result, ...]
    documents: tuple[str, ...] = ()
    new: Mapping[str, Printed] = field(default_factory=dict)
    seconds: float = 0.0
    rows: tuple[Row, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether anything is wrong, or could not be judged."""
        return any(result.is_bad for result in self.results)


@dataclass(frozen=True)
class Shared:
    """What takes long to make, and is the same for several versions of a chart as long as their CRDs are.

    Attributes:
        trees: the chart's description; None for a chart of another project.
        truths: finds out what its conditions are in a case.
        judge: judges documents by schema.
    """

    trees: oracle.Trees | None
    truths: Truths | None
    judge: Judge


def shared(brief: Brief) -> Shared:
    """What a session of this brief can share with others."""
    trees = oracle.find(brief.options.project, values.load(brief.chart_dir))
    return Shared(trees, Truths(trees) if trees else None, judge_of(brief))


def judge_of(brief: Brief) -> Judge:
    """Judges by the schemas of Kubernetes and by the CRDs of the chart."""
    toolbox = brief.toolbox
    return Judge(toolbox.builtins, schemas.write_custom(brief.chart_dir, toolbox.scratch / "crds"))


class Session:
    """Judges cases, one after the other or in several threads.

    Args:
        brief: see `Brief`.
        made: what was made already; made now when None.
    """

    def __init__(self, brief: Brief, made: Shared | None = None) -> None:
        self._brief = brief
        toolbox = brief.toolbox
        self._made = made = made or shared(brief)
        chart = values.load(brief.chart_dir)
        self._contexts = Contexts(chart, brief.api_versions)
        setting = registry.Setting(
            chart=chart,
            judge=made.judge,
            oracle=made.trees,
            contexts=self._contexts,
            pod_security=brief.pod_security,
            kubes=brief.kubes,
            guarded=capability_reads.guarded_apis(brief.chart_dir),
            options=brief.options,
            foreign=not brief.options.owns(brief.chart_dir),
            linters=toolbox.linters,
            rerender=Rerender(brief.chart_dir, toolbox.scratch, self._rendered, brief.options.previous),
        )
        self._renderers = {renderer.version: renderer for renderer in toolbox.renderers}
        self._checks = _wanted(registry.build(setting), brief.options.checks)
        self._reader = Reader()
        self._seen: set[str] = set()
        self._lock = threading.Lock()
        self._folder = Path(tempfile.mkdtemp(prefix="umbrella-", dir=toolbox.scratch))
        self._umbrellas: dict[tuple[str, Path], Path] = {}

    def render(self, case: Case) -> Run:
        """Renders a case and asks nobody about it.

        Raises:
            ToolFailed: Helm neither renders nor refuses.
        """
        return self._run(case, self._brief.chart_dir)

    @property
    def documents(self) -> int:
        """How many distinct documents the session holds."""
        return len(self._reader.known)

    def successor(self) -> Session:
        """A session that holds nothing yet, for this one's place: programs that stay are ended, and started anew when asked."""
        for renderer in self._renderers.values():
            if isinstance(renderer, Agreement):
                renderer.engine.host.close()
        return Session(self._brief, replace(self._made, judge=judge_of(self._brief)))

    def judge(self, case: Case) -> Outcome:
        """Renders a case and asks the checks about it."""
        start = time.perf_counter()
        try:
            rendered = self._rendered(case, self._brief.chart_dir)
        except ToolFailed as failure:
            result = Result(case.name, registry.FIRST, State.ERROR, "", str(failure))
            return Outcome(case.name, "", (result,), seconds=time.perf_counter() - start)
        results = tuple(
            self._result(check, case, rendered, finding)
            for check in self._checks
            if registry.applies(check, case)
            for finding in _findings(check, case, rendered)
        )
        new: dict[str, Printed] = {}
        digests = tuple(self._digest(document, new) for document in rendered.documents)
        rows = self._rows(case) if rendered.run.status == 0 else ()
        seconds = time.perf_counter() - start
        return Outcome(case.name, rendered.run.command, results, digests, new, seconds, rows)

    def _rows(self, case: Case) -> tuple[Row, ...]:
        context = self._contexts.of(case) if self._made.truths else None
        return self._made.truths.rows(context) if self._made.truths and context else ()

    def _result(self, check: Check, case: Case, rendered: Rendered, finding: Finding) -> Result:
        bad = finding.state in (State.INVALID, State.ERROR)
        source = sources.find(rendered, finding.subject, self._brief.chart_dir, case.parent) if bad else ""
        return Result(
            case.name, check.name, finding.state, finding.subject, finding.message, source=source, diff=finding.diff
        )

    def _rendered(self, case: Case, chart: Path) -> Rendered:
        """A case of a chart: the one that is judged, or a changed copy of it."""
        return self._part(case, self._reader.read(self._run(case, chart)))

    def _run(self, case: Case, chart: Path) -> Run:
        return self._renderers[case.helm].render(self._request(case, chart))

    def _part(self, case: Case, rendered: Rendered) -> Rendered:
        """What the templates of the components that are asked for have rendered."""
        options = self._brief.options
        if not options.components:
            return rendered
        documents = (one for one in rendered.documents if options.concerns(sources.inside(one.source, case.parent)))
        return Rendered(rendered.run, tuple(documents))

    def _request(self, case: Case, chart: Path) -> RenderRequest:
        files, given = case.files, case.values
        if case.parent:
            chart, files = self._umbrella(case.parent, chart), ()
            given = {case.parent: values.given(case.files, case.values)}
        return RenderRequest(
            chart=chart,
            values=files,
            release=case.release,
            namespace=case.namespace,
            kube_version=case.kube,
            api_versions=case.api_versions,
            given=given or None,
            given_path=values_file(self._brief.options, case),
            upgrade=case.upgrade,
        )

    def _umbrella(self, alias: str, chart: Path) -> Path:
        """The folder of a chart that has another one as its only dependency."""
        with self._lock:
            if (alias, chart) not in self._umbrellas:
                folder = self._folder / str(len(self._umbrellas)) / alias
                umbrella.write(folder, chart, alias)
                self._umbrellas[alias, chart] = folder
            return self._umbrellas[alias, chart]

    def _digest(self, document: Document, new: dict[str, Printed]) -> str:
        found = document.digest
        if found not in self._seen:
            self._seen.add(found)
            new[found] = Printed(document.source, document.text)
        return found


def values_file(options: Options, case: Case) -> Path:
    """Where the values of a case are written when a person or a program wants them as a file."""
    return options.cache_folder / "validate" / "cases" / f"{case.name}.yaml"


def in_scratch(brief: Brief, name: str) -> Brief:
    """The same brief with a scratch folder of its own."""
    scratch = brief.toolbox.scratch / name
    scratch.mkdir(parents=True, exist_ok=True)
    return replace(brief, toolbox=replace(brief.toolbox, scratch=scratch))


def lost(case: Case, why: str) -> Outcome:
    """The outcome of a case that nobody could judge."""
    return Outcome(case.name, "", (Result(case.name, registry.FIRST, State.ERROR, "", why),))


def _wanted(checks: Sequence[Check], names: Sequence[str]) -> tuple[Check, ...]:
    """The checks of these names, and the one without which the others have nothing to look at."""
    always = (registry.FIRST, registry.REFUSES)
    return tuple(check for check in checks if not names or check.name in names or check.name in always)


def _findings(check: Check, case: Case, rendered: Rendered) -> list[Finding]:
    if rendered.run.status != 0 and check.name not in (registry.FIRST, registry.REFUSES):
        return [skipped("there is no render to look at")]
    return ask(check, case, rendered)


def ask(check: Check, case: Case, rendered: Rendered) -> list[Finding]:
    """What a check says; a check that breaks or says nothing is an error."""
    try:
        said = check.run(case, rendered)
    except Exception as cause:  # noqa: BLE001 - whatever breaks in a check must show as an error of this case
        return [error(f"the check broke: {type(cause).__name__}: {cause}")]
    return said or [error("the check came to no conclusion")]
