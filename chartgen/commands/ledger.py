"""``chartgen ledger``."""

from __future__ import annotations

from pathlib import Path

import click

from chartgen.harness import ledger as ledgers
from chartgen.harness.ledger import Form
from chartgen.harness.options import Options


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in Form]),
    default=Form.TEXT.value,
    show_default=True,
    help="Form of the ledger.",
)
@click.pass_obj
def ledger(project: Path, form: str) -> None:
    """Show the numbers of the last whole run of validate, which the README's claims rest on."""
    click.echo(ledgers.show(ledgers.read(ledgers.file(Options(project).cache_folder)), Form(form)), nl=False)
