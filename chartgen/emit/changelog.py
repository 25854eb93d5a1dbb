"""The changelog as Artifact Hub wants it: the entries of the newest release, each with its kind.

CHANGELOG.md follows keepachangelog.com: a section for each release, ``## 1.2.0`` or ``## [1.2.0] - 2026-11-30``, in it a
section for each kind of change, in that a list. What is not yet released stands under ``## Unreleased``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_RELEASE = re.compile(r"^## \[?([^]\s]+)\]?", re.MULTILINE)
_KIND = re.compile(r"^### (\w+)$")
_UNRELEASED = "Unreleased"
# Artifact Hub's kinds, which are those of keepachangelog.com.
KINDS = ("added", "changed", "deprecated", "removed", "fixed", "security")


@dataclass(frozen=True)
class Change:
    """An entry.

    Attributes:
        kind: one of `KINDS`.
        description: a sentence or two, without Markdown's line breaks.
    """

    kind: str
    description: str


def changes(text: str, version: str) -> tuple[Change, ...]:
    """The entries of a version, or what is unreleased when the version has no section yet.

    Args:
        text: CHANGELOG.md.
        version: of the chart.
    """
    sections = _sections(text)
    return tuple(_entries(sections.get(version) or sections.get(_UNRELEASED, "")))


def _sections(text: str) -> dict[str, str]:
    """Release -> what stands under it."""
    parts = _RELEASE.split(text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _entries(section: str) -> Iterator[Change]:
    kind, words = "", list[str]()
    for line in [*section.splitlines(), ""]:
        heading = _KIND.match(line)
        is_continued = line.startswith("  ") and words
        if words and not is_continued:
            yield Change(kind, " ".join(words))
            words = []
        if heading:
            kind = heading[1].lower()
        elif line.startswith("- ") and kind in KINDS:
            words = [line[2:].strip()]
        elif is_continued:
            words.append(line.strip())
