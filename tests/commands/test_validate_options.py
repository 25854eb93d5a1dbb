"""The options of ``chartgen validate`` and the record that they fill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from chartgen.commands import validate_options
from chartgen.harness.case import Group
from chartgen.harness.options import Options, Shard

PROJECT = Path("project")


def parse(*words: str) -> Options:
    """The options that a command line asks for."""
    found: list[Options] = []

    @click.command()
    @validate_options.add
    def command(**chosen: Any) -> None:
        found.append(Options(PROJECT, **chosen))

    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return found[0]


def test_without_a_word_they_are_the_records_own() -> None:
    """One default, not two."""
    assert parse() == Options(PROJECT)


@pytest.fixture
def options(tmp_path: Path) -> Options:
    """Every option that plans cases, and every one that chooses among them."""
    (tmp_path / "a.yaml").write_text("{}")
    return Options(
        PROJECT,
        kubes=("1.30", "1.33"),
        files=(tmp_path / "a.yaml",),
        strength=3,
        full=True,
        seed=7,
        examples=50,
        previous=tmp_path,
        cases=("a",),
        groups=(Group.FILE,),
        shard=Shard(2, 5),
    )


def test_a_run_says_how_to_plan_its_cases_again(options: Options) -> None:
    """In words that the command understands; which of them are judged is for `--case` to say."""
    assert parse(*options.again) == replace(options, cases=(), groups=(), shard=Shard())
    assert Options(PROJECT).again == ()


@pytest.mark.parametrize(
    "chosen",
    [{"cases": ("a",)}, {"components": ("a",)}, {"checks": ("a",)}, {"groups": (Group.FILE,)}, {"shard": Shard(1, 2)}, {"changed": "v1"}],
    ids=lambda chosen: next(iter(chosen)),
)  # fmt: skip
def test_a_part_is_no_whole(chosen: dict[str, Any]) -> None:
    """It does not speak for the chart."""
    assert Options(PROJECT, strength=3, kubes=("1.30",)).whole
    assert not Options(PROJECT, **chosen).whole
