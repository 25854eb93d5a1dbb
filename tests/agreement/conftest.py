"""Every test here runs once for each Helm that is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import helms, trees

from chartgen.harness import tools


@pytest.fixture(scope="session", params=helms.MAJORS)
def workshop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> trees.Workshop:
    """Builds throwaway charts and renders them."""
    folder: Path = tmp_path_factory.mktemp("workshop")
    helm: tools.Helm = helms.find(request.param, folder / "home")
    return trees.Workshop(helm, folder)
