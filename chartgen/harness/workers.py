"""Worker processes: each prepares itself once, and then works on one piece after the other."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any


@contextmanager
def processes(jobs: int, prepare: Callable[..., None], *arguments: object) -> Iterator[ProcessPoolExecutor]:
    """Workers, until the block ends: what has not begun by then is never done.

    Args:
        jobs: how many.
        prepare: called in each worker before anything else; it and the arguments are sent there.
        arguments: what it is called with.
    """
    # A new interpreter for each worker: a copy of this one would hold locks of threads that are not in it.
    context: Any = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_start, initargs=(prepare, arguments))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def name() -> str:
    """What tells this worker from the others."""
    return f"worker-{multiprocessing.current_process().pid}"


def _start(prepare: Callable[..., None], arguments: tuple[object, ...]) -> None:
    """Prepares a worker; an interrupt is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare(*arguments)
