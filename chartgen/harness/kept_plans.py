"""Plans that are kept between runs: making the cases takes longer than to find that all of them are known."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable
from pathlib import Path

from chartgen import files
from chartgen.harness.cases.told import Plan
from chartgen.harness.tools import ToolFailed

_KEPT = 6


def recall(folder: Path, key: str, make: Callable[[], Plan]) -> Plan:
    """The plan of a key, or the one that is made now and kept.

    Args:
        folder: where plans are kept; only its owner may write there, since what is read becomes objects.
        key: of all that the plan is made from, this code included.
        make: makes it.

    Raises:
        ToolFailed: what was kept cannot be read, or the folder cannot be written.
    """
    file = folder / f"{key}.plan"
    if file.is_file():
        try:
            found: Plan = pickle.loads(zlib.decompress(file.read_bytes()))  # noqa: S301 - written below, by the same code
        except Exception as cause:  # damaged bytes make pickle raise anything
            raise ToolFailed(
                f"{file}: the plan of an earlier run cannot be read ({cause}). Delete the file and run again"
            ) from cause
        return found
    made = make()
    try:
        files.write_whole(file, zlib.compress(pickle.dumps(made), 1))
        for old in sorted(folder.glob("*.plan"), key=lambda path: path.stat().st_mtime)[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError as cause:
        raise ToolFailed(f"{file}: the plan cannot be kept: {cause.strerror}") from cause
    return made
