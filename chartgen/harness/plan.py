"""Which cases a run is made of: every kind of them, then those that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chartgen import profiles
from chartgen.errors import ChartgenError, Problem
from chartgen.harness import oracle, values
from chartgen.harness.case import NEWEST, OLDEST, Case, Group
from chartgen.harness.cases import profiles as profile_cases
from chartgen.harness.cases import releases, selection
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
    own = chart_dir.resolve().is_relative_to(options.project.resolve())
    found = profiles.load(folder) if own or options.profiles else ()
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


def cases(judged: Subject, options: Options, cluster: Cluster) -> list[Case]:
    """Every case that is asked for.

    Raises:
        ChartgenError: there is none.
    """
    if options.files:
        found = _given(options, cluster)
    else:
        found = [case for group in Group for case in _of_group(group, judged, options, cluster)]
    chosen = selection.select(found, options.cases)
    shard = options.shard
    return chosen[shard.number - 1 :: shard.of]


def _given(options: Options, cluster: Cluster) -> list[Case]:
    return [
        Case(f"{Group.GIVEN.value}/helm{helm[1]}/kube{kube}", Group.GIVEN, helm, kube, files=options.files)
        for helm in cluster.helms
        for kube in cluster.kubes
    ]


def _of_group(group: Group, judged: Subject, options: Options, cluster: Cluster) -> list[Case]:
    """The cases of a kind; none when other kinds are asked for."""
    if options.groups and group not in options.groups:
        return []
    match group:
        case Group.PROFILE:
            return profile_cases.build(judged.profiles, cluster.helms, cluster.kubes)
        case Group.RELEASE:
            return releases.build(judged.profiles, cluster.helms, cluster.kubes)
        case _:
            return []
