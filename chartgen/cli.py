"""The command line: its commands, and what becomes of errors.

Each command is a module of `chartgen.commands`: it parses, calls one function, prints and exits.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from chartgen import __version__
from chartgen.commands import places
from chartgen.commands.exits import Exit
from chartgen.commands.generate import generate
from chartgen.commands.ledger import ledger
from chartgen.commands.validate import validate
from chartgen.errors import ChartgenError
from chartgen.harness import tools


@click.group()
@click.version_option(__version__)
@click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=places.PROJECT,
    show_default="the folder of this package",
    help="Folder that holds schemas/, values/ and charts/.",
)
@click.pass_context
def cli(context: click.Context, project: Path) -> None:
    """Generate, prove and operate the GPU Operator chart."""
    context.obj = project


for command in (generate, validate, ledger):
    cli.add_command(command)


def main() -> None:
    """The console script: what went wrong is told on stderr, and the exit code says of which kind it is."""
    try:
        cli(prog_name="chartgen")
    except ChartgenError as error:
        click.echo(str(error), err=True)
        sys.exit(Exit.BAD_INPUT)
    except OSError as error:
        click.echo(f"{error.filename}: {error.strerror}" if error.filename else str(error), err=True)
        sys.exit(Exit.BAD_INPUT)
    except tools.ToolMissing as error:
        click.echo(str(error), err=True)
        sys.exit(Exit.TOOL_MISSING)
    except tools.ToolFailed as error:
        click.echo(str(error), err=True)
        sys.exit(Exit.FAILED)
