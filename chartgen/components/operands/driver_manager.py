"""The init container that makes a node ready for a new driver: it stops the pods that use GPUs and unloads the old one."""

from __future__ import annotations

from chartgen.components.operands import driver_settings as driver
from chartgen.components.operands.workload import from_field, pull_policy, variable
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Node

_ENV: tuple[Node, ...] = (
    from_field("NODE_NAME", "spec.nodeName"),
    variable("NVIDIA_VISIBLE_DEVICES", "void"),
    variable("ENABLE_GPU_POD_EVICTION", "true"),
    variable("ENABLE_AUTO_DRAIN", "false"),
    variable("DRAIN_USE_FORCE", "false"),
    variable("DRAIN_POD_SELECTOR_LABEL", ""),
    variable("DRAIN_TIMEOUT_SECONDS", "0s"),
    variable("DRAIN_DELETE_EMPTYDIR_DATA", "false"),
    from_field("OPERATOR_NAMESPACE", "metadata.namespace"),
    driver.HOST_ROOT,
    *driver.RDMA_ENV,
)


def container() -> Node:
    """The container ``k8s-driver-manager``."""
    return {
        "name": "k8s-driver-manager",
        "image": helpers.image("driver.manager", "nvcr.io/nvidia/cloud-native"),
        "imagePullPolicy": pull_policy("driver.manager.imagePullPolicy"),
        "command": ["driver-manager"],
        "args": ["uninstall_driver"],
        "env": EnvMerge("driverManagerEnv", (_ENV, "driver.manager.env", (driver.DIGEST,))),
        "resources": driver.RESOURCES,
        "securityContext": {"privileged": True},
        "volumeMounts": [
            {"name": "run-nvidia", "mountPath": "/run/nvidia", "mountPropagation": "Bidirectional"},
            {"name": "host-root", "mountPath": "/host", "readOnly": True, "mountPropagation": "HostToContainer"},
            {"name": "host-sys", "mountPath": "/sys"},
            {
                "name": "run-mellanox-drivers",
                "mountPath": "/run/mellanox/drivers",
                "mountPropagation": "HostToContainer",
            },
        ],
    }
