"""The command line: what it writes, what it says, and the exit codes that scripts go by."""

from __future__ import annotations

import dataclasses
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from support import helms, sample_reports

from chartgen import __version__, cli
from chartgen.harness import ledger, tools
from chartgen.harness.options import Options

SOURCES = ("schemas", "values", "CHANGELOG.md", "LICENSE")
CHART = Path("charts") / "gpu-operator"


@dataclass(frozen=True)
class Done:
    """A finished command."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the console script in this process."""

    def call(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["chartgen", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        status = ended.value.code
        captured = capsys.readouterr()
        return Done(status if isinstance(status, int) else int(status is not None), captured.out, captured.err)

    return call


def _linked(folder: Path) -> Path:
    for name in SOURCES:
        (folder / name).symlink_to(helms.ROOT / name)
    return folder


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A project with this one's sources and no chart."""
    return _linked(tmp_path)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chart, made by another process."""
    folder = _linked(tmp_path_factory.mktemp("generated"))
    _generate(folder)
    return folder / CHART


@pytest.fixture
def project(empty: Path, generated: Path) -> Path:
    """A project whose chart is up to date."""
    shutil.copytree(generated, empty / CHART)
    return empty


def _generate(project: Path, **environment: str) -> None:
    command = [sys.executable, "-c", "from chartgen.cli import main; main()", "--project", str(project), "generate"]
    environment = {**os.environ, "PYTHONPATH": str(helms.ROOT), **environment}
    subprocess.run(command, env=environment, check=True, capture_output=True)


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_generate_writes_the_chart(run: Run, empty: Path, generated: Path) -> None:
    """Into the project that it is told, and says which files; every process writes the same bytes."""
    done = run("--project", empty, "generate")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("missing ")
    assert {"Chart.yaml", "values.yaml", "values.schema.json", "templates/_helpers.tpl"} <= set(_bytes(empty / CHART))
    assert _bytes(empty / CHART) == _bytes(generated)


def test_generating_again_changes_nothing(run: Run, project: Path, generated: Path) -> None:
    """And says that there was nothing to do."""
    assert run("--project", project, "generate") == Done(0, "charts/gpu-operator is up to date\n", "")
    assert _bytes(project / CHART) == _bytes(generated)


def test_the_order_of_sets_does_not_show(empty: Path, generated: Path) -> None:
    """Whatever Python makes of it."""
    _generate(empty, PYTHONHASHSEED="12345")
    assert _bytes(empty / CHART) == _bytes(generated)


def test_check_finds_nothing_to_do(run: Run, project: Path) -> None:
    """Right after generating, silently."""
    assert run("--project", project, "generate", "--check") == Done(0, "", "")


def test_check_tells_what_is_stale(run: Run, project: Path) -> None:
    """Which files, and the command to run; it writes nothing."""
    (project / CHART / "values.yaml").write_text("mine: true\n")
    (project / CHART / "Chart.yaml").unlink()
    (project / CHART / "templates" / "old.yaml").write_text("")
    before = _bytes(project / CHART)
    assert run("--project", project, "generate", "--check") == Done(
        1, "", "stale: missing Chart.yaml; changed values.yaml; stale templates/old.yaml\nrun: chartgen generate\n"
    )
    assert _bytes(project / CHART) == before


def _broken(project: Path) -> None:
    """Put a schema folder with two mistakes in the place of the real one."""
    (project / "schemas").unlink()
    (project / "schemas").mkdir()
    (project / "schemas" / "chart.yaml").write_text("name: gpu-operator\norder: [driver, other]\n")
    (project / "schemas" / "driver.yaml").write_text("name: driver\ntype: objekt\ndescription: D.\n")


@pytest.mark.parametrize("check", [(), ("--check",)], ids=["generate", "check"])
def test_mistakes_in_schemas_are_told_and_nothing_is_written(run: Run, project: Path, check: tuple[str, ...]) -> None:
    """All of them, with file and line, and exit code 2."""
    before = _bytes(project / CHART)
    _broken(project)
    done = run("--project", project, "generate", *check)
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines() == [
        "schemas/chart.yaml:2: order.1: the value other; expected the name of a schema file",
        "schemas/driver.yaml:2: type: the unknown type objekt; expected a builtin or named type (did you mean object?)",
    ]
    assert _bytes(project / CHART) == before


def test_a_missing_source_is_told(run: Run, project: Path) -> None:
    """In a sentence that names the file."""
    (project / "LICENSE").unlink()
    done = run("--project", project, "generate")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"{project / 'LICENSE'}: No such file or directory\n"


def test_a_full_disk_is_told_and_the_old_chart_stays(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No half of a new chart."""
    (project / CHART / "values.yaml").write_text("mine: true\n")
    before = _bytes(project / CHART)

    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    done = run("--project", project, "generate")
    assert done.status == 2
    assert "No space left on device" in done.err
    assert _bytes(project / CHART) == before


def test_a_missing_program_has_a_code_of_its_own(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """3, and what to do about it."""
    monkeypatch.setenv("PATH", str(project / "nowhere"))
    done = run("--project", project, "validate")
    assert (done.status, done.out) == (tools.ToolMissing.exit_code, "")
    assert done.err == "helm is neither on PATH nor in .tools/bin: run `make tools`, which installs it there\n"


@pytest.mark.parametrize(
    "arguments",
    [("generat",), ("generate", "--chek"), ("generate", "surplus"), ("--project", "/nowhere", "generate"), ("validate", "--jobs", "0")],
)  # fmt: skip
def test_wrong_usage_is_told(run: Run, arguments: tuple[str, ...]) -> None:
    """With exit code 2 and the way to the help."""
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "--help" in done.err


def test_the_version_is_the_packages(run: Run) -> None:
    """As pyproject.toml takes it."""
    assert run("--version").out.split()[-1] == __version__


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            member = command.get_command(context, below)
            assert member is not None
            yield from _commands(member, f"{name} {below}")


COMMANDS = dict(_commands(cli.cli, "chartgen"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help(name: str) -> None:
    """A sentence each."""
    command = COMMANDS[name]
    assert (command.help or "").split("\n")[0].endswith(".")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert (parameter.help or "").endswith("."), parameter.name


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_shown(run: Run, name: str) -> None:
    """For the program and each command."""
    done = run(*name.split()[1:], "--help")
    assert done.status == 0
    assert done.out.startswith(f"Usage: {name}")


def test_a_chart_is_made_without_what_judges_one() -> None:
    """That takes longer to load than the making takes."""
    code = "import sys, chartgen.cli, chartgen.commands.generate; print('chartgen.harness.run' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.strip() == "False"


def test_a_cold_run_is_quick(empty: Path) -> None:
    """Reading the schemas and making the chart takes about a second; ten times that is a mistake."""
    start = os.times().children_user
    _generate(empty)
    assert os.times().children_user - start < 10


def test_the_options_of_a_run_are_those_of_its_record() -> None:
    """They are handed on by their names."""
    fields = {field.name for field in dataclasses.fields(Options)}
    assert {parameter.name for parameter in COMMANDS["chartgen validate"].params} - fields == {
        "chart_dir",
        "outputs",
        "watch",
    }


def test_no_ledger_is_told(run: Run, project: Path) -> None:
    """With the command that makes one."""
    done = run("--project", project, "ledger")
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith("ledger.json: nothing; expected the ledger of a run (run `chartgen validate`)\n")


@pytest.mark.parametrize(("form", "start"), [("text", "charts/"), ("json", "{"), ("markdown", "| What |")])
def test_the_ledger_is_shown(run: Run, project: Path, form: str, start: str) -> None:
    """The one that the last run left."""
    ledger.write(ledger.of(sample_reports.passing()), ledger.file(project / ".cache"))
    done = run("--project", project, "ledger", "--format", form)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(start)
