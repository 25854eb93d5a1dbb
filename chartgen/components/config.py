"""ConfigMaps of operands that the chart can create: device plugin, MIG layouts, DCGM metrics.

They carry the standard labels without the component, as operands find them by name.
"""

from __future__ import annotations

from chartgen.components import metadata
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Document, Manifest, Node, Value

# The key under which the exporter looks for its list of metrics.
_METRICS = "dcgm-metrics.csv"


def manifests() -> list[Manifest]:
    """The files of ``config/``."""
    return [
        _config_map(
            "device-plugin", "devicePlugin.config", "Configurations of the device plugin, one under each key.", None
        ),
        _config_map("mig-parted", "migManager.config", "MIG layouts, under the key config.yaml.", None),
        _config_map(
            "dcgm-metrics",
            "dcgmExporter.config",
            "The metrics that the DCGM exporter collects.",
            {_METRICS: Value("dcgmExporter.config.data")},
        ),
    ]


def _config_map(file: str, values: str, about: str, data: Node | None) -> Manifest:
    """A ConfigMap that is created on request.

    Args:
        file: name of its file.
        values: path of the object with create, name and data.
        about: what opens the file.
        data: its contents, where they are not the data of the values.
    """
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata.namespaced(Value(f"{values}.name"), helpers.labels({})),
        "data": Value(f"{values}.data") if data is None else data,
    }
    condition = conditions.all_of(
        conditions.On(f"{values}.create"), conditions.Set(f"{values}.name"), conditions.Set(f"{values}.data")
    )
    return Manifest(f"config/{file}.yaml", about, (Document(tree, condition),))
