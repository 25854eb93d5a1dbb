"""What the MIG manager takes where the user names no ConfigMap instead: layouts, and services of the host that use GPUs."""

from __future__ import annotations

from pathlib import Path

from chartgen import yamlio
from chartgen.components.operands.workload import static
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value

_CONFIG, _CLIENTS_CONFIG = "migManager.config", "migManager.gpuClientsConfig"
_LAYOUTS, _CLIENTS = "default-mig-parted-config", "default-gpu-clients"
# The ConfigMaps that are mounted.
OWN_LAYOUTS = conditions.Set(f"{_CONFIG}.name")
LAYOUTS = Value(f"{_CONFIG}.name", _LAYOUTS)
CLIENTS = Value(f"{_CLIENTS_CONFIG}.name", _CLIENTS)

_CLIENT_SERVICES = """\
# Services of the host that hold GPUs open, and are stopped while the layout changes.
version: v1
systemd-services:
  - nvsm.service
  - nvsm-mqtt.service
  - nvsm-core.service
  - nvsm-api-gateway.service
  - nvsm-notifier.service
  - nv_peer_mem.service
  - nvidia-dcgm.service
  - dcgm.service
  - dcgm-exporter.service
"""


def _layouts() -> str:
    return Path(__file__).with_name("mig_layouts.yaml").read_text(encoding="utf-8")


def device_ids() -> list[str]:
    """PCI device ids of GPUs that can be partitioned, as far as the layouts know them."""
    found: set[str] = set()
    for layout in yamlio.load(_layouts())["mig-configs"].values():
        for entry in layout:
            found.update(device.removeprefix("0x")[:4].lower() for device in entry.get("device-filter", ()))
    return sorted(found)


def _config_map(name: str, key: str, text: str, condition: Condition) -> Document:
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": Builtin.NAMESPACE},
        "data": {key: text},
    }
    return Document(tree, static(condition))


def _default_wanted(values: str, default: str) -> Condition:
    """No other ConfigMap is named."""
    name = f"{values}.name"
    return conditions.any_of(conditions.negate(conditions.Set(name)), conditions.Equals(name, default))


def manifest(enabled: Condition) -> Manifest:
    """Both ConfigMaps, for when the manager is wanted."""
    # The user may have the chart create a ConfigMap, and call it as the default one.
    given = conditions.all_of(conditions.On(f"{_CONFIG}.create"), conditions.Set(f"{_CONFIG}.data"), OWN_LAYOUTS)
    wanted = conditions.all_of(_default_wanted(_CONFIG, _LAYOUTS), conditions.negate(given))
    clients = _default_wanted(_CLIENTS_CONFIG, _CLIENTS)
    documents = (
        _config_map(_LAYOUTS, "config.yaml", _layouts(), conditions.all_of(enabled, wanted)),
        _config_map(_CLIENTS, "clients.yaml", _CLIENT_SERVICES, conditions.all_of(enabled, clients)),
    )
    about = "What the MIG manager knows where the values say nothing: layouts, and services that use GPUs."
    return Manifest("components/mig-manager/defaults.yaml", about, documents)
