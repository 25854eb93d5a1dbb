"""The default MIG layouts do what their names say."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support import charts

from chartgen import yamlio
from chartgen.components.operands import mig_defaults, mig_manager
from chartgen.schema import loader
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator


def _layouts() -> dict[str, Any]:
    evaluator = Evaluator(Index.of(loader.load(charts.ROOT / "schemas")), Context({"operator": {"enabled": False}}))
    found = [one for manifest in mig_manager.manifests() for one in evaluator.objects(manifest)]
    (text,) = (one["data"]["config.yaml"] for one in found if one["metadata"]["name"] == "default-mig-parted-config")
    content = yamlio.load(text)
    assert content["version"] == "v1"
    layouts: dict[str, Any] = content["mig-configs"]
    return layouts


LAYOUTS = _layouts()
UNIFORM = sorted(set(LAYOUTS) - {"all-disabled", "all-enabled", "all-balanced"})


def test_all_layouts_are_there() -> None:
    """As many as operator v26.7.0 has, and the three that are not named after one size."""
    assert len(LAYOUTS) == 81
    assert LAYOUTS["all-disabled"] == [{"devices": "all", "mig-enabled": False}]
    assert LAYOUTS["all-enabled"] == [{"devices": "all", "mig-enabled": True, "mig-devices": {}}]


@pytest.mark.parametrize("name", UNIFORM)
def test_a_layout_has_the_devices_of_its_name(name: str) -> None:
    """``all-1g.10gb.me`` has nothing but ``1g.10gb+me``."""
    size = re.sub(r"\.(me|gfx)", r"+\1", name.removeprefix("all-"), count=1)
    for entry in LAYOUTS[name]:
        assert entry["devices"] == "all"
        assert entry["mig-enabled"] is True
        assert list(entry["mig-devices"]) == [size]


def test_a_balanced_gpu_is_used_whole() -> None:
    """Seven slices, or the four that smaller GPUs have, in one layout for each kind of GPU and no GPU twice."""
    devices = [device for entry in LAYOUTS["all-balanced"] for device in entry["device-filter"]]
    assert len(devices) == len(set(devices))
    for entry in LAYOUTS["all-balanced"]:
        slices = sum(int(size.partition("g")[0]) * count for size, count in entry["mig-devices"].items())
        assert slices in (4, 7)


def test_device_ids_are_as_node_feature_discovery_writes_them() -> None:
    """Four digits in lower case: the H100 and the A100 among them."""
    found = mig_defaults.device_ids()
    assert all(re.fullmatch("[0-9a-f]{4}", device) for device in found)
    assert {"2330", "20b0", "20b7"} <= set(found)
