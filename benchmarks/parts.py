"""What is timed: each step once by itself, on the chart as it is committed and the default profile."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks import anchor
from benchmarks.measure import Part
from chartgen.emit import chart as emitter
from chartgen.emit import sources
from chartgen.harness import capabilities, engine, oracle, run, schemas, tools, values
from chartgen.harness.case import OLDEST, Group
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Document, Reader
from chartgen.harness.options import Options
from chartgen.schema import loader
from chartgen.tree.context import Context

_KUBE = "1.37"


def build(project: Path, scratch: Path) -> list[Part]:
    """All parts, in the order that work goes through them.

    Args:
        project: the folder with ``schemas/``, ``values/`` and ``charts/``.
        scratch: a folder to write to.

    Raises:
        ToolMissing: helm, kubeconform or the schemas are not there.
        ChartgenError: mistakes in the schemas or the chart.
    """
    chart = project / "charts" / "gpu-operator"
    helms = tools.find_helms(project, scratch / "helm")
    plain = anchor.write(scratch / "anchor")
    off = scratch / "without-nfd.yaml"
    off.write_text("nfd: {enabled: false}\n", encoding="utf-8")
    static = scratch / "static.yaml"
    static.write_text(
        "operator: {enabled: false}\ncluster: {os: ubuntu22.04}\n"
        "dcgm: {enabled: true}\nnodeStatusExporter: {enabled: true}\ngds: {enabled: true}\ngdrcopy: {enabled: true}\n",
        encoding="utf-8",
    )
    parts = _in_process(project, chart, helms[0], scratch)
    for helm in helms:
        name = f"helm {helm.version}"
        small = f"{name}, a chart of upstream's size"
        parts += [
            Part(small, partial(_render, helm, plain)),
            Part(f"{name}, without schema", partial(_render, helm, chart, check_schema=False), small),
            Part(f"{name}, with schema", partial(_render, helm, chart), f"{name}, without schema"),
            Part(f"{name}, without NFD", partial(_render, helm, chart, values=(off,)), f"{name}, with schema"),
            Part(
                f"{name}, without an operator", partial(_render, helm, chart, values=(static,)), f"{name}, with schema"
            ),
        ]
    parts += _engines(project, chart, helms)
    documents = Reader().read(helms[0].render(tools.RenderRequest(chart))).documents
    by_process = "kubeconform, one render"
    parts.append(Part(by_process, _kubeconform(project, chart, documents, scratch)))
    minors = schemas.find_builtins(scratch / "schemas").minors()
    kubes = minors[minors.index(OLDEST) :]
    parts += [
        Part("judge one render", _judged(chart, documents, scratch, kubes[-1:]), by_process),
        Part(f"judge one render, {len(kubes)} times Kubernetes", _judged(chart, documents, scratch, kubes), by_process),
    ]
    options = Options(project, cache=scratch / "cache", fresh=True, groups=(Group.PROFILE,))
    together = f"helm {helms[0].version}, with schema"
    parts.append(Part("validate, a case (all profiles)", lambda: len(run.validate(chart, options).cases), together))
    return parts


def _engines(project: Path, chart: Path, helms: tuple[tools.Helm, ...]) -> list[Part]:
    """The same renders without a process for each; nothing where there is no engine."""
    parts: list[Part] = []
    for each in engine.find_engines(project, helms):
        name, process = f"engine {each.version}", f"helm {each.version}"
        parts += [
            Part(
                f"{name}, without schema",
                partial(_render, each, chart, check_schema=False),
                f"{process}, without schema",
            ),
            Part(f"{name}, with schema", partial(_render, each, chart), f"{process}, with schema"),
            Part(f"{name}, refused by the schema", partial(_refuse, each, chart), f"{process}, with schema"),
        ]
    return parts


def _in_process(project: Path, chart: Path, helm: tools.Helm, scratch: Path) -> list[Part]:
    """Everything that needs no other program."""
    loaded = loader.load(project / "schemas")
    given = sources.read(project)
    read = values.load(chart)
    trees = oracle.Trees(loaded)
    served = capabilities.api_versions(helm, scratch)
    context = Context(values.coalesce(read, {}, 4), app_version=read.app_version, api_versions=served)
    rendered = helm.render(tools.RenderRequest(chart))
    return [
        Part("chartgen generate --check, a process", lambda: _process(project)),
        Part("load schemas", lambda: _once(loader.load(project / "schemas"))),
        Part("generate", lambda: _once(emitter.emit(loaded, given)), "load schemas"),
        Part("evaluate all trees", lambda: _once(trees.objects(context))),
        Part("merge values", lambda: _once(values.coalesce(read, {}, 4))),
        Part("read one render", lambda: _once(Reader().read(rendered))),
    ]


def _once(_result: object) -> int:
    """One piece of work, whatever it made."""
    return 1


def _process(project: Path) -> int:
    """The command as a user types it, start of Python included; a stale chart (1) takes as long as one that is not."""
    program = "import sys; from chartgen.cli import main; sys.exit(main())"
    done = tools.run([sys.executable, "-c", program, "--project", str(project), "generate", "--check"])
    if done.status not in (0, 1):
        raise tools.ToolFailed(done.report())
    return 1


def _refuse(renderer: tools.Renderer, chart: Path) -> int:
    done = renderer.render(tools.RenderRequest(chart, kube_version=_KUBE, given={"driver": {"no such key": 1}}))
    if done.status != 1:
        raise tools.ToolFailed(done.report())
    return 1


def _render(helm: tools.Renderer, chart: Path, *, values: tuple[Path, ...] = (), check_schema: bool = True) -> int:
    done = helm.render(tools.RenderRequest(chart, values, kube_version=_KUBE, check_schema=check_schema))
    if done.status != 0:
        raise tools.ToolFailed(done.report())
    return 1


def _judged(chart: Path, documents: tuple[Document, ...], scratch: Path, kubes: list[str]) -> Callable[[], int]:
    """The same documents by schemas that are compiled already; none of them was seen before."""
    judge = Judge(schemas.find_builtins(scratch / "schemas"), schemas.write_custom(chart, scratch / "crds"))

    def judged() -> int:
        anew = replace(judge, _known={})
        return _once([anew.judge(document, kube) for document in documents for kube in kubes])

    judged()
    return judged


def _kubeconform(project: Path, chart: Path, documents: tuple[Document, ...], scratch: Path) -> Callable[[], int]:
    """One call for all documents of a render."""
    validator = tools.find_kubeconform(project)
    builtins = schemas.find_builtins(scratch / "schemas")
    custom = schemas.write_custom(chart, scratch / "crds")
    kinds = {kind_of(document) for document in documents}
    unknown = builtins.prepare(_KUBE, [kind for kind in kinds if kind not in custom.schemas])
    files: list[Path] = []
    for number, document in enumerate(documents):
        if kind_of(document) not in unknown:
            files.append(scratch / f"{number}.yaml")
            files[-1].write_text(document.text, encoding="utf-8")
    request = tools.ValidationRequest(tuple(files), _KUBE, (custom.location, builtins.location(_KUBE)))
    return lambda: _once(validator.validate(request))
