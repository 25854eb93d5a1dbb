"""Which cases a run is made of: every kind of them, then those that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from chartgen import profiles
from chartgen.errors import ChartgenError, Problem, meant
from chartgen.harness import oracle, values
from chartgen.harness.case import NEWEST, OLDEST, Case, Group
from chartgen.harness.cases import arrays, exhaustive, foreign, refusals, releases, selection, told, variations
from chartgen.harness.cases import profiles as profile_cases
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.cases.told import Plan
from chartgen.harness.checks import registry
from chartgen.harness.options import Options
from chartgen.profiles import Profile


@dataclass(frozen=True)
class Subject:
    """What is judged.

    Attributes:
        chart_dir: the chart directory.
        chart: what was read from it.
        trees: its description; None for a chart of another project.
        profiles: values files with expectations.
    """

    chart_dir: Path
    chart: values.Chart
    trees: oracle.Trees | None
    profiles: tuple[Profile, ...]

    @cached_property
    def feasibility(self) -> Feasibility | None:
        """Says beforehand what the chart would refuse; None without trees."""
        return None if self.trees is None else Feasibility(self.chart_dir, self.chart, self.trees)


# The kinds of cases that are many, and that a run has only when it is asked for them.
_OF_FULL_RUNS = (Group.FILE,)


@dataclass(frozen=True)
class Cluster:
    """What cases are spread over.

    Attributes:
        helms: Helm versions, the newest first.
        kubes: Kubernetes minor versions, the oldest first.
    """

    helms: tuple[str, ...]
    kubes: tuple[str, ...]


def subject(chart_dir: Path, options: Options) -> Subject:
    """Read what is to be judged.

    Raises:
        ChartgenError: no chart, or mistakes in the schemas or profiles.
    """
    chart = values.load(chart_dir)
    trees = oracle.find(options.project, chart)
    folder = options.profiles or options.project / "values"
    found = profiles.load(folder) if options.owns(chart_dir) or options.profiles else ()
    return Subject(chart_dir, chart, trees, found)


def kubes(options: Options, known: Sequence[str]) -> tuple[str, ...]:
    """The Kubernetes minor versions to judge for.

    Args:
        options: those that are asked for; the oldest and the newest supported otherwise.
        known: those that there are schemas for.

    Raises:
        ChartgenError: one that there are no schemas for.
    """
    wanted = options.kubes or (OLDEST, NEWEST)
    problems = [Problem("--kube", "", kube, f"one of {', '.join(known)}") for kube in wanted if kube not in known]
    if problems:
        raise ChartgenError(problems)
    return tuple(kube for kube in known if kube in wanted)


def make(judged: Subject, options: Options, cluster: Cluster) -> Plan:
    """Every case that is asked for.

    Raises:
        ChartgenError: there is none, or a check or component is asked for that does not exist.
    """
    problems = [*_unknown_checks(options), *_unknown_components(judged.chart_dir, options)]
    if problems:
        raise ChartgenError(problems)
    if options.files:
        whole = Plan(_given(options, cluster))
    else:
        whole = _joined(_of_group(group, judged, options, cluster) for group in Group if _wanted(group, options))
    chosen = selection.select(whole.cases, options.cases)
    shard = options.shard
    return replace(whole, cases=tuple(chosen[shard.number - 1 :: shard.of]))


def _unknown_checks(options: Options) -> Iterator[Problem]:
    """A run with a check that nobody has would pass, since nothing was asked."""
    known = registry.known()
    for name in options.checks:
        if name not in known:
            yield Problem("--check", "", name, f"one of {', '.join(known)}", meant(name, known))


def _unknown_components(chart_dir: Path, options: Options) -> Iterator[Problem]:
    """The same of components: a part of some template's path."""
    templates = [file.relative_to(chart_dir).as_posix() for file in chart_dir.rglob("templates/**/*") if file.is_file()]
    for component in options.components:
        if not any(component in template for template in templates):
            hint = meant(component, [Path(template).stem for template in templates])
            yield Problem("--component", "", component, "a part of the path of a template", hint)


def _wanted(group: Group, options: Options) -> bool:
    """Whether cases of a kind are in the run: what only a full run has must be asked for."""
    if options.groups:
        return group in options.groups
    named = any(pattern.startswith(f"{group.value}/") for pattern in options.cases)
    return group not in _OF_FULL_RUNS or options.full or named


def _joined(plans: Iterable[Plan]) -> Plan:
    found = list(plans)
    numbers: dict[str, Any] = {}
    for one in found:
        numbers |= one.numbers
    cases = tuple(case for one in found for case in one.cases)
    return Plan(cases, tuple(section for one in found for section in one.sections), numbers)


def _given(options: Options, cluster: Cluster) -> tuple[Case, ...]:
    return tuple(
        Case(f"{Group.GIVEN.value}/helm{helm[1]}/kube{kube}", Group.GIVEN, helm, kube, files=options.files)
        for helm in cluster.helms
        for kube in cluster.kubes
    )


def _of_group(group: Group, judged: Subject, options: Options, cluster: Cluster) -> Plan:
    """The cases of a kind, and what there is to say of them."""
    match group:
        case Group.PROFILE:
            return Plan(tuple(profile_cases.build(judged.profiles, cluster.helms, cluster.kubes)))
        case Group.RELEASE:
            return Plan(tuple(releases.build(judged.profiles, cluster.helms, cluster.kubes)))
        case _ if judged.trees is not None and judged.feasibility is not None:
            return _of_trees(group, judged.trees, judged.feasibility, options, cluster)
        case Group.ARRAY:
            cases = foreign.build(judged.chart_dir, judged.chart, cluster.helms, cluster.kubes, options.seed)
            return Plan(tuple(cases))
        case _:
            return Plan()


def _of_trees(group: Group, trees: oracle.Trees, feasible: Feasibility, options: Options, cluster: Cluster) -> Plan:
    """The cases of a kind that is made from the chart's description."""
    match group:
        case Group.FILE:
            return told.of_files(exhaustive.build(trees, feasible, cluster.helms, cluster.kubes, full=options.full))
        case Group.ARRAY:
            strength = arrays.STRONGEST if options.full else options.strength
            wanted = arrays.Settings(strength, options.seed, options.cache_folder / "validate" / "arrays")
            return told.of_arrays(arrays.build(trees, feasible, wanted, cluster.helms, cluster.kubes), strength)
        case Group.REFUSAL:
            return told.of_refusals(refusals.build(trees, feasible, cluster.helms, cluster.kubes), trees.schema)
        case Group.VARIATION:
            return told.of_variations(variations.vary(trees, feasible, cluster.helms, cluster.kubes[-1:]))
        case _:
            return Plan()
