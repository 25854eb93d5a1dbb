"""DIFFERENCES.md of a chart: where its objects differ from those of the chart it stands in for, from the table of a test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from chartgen import yamlio
from chartgen.files import GeneratedFile

_HEAD = """\
# Differences from NVIDIA's chart

This chart takes the values of NVIDIA's gpu-operator chart v26.7.0 and renders its objects under the same names. Where
they differ, and why, is told here; beyond that they are the same. Objects that NVIDIA's chart does not have are off
by default, but for those in this table.

"""
_NFD_HEAD = """\
# Differences from NFD's own chart

This chart takes the values of the node-feature-discovery chart 0.19.0 and renders its objects under the same names.
Where they differ, and why, is told here; beyond that they are the same. What it has besides:

* A value that is not known is refused, one of the wrong type too, and values that cannot go together with a sentence.
* `global.imageRegistry` moves the image to a mirror, `global.tolerations` are added to those of each pod, and
  `image.tag` may be a digest.
* Names are cut so that they have 63 characters at most with their suffixes, whatever the release is called.
* `gc.securityContext` sets what is fixed in NFD's chart.
* The CRD of NodeResourceTopology has no empty `status` and no `creationTimestamp: null`.

"""
_COLUMNS = """\
| Object | Place | Change | Reason |
| --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Page:
    """A table, and what stands above it."""

    file: str
    head: str


GPU_OPERATOR = Page("differences.yaml", _HEAD)
NFD = Page("differences-nfd.yaml", _NFD_HEAD)


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


def table(page: Page = GPU_OPERATOR) -> tuple[Difference, ...]:
    """The lines, in their order."""
    text = resources.files("chartgen.emit").joinpath(page.file).read_text(encoding="utf-8")
    entries: Sequence[Mapping[str, Any]] = yamlio.locate(text, page.file).data["differences"]
    return tuple(
        Difference(tuple(entry["objects"]), tuple(entry.get("paths", ())), entry["change"], entry["reason"])
        for entry in entries
    )


def emit(page: Page = GPU_OPERATOR) -> GeneratedFile:
    """``DIFFERENCES.md``."""
    return GeneratedFile("DIFFERENCES.md", page.head + _COLUMNS + "".join(_rows(page)))


def _rows(page: Page) -> Iterator[str]:
    for line in table(page):
        cells = (_listed(line.objects), _listed(line.paths), line.change, line.reason.strip())
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _listed(names: Sequence[str]) -> str:
    return "<br>".join(f"`{name}`" for name in names)
