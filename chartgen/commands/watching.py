"""``--watch``: a run after every change, until someone interrupts it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click
import watchfiles

from chartgen.errors import ChartgenError
from chartgen.harness import tools
from chartgen.harness.tools import ToolFailed

_PACKAGE = Path(__file__).resolve().parents[1]


def repeat(once: Callable[[], int], folders: Iterable[Path]) -> None:
    """Run now and after every change; mistakes in the files are told, and the next change is waited for.

    When this program itself has changed it starts anew, since it would go on with its old self otherwise.

    Args:
        once: a run; its exit code is not asked for.
        folders: where to look for changes.
    """
    _attempt(once)
    for changes in watchfiles.watch(*folders, raise_interrupt=False):
        changed = sorted({Path(path) for _, path in changes})
        click.echo(f"\nchanged: {', '.join(tools.short(str(path)) for path in changed)}", err=True)
        if any(path.is_relative_to(_PACKAGE) and path.suffix == ".py" for path in changed):
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - the very command of this process
        _attempt(once)


def _attempt(once: Callable[[], int]) -> None:
    try:
        once()
    except (ChartgenError, ToolFailed) as error:
        click.echo(str(error), err=True)
