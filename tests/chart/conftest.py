"""Tests of the committed chart run once for each Helm that is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import charts, helms, judged

HOME = charts.ROOT / ".cache" / "helm"


@pytest.fixture(params=helms.MAJORS)
def gpu_operator(request: pytest.FixtureRequest, tmp_path: Path) -> charts.Chart:
    """The chart under one Helm."""
    return charts.Chart(helms.find(request.param, HOME), tmp_path)


@pytest.fixture
def newest(tmp_path: Path) -> charts.Chart:
    """The chart under the newest Helm, for what cannot depend on Helm's version."""
    return charts.Chart(helms.find(helms.MAJORS[0], HOME), tmp_path)


@pytest.fixture(params=helms.MAJORS)
def rendered(request: pytest.FixtureRequest, tmp_path: Path) -> judged.Rendered:
    """The chart under one Helm, for what it says and refuses."""
    return judged.Rendered(helms.find(request.param, HOME), tmp_path)


@pytest.fixture
def rendered4(tmp_path: Path) -> judged.Rendered:
    """The same under the newest Helm, where many cases ask one question."""
    return judged.Rendered(helms.find(helms.MAJORS[0], HOME), tmp_path)
