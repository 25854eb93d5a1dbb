"""A chart around a chart: how a team that has an umbrella chart of its own installs this one."""

from __future__ import annotations

import shutil
from pathlib import Path

from chartgen import yamlio
from chartgen.harness import values

NAME = "umbrella"


def write(folder: Path, chart_dir: Path, alias: str) -> None:
    """Write a chart that has another as its only dependency.

    Args:
        folder: where to write; must not be there.
        chart_dir: the chart that becomes the dependency; it is copied.
        alias: the name that it goes by in the umbrella.

    Raises:
        ChartgenError: it is no chart.
    """
    chart = values.load(chart_dir)
    dependency = {"name": chart.name, "version": chart.version, "alias": alias}
    facts = {"apiVersion": "v2", "name": NAME, "version": "0.1.0", "dependencies": [dependency]}
    making = folder.with_name(f".{folder.name}")
    shutil.rmtree(making, ignore_errors=True)
    shutil.copytree(chart_dir, making / "charts" / chart.name)
    (making / "Chart.yaml").write_text(yamlio.dump(facts), encoding="utf-8")
    making.rename(folder)
