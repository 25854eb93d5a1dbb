"""``chartgen validate``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from chartgen.commands import outputs as forms
from chartgen.commands import places, validate_options
from chartgen.harness import progress, run
from chartgen.harness.options import Options


@click.command()
@click.argument("chart_dir", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@validate_options.add
@forms.option
@click.pass_obj
def validate(project: Path, /, chart_dir: Path | None, outputs: Sequence[forms.Output], **chosen: Any) -> None:
    """Render every profile of values/ with helm and judge what comes out.

    CHART_DIR is the chart to judge, by default charts/gpu-operator of the project.
    """
    shown = progress.choose(sys.stderr, os.environ)
    report = run.validate(chart_dir or project / places.CHART, Options(project, **chosen), shown)
    forms.deliver(report, outputs, os.environ)
    sys.exit(report.exit_code)
