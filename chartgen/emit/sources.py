"""What the chart is made of besides the schemas: profiles, the changelog, the licence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chartgen import profiles
from chartgen.profiles import Profile


@dataclass(frozen=True)
class Sources:
    """Files of the project that parts of the chart come from.

    Attributes:
        profiles: the values files of ``values/``.
        changelog: the text of CHANGELOG.md.
        licence: the text of LICENSE.
    """

    profiles: tuple[Profile, ...]
    changelog: str
    licence: str


def read(project: Path) -> Sources:
    """The sources of a project.

    Args:
        project: the folder with ``values/``, CHANGELOG.md and LICENSE.

    Raises:
        ChartgenError: mistakes in profiles.
        OSError: a file is missing.
    """
    return Sources(
        profiles.load(project / "values"),
        (project / "CHANGELOG.md").read_text(encoding="utf-8"),
        (project / "LICENSE").read_text(encoding="utf-8"),
    )
