"""Tests of the subchart run once for each Helm that is installed, where they ask a Helm."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import charts, helms, nfd

HOME = charts.ROOT / ".cache" / "helm"


@pytest.fixture(params=helms.MAJORS)
def chart(request: pytest.FixtureRequest, tmp_path: Path) -> nfd.Chart:
    """The subchart under one Helm."""
    return nfd.Chart(helms.find(request.param, HOME), tmp_path)


@pytest.fixture(params=helms.MAJORS)
def parent(request: pytest.FixtureRequest, tmp_path: Path) -> charts.Chart:
    """The whole chart under one Helm."""
    return charts.Chart(helms.find(request.param, HOME), tmp_path)
