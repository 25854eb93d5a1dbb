"""The options of ``chartgen validate`` that say what is run. Each has the name of a field of the run's own options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Command = Callable[..., Any]

_OPTIONS = (
    click.option(
        "--case", "cases", multiple=True, help="Only cases whose name or profile matches this pattern, such as k3s*."
    ),
    click.option("--kube", "kubes", multiple=True, help="Kubernetes minor to validate for, such as 1.33; repeatable."),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=2,
        show_default=True,
        help="How many cases are worked on at a time.",
    ),
)


def add(command: Command) -> Command:
    """Give a command all of these options, in this order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
