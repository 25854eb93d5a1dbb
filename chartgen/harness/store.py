"""Outcomes that are kept between runs, in one file.

An outcome is found again by the fingerprint of all that it depends on, so that a run after a change judges only what the
change concerns, and an interrupted run goes on where it stopped. What cannot be read is an error and never a pass.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen.harness import database
from chartgen.harness.coverage.truths import Row
from chartgen.harness.results import Result, State
from chartgen.harness.session import Outcome, Printed

_TABLES = """
create table if not exists outcomes (key text primary key, used integer not null, content blob not null) without rowid;
create table if not exists documents (digest text primary key, source text not null, content blob not null) without rowid;
"""
# Outcomes that so many later runs had no use for are dropped; a file that is larger still starts anew.
_KEPT_RUNS = 20
_LARGEST_BYTES = 300_000_000
_OUTCOMES = "select key, content from outcomes where key in (select value from json_each(?))"
_USED = "update outcomes set used = ? where key in (select value from json_each(?))"
_DOCUMENTS = "select digest, source, content from documents where digest in (select value from json_each(?))"


@dataclass
class Store:
    """The file of outcomes.

    Attributes:
        file: where it is.
        run: the number of this run.
    """

    file: Path
    connection: sqlite3.Connection
    run: int = 0

    def find(self, keys: Sequence[str]) -> dict[str, Outcome]:
        """The outcomes that are there, by their key.

        Raises:
            ToolFailed: the file is damaged.
        """
        found: dict[str, Outcome] = {}
        wanted = json.dumps(list(keys))
        with database.told(self.file):
            rows = self.connection.execute(_OUTCOMES, (wanted,))
            found.update((key, _outcome(content)) for key, content in rows)
            self.connection.execute(_USED, (self.run, wanted))
        return found

    def documents(self, digests: Iterable[str]) -> dict[str, Printed]:
        """Documents of outcomes that were found, by their digest.

        Raises:
            ToolFailed: one is not there, or the file is damaged.
        """
        wanted = sorted(set(digests))
        found: dict[str, Printed] = {}
        with database.told(self.file):
            rows = self.connection.execute(_DOCUMENTS, (json.dumps(wanted),))
            found.update((digest, Printed(source, zlib.decompress(text).decode())) for digest, source, text in rows)
            if len(found) < len(wanted):
                raise ValueError(f"{len(wanted) - len(found)} documents are missing")
        return found

    def keep(self, outcomes: Sequence[Outcome], keys: Mapping[str, str]) -> None:
        """Add outcomes and the documents that are new in them; all or none.

        Args:
            outcomes: what to add. Of one that could not be judged only the documents are, since others may refer to them.
            keys: case -> the key to find its outcome by.

        Raises:
            ToolFailed: the file cannot be written.
        """
        with database.told(self.file), self.connection:
            for outcome in outcomes:
                rows = [
                    (digest, one.source, zlib.compress(one.text.encode(), 1)) for digest, one in outcome.new.items()
                ]
                self.connection.executemany("insert or ignore into documents values (?, ?, ?)", rows)
                if not any(result.state is State.ERROR for result in outcome.results):
                    row = (keys[outcome.case], self.run, _content(outcome))
                    self.connection.execute("insert or replace into outcomes values (?, ?, ?)", row)

    def tidy(self) -> None:
        """Drop what the last runs had no use for.

        Raises:
            ToolFailed: the file cannot be written.
        """
        with database.told(self.file), self.connection:
            self.connection.execute("delete from outcomes where used < ?", (self.run - _KEPT_RUNS,))
            if self.file.stat().st_size > _LARGEST_BYTES:
                self.connection.execute("delete from outcomes")
                self.connection.execute("delete from documents")


@contextmanager
def opened(file: Path) -> Iterator[Store]:
    """The store in a file, which is made when it is not there.

    Raises:
        ToolFailed: it is damaged, or cannot be written.
    """
    with database.opened(file, _TABLES) as connection:
        with database.told(file):
            [(last,)] = connection.execute("select coalesce(max(used), 0) from outcomes")
        yield Store(file, connection, last + 1)


def _content(outcome: Outcome) -> bytes:
    plain = {
        "case": outcome.case,
        "command": outcome.command,
        "results": [
            [each.check, each.state.value, each.subject, each.message, each.source, each.diff]
            for each in outcome.results
        ],
        "documents": outcome.documents,
        "seconds": outcome.seconds,
        "rows": [[row.chart, row.each, f"{row.bits:x}"] for row in outcome.rows],
    }
    return zlib.compress(json.dumps(plain, ensure_ascii=False).encode(), 1)


def _outcome(content: bytes) -> Outcome:
    plain: dict[str, Any] = json.loads(zlib.decompress(content))
    results = tuple(Result(plain["case"], check, State(state), *texts) for check, state, *texts in plain["results"])
    rows = tuple(Row(chart, each, int(bits, 16)) for chart, each, bits in plain["rows"])
    return Outcome(plain["case"], plain["command"], results, tuple(plain["documents"]), {}, plain["seconds"], rows)
