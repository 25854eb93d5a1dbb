"""The command line: its commands, and what becomes of errors.

Each command is a module of `chartgen.commands`: it parses, calls one function, prints and exits. The module is loaded when
its command is called, since what judges a chart takes longer to load than a chart takes to make.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click

from chartgen import __version__
from chartgen.commands import places
from chartgen.commands.exits import Exit
from chartgen.errors import ChartgenError
from chartgen.harness import tools

# Each is the name of its module, too.
COMMANDS = ("generate", "validate", "mutate", "ledger")


class _Commands(click.Group):
    """Loads a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The function of that name in the module of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"chartgen.commands.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(cls=_Commands)
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
