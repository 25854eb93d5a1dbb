"""What a change concerns: from the files that differ from a git revision to the part of a run that is worth doing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chartgen.harness import tools
from chartgen.harness.options import Options

# What cases are made of and judged by, besides the chart: a change there concerns all of them.
_OF_PROJECT = ("schemas", "chartgen", "requirements.lock", "pyproject.toml")
_TEMPLATES = "templates/"


def narrowed(options: Options, chart_dir: Path) -> Options | None:
    """The options of a run that judges what has changed; None when nothing has that a case depends on.

    Changed templates are looked at in every case, and nothing else is; a changed profile is judged whole. Any other
    change of the chart, of its description or of the harness itself concerns everything.

    Args:
        options: with ``changed``, a git revision.
        chart_dir: the chart.

    Raises:
        ToolFailed: git does not know the revision, or the project is no work tree.
        ToolMissing: there is no git.
    """
    project = options.project.resolve()
    files = [(project / file).resolve() for file in tools.changed_files(project, options.changed)]
    chart, profiles = chart_dir.resolve(), (options.profiles or options.project / "values").resolve()
    in_chart = [file.relative_to(chart).as_posix() for file in files if file.is_relative_to(chart)]
    named = [file.stem for file in files if file.parent == profiles]
    others = [file for file in files if _is_of_project(file, project)]
    if others or (named and in_chart) or any(not _is_template(file) for file in in_chart):
        return options
    if in_chart:
        return replace(options, components=(*options.components, *in_chart))
    return replace(options, cases=(*options.cases, *(f"profile/{name}/*" for name in named))) if named else None


def _is_of_project(file: Path, project: Path) -> bool:
    return any(file.is_relative_to(project / name) for name in _OF_PROJECT)


def _is_template(file: str) -> bool:
    """Whether a file of the chart makes objects and nothing else: helpers and the rules concern all templates."""
    name = file.rpartition("/")[2]
    return _TEMPLATES in file and name.endswith(".yaml") and name != "validations.yaml"


def folders(options: Options, chart_dir: Path) -> Sequence[Path]:
    """What to watch for changes."""
    watched = [chart_dir, options.profiles or options.project / "values", *options.files]
    watched += [options.project / name for name in _OF_PROJECT]
    return [path for path in watched if path.exists()]
