"""Working on many cases at a time: in processes when there are many, since judging is work of this interpreter; else in threads.

Outcomes come as they are ready, in any order. Whatever happens to a worker, each case has an outcome: one that nobody
could judge is an error.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from chartgen.harness import session, workers
from chartgen.harness.case import Case
from chartgen.harness.session import Brief, Outcome, Session

# Below this many cases, starting processes costs more than it saves.
MANY = 48
_CHUNK = 12
# Objects, and collections of younger ones, after which a worker process looks for cyclic garbage.
_COLLECT_AFTER = (100_000, 50, 100)

# Distinct documents that a session may hold, with all that was said of each: some 100 MB.
_MOST_DOCUMENTS = 1200

# The session of this worker process, made when the process starts.
_SESSIONS: list[Session] = []


def outcomes(brief: Brief, cases: Sequence[Case], *, processes: bool) -> Iterator[Outcome]:
    """An outcome for each case, as they come; whoever stops asking stops the work.

    Args:
        brief: what sessions are made from.
        cases: what to judge.
        processes: whether workers may be processes; the brief is sent to them then.
    """
    jobs = brief.options.jobs
    if processes and jobs > 1 and len(cases) >= MANY:
        yield from _in_processes(brief, cases, jobs)
    else:
        yield from _in_threads(Session(brief), cases, jobs)


def _in_threads(judging: Session, cases: Sequence[Case], jobs: int) -> Iterator[Outcome]:
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        yield from _as_ready({pool.submit(_judge_all, judging, [case]): [case] for case in cases})
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_processes(brief: Brief, cases: Sequence[Case], jobs: int) -> Iterator[Outcome]:
    with workers.processes(jobs, _start, brief) as pool:
        size = max(1, min(_CHUNK, len(cases) // (jobs * 4)))
        chunks = [list(cases[at : at + size]) for at in range(0, len(cases), size)]
        yield from _as_ready({pool.submit(_judge_here, chunk): chunk for chunk in chunks})


def _as_ready(waiting: dict[Future[list[Outcome]], list[Case]]) -> Iterator[Outcome]:
    pending = set(waiting)
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=lambda one: waiting[one][0].name):
            try:
                yield from future.result()
            except BrokenProcessPool as broken:
                yield from (session.lost(case, f"the worker process died: {broken}") for case in waiting[future])


def _start(brief: Brief) -> None:
    """Prepares a worker process."""
    _SESSIONS[:] = [Session(session.in_scratch(brief, workers.name()))]
    # What is there now stays, and little of what comes is cyclic: looking through all of it, time and again, took a third.
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


def _judge_here(cases: Sequence[Case]) -> list[Outcome]:
    if _SESSIONS[0].documents > _MOST_DOCUMENTS:
        # Memory is bounded by starting over: most of what is held is of no use to later cases.
        _SESSIONS[:] = [_SESSIONS[0].successor()]
        gc.unfreeze()
        gc.collect()
        gc.freeze()
    return _judge_all(_SESSIONS[0], cases)


def _judge_all(judging: Session, cases: Sequence[Case]) -> list[Outcome]:
    return [judging.judge(case) for case in cases]
