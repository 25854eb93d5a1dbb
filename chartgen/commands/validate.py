"""``chartgen validate``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from chartgen.commands import outputs as forms
from chartgen.commands import places, validate_options, watching
from chartgen.commands.exits import Exit
from chartgen.harness import changes, progress, run
from chartgen.harness.options import Options


@click.command()
@click.argument("chart_dir", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@validate_options.add
@forms.option
@click.option("--watch", is_flag=True, help="Run again whenever a file changes, until it is interrupted.")
@click.pass_obj
def validate(
    project: Path, /, chart_dir: Path | None, outputs: Sequence[forms.Output], *, watch: bool, **chosen: Any
) -> None:
    """Render a chart with helm, in every combination of values that can matter, and judge what comes out.

    CHART_DIR is the chart to judge, by default charts/gpu-operator of the project.
    """
    once = partial(_once, chart_dir or project / places.CHART, Options(project, **chosen), outputs)
    if watch:
        watching.repeat(once, changes.folders(Options(project, **chosen), chart_dir or project / places.CHART))
    sys.exit(once())


def _once(chart_dir: Path, options: Options, outputs: Sequence[forms.Output]) -> int:
    """One run; its exit code."""
    narrowed = changes.narrowed(options, chart_dir) if options.changed else options
    if narrowed is None:
        click.echo(f"nothing that a case depends on has changed since {options.changed}", err=True)
        return Exit.FINE
    report = run.validate(chart_dir, narrowed, progress.choose(sys.stderr, os.environ))
    forms.deliver(report, outputs, os.environ)
    return report.exit_code
