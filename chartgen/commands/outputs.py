"""``--format``: which forms of a report are written, and where to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from chartgen.harness.report import Report
from chartgen.harness.reports import formats, github
from chartgen.harness.reports.formats import Format

# Where GitHub's runner wants the page of a job.
_SUMMARY = "GITHUB_STEP_SUMMARY"
_NAMES = ", ".join(form.value for form in Format)


@dataclass(frozen=True)
class Output:
    """A form of a report and its file; standard output when there is none."""

    form: Format
    file: Path | None = None


def _read(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> tuple[Output, ...]:
    """``html=report.html`` as an output. At most one goes to standard output: text, unless another one is asked for."""
    outputs = tuple(_output(word, context, parameter) for word in words)
    printed = [output.form.value for output in outputs if output.file is None]
    if len(printed) > 1:
        message = f"{' and '.join(printed)} would both go to standard output: name a file, as in {printed[-1]}=FILE."
        raise click.BadParameter(message, context, parameter)
    return outputs if printed else (*outputs, Output(Format.TEXT))


def _output(word: str, context: click.Context, parameter: click.Parameter) -> Output:
    name, given, file = word.partition("=")
    if name not in {form.value for form in Format}:
        raise click.BadParameter(f"{name!r} is none of {_NAMES}.", context, parameter)
    if given and not file:
        raise click.BadParameter(f"{word!r} names no file.", context, parameter)
    return Output(Format(name), Path(file) if file else None)


option = click.option(
    "--format",
    "outputs",
    metavar="FORM[=FILE]",
    multiple=True,
    callback=_read,
    help=f"Form of the report: {_NAMES}. With =FILE it is written to a file, and text still printed. Repeatable.",
)


def deliver(report: Report, outputs: Sequence[Output], environment: Mapping[str, str]) -> None:
    """Write a report's files, then print what goes to standard output.

    Raises:
        OSError: a file cannot be written.
    """
    for output in sorted(outputs, key=lambda output: output.file is None):
        text = formats.render(output.form, report)
        if output.file is None:
            click.echo(text, nl=False)
            continue
        output.file.parent.mkdir(parents=True, exist_ok=True)
        output.file.write_text(text, encoding="utf-8")
    page = environment.get(_SUMMARY)
    if page and any(output.form is Format.GITHUB for output in outputs):
        with Path(page).open("a", encoding="utf-8") as summary:
            summary.write(github.summary(report))
