"""The MPS control daemon: lets processes share a GPU at the same time, on nodes whose plugin configuration says so.

It is part of the device plugin: same switch, image, resources and account, and the same configuration. GPU Feature
Discovery labels the nodes that want it. The pod sees the processes of the host, and so needs no shared namespace of its
own to be signalled in.
"""

from __future__ import annotations

from chartgen.components.operands import device_plugin, device_plugin_config, host
from chartgen.components.operands.workload import Workload, container, daemonset, mig_env, variable
from chartgen.tree import helpers
from chartgen.tree.nodes import Manifest, Node

_NAME = "nvidia-device-plugin-mps-control-daemon"
_CONTAINER = "mps-control-daemon-ctr"
_RESOURCES = "devicePlugin.resources"


def _container(name: str, *command: str, **members: Node) -> Node:
    image = helpers.image("devicePlugin", "nvcr.io/nvidia")
    return container("devicePlugin", name, image, command=["mps-control-daemon", *command], **members)


def manifest() -> Manifest:
    """The DaemonSet; its account is that of the device plugin."""
    shared: Node = {"name": "mps-root", "mountPath": "/mps", "mountPropagation": "Bidirectional"}
    mounts = _container("mps-control-daemon-mounts", "mount-shm", volumeMounts=[shared])
    daemon = _container(
        _CONTAINER,
        env=[
            host.NODE_NAME,
            variable("NVIDIA_VISIBLE_DEVICES", "all"),
            variable("NVIDIA_DRIVER_CAPABILITIES", "compute,utility"),
            device_plugin_config.CONFIG_FILE,
            *mig_env(),
        ],
        volumeMounts=[
            {"name": "mps-shm", "mountPath": "/dev/shm"},  # noqa: S108 - where CUDA looks for it
            {"name": "mps-root", "mountPath": "/mps"},
            *device_plugin_config.MOUNTS,
        ],
    )
    workload = Workload(
        values="devicePlugin",
        name=_NAME,
        account=device_plugin.ACCOUNT,
        enabled=device_plugin.ENABLED,
        deploy="device-plugin",
        node_selector={"nvidia.com/mps.capable": "true"},
        metadata_annotations={"openshift.io/scc": "hostmount-anyuid"},
        init_containers=(
            host.toolkit_validation(),
            mounts,
            device_plugin_config.init(_RESOURCES),
        ),
        containers=(daemon, device_plugin_config.sidecar("/usr/bin/mps-control-daemon", _RESOURCES)),
        volumes=(
            host.RUN_VOLUME,
            *device_plugin.MPS_VOLUMES,
            *device_plugin_config.VOLUMES,
        ),
        images=("validator", "devicePlugin"),
        gpus=(_CONTAINER,),
        host_network="devicePlugin.hostNetwork",
        pod={"hostPID": True},
    )
    return Manifest(
        "components/mps-control-daemon.yaml",
        "The MPS control daemon, where no operator runs it.",
        (daemonset(workload),),
    )
