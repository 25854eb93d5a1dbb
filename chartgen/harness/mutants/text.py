"""The score for a person: how many mutants were found out, by whom, and each that got away with what was changed."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator

from chartgen.harness.mutants.bench import Trial
from chartgen.harness.mutants.score import Score


def told(score: Score) -> str:
    """The whole report."""
    return "\n".join(_lines(score)) + "\n"


def _lines(score: Score) -> Iterator[str]:
    for trial in score.gaps:
        yield f"got away: {trial.mutant.name}"
        yield from _diff(trial)
        yield f"  $ {shlex.join(['chartgen', 'mutate', '--fault', trial.mutant.fault, '--component', trial.mutant.file])}"
        yield ""
    for trial, excuse in score.excused:
        yield f"got away, and may: {trial.mutant.name}"
        yield from _diff(trial)
        yield f"  {excuse.reason}"
        yield ""
    for excuse in score.stale:
        yield f"excused, and found out: {excuse.fault} {excuse.file}: {excuse.before}"
        yield ""
    by_check = Counter(trial.finding.check for trial in score.trials if trial.finding)
    for check, count in sorted(by_check.items(), key=lambda pair: (-pair[1], pair[0])):
        yield f"  {count:>5,} found out first by {check}"
    share = score.share
    parts = [f"{share} mutants were found out ({share.percent} %)", f"{len(score.gaps)} got away"]
    if score.excused:
        parts.append(f"{len(score.excused)} more for a known reason")
    yield ", ".join(parts)


def _diff(trial: Trial) -> Iterator[str]:
    return (f"  {line}" for line in trial.mutant.diff.splitlines())
