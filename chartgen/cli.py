"""The command line: each command parses, calls one function, prints and exits."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from chartgen import __version__, files
from chartgen.emit import chart, sources
from chartgen.errors import ChartgenError
from chartgen.harness import run, tools
from chartgen.harness.options import Options
from chartgen.harness.reports import text
from chartgen.schema import loader

_PROJECT = Path(__file__).resolve().parent.parent
_CHART = Path("charts/gpu-operator")
# Exit codes: 0 fine, 1 checks failed or files stale, 2 bad input or usage, 3 a tool is missing.
_FAILED = 1
_BAD_INPUT = 2


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
    """Make charts/gpu-operator from schemas/, values/ and chartgen/components/."""
    generated = chart.emit(loader.load(project / "schemas"), sources.read(project))
    target = project / _CHART
    if not check:
        click.echo(_told(files.write_tree(target, generated)))
        return
    difference = files.compare(target, generated)
    if difference:
        click.echo(f"stale: {_told(difference)}\nrun: chartgen generate", err=True)
        sys.exit(_FAILED)


@cli.command()
@click.argument("chart_dir", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option(
    "--case", "cases", multiple=True, help="Only cases whose name or profile matches this pattern, such as k3s*."
)
@click.option("--kube", "kubes", multiple=True, help="Kubernetes minor to validate for, such as 1.33; may be repeated.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="How many cases are worked on at a time."
)
@click.pass_obj
def validate(project: Path, chart_dir: Path | None, cases: tuple[str, ...], kubes: tuple[str, ...], jobs: int) -> None:
    """Render every profile of values/ with helm and judge what comes out.

    CHART_DIR is the chart to judge, by default charts/gpu-operator of the project.
    """
    report = run.validate(chart_dir or project / _CHART, Options(project, cases=cases, kubes=kubes, jobs=jobs))
    click.echo(text.render(report), nl=False)
    sys.exit(report.exit_code)


def _told(difference: files.Difference) -> str:
    """What differs, in words."""
    if not difference:
        return f"{_CHART} is up to date"
    parts = [f"{word} {', '.join(paths)}" for word, paths in vars(difference).items() if paths]
    return "; ".join(parts)


def main() -> None:
    """The console script: what went wrong is told on stderr, and the exit code says of which kind it is."""
    try:
        cli(prog_name="chartgen")
    except ChartgenError as error:
        click.echo(str(error), err=True)
        sys.exit(_BAD_INPUT)
    except OSError as error:
        click.echo(f"{error.filename}: {error.strerror}" if error.filename else str(error), err=True)
        sys.exit(_BAD_INPUT)
    except tools.ToolMissing as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_code)
    except tools.ToolFailed as error:
        click.echo(str(error), err=True)
        sys.exit(_FAILED)
