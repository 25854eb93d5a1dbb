"""Subcharts: schema folders below a chart's own, named by ``subcharts`` in its ``chart.yaml``.

A subchart is a chart of its own, with its own values, and it shares the named types of its parent. The parent's value of
its name holds what the parent sets differently. That is checked here against the subchart's fields, so that the subchart
is the only place where they are described.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.schema import check, paths
from chartgen.schema.model import UNSET, Field, Kind, Schema, Stray

_KEYWORDS = {"schemas": "a folder beside chart.yaml", "condition": "the path of a switch"}

Load = Callable[[Path, Path], Schema]


def read(
    folder: Path,
    documents: Mapping[str, yamlio.Located],
    fields: Mapping[str, Field],
    problems: list[Problem],
    load: Load,
) -> dict[str, Schema]:
    """The subcharts of a folder by their names.

    Args:
        folder: the parent's schema folder.
        documents: its files.
        fields: its values.
        problems: grows by each mistake.
        load: loads a folder with the named types of another.
    """
    found: dict[str, Schema] = {}
    document = documents.get("chart.yaml")
    if document is None:
        return found
    for number, entry in enumerate(check.part(document, ("subcharts",), "a list of subcharts", list, problems)):
        where = document.at(("subcharts", number))
        missing = [word for word in _KEYWORDS if not isinstance(entry, dict) or not isinstance(entry.get(word), str)]
        if missing:
            problems += [Problem(where, f"subcharts.{number}", f"no {word}", _KEYWORDS[word]) for word in missing]
            continue
        try:
            subchart = load(folder / entry["schemas"], folder)
        except ChartgenError as error:
            problems.extend(problem for problem in error.problems if problem not in problems)
            continue
        if not subchart.chart:
            problems.append(Problem(where, f"subcharts.{number}.schemas", "no chart.yaml there", "a folder with one"))
            continue
        name = str(subchart.chart["name"])
        found[name] = subchart
        if name in fields:
            problems.extend(_overrides(fields[name], subchart))
    return found


def strays(subcharts: Mapping[str, Schema]) -> dict[str, Stray]:
    """The subcharts' keys that are no values, as the parent's users write them: NOTES.txt is the parent's alone."""
    found = {}
    for name, subchart in subcharts.items():
        for stray in subchart.strays.values():
            path = f"{name}.{stray.path}"
            retired = stray.retired and replace(stray.retired, use=_from_parent(name, stray.retired.use))
            found[path] = replace(stray, path=path, retired=retired, hint=_from_parent(name, stray.hint))
    return found


def _from_parent(name: str, text: str) -> str:
    """A path in a subchart as its parent's users write it; a sentence stays."""
    return f"{name}.{text}" if text and " " not in text else text


def _overrides(parent: Field, subchart: Schema) -> Iterator[Problem]:
    """What is wrong with the values that a parent sets for its subchart."""
    index = paths.Index.of(subchart)
    for given in parent.walk():
        path = given.path.removeprefix(f"{parent.name}.")
        if given is parent or _is_free(path, index):
            continue
        if path not in index:
            near = paths.near(path, [field.path for field in subchart.walk()])
            hint = f"did you mean {near}?" if near else ""
            yield Problem(
                given.where, given.path, f"a value that {parent.name} does not have", "one of its values", hint
            )
        elif given.default is not UNSET:
            for below, found, expected in check.mismatches(index.field(path).type, given.default):
                yield Problem(given.where, f"{given.path}{below}", found, expected)


def _is_free(path: str, index: paths.Index) -> bool:
    """Whether a path lies in a value whose keys are not all declared."""
    if path in index:
        return False
    while "." in path:
        path = path.rpartition(".")[0]
        if path in index:
            type_ = index.field(path).type
            return type_.open or type_.kind in (Kind.MAP, Kind.ANY)
    return False
