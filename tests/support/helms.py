"""The Helms that tests render with."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from chartgen.harness import tools

ROOT = Path(__file__).resolve().parents[2]
MAJORS = ("v4", "v3")


def find(major: str, home: Path) -> tools.Helm:
    """The Helm of a major version; a missing one fails the test with a sentence that says what to do."""
    for helm in _all(home):
        if helm.version.startswith(f"{major}."):
            return helm
    pytest.fail(f"no helm {major}: run `make tools tools-helm3`", pytrace=False)


@functools.cache
def _all(home: Path) -> tuple[tools.Helm, ...]:
    try:
        return tools.find_helms(ROOT, home)
    except tools.ToolMissing as missing:
        pytest.fail(str(missing), pytrace=False)
