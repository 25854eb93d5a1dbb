"""How far a run is, on a terminal and in a log; the clock is the test's own."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pytest

from chartgen.harness import progress
from chartgen.harness.progress import Bar, Count, Lines, Silent


@dataclass
class Clock:
    """Stands still unless it is moved."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """Says that it is one."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def screen(written: str) -> str:
    """What stands in the line after all that was written to it: each part starts anew and clears the rest."""
    return written.rpartition("\r")[2].removesuffix("\x1b[K")


def test_rate_and_time_left_are_those_of_the_cases_judged():
    """What the cache answered took no time and says nothing of the rest."""
    clock = Clock()
    count = Count(clock, total=1000, reused=500, started=clock.now)
    assert (count.rate, count.left) == (0, None)
    assert count.text() == "500/1,000 cases, 0 failed"
    clock.now += 10
    count.judged, count.failed = 100, 2
    assert count.text() == "600/1,000 cases, 10/s, 0:40 left, 2 failed"
    count.judged = 9
    assert count.text() == "509/1,000 cases, 0.9/s, 2 failed"
    count.judged = 50
    assert count.text() == "550/1,000 cases, 5.0/s, 1:30 left, 2 failed"
    count.judged = 500
    assert count.text() == "1,000/1,000 cases, 50/s, 2 failed"


def test_a_log_has_a_line_every_few_seconds():
    """However many cases are judged in between."""
    clock, stream = Clock(), io.StringIO()
    lines = Lines(stream, clock)
    lines.start(100, 20)
    for _ in range(40):
        clock.now += 0.25
        lines.advance(failed=False)
    lines.finish()
    assert stream.getvalue().splitlines() == [
        "100 cases, 20 known from an earlier run",
        "40/100 cases, 4.0/s, 0:15 left, 0 failed",
        "60/100 cases, 4.0/s, 0:10 left, 0 failed",
    ]


def test_a_bar_is_drawn_in_one_line_and_gone_in_the_end():
    """At most ten times a second."""
    clock, stream = Clock(), Terminal()
    bar = Bar(stream, clock, lambda: 100)
    bar.start(40, 10)
    for number in range(10):
        clock.now += 0.0625
        bar.advance(failed=number == 3)
    assert "\n" not in stream.getvalue()
    assert stream.getvalue().count("\r") == 1 + 5
    assert screen(stream.getvalue()) == "████████████░░░░░░░░░░░░ 20/40 cases, 16/s, 0:01 left, 1 failed"
    bar.finish()
    assert screen(stream.getvalue()) == ""


def test_a_bar_fits_the_terminal():
    """A narrow one has no room for cells; one without Unicode has others."""
    stream = Terminal()
    narrow = Bar(stream, Clock(), lambda: 20)
    narrow.start(1000, 0)
    assert screen(stream.getvalue()) == "0/1,000 cases, 0 fa"
    plain = Terminal()
    plain.encoding = "ascii"
    Bar(plain, Clock(), lambda: 80).start(4, 1)
    assert screen(plain.getvalue()) == "######.................. 1/4 cases, 0 failed"


def test_no_cases_are_all_of_them():
    """Nothing is divided by their number."""
    stream = Terminal()
    Bar(stream, Clock(), lambda: 80).start(0, 0)
    assert "0/0 cases" in screen(stream.getvalue())


@pytest.mark.parametrize(
    ("stream", "environment", "kind"),
    [
        (Terminal(), {"TERM": "xterm"}, Bar),
        (Terminal(), {"TERM": "xterm", "CI": "true"}, Lines),
        (Terminal(), {"TERM": "dumb"}, Lines),
        (Terminal(), {}, Lines),
        (io.StringIO(), {"TERM": "xterm"}, Lines),
    ],
    ids=["terminal", "ci", "dumb", "unknown", "pipe"],
)
def test_a_bar_is_for_terminals(stream, environment, kind):
    """Of people, that can draw one."""
    assert isinstance(progress.choose(stream, environment), kind)


def test_an_interrupt_leaves_a_clean_line():
    """Whatever ends the run."""
    stream = Terminal()

    def interrupted():
        with progress.shown(Bar(stream, Clock(), lambda: 80), 10, 0):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert screen(stream.getvalue()) == ""


def test_silence():
    """For whoever uses the harness as a library."""
    with progress.shown(Silent(), 10, 0) as silent:
        silent.advance(failed=True)
