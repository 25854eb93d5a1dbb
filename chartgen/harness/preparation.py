"""What has to be there before the first case is judged: the programs, and what is asked of the chart as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chartgen.harness import capabilities, capability_reads, engine, linters, plan, schemas, tools
from chartgen.harness.agreement import Agreement
from chartgen.harness.checks import pod_security, policies
from chartgen.harness.manifests import Reader, Rendered
from chartgen.harness.options import Options
from chartgen.harness.session import Brief, Toolbox
from chartgen.harness.tools import RenderRequest
from chartgen.profiles import Profile


def toolbox(options: Options, scratch: Path) -> Toolbox:
    """Every program that judges: the engine where it is built, with helm beside it.

    Args:
        options: see `Options`.
        scratch: a folder for the time of the run.

    Raises:
        ToolMissing: helm, kubeconform or the Kubernetes schemas are not there.
        ToolFailed: helm cannot even say what it is.
    """
    helms = tools.find_helms(options.project, scratch / "helm")
    engines = {each.helm: Agreement(each, options.seed) for each in engine.find_engines(options.project, helms)}
    return Toolbox(
        tuple(engines.get(helm, helm) for helm in helms),
        tools.find_kubeconform(options.project),
        schemas.find_builtins(options.cache_folder / "schemas"),
        scratch,
        linters.find(options.project) if policies.NAME in options.checks else (),
    )


def judged_for(chart_dir: Path, kubes: Sequence[str]) -> tuple[str, ...]:
    """The Kubernetes that a render is judged for besides its own: all of them, unless another would get another render."""
    return () if capability_reads.reads_kube_version(chart_dir) else tuple(kubes)


def brief(judged: plan.Subject, options: Options, found: Toolbox, kubes: tuple[str, ...]) -> Brief:
    """What sessions are made from.

    Args:
        judged: the chart.
        options: see `Options`.
        found: the programs.
        kubes: see `judged_for`.
    """
    first = found.renderers[0]

    def rendered(profile: Profile) -> Rendered:
        return Reader().read(first.render(RenderRequest(judged.chart_dir, (profile.path,), api_versions=profile.apis)))

    served = {each.version: capabilities.api_versions(each, found.scratch) for each in found.renderers if judged.trees}
    told = pod_security.declared(judged.profiles, rendered)
    return Brief(judged.chart_dir, options, found, served, told, kubes)
