"""Looking a path up, and the near miss that is named when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartgen.schema import loader, paths

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
KNOWN = (
    "driver",
    "driver.version",
    "driver.upgradePolicy",
    "driver.upgradePolicy.maxParallelUpgrades",
    "toolkit.version",
)


@pytest.fixture(scope="session")
def index() -> paths.Index:
    """The chart's own values."""
    return paths.Index.of(loader.load(SCHEMAS))


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("driver.verison", "driver.version"),
        ("driver.maxParallelUpgrades", "driver.upgradePolicy.maxParallelUpgrades"),
        ("driver.upgradePolicy.version", "driver.version"),
        ("drvier", "driver"),
        ("maxParallelUpgrades", "driver.upgradePolicy.maxParallelUpgrades"),
        ("something.else.entirely", ""),
        ("", ""),
    ],
)
def test_near_misses(path: str, near: str) -> None:
    """A slip of the keys, or the right name at the wrong level."""
    assert paths.near(path, KNOWN) == near


def test_a_known_path_is_found(index: paths.Index) -> None:
    """With the field that stands there."""
    assert index.field("driver.upgradePolicy.maxUnavailable").name == "maxUnavailable"
    assert "driver.upgradePolicy.maxUnavailable" in index


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("driver.licenseConfig.nlsEnabled", "driver.licensingConfig.nlsEnabled"),
        ("devicePlugin.config.dafault", "devicePlugin.config.default"),
        ("mig.strategi", "mig.strategy"),
    ],
)
def test_an_unknown_path_names_the_one_that_was_meant(index: paths.Index, path: str, near: str) -> None:
    """So that a typing error costs no search."""
    assert path not in index
    with pytest.raises(paths.UnknownPath) as caught:
        index.field(path)
    assert (caught.value.path, caught.value.near) == (path, near)
    assert str(caught.value) == f"{path} is not a value; did you mean {near}?"


def test_members_of_list_items_have_no_path(index: paths.Index) -> None:
    """A path ends at the list or map; what is inside depends on the user."""
    assert "toolkit.env" in index
    assert "toolkit.env.name" not in index
