"""The options of ``chartgen validate`` that say what is run. Each has the name of a field of the run's own options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from chartgen.harness.case import Group
from chartgen.harness.options import Shard

Command = Callable[..., Any]


class ShardType(click.ParamType[Shard]):
    """``2/5``: the second of five equal parts."""

    name = "i/n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Shard:
        """See `click.ParamType`."""
        if isinstance(value, Shard):
            return value
        number, _, of = str(value).partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            self.fail(f"{value} is no part of a whole; expected i/n with i from 1 to n, such as 2/5", param, ctx)
        return Shard(int(number), int(of))


_OPTIONS = (
    click.option(
        "--case", "cases", multiple=True, help="Only cases whose name or profile matches this pattern, such as k3s*."
    ),
    click.option(
        "--component",
        "components",
        multiple=True,
        help="Only templates whose path has this in it, such as device-plugin; every case is rendered, nothing else is judged.",
    ),
    click.option("--check", "checks", multiple=True, help="Only this check, such as references; repeatable."),
    click.option(
        "--group",
        "groups",
        multiple=True,
        type=click.Choice(Group, case_sensitive=False),
        help="Only cases of this kind; repeatable.",
    ),
    click.option(
        "--values",
        "-f",
        "files",
        multiple=True,
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Judge the chart with these values files, later ones on top, and with nothing else.",
    ),
    click.option("--kube", "kubes", multiple=True, help="Kubernetes minor to validate for, such as 1.33; repeatable."),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=2,
        show_default=True,
        help="How many cases are worked on at a time.",
    ),
    click.option(
        "--strength",
        type=click.IntRange(2, 3),
        default=2,
        show_default=True,
        help="How many values of the covering array meet in some case: every 2, or every 3.",
    ),
    click.option(
        "--full", is_flag=True, help="Strength 3, and every assignment of the conditions that each template depends on."
    ),
    click.option(
        "--examples", type=click.IntRange(min=0), default=0, show_default=True, help="How many random values to try."
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Of covering arrays and random values."),
    click.option(
        "--shard", type=ShardType(), default="1/1", show_default=True, help="This part of all cases, such as 2/5."
    ),
    click.option("--fail-fast", is_flag=True, help="Stop at the first failure."),
    click.option(
        "--changed", default="", metavar="REVISION", help="Only what files changed since a git revision concern."
    ),
    click.option(
        "--previous",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="Folder of the chart's previous version, to upgrade from with the same values.",
    ),
    click.option("--fresh", is_flag=True, help="Judge everything anew, whatever earlier runs found."),
    click.option(
        "--fail-under",
        type=click.IntRange(0, 100),
        default=0,
        metavar="PERCENT",
        help="Fail when fewer lines or branches of the templates are reached.",
    ),
)


def add(command: Command) -> Command:
    """Give a command all of these options, in this order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
