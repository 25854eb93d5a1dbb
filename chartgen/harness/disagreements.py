"""The last step of a run: kubeconform's opinion on every distinct document, told of the first case that rendered it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path

from chartgen.harness import manifests, sources
from chartgen.harness.case import Case
from chartgen.harness.checks import kubeconform
from chartgen.harness.results import Result, State
from chartgen.harness.second_opinion import SecondOpinion
from chartgen.harness.session import Outcome, Printed
from chartgen.harness.tools import ToolFailed

# The documents of these digests.
Reading = Callable[[Set[str]], Mapping[str, Printed]]


def find(
    opinion: SecondOpinion,
    judged: Sequence[tuple[Case, Outcome]],
    kubes: Sequence[str],
    reading: Reading,
    chart_dir: Path,
) -> list[Result]:
    """Everything on which the two opinions differ, and a failure to ask.

    Args:
        opinion: whom to ask.
        judged: cases with what they rendered.
        kubes: see `chartgen.harness.checks.registry.Setting`.
        reading: gets documents by their digest; asked only for those that are not known from earlier runs.
        chart_dir: see `chartgen.harness.sources.find`.
    """
    groups: dict[tuple[str, ...], dict[str, Case]] = {}
    for case, outcome in judged:
        versions = case.minors(tuple(kubes))
        first = groups.setdefault(versions, {})
        for digest in outcome.documents:
            first.setdefault(digest, case)
    results: list[Result] = []
    for versions, first in groups.items():
        if not first:
            continue
        try:
            results += _of_group(opinion, versions, first, reading, chart_dir)
        except ToolFailed as failure:
            any_case = next(iter(first.values()))
            results.append(Result(any_case.name, kubeconform.NAME, State.ERROR, "", str(failure)))
    return results


def _of_group(
    opinion: SecondOpinion, kubes: Sequence[str], first: Mapping[str, Case], reading: Reading, chart_dir: Path
) -> list[Result]:
    printed = reading(first.keys() - opinion.settled(first, kubes))
    findings = opinion.ask([each.text for each in printed.values()], kubes)
    results: list[Result] = []
    for text, said in findings.items():
        digest = manifests.digest(text)
        case = first[digest]
        source = sources.path(printed[digest].source, chart_dir, case.parent)
        results += [
            Result(case.name, kubeconform.NAME, each.state, each.subject, each.message, source=source) for each in said
        ]
    return results
