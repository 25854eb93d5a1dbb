"""Keys that are no values, yet known: ``retired`` and ``misplaced`` in a value's file, and ``keys.yaml`` for the top level.

Both map a key, written as a dotted path below the file's value, to what a user should know:

* ``retired`` to ``{since, use, reason}``: a release had the key and none reads it any more. It is accepted with any value,
  so that an old values file still works, and NOTES.txt names it. A field that a custom resource still has is no retired
  key but a `deprecated` field.
* ``misplaced`` to the path that was meant, or to a sentence: no release read the key, so its author believes in an effect
  that is not there. It is refused with that hint; only null, a header line left over, is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chartgen import yamlio
from chartgen.errors import Problem
from chartgen.schema import check
from chartgen.schema.keywords import DEPRECATED_KEYWORDS, STRAY_KEYWORDS
from chartgen.schema.model import Deprecation, Kind, Stray
from chartgen.schema.paths import Index, UnknownPath

FILE = "keys.yaml"


def read(documents: Mapping[str, yamlio.Located], index: Index, problems: list[Problem]) -> dict[str, Stray]:
    """The strays of all files, by path; what is wrong with them goes to `problems`.

    Args:
        documents: the files of a schema folder by relative path.
        index: the fields that they declare.
        problems: grows by each mistake.
    """
    reader = _Reader(index, problems)
    for relative, document in documents.items():
        if "/" in relative:
            continue
        for keyword in STRAY_KEYWORDS:
            records = document.data.get(keyword) or {}
            if not isinstance(records, dict):
                reader.report(document, (keyword,), check.show(records), "a map of key to what it was")
                continue
            for key, record in records.items():
                path = str(key) if relative == FILE else f"{relative.removesuffix('.yaml')}.{key}"
                reader.take(path, record, document, (keyword, key))
        if relative == FILE:
            for key in set(document.data) - set(STRAY_KEYWORDS):
                reader.report(document, (key,), f"the keyword {key}", " or ".join(STRAY_KEYWORDS))
    return reader.found


class _Reader:
    def __init__(self, index: Index, problems: list[Problem]) -> None:
        self._index = index
        self._problems = problems
        self.found: dict[str, Stray] = {}

    def report(self, document: yamlio.Located, at: yamlio.Path, found: str, expected: str, hint: str = "") -> None:
        path = ".".join(str(key) for key in at)
        self._problems.append(Problem(document.at(at), path, found, expected, hint))

    def take(self, path: str, record: Any, document: yamlio.Located, at: yamlio.Path) -> None:
        """Add a stray, unless its declaration is wrong."""
        if path in self._index:
            self.report(document, at, f"the value {path}", "a key that is no value")
            return
        if path in self.found:
            self.report(document, at, f"a second {path}", f"one; see {self.found[path].where}")
            return
        parent = path.rpartition(".")[0]
        if parent and not self._is_inline(parent) and not self._index.is_broken(parent):
            self.report(document, at, f"the parent {parent}", "an object whose members are declared in place")
            return
        retired, hint = None, ""
        if at[0] == "retired":
            retired = self._deprecation(record, document, at)
        else:
            hint = self._hint(record, document, at)
        self.found[path] = Stray(path, retired, hint, document.at(at))

    def _is_inline(self, path: str) -> bool:
        """Whether a path is an object with a node of its own in the JSON Schema."""
        if path not in self._index:
            return False
        type_ = self._index.field(path).type
        return type_.kind is Kind.OBJECT and not type_.name

    def _deprecation(self, record: Any, document: yamlio.Located, at: yamlio.Path) -> Deprecation:
        if not isinstance(record, dict) or not {"since", "use"} <= set(record) <= DEPRECATED_KEYWORDS:
            found = ", ".join(map(str, record)) if isinstance(record, dict) else check.show(record)
            self.report(document, at, found or "an empty map", "a map of since, use and (optional) reason")
            return Deprecation("", "")
        return Deprecation(*(str(record.get(key, "")) for key in ("since", "use", "reason")))

    def _hint(self, record: Any, document: yamlio.Located, at: yamlio.Path) -> str:
        if not isinstance(record, str) or not record:
            self.report(document, at, check.show(record), "the path that was meant, or a sentence")
            return ""
        if " " not in record:
            try:
                self._index.field(record)
            except UnknownPath as error:
                near = f"did you mean {error.near}?" if error.near else ""
                if not self._index.is_broken(record):
                    self.report(document, at, f"the unknown path {record}", "a values path, or a sentence", near)
        return record.strip()
