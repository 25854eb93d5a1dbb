"""Documents on which both judges agreed, kept between runs, so that kubeconform reads each of them once.

Kept is only that they agreed; what is wrong with a document, the checks say each time. A key stands for all that the
agreement depends on, so a file that lost or mixed up some bytes can make documents be judged again, and never pass.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from chartgen.harness import database

_TABLES = "create table if not exists agreed (key text primary key) without rowid"
_LARGEST_BYTES = 100_000_000


@dataclass(frozen=True)
class Verdicts:
    """The file of agreements.

    Attributes:
        file: where it is.
        connection: to it.
    """

    file: Path
    connection: sqlite3.Connection

    def find(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that are there.

        Raises:
            ToolFailed: the file is damaged.
        """
        wanted = json.dumps(sorted(set(keys)))
        with database.told(self.file):
            rows = self.connection.execute(
                "select key from agreed where key in (select value from json_each(?))", (wanted,)
            )
            return {key for (key,) in rows}

    def keep(self, keys: Iterable[str]) -> None:
        """Add keys, all or none; a file that is too large starts anew.

        Raises:
            ToolFailed: the file cannot be written.
        """
        with database.told(self.file), self.connection:
            if self.file.stat().st_size > _LARGEST_BYTES:
                self.connection.execute("delete from agreed")
            self.connection.executemany(
                "insert or ignore into agreed values (?)", ((key,) for key in sorted(set(keys)))
            )


@contextmanager
def opened(file: Path) -> Iterator[Verdicts]:
    """The agreements in a file, which is made when it is not there.

    Raises:
        ToolFailed: it is damaged, or cannot be written.
    """
    with database.opened(file, _TABLES) as connection:
        yield Verdicts(file, connection)
