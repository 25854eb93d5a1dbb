"""The MIG manager: partitions a node's GPUs into the layout that the node's label ``nvidia.com/mig.config`` names.

It acts on the host: it sees all processes there, and with a driver that the host brings it stops the host's services that
hold GPUs open.
"""

from __future__ import annotations

from chartgen.components.operands import access, entrypoint, host, mig_defaults
from chartgen.components.operands.workload import (
    Workload,
    container,
    daemonset,
    either,
    from_field,
    host_path,
    variable,
)
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, When

_NAME = "nvidia-mig-manager"
_VALUES = "migManager"
_ENABLED = conditions.On("migManager.enabled")
_START = f"""\
# A driver of the host has clients among the host's services, which must let go of the GPUs.
export WITH_SHUTDOWN_HOST_GPU_CLIENTS="$IS_HOST_DRIVER"
echo "WITH_SHUTDOWN_HOST_GPU_CLIENTS=$WITH_SHUTDOWN_HOST_GPU_CLIENTS"
echo "starting {_NAME}"
exec {_NAME}
"""


def _container() -> Node:
    own: tuple[Node, ...] = (
        host.NODE_NAME,
        from_field("POD_NAME", "metadata.name"),
        from_field("POD_NAMESPACE", "metadata.namespace"),
        variable("GPU_CLIENTS_FILE", "/gpu-clients/clients.yaml"),
        from_field("DEFAULT_GPU_CLIENTS_NAMESPACE", "metadata.namespace"),
        host.ROOT_ENV,
        # The manager makes layouts of its own from the GPUs that it finds, and takes the default ones where it cannot.
        When(
            mig_defaults.OWN_LAYOUTS,
            variable("CONFIG_FILE", "/mig-parted-config/config.yaml"),
            variable("DEFAULT_CONFIG_FILE", "/mig-parted-config/config-default.yaml"),
        ),
        host.CDI_ENV,
        host.CDI_HOOK_ENV,
    )
    return container(
        _VALUES,
        _NAME,
        helpers.image(_VALUES, "nvcr.io/nvidia/cloud-native"),
        command=entrypoint.COMMAND,
        args=either("migManager.args", entrypoint.ARGS),
        env=EnvMerge("migManagerEnv", (own, "migManager.env")),
        volumeMounts=[
            entrypoint.mount(_NAME),
            host.VALIDATIONS_MOUNT,
            {"name": "host-sys", "mountPath": "/sys"},
            {"name": "host-root", "mountPath": "/host", "mountPropagation": "HostToContainer"},
            {"name": "gpu-clients", "mountPath": "/gpu-clients"},
            {"name": "mig-parted-config", "mountPath": "/mig-parted-config"},
            host.DRIVER_MOUNT,
            host.CDI_MOUNT,
        ],
    )


def _volumes() -> tuple[Node, ...]:
    renamed: Node = [{"key": "config.yaml", "path": "config-default.yaml"}]
    layouts: Node = {
        "name": mig_defaults.LAYOUTS,
        "items": When(conditions.negate(mig_defaults.OWN_LAYOUTS), renamed),
    }
    return (
        entrypoint.volume(_NAME),
        host_path("host-sys", "/sys", "Directory"),
        host.VALIDATIONS_VOLUME,
        host.driver_volume("DirectoryOrCreate"),
        host.ROOT_VOLUME,
        {"name": "gpu-clients", "configMap": {"name": mig_defaults.CLIENTS}},
        {"name": "mig-parted-config", "configMap": layouts},
        host.CDI_VOLUME,
    )


def manifests() -> tuple[Manifest, ...]:
    """All objects of the MIG manager."""
    workload = Workload(
        values=_VALUES,
        name=_NAME,
        enabled=_ENABLED,
        deploy="mig-manager",
        init_containers=(host.toolkit_validation("migManagerValidationEnv"),),
        containers=(_container(),),
        volumes=_volumes(),
        images=("validator", _VALUES),
        gpus=(_NAME,),
        host_network="migManager.hostNetwork",
        pod={"hostPID": True, "hostIPC": True},
    )
    read = ["get", "list", "watch"]
    pods = access.rule("", ["pods"], [*read, "delete"])
    config_maps = access.rule("", ["configmaps"], ["create", "get", "list", "update", "patch"])
    role = [access.USE_PRIVILEGED, pods, config_maps]
    cluster_role = [access.rule("", ["nodes"], [*read, "update", "patch"]), access.rule("", ["pods"], ["list"])]
    documents = (
        *access.documents(_VALUES, _NAME, _ENABLED, role=role, cluster_role=cluster_role),
        access.privileged_scc(_VALUES, _NAME, _ENABLED, allowHostIPC=True),
        entrypoint.config_map(_NAME, _NAME, _ENABLED, _START),
        daemonset(workload),
    )
    about = "The MIG manager, where no operator runs it."
    return mig_defaults.manifest(_ENABLED), Manifest("components/mig-manager/mig-manager.yaml", about, documents)
