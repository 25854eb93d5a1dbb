"""The MIG manager: partitions a node's GPUs into the layout that the node's label ``nvidia.com/mig.config`` names.

It acts on the host: it sees all processes there, and with a driver that the host brings it stops the host's services that
hold GPUs open.
"""

from __future__ import annotations

from chartgen.components.operands import access, entrypoint, host, mig_defaults
from chartgen.components.operands.workload import (
    VALIDATION_FILES,
    Workload,
    daemonset,
    either,
    from_field,
    host_path,
    pull_policy,
    toolkit_validation,
    variable,
)
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, Value, When

_NAME = "nvidia-mig-manager"
_VALUES = "migManager"
_ENABLED = conditions.On("migManager.enabled")
_CDI = conditions.On("cdi.enabled")
_START = f"""\
# A driver of the host has clients among the host's services, which must let go of the GPUs.
export WITH_SHUTDOWN_HOST_GPU_CLIENTS="$IS_HOST_DRIVER"
echo "WITH_SHUTDOWN_HOST_GPU_CLIENTS=$WITH_SHUTDOWN_HOST_GPU_CLIENTS"
echo "starting {_NAME}"
exec {_NAME}
"""


def _container() -> Node:
    own: tuple[Node, ...] = (
        from_field("NODE_NAME", "spec.nodeName"),
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
        When(_CDI, variable("CDI_ENABLED", "true")),
        When(
            conditions.all_of(_CDI, conditions.On("toolkit.enabled")), variable("NVIDIA_CDI_HOOK_PATH", host.CDI_HOOK)
        ),
    )
    return {
        "name": _NAME,
        "image": helpers.image(_VALUES, "nvcr.io/nvidia/cloud-native"),
        "imagePullPolicy": pull_policy("migManager.imagePullPolicy"),
        "command": entrypoint.COMMAND,
        "args": either("migManager.args", entrypoint.ARGS),
        "env": EnvMerge("migManagerEnv", (own, "migManager.env")),
        "resources": Value("migManager.resources"),
        "securityContext": {"privileged": True},
        "volumeMounts": [
            entrypoint.mount(_NAME),
            host.VALIDATIONS_MOUNT,
            {"name": "host-sys", "mountPath": "/sys"},
            {"name": "host-root", "mountPath": "/host", "mountPropagation": "HostToContainer"},
            {"name": "gpu-clients", "mountPath": "/gpu-clients"},
            {"name": "mig-parted-config", "mountPath": "/mig-parted-config"},
            host.DRIVER_MOUNT,
            host.CDI_MOUNT,
        ],
    }


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
    mount: dict[str, Node] = {"mountPath": VALIDATION_FILES, "mountPropagation": "HostToContainer"}
    validation_env = EnvMerge("migManagerValidationEnv", ((host.ROOT_ENV,), "validator.toolkit.env"))
    workload = Workload(
        values=_VALUES,
        name=_NAME,
        account=_NAME,
        enabled=_ENABLED,
        deploy="mig-manager",
        init_containers=(toolkit_validation("run-nvidia-validations", mount, validation_env),),
        containers=(_container(),),
        volumes=_volumes(),
        images=("validator", _VALUES),
        nri=(_NAME,),
        runtime_class=True,
        host_network="migManager.hostNetwork",
        pod={"hostPID": True, "hostIPC": True},
    )
    role = [
        access.USE_PRIVILEGED,
        access.rule("", ["pods"], ["get", "list", "watch", "delete"]),
        access.rule("", ["configmaps"], ["create", "get", "list", "update", "patch"]),
    ]
    cluster_role = [
        access.rule("", ["nodes"], ["get", "list", "watch", "update", "patch"]),
        access.rule("", ["pods"], ["list"]),
    ]
    documents = (
        *access.documents(_VALUES, _NAME, _ENABLED, role=role, cluster_role=cluster_role),
        access.privileged_scc(_VALUES, _NAME, _ENABLED, allowHostIPC=True),
        entrypoint.config_map(_NAME, _NAME, _ENABLED, _START),
        daemonset(workload),
    )
    about = "The MIG manager, where no operator runs it."
    return mig_defaults.manifest(_ENABLED), Manifest("components/mig-manager/mig-manager.yaml", about, documents)
