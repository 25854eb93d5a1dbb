"""DIFFERENCES.md of the chart: where its objects differ from those of NVIDIA's chart, from the table that tests hold renders against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from chartgen import yamlio
from chartgen.files import GeneratedFile

_TABLE = "differences.yaml"
_HEAD = """\
# Differences from NVIDIA's chart

This chart takes the values of NVIDIA's gpu-operator chart v26.7.0 and renders its objects under the same names. Where
they differ, and why, is told here; beyond that they are the same. Objects that NVIDIA's chart does not have are off
by default, but for those in this table.

| Object | Place | Change | Reason |
| --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Difference:
    """A line of the table.

    Attributes:
        objects: ``Kind/name``; ``*`` stands for any part of the name.
        paths: dotted paths in these; empty when the whole object is meant.
        change: added, removed or changed.
        reason: why.
    """

    objects: tuple[str, ...]
    paths: tuple[str, ...]
    change: str
    reason: str


def table() -> tuple[Difference, ...]:
    """The lines, in their order."""
    text = resources.files("chartgen.emit").joinpath(_TABLE).read_text(encoding="utf-8")
    entries: Sequence[Mapping[str, Any]] = yamlio.locate(text, _TABLE).data["differences"]
    return tuple(
        Difference(tuple(entry["objects"]), tuple(entry.get("paths", ())), entry["change"], entry["reason"])
        for entry in entries
    )


def emit() -> GeneratedFile:
    """``DIFFERENCES.md``."""
    return GeneratedFile("DIFFERENCES.md", _HEAD + "".join(_rows()))


def _rows() -> Iterator[str]:
    for line in table():
        cells = (_listed(line.objects), _listed(line.paths), line.change, line.reason.strip())
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _listed(names: Sequence[str]) -> str:
    return "<br>".join(f"`{name}`" for name in names)
