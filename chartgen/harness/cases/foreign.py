"""Cases for a chart that has no trees: what its schema or its default values say can be chosen.

Its own examples (``ci/*-values.yaml``, as chart-testing has them), each switch turned and each member of an enum taken by
itself, and rows in which many of them are turned together. What a chart refuses in its own words is no fault: nobody knows here
which of its values exclude each other.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen.harness import values
from chartgen.harness.case import Case, Group
from chartgen.harness.cases import assignments

_DEEPEST = 6
# What a file's name had better be without: Helm takes a list of files for a line of CSV.
_NO_NAME = re.compile(r"[^\w.-]+")
# How many rows in which every switch is turned by chance: any two of their levels meet in almost every chart after so many.
_ROWS = 24


@dataclass(frozen=True)
class Choice:
    """Something to choose.

    Attributes:
        path: where.
        levels: what differs from the default there.
    """

    path: str
    levels: tuple[Any, ...]


def build(chart_dir: Path, chart: values.Chart, helms: Sequence[str], kubes: Sequence[str], seed: int) -> list[Case]:
    """The cases; Helm and Kubernetes take turns.

    Args:
        chart_dir: the chart directory.
        chart: what was read from it.
        helms: Helm versions.
        kubes: Kubernetes minor versions.
        seed: of the rows.
    """
    drafts: list[tuple[str, Group, dict[str, Any], tuple[Path, ...]]] = [("given/defaults", Group.GIVEN, {}, ())]
    drafts += [
        (f"given/{file.parent.name}/{file.stem}", Group.GIVEN, {}, (file,))
        for file in sorted(chart_dir.glob("ci/*-values.yaml"))
    ]
    found = choices(chart_dir, chart)
    for choice in found:
        for level in choice.levels:
            name = f"array/1/{choice.path}={_NO_NAME.sub('-', str(level).lower())}"
            drafts.append((name, Group.ARRAY, assignments.nest({choice.path: level}), ()))
    for number, row in enumerate(_rows(found, seed), 1):
        drafts.append((f"array/2/{number:04}", Group.ARRAY, assignments.nest(row), ()))
    return [
        Case(name, group, helms[turn % len(helms)], kubes[turn % len(kubes)], given, files, is_foreign=True)
        for turn, (name, group, given, files) in enumerate(drafts)
    ]


def _rows(found: Sequence[Choice], seed: int) -> Iterator[dict[str, Any]]:
    """Rows in which each choice is made by chance, or left at its default."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(_ROWS if len(found) > 1 else 0):
        row: dict[str, Any] = {}
        for choice in found:
            level = chance.choice((assignments.UNSET, *choice.levels))
            if level is not assignments.UNSET:
                row[choice.path] = level
        yield row


def choices(chart_dir: Path, chart: values.Chart) -> list[Choice]:
    """Every switch and every enum that the schema declares or the default values show, those of subcharts too."""
    file = chart_dir / "values.schema.json"
    schema = json.loads(file.read_bytes()) if file.is_file() else {}
    found = {choice.path: choice for choice in _of_values(chart.values, "")}
    found |= {choice.path: choice for choice in _of_schema(schema, schema, chart.values, "", 0)}
    return [found[path] for path in sorted(found)]


def _of_values(given: Mapping[str, Any], path: str) -> Iterator[Choice]:
    for key, value in given.items():
        here = f"{path}.{key}" if path else key
        if "." in key:
            continue
        if isinstance(value, bool):
            yield Choice(here, (not value,))
        elif isinstance(value, Mapping):
            yield from _of_values(value, here)


def _of_schema(node: Any, root: Any, default: Any, path: str, depth: int) -> Iterator[Choice]:
    """What a JSON Schema lets a user choose, down to some depth: schemas may refer to themselves."""
    node = _resolved(node, root)
    if not isinstance(node, Mapping) or depth > _DEEPEST:
        return
    levels = node.get("enum") or ([True, False] if node.get("type") == "boolean" else [])
    others = tuple(level for level in levels if level is not None and not assignments.same(level, default))
    if path and others:
        yield Choice(path, others)
    members = node.get("properties")
    for key, member in members.items() if isinstance(members, Mapping) else ():
        inner = default.get(key) if isinstance(default, Mapping) else None
        if "." not in key:
            yield from _of_schema(member, root, inner, f"{path}.{key}" if path else key, depth + 1)


def _resolved(node: Any, root: Any) -> Any:
    """A node, or the definition in the same file that it refers to."""
    reference = node.get("$ref") if isinstance(node, Mapping) else None
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return node
    found = root
    for name in reference.removeprefix("#/").split("/"):
        found = found.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
    return found
