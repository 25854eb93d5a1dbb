"""``chartgen validate``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from chartgen.cli import places, validate_options
from chartgen.harness import run
from chartgen.harness.options import Options
from chartgen.harness.reports import text


@click.command()
@click.argument("chart_dir", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@validate_options.add
@click.pass_obj
def validate(project: Path, /, chart_dir: Path | None, **chosen: Any) -> None:
    """Render every profile of values/ with helm and judge what comes out.

    CHART_DIR is the chart to judge, by default charts/gpu-operator of the project.
    """
    report = run.validate(chart_dir or project / places.CHART, Options(project, **chosen))
    click.echo(text.render(report), nl=False)
    sys.exit(report.exit_code)
