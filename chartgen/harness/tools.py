"""Helm and kubeconform: the one module that runs other programs.

`Renderer` and `Validator` are what the rest of the harness knows; `Helm` and `Kubeconform` are the real ones. Every
failure of a program is translated here: a program that is not there is `ToolMissing`, one that crashes, hangs or
answers gibberish is `ToolFailed`. A program that did its work and refused is neither; its `Run` says what it said.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import IO, Any, Protocol, cast

from chartgen import yamlio

LOCAL_TOOLS = Path(".tools") / "bin"
_ABOUT = "{{.Version}}\n{{.GitCommit}}\n{{.GitTreeState}}\n{{.GoVersion}}"
_HELM_NAMES = ("helm", "helm4", "helm3")
TIMEOUT_SECONDS = 120.0
_LAST_LINES = 12


class ToolMissing(Exception):
    """A program that the harness needs is not installed; the message is one sentence that says what to do."""

    exit_code = 3


class ToolFailed(Exception):
    """A program crashed, hung or gave an answer that cannot be read; the message shows the command and its last words."""


@dataclass(frozen=True)
class Run:
    """A finished program.

    Attributes:
        command: ready to paste into a shell.
        status: exit status.
        stdout: all of it.
        stderr: all of it.
        seconds: wall time.
        notes: what NOTES.txt says; empty where the renderer does not tell.
        objects: what documents say, as JSON, by the digest of their text, as far as the renderer tells; see
            `chartgen.harness.manifests.digest`.
    """

    command: str
    status: int
    stdout: str
    stderr: str
    seconds: float
    notes: str = ""
    objects: Mapping[str, bytes] = field(default_factory=dict, repr=False, compare=False)

    def report(self) -> str:
        """The command and the last lines that the program said."""
        lines = [line for line in self.stderr.splitlines() if line.strip()]
        return "\n".join([f"$ {self.command}", *lines[-_LAST_LINES:]])


@dataclass(frozen=True)
class RenderRequest:
    """What to render, in the words of ``helm template``.

    Attributes:
        chart: the chart directory.
        values: values files, later ones win.
        release: release name.
        namespace: release namespace.
        kube_version: minor version, ``1.37``.
        api_versions: APIs beyond those every cluster has.
        check_schema: whether Helm checks the values against values.schema.json.
        given: values on top of the files.
        given_path: where `given` is written to when a program has to read it from a file, and what the command names.
        upgrade: whether Helm is told that a release exists already.
    """

    chart: Path
    values: tuple[Path, ...] = ()
    release: str = "gpu-operator"
    namespace: str = "gpu-operator"
    kube_version: str = "1.37"
    api_versions: tuple[str, ...] = ()
    check_schema: bool = True
    given: Mapping[str, Any] | None = None
    given_path: Path | None = None
    upgrade: bool = False

    @property
    def files(self) -> tuple[Path, ...]:
        """Every values file that the command names, the one for `given` last."""
        return self.values if self.given is None or self.given_path is None else (*self.values, self.given_path)


class Renderer(Protocol):
    """Renders a chart."""

    @property
    def version(self) -> str:
        """``v4.3.1``."""
        ...

    def render(self, request: RenderRequest) -> Run:
        """The rendered manifests on stdout, or a refusal on stderr.

        Raises:
            ToolFailed: neither of them.
        """
        ...


class Status(Enum):
    """What a validator says of a file."""

    VALID = "statusValid"
    INVALID = "statusInvalid"
    ERROR = "statusError"
    SKIPPED = "statusSkipped"
    EMPTY = "statusEmpty"


@dataclass(frozen=True)
class Verdict:
    """What a validator says of one file.

    Attributes:
        status: see `Status`.
        message: why, unless valid.
    """

    status: Status
    message: str = ""


@dataclass(frozen=True)
class ValidationRequest:
    """Files to validate, each holding one document.

    Attributes:
        files: the documents. Files and never a pipe: past some 4 MB of standard input kubeconform mixes documents up.
        kube_version: minor version, ``1.37``.
        schemas: kubeconform's schema locations, the first that has the kind wins.
    """

    files: tuple[Path, ...]
    kube_version: str
    schemas: tuple[str, ...]


class Validator(Protocol):
    """Validates Kubernetes objects against JSON Schemas."""

    @property
    def version(self) -> str:
        """``v0.7.0``."""
        ...

    @property
    def fingerprint(self) -> str:
        """A text that changes whenever the program does, also when its version does not."""
        ...

    def validate(self, request: ValidationRequest) -> Mapping[Path, Verdict]:
        """A verdict for each file.

        Raises:
            ToolFailed: no verdict on some file.
        """
        ...


@dataclass(frozen=True)
class Helm:
    """The real `Renderer`.

    Attributes:
        program: path of the executable.
        version: as the program says it.
        home: a folder for Helm's cache, configuration and data, so that those of the user change nothing.
        build: what it says of how it was built, which templates can read too: commit, state of the source, Go's version.
    """

    program: Path
    version: str
    home: Path
    build: tuple[str, ...] = ()

    def render(self, request: RenderRequest) -> Run:
        """See `Renderer`."""
        if request.given is not None and request.given_path is not None:
            # The file of an earlier run may be there: a case of the same name, with other values.
            request.given_path.parent.mkdir(parents=True, exist_ok=True)
            request.given_path.write_text(yamlio.dump(dict(request.given)), encoding="utf-8")
        done = run(template_command(str(self.program), request), helm_environment(self.home))
        if done.status < 0:
            raise ToolFailed(f"helm was killed by signal {-done.status}\n{done.report()}")
        return done


def template_command(program: str, request: RenderRequest) -> list[str]:
    """The ``helm template`` that answers a request."""
    command = [program, "template", request.release, str(request.chart), "--namespace", request.namespace]
    command += ["--kube-version", f"{request.kube_version}.0"]
    for api in request.api_versions:
        command += ["--api-versions", api]
    for file in request.files:
        command += ["--values", str(file)]
    if request.upgrade:
        command.append("--is-upgrade")
    if not request.check_schema:
        command.append("--skip-schema-validation")
    return command


@dataclass(frozen=True)
class Kubeconform:
    """The real `Validator`.

    Attributes:
        program: path of the executable.
        version: as the program says it.
        workers: goroutines that it may use.
    """

    program: Path
    version: str
    workers: int = 2

    @property
    def fingerprint(self) -> str:
        """See `Validator`."""
        return hashlib.blake2b(self.program.read_bytes(), digest_size=16).hexdigest()

    def validate(self, request: ValidationRequest) -> Mapping[Path, Verdict]:
        """See `Validator`."""
        if not request.files:
            return {}
        command = [str(self.program), "-strict", "-verbose", "-output", "json", "-n", str(self.workers)]
        command += ["-kubernetes-version", f"{request.kube_version}.0"]
        for location in request.schemas:
            command += ["-schema-location", location]
        done = run([*command, *(str(file) for file in request.files)])
        verdicts = _read_verdicts(done)
        lost = [str(file) for file in request.files if file not in verdicts]
        if lost:
            raise ToolFailed(f"kubeconform says nothing about {', '.join(lost)}\n{done.report()}")
        return verdicts


def _read_verdicts(done: Run) -> dict[Path, Verdict]:
    """Kubeconform's JSON as verdicts; of several on one file the worst counts."""
    if done.status not in (0, 1):
        raise ToolFailed(f"kubeconform ended with status {done.status}\n{done.report()}")
    try:
        resources = json.loads(done.stdout)["resources"]
        pairs = [(Path(each["filename"]), Verdict(Status(each["status"]), each["msg"])) for each in resources]
    except (ValueError, KeyError, TypeError) as cause:
        raise ToolFailed(f"kubeconform's answer cannot be read ({cause})\n{done.report()}") from cause
    verdicts: dict[Path, Verdict] = {}
    for file, verdict in pairs:
        if verdicts.get(file, verdict).status in (Status.VALID, verdict.status):
            verdicts[file] = verdict
    return verdicts


class Service:
    """A program that stays and answers what is written to its standard input, until it is closed.

    Args:
        command: program and arguments.

    Raises:
        ToolFailed: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the program; a pipe would fill up unread
        try:
            self._process = subprocess.Popen(  # noqa: S603 - see `run`
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said
            )
        except OSError as cause:
            self._said.close()
            raise ToolFailed(f"cannot be started: {cause}\n$ {spell(command)}") from cause
        self._stdin, self._stdout = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)

    def send(self, data: bytes) -> None:
        """Write to its standard input.

        Raises:
            OSError: it has ended.
        """
        self._stdin.write(data)
        self._stdin.flush()

    def line(self) -> bytes:
        """Its next line; empty when it has ended."""
        return self._stdout.readline()

    def read(self, size: int) -> bytes:
        """Its next bytes; fewer when it has ended."""
        return self._stdout.read(size)

    def last_words(self) -> str:
        """How it ended and the last lines of its standard error."""
        status = self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").splitlines()
        return "\n".join([f"it ended with status {status}", *lines[-_LAST_LINES:]])

    def kill(self) -> None:
        """End it at once; who reads from it finds that it has ended."""
        self._process.kill()

    def close(self) -> None:
        """End it and free what it holds; nobody may read from it any more."""
        self._process.kill()
        self._process.wait()
        for file in (self._stdin, self._stdout, self._said):
            with contextlib.suppress(OSError):  # what was written to it and not taken any more
                file.close()


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Run:
    """Run a program to its end.

    Args:
        command: program and arguments.
        environment: the whole environment; None for this process's own.

    Raises:
        ToolFailed: it cannot be started or does not end in time.
    """
    text = spell(command)
    start = time.perf_counter()
    try:
        done = subprocess.run(  # noqa: S603 - the programs are found by `find_helms` and `find_kubeconform`
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as cause:
        raise ToolFailed(f"not finished after {TIMEOUT_SECONDS:.0f} s\n$ {text}") from cause
    except OSError as cause:
        raise ToolFailed(f"cannot be started: {cause}\n$ {text}") from cause
    stdout, stderr = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    return Run(text, done.returncode, stdout, stderr, time.perf_counter() - start)


def spell(command: Sequence[str]) -> str:
    """A command, ready to paste; paths below the working directory are relative, so that it fits on a line."""
    return shlex.join(short(word) for word in command)


def short(word: str) -> str:
    """A path below the working directory as a relative one; every other word as it is."""
    return word.removeprefix(f"{Path.cwd()}{os.sep}")


def helm_environment(home: Path) -> dict[str, str]:
    """This process's environment without anything that changes what Helm does.

    Args:
        home: where Helm may keep files.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HELM_") and key != "KUBECONFIG"}
    folders = {f"HELM_{kind}_HOME": str(home / kind.lower()) for kind in ("CACHE", "CONFIG", "DATA")}
    return {**kept, **folders, "KUBECONFIG": str(home / "no-cluster")}


def find_helms(project: Path, home: Path) -> tuple[Helm, ...]:
    """The first Helm of each major version, newest first.

    Args:
        project: whose ``.tools/bin`` is searched after PATH.
        home: see `Helm.home`.

    Raises:
        ToolMissing: there is none.
    """
    found: dict[str, Helm] = {}
    for program in programs(_HELM_NAMES, project):
        done = run([str(program), "version", "--template", _ABOUT], helm_environment(home))
        version, *build = done.stdout.strip().split("\n")
        match = re.match(r"v(\d+)\.", version)
        if done.status == 0 and match:
            found.setdefault(match[1], Helm(program, version, home, tuple(build)))
    if not found:
        raise ToolMissing(_missing("helm"))
    return tuple(found[major] for major in sorted(found, key=int, reverse=True))


def find_kubeconform(project: Path) -> Kubeconform:
    """Kubeconform from PATH, else from the project's ``.tools/bin``.

    Raises:
        ToolMissing: there is none.
    """
    for program in programs(("kubeconform",), project):
        done = run([str(program), "-v"])
        if done.status == 0:
            return Kubeconform(program, done.stdout.strip())
    raise ToolMissing(_missing("kubeconform"))


def changed_files(project: Path, revision: str) -> tuple[str, ...]:
    """The files that differ from a git revision, new ones too, as paths from the project's folder.

    Raises:
        ToolFailed: git refuses.
        ToolMissing: there is no git.
    """
    git = shutil.which("git")
    if git is None:
        raise ToolMissing("git is not on PATH: install it, or leave out --changed")
    found: list[str] = []
    for command in (
        ["diff", "--name-only", "-z", "--relative", revision, "--"],
        ["ls-files", "-oz", "--exclude-standard"],
    ):
        done = run([git, "-C", str(project), *command])
        if done.status != 0:
            raise ToolFailed(f"git cannot tell what has changed since {revision}\n{done.report()}")
        found += [name for name in done.stdout.split("\0") if name]
    return tuple(sorted(set(found)))


def programs(names: Sequence[str], project: Path) -> list[Path]:
    """Every executable of these names: on PATH first, then in the project; a name's first place wins in each."""
    found: list[Path] = []
    for folders in (None, str((project / LOCAL_TOOLS).absolute())):
        for name in names:
            program = shutil.which(name, path=folders)
            if program:
                found.append(Path(program))
    return found


def _missing(name: str) -> str:
    return f"{name} is neither on PATH nor in {LOCAL_TOOLS}: run `make tools`, which installs it there"


def revision(folder: Path) -> str:
    """The git commit that a folder is at, with ``-dirty`` when something in it differs; empty when git cannot say."""
    program = shutil.which("git")
    if program is None:
        return ""
    done = run([program, "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"])
    return done.stdout.strip() if done.status == 0 else ""
