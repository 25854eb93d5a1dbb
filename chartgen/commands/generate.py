"""``chartgen generate``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from chartgen import files
from chartgen.commands import places
from chartgen.commands.exits import Exit
from chartgen.emit import chart, sources
from chartgen.schema import loader


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the committed chart is stale.")
@click.pass_obj
def generate(project: Path, *, check: bool) -> None:
    """Make charts/gpu-operator from schemas/, values/ and chartgen/components/."""
    generated = chart.emit(loader.load(project / "schemas"), sources.read(project))
    target = project / places.CHART
    if not check:
        click.echo(_told(files.write_tree(target, generated)))
        return
    difference = files.compare(target, generated)
    if difference:
        click.echo(f"stale: {_told(difference)}\nrun: chartgen generate", err=True)
        sys.exit(Exit.FAILED)


def _told(difference: files.Difference) -> str:
    """What differs, in words."""
    if not difference:
        return f"{places.CHART} is up to date"
    parts = [f"{word} {', '.join(paths)}" for word, paths in vars(difference).items() if paths]
    return "; ".join(parts)
