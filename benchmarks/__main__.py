"""``python -m benchmarks``: what each step from schemas to a judged chart costs, part by part.

The parts take turns, so that a machine that slows down half-way slows all of them down. Look at the ratios more than at
the milliseconds: they travel between machines.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import measure, parts
from chartgen.errors import ChartgenError
from chartgen.harness.tools import ToolFailed, ToolMissing

_PROJECT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Measure and print; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Time each part of generating and judging."
    )
    parser.add_argument("--runs", type=int, default=7, help="how often each part runs; the median counts (default 7)")
    parser.add_argument("--project", type=Path, default=_PROJECT, help="the folder with schemas/, values/ and charts/")
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as scratch:
            timings = measure.take_turns(parts.build(given.project, Path(scratch)), given.runs)
    except (ToolMissing, ToolFailed, ChartgenError) as failure:
        print(failure, file=sys.stderr)
        return getattr(failure, "exit_code", 2)
    print("\n".join(measure.table(timings)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
