"""How far a run is: a bar on a terminal, plain lines elsewhere.

A run only says what happened; when something is written, and how, is decided here. Both write to standard error, so that a
report on standard output stays whole.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TextIO

# Ten times a second looks smooth and costs nothing.
_REDRAW_SECONDS = 0.1
# Often enough that nobody takes a run in CI for one that hangs.
_LINE_SECONDS = 5.0
_BAR = 24
# The first cases take longer: workers start, schemas are read.
_ENOUGH = 10
_NARROW = 60


class Progress(Protocol):
    """Is told how far a run is."""

    def start(self, total: int, reused: int) -> None:
        """The cases are known.

        Args:
            total: how many there are.
            reused: how many of them were answered from the cache.
        """
        ...

    def advance(self, *, failed: bool) -> None:
        """A case was judged."""
        ...

    def finish(self) -> None:
        """The run is over, or was interrupted; called once in any case."""
        ...


@dataclass
class Count:
    """What a progress knows.

    Attributes:
        clock: seconds, from any start.
        total: how many cases there are.
        reused: how many were answered from the cache.
        judged: how many were judged since the start.
        failed: how many of those failed.
        started: when that was.
    """

    clock: Callable[[], float]
    total: int = 0
    reused: int = 0
    judged: int = 0
    failed: int = 0
    started: float = 0.0

    @property
    def done(self) -> int:
        """Cases that have an outcome."""
        return self.reused + self.judged

    @property
    def rate(self) -> float:
        """Cases that are judged in a second; 0 before there is one."""
        seconds = self.clock() - self.started
        return self.judged / seconds if seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that the rest will take at this rate; None before it says anything."""
        return (self.total - self.done) / self.rate if self.rate and self.judged >= _ENOUGH else None

    def text(self) -> str:
        """``412/1,566 cases, 31/s, 0:37 left, 2 failed``."""
        parts = [f"{self.done:,}/{self.total:,} cases"]
        if self.rate:
            parts.append(f"{self.rate:.0f}/s" if self.rate >= 10 else f"{self.rate:.1f}/s")
        if self.left:
            parts.append(f"{_minutes(self.left)} left")
        parts.append(f"{self.failed:,} failed")
        return ", ".join(parts)


@dataclass
class Lines:
    """Plain lines every few seconds, for logs."""

    stream: TextIO
    clock: Callable[[], float] = time.monotonic
    _count: Count = field(init=False)
    _told: float = 0.0

    def __post_init__(self) -> None:
        self._count = Count(self.clock)

    def start(self, total: int, reused: int) -> None:
        """See `Progress`."""
        now = self.clock()
        self._count = Count(self.clock, total, reused, started=now)
        self._told = now
        known = f", {reused:,} known from an earlier run" if reused else ""
        self._write(f"{total:,} cases{known}")

    def advance(self, *, failed: bool) -> None:
        """See `Progress`."""
        self._count.judged += 1
        self._count.failed += failed
        if self.clock() - self._told >= _LINE_SECONDS:
            self._told = self.clock()
            self._write(self._count.text())

    def finish(self) -> None:
        """See `Progress`."""

    def _write(self, line: str) -> None:
        self.stream.write(f"{line}\n")
        self.stream.flush()


@dataclass
class Bar:
    """One line of a terminal that is drawn over and over, and is gone in the end."""

    stream: TextIO
    clock: Callable[[], float] = time.monotonic
    columns: Callable[[], int] = lambda: shutil.get_terminal_size().columns
    _count: Count = field(init=False)
    _drawn: float = 0.0

    def __post_init__(self) -> None:
        self._count = Count(self.clock)

    def start(self, total: int, reused: int) -> None:
        """See `Progress`."""
        self._count = Count(self.clock, total, reused, started=self.clock())
        self._draw()

    def advance(self, *, failed: bool) -> None:
        """See `Progress`."""
        self._count.judged += 1
        self._count.failed += failed
        if self.clock() - self._drawn >= _REDRAW_SECONDS:
            self._draw()

    def finish(self) -> None:
        """See `Progress`."""
        self.stream.write("\r\x1b[K")
        self.stream.flush()

    def _draw(self) -> None:
        self._drawn = self.clock()
        # A line as wide as the terminal would wrap, and leave itself behind.
        width = max(1, self.columns() - 1)
        text = self._count.text()
        line = text if width < _NARROW else f"{self._cells()} {text}"
        self.stream.write(f"\r{line[:width]}\x1b[K")
        self.stream.flush()

    def _cells(self) -> str:
        full, empty = ("█", "░") if "utf" in (self.stream.encoding or "").lower() else ("#", ".")
        reached = self._count.done * _BAR // self._count.total if self._count.total else _BAR
        return full * reached + empty * (_BAR - reached)


@dataclass(frozen=True)
class Silent:
    """Writes nothing."""

    def start(self, total: int, reused: int) -> None:
        """See `Progress`."""

    def advance(self, *, failed: bool) -> None:
        """See `Progress`."""

    def finish(self) -> None:
        """See `Progress`."""


SILENT = Silent()


def choose(stream: TextIO, environment: Mapping[str, str]) -> Progress:
    """What suits a stream: a bar on a terminal that can draw one and is not a CI's, else lines."""
    smart = stream.isatty() and environment.get("TERM", "dumb") != "dumb" and not environment.get("CI")
    return Bar(stream) if smart else Lines(stream)


@contextmanager
def shown(progress: Progress, total: int, reused: int) -> Iterator[Progress]:
    """The progress of a run, which is finished however that ends."""
    progress.start(total, reused)
    try:
        yield progress
    finally:
        progress.finish()


def _minutes(seconds: float) -> str:
    """``0:37``."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
