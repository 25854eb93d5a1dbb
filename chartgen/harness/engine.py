"""Helm's engine without a process for each render: ``helm-engine``, a small program over Helm's own libraries.

It is built from ``engine/`` by `make tools` where Go is present, and answers many requests in one process, some ten times
as fast as the ``helm`` program. It only stands in for a ``helm`` of the same version that is installed too: that one
remains the judge (`chartgen.harness.agreement`) and the fallback, and its command is what a person repeats a render with.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import threading
import time
import weakref
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.harness import tools
from chartgen.harness.tools import Helm, RenderRequest, Run, ToolFailed

PROGRAM = "helm-engine"
_PROTOCOL = "2"


class _Ended(Exception):
    """The program has ended; the message is its last words."""


@dataclass(frozen=True)
class _Answer:
    """What Helm would print, and what the documents say; see `Run.objects`."""

    status: int
    stdout: str
    stderr: str
    notes: str
    objects: Mapping[str, bytes]


class _Conversation:
    """One running program; many threads may ask it at a time."""

    def __init__(self, program: Path) -> None:
        self._service = tools.Service([str(program)])
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[_Answer]] = {}
        self._last_words = ""
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def ask(self, request: Mapping[str, Any]) -> _Answer:
        """The answer to a request.

        Raises:
            _Ended: the program has ended, because of this request or of another.
            ToolFailed: it went wrong with this request, or did not answer in time.
        """
        number = next(self._numbers)
        answer: Future[_Answer] = Future()
        with self._lock:
            if self._last_words:
                raise _Ended(self._last_words)
            self._waiting[number] = answer
            with contextlib.suppress(OSError):  # it has ended: the reader finds out and says so
                self._service.send(json.dumps({"id": number, **request}).encode() + b"\n")
        try:
            return answer.result(tools.TIMEOUT_SECONDS)
        except TimeoutError:
            self._service.kill()
            raise ToolFailed(f"not finished after {tools.TIMEOUT_SECONDS:.0f} s") from None

    def close(self) -> None:
        """End the program."""
        self._service.kill()
        self._reader.join()
        self._service.close()

    def _listen(self) -> None:
        """Hand out answers until the program ends or answers gibberish."""
        try:
            while line := self._service.line():
                self._hand_out(json.loads(line))
            trouble = ""
        except (ValueError, KeyError, TypeError) as cause:
            self._service.kill()
            trouble = f"its answer cannot be read ({cause}); "
        with self._lock:
            self._last_words = trouble + self._service.last_words()
            for answer in self._waiting.values():
                answer.set_exception(_Ended(self._last_words))

    def _hand_out(self, head: Mapping[str, Any]) -> None:
        told = head.get("objects") or []
        sizes = [head["stdout"], head["stderr"], head["notes"], *(size for _, size in told)]
        parts = [self._service.read(size) for size in sizes]
        if [len(part) for part in parts] != sizes:
            return  # it ended within an answer
        with self._lock:
            answer = self._waiting.pop(head["id"])
        if head.get("crash"):
            answer.set_exception(ToolFailed(head["crash"]))
        else:
            stdout, stderr, notes = (part.decode(errors="replace") for part in parts[:3])
            objects = dict(zip((digest for digest, _ in told), parts[3:], strict=True))
            answer.set_result(_Answer(head["status"], stdout, stderr, notes, objects))


class Host:
    """The program of this process: started when first asked, and again after it has ended.

    A worker process, forked or spawned, gets one of its own.

    Args:
        program: path of the executable.
    """

    def __init__(self, program: Path) -> None:
        self.program = program
        self._forget()

    def _forget(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._conversation: _Conversation | None = None

    def __reduce__(self) -> tuple[type[Host], tuple[Path]]:
        return Host, (self.program,)

    def ask(self, request: Mapping[str, Any]) -> _Answer:
        """The answer to a request.

        Raises:
            ToolFailed: it has none.
        """
        if self._process != os.getpid():
            self._forget()
        conversation = self._current()
        try:
            return conversation.ask(request)
        except _Ended:
            self._drop(conversation)
        # It may have been the request of another thread that ended it, so this one gets a program to itself.
        alone = _Conversation(self.program)
        try:
            return alone.ask(request)
        except _Ended as cause:
            raise ToolFailed(f"{PROGRAM}: {cause}") from cause
        finally:
            alone.close()

    def _current(self) -> _Conversation:
        with self._lock:
            if self._conversation is None:
                self._conversation = _Conversation(self.program)
                weakref.finalize(self, _close, self._conversation, os.getpid())
            return self._conversation

    def _drop(self, conversation: _Conversation) -> None:
        with self._lock:
            if self._conversation is conversation:
                self._conversation = None
                conversation.close()

    def close(self) -> None:
        """End the program of this process, if it runs."""
        if self._process == os.getpid() and self._conversation:
            self._drop(self._conversation)


def _close(conversation: _Conversation, process: int) -> None:
    """End the program of a host that is gone, unless it is that of the process which this one was forked from."""
    if process == os.getpid():
        conversation.close()


@dataclass(frozen=True)
class Engine:
    """A `Renderer` that answers as `helm` does, from a program that stays.

    Attributes:
        host: the program; engines of several versions share one.
        helm: the program that this one stands in for.
    """

    host: Host
    helm: Helm

    @property
    def version(self) -> str:
        """See `Renderer`."""
        return self.helm.version

    def render(self, request: RenderRequest) -> Run:
        """See `Renderer`."""
        command = tools.spell(tools.template_command(str(self.helm.program), request))
        start = time.perf_counter()
        try:
            answer = self.host.ask(self._question(request))
        except ToolFailed as failure:
            raise ToolFailed(f"{failure}\n$ {command}") from failure
        seconds = time.perf_counter() - start
        return Run(command, answer.status, answer.stdout, answer.stderr, seconds, answer.notes, answer.objects)

    def _question(self, request: RenderRequest) -> dict[str, Any]:
        """A request in the words of the program."""
        build = dict(
            zip(("version", "gitCommit", "gitTreeState", "goVersion"), (self.version, *self.helm.build), strict=False)
        )
        return {
            "helm": int(self.version[1]),
            "chart": str(request.chart.absolute()),
            "valuesFiles": [str(file.absolute()) for file in request.values],
            "values": _text(request.given),
            "release": request.release,
            "namespace": request.namespace,
            "kubeVersion": f"{request.kube_version}.0",
            "apiVersions": request.api_versions,
            "skipSchema": not request.check_schema,
            "isUpgrade": request.upgrade,
            "objects": True,
            "build": build,
        }


def _text(given: Mapping[str, Any] | None) -> str:
    """Values as JSON, which is read faster than YAML; what JSON has no word for, such as a date, as YAML."""
    if given is None:
        return ""
    try:
        return json.dumps(given, allow_nan=False)
    except (TypeError, ValueError):
        return yamlio.dump(dict(given))


def find_engines(project: Path, helms: tuple[Helm, ...]) -> tuple[Engine, ...]:
    """An engine for each Helm whose version it is built from; none where there is no such program.

    Args:
        project: in whose ``.tools/bin`` it is. One on PATH would be none of ours.
        helms: the programs that it may stand in for.
    """
    program = (project / tools.LOCAL_TOOLS / PROGRAM).absolute()
    if not program.is_file():
        return ()
    try:
        done = tools.run([str(program), "--version"])
    except ToolFailed:
        return ()
    said = done.stdout.split()
    if done.status != 0 or said[:1] != [_PROTOCOL]:
        return ()
    host = Host(program)
    return tuple(Engine(host, helm) for helm in helms if any(_same(helm.version, version) for version in said[1:]))


def _same(helm: str, library: str) -> bool:
    """Whether a program is of the library's version; one that Go built from the module alone knows no patch: ``v4.3``."""
    return helm == library or (helm.count(".") == 1 and library.startswith(f"{helm}."))
