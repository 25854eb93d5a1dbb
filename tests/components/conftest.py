"""The chart for tests of components, once for each Helm that is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import charts, helms


@pytest.fixture(params=helms.MAJORS)
def gpu_operator(request: pytest.FixtureRequest, tmp_path: Path) -> charts.Chart:
    """The committed chart under one Helm."""
    return charts.Chart(helms.find(request.param, tmp_path / "home"), tmp_path)
