"""The files that keep something between runs: SQLite, which several runs may use at a time and which is never half written.

What cannot be read or written is a failure that says what to do, and never taken for "there is nothing".
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chartgen.harness.tools import ToolFailed

_PATIENCE_SECONDS = 30.0


@contextmanager
def opened(file: Path, tables: str) -> Iterator[sqlite3.Connection]:
    """A file, which is made when it is not there; what was written is kept when the block ends without an exception.

    Args:
        file: where it is.
        tables: the statements that make the tables.

    Raises:
        ToolFailed: it is damaged, or cannot be written.
    """
    with told(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(file, timeout=_PATIENCE_SECONDS)
    try:
        with told(file):
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            connection.executescript(tables)
        yield connection
        with told(file):
            connection.commit()
    finally:
        connection.close()


@contextmanager
def told(file: Path) -> Iterator[None]:
    """Failures of a file as one sentence that says what to do.

    Raises:
        ToolFailed: in place of what was raised.
    """
    try:
        yield
    except sqlite3.OperationalError as cause:
        name = getattr(cause, "sqlite_errorname", "")
        if name == "SQLITE_FULL":
            raise ToolFailed(f"{file}: the disk is full. Make room and run again") from cause
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise ToolFailed(f"{file}: another run holds it ({cause}). Wait for its end and run again") from cause
        raise ToolFailed(f"{file}: cannot be used ({cause}). Delete the file and run again") from cause
    except OSError as cause:
        raise ToolFailed(f"{file}: cannot be written ({cause.strerror})") from cause
    except (sqlite3.Error, zlib.error, ValueError, KeyError, TypeError) as cause:
        raise ToolFailed(
            f"{file}: what earlier runs left is damaged ({cause}). Delete the file and run again"
        ) from cause
