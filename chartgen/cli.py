"""The command line: each command parses, calls one function, prints and exits."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from chartgen import __version__, files
from chartgen.emit import chart
from chartgen.errors import ChartgenError
from chartgen.schema import loader

_PROJECT = Path(__file__).resolve().parent.parent


@click.group()
@click.version_option(__version__)
@click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=_PROJECT,
    show_default="the folder of this package",
    help="Folder that holds schemas/, values/ and charts/.",
)
@click.pass_context
def cli(context: click.Context, project: Path) -> None:
    """Generate, prove and operate the GPU Operator chart."""
    context.obj = project


@cli.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the committed chart is stale.")
@click.pass_obj
def generate(project: Path, *, check: bool) -> None:
    """Make charts/gpu-operator from schemas/ and chartgen/components/."""
    generated = chart.emit(loader.load(project / "schemas"))
    target = project / "charts" / "gpu-operator"
    if not check:
        click.echo(_told(files.write_tree(target, generated)))
        return
    difference = files.compare(target, generated)
    if difference:
        click.echo(f"stale: {_told(difference)}\nrun: chartgen generate", err=True)
        sys.exit(1)


def _told(difference: files.Difference) -> str:
    """What differs, in words."""
    if not difference:
        return "charts/gpu-operator is up to date"
    parts = [f"{word} {', '.join(paths)}" for word, paths in vars(difference).items() if paths]
    return "; ".join(parts)


def main() -> None:
    """The console script; bad input is told on stderr and exits with 2."""
    try:
        cli()
    except ChartgenError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
