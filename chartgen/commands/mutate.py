"""``chartgen mutate``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from chartgen.commands import places
from chartgen.commands.exits import Exit
from chartgen.harness import progress
from chartgen.harness.mutants import catalogue, score, text
from chartgen.harness.mutants.score import Request
from chartgen.harness.options import Options

_COUNT = 300


@click.command()
@click.argument("chart_dir", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option(
    "--count", type=click.IntRange(min=1), default=_COUNT, show_default=True, help="How many mutants at least."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another one, another choice of mutants.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    type=click.Choice([fault.name for fault in catalogue.FAULTS]),
    metavar="KIND",
    help="Only mutants of this kind, such as guard-removed; repeatable. A wrong one gets the list of all.",
)
@click.option("--component", "components", multiple=True, help="Only changes of files whose path has this in it.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="How many mutants are judged at a time."
)
@click.option(
    "--excused",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="File with the mutants that may get away, each with the reason.",
)
@click.option(
    "--fail-under",
    type=click.IntRange(0, 100),
    default=98,
    show_default=True,
    metavar="PERCENT",
    help="Fail when fewer mutants are found out. One that gets away without a reason is a failure, too.",
)
@click.pass_obj
def mutate(project: Path, /, chart_dir: Path | None, *, jobs: int, fail_under: int, **chosen: Any) -> None:
    """Break a chart on purpose, one fault at a time, and see whether the checks of validate find it out.

    CHART_DIR is the chart to break, by default charts/gpu-operator of the project. It stays as it is: copies are broken.
    """
    shown = progress.choose(sys.stderr, os.environ)
    measured = score.measure(chart_dir or project / places.CHART, Request(**chosen), Options(project, jobs=jobs), shown)
    click.echo(text.told(measured), nl=False)
    sys.exit(Exit.FAILED if measured.gaps or measured.stale or measured.share.percent < fail_under else Exit.FINE)
