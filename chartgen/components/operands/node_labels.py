"""Labels of GPU nodes where no operator sets them: a rule for Node Feature Discovery.

The DaemonSets select nodes by the same labels in both modes. A rule sees the hardware of a node, and what feature files
say of it, but not the node's labels. Three things follow:

* a node that opted out by ``nvidia.com/gpu.deploy.operands=false`` is labelled all the same; the DaemonSets spare it by
  their affinity (`chartgen.components.operands.workload`);
* whether GPUs can be partitioned is told by their PCI ids, or by the label of GPU Feature Discovery where that writes
  feature files;
* ``nvidia.com/mig.config`` belongs to the user: a rule would set it back whenever it ran.
"""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.components import crds, metadata
from chartgen.components.operands import mig_defaults
from chartgen.components.operands.workload import LABELS_NODES, static
from chartgen.tree.nodes import Document, Manifest, Node

_DEPLOY = "nvidia.com/gpu.deploy."
_EVERYWHERE = (
    "driver",
    "container-toolkit",
    "operator-validator",
    "device-plugin",
    "dcgm",
    "dcgm-exporter",
    "gpu-feature-discovery",
    "node-status-exporter",
)
# VGA and 3D controllers; NVIDIA's switches, network adapters and audio devices do not make a GPU node.
_DISPLAYS = ["0300", "0302"]


def _gpu(*devices: str) -> Node:
    """A GPU of NVIDIA is there, of one of the given device ids if there are any."""
    wanted: dict[str, Sequence[str]] = {"vendor": ["10de"], "class": _DISPLAYS}
    if devices:
        wanted["device"] = devices
    return {
        "feature": "pci.device",
        "matchExpressions": {name: {"op": "In", "value": values} for name, values in wanted.items()},
    }


def manifest() -> Manifest:
    """The rule."""
    labels: dict[str, Node] = {"nvidia.com/gpu.present": "true", **{f"{_DEPLOY}{name}": "true" for name in _EVERYWHERE}}
    discovered: Node = {"feature": "local.label", "matchExpressions": {"nvidia.com/mig.capable": {"op": "IsTrue"}}}
    rules: Node = [
        {"name": "nvidia-gpu", "labels": labels, "matchFeatures": [_gpu()]},
        {
            "name": "nvidia-gpu-with-mig",
            "labels": {f"{_DEPLOY}mig-manager": "true"},
            "matchAny": [
                {"matchFeatures": [_gpu(*mig_defaults.device_ids())]},
                {"matchFeatures": [_gpu(), discovered]},
            ],
        },
    ]
    tree: dict[str, Node] = {
        "apiVersion": "nfd.k8s-sigs.io/v1alpha1",
        "kind": "NodeFeatureRule",
        # The hook that deletes the CRDs may have deleted this kind before Helm comes to it.
        "metadata": metadata.cluster(
            "nvidia-gpu-nodes", annotations=metadata.kept_while(crds.deleted(crds.NODE_FEATURES))
        ),
        "spec": {"rules": rules},
    }
    about = "Labels GPU nodes where no operator does, so that the DaemonSets find them."
    return Manifest("components/node-labels.yaml", about, (Document(tree, static(LABELS_NODES)),))
