"""The MIG manager: partitions a node's GPUs into the layout that the node's label ``nvidia.com/mig.config`` names.

It acts on the host: it sees all processes there, and with a driver that the host brings it stops the host's services that
hold GPUs open. Its two ConfigMaps of defaults are there while the user names none instead.
"""

from __future__ import annotations

from pathlib import Path

from chartgen import yamlio
from chartgen.components.operands import access, entrypoint, host
from chartgen.components.operands.workload import (
    VALIDATION_FILES,
    Workload,
    daemonset,
    either,
    from_field,
    host_path,
    pull_policy,
    static,
    toolkit_validation,
    variable,
)
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, EnvMerge, Manifest, Node, Value, When

_NAME = "nvidia-mig-manager"
_VALUES = "migManager"
_ENABLED = conditions.On("migManager.enabled")
_LAYOUTS = "default-mig-parted-config"
_CLIENTS = "default-gpu-clients"
_CONFIG, _CLIENTS_CONFIG = "migManager.config", "migManager.gpuClientsConfig"
_OWN_LAYOUTS = conditions.Set(f"{_CONFIG}.name")
_CDI = conditions.On("cdi.enabled")
_START = f"""\
# A driver of the host has clients among the host's services, which must let go of the GPUs.
export WITH_SHUTDOWN_HOST_GPU_CLIENTS="$IS_HOST_DRIVER"
echo "WITH_SHUTDOWN_HOST_GPU_CLIENTS=$WITH_SHUTDOWN_HOST_GPU_CLIENTS"
echo "starting {_NAME}"
exec {_NAME}
"""
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
    return Document(tree, static(conditions.all_of(_ENABLED, condition)))


def _default_wanted(values: str, default: str) -> Condition:
    """No other ConfigMap is named."""
    name = f"{values}.name"
    return conditions.any_of(conditions.negate(conditions.Set(name)), conditions.Equals(name, default))


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
            _OWN_LAYOUTS,
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
        "name": Value(f"{_CONFIG}.name", _LAYOUTS),
        "items": When(conditions.negate(_OWN_LAYOUTS), renamed),
    }
    return (
        entrypoint.volume(_NAME),
        host_path("host-sys", "/sys", "Directory"),
        host.VALIDATIONS_VOLUME,
        host.driver_volume("DirectoryOrCreate"),
        host.ROOT_VOLUME,
        {"name": "gpu-clients", "configMap": {"name": Value(f"{_CLIENTS_CONFIG}.name", _CLIENTS)}},
        {"name": "mig-parted-config", "configMap": layouts},
        host.CDI_VOLUME,
    )


def _defaults() -> Manifest:
    # The user may have the chart create a ConfigMap, and call it as the default one.
    given = conditions.all_of(conditions.On(f"{_CONFIG}.create"), conditions.Set(f"{_CONFIG}.data"), _OWN_LAYOUTS)
    wanted = conditions.all_of(_default_wanted(_CONFIG, _LAYOUTS), conditions.negate(given))
    documents = (
        _config_map(_LAYOUTS, "config.yaml", _layouts(), wanted),
        _config_map(_CLIENTS, "clients.yaml", _CLIENT_SERVICES, _default_wanted(_CLIENTS_CONFIG, _CLIENTS)),
    )
    about = "What the MIG manager knows where the values say nothing: layouts, and services that use GPUs."
    return Manifest("components/mig-manager/defaults.yaml", about, documents)


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
    return _defaults(), Manifest("components/mig-manager/mig-manager.yaml", about, documents)
