"""The device plugin: tells kubelet of a node's GPUs and MIG devices, and which of them a container got.

It starts from a script, because the driver's place is known only on the node. The script also finds out whether GDS and
GDRCopy are loaded on the host, where neither is part of the driver pod and so no value says it.
"""

from __future__ import annotations

from chartgen.components.operands import access, device_plugin_config, entrypoint, host
from chartgen.components.operands.workload import Workload, container, daemonset, either, host_path, mig_env, variable
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, Value, When, join

ACCOUNT = "nvidia-device-plugin"
ENABLED = conditions.On("devicePlugin.enabled")
MPS_ROOT = Value("devicePlugin.mps.root", "/run/nvidia/mps")
MPS_VOLUMES: tuple[Node, ...] = (
    host_path("mps-root", MPS_ROOT, "DirectoryOrCreate"),
    host_path("mps-shm", join(MPS_ROOT, "/shm")),
)

_NAME = "nvidia-device-plugin"
_VALUES = "devicePlugin"
_DAEMONSET = f"{_NAME}-daemonset"
_CDI = conditions.On("cdi.enabled")
_GDS, _GDRCOPY = conditions.On("gds.enabled"), conditions.On("gdrcopy.enabled")
_KUBELET = "/var/lib/kubelet/device-plugins"
_START = f"""\
# What the host has loaded, where no value says it.
if grep -q "^gdrdrv " /proc/modules; then
  : "${{GDRCOPY_ENABLED:=true}}"
fi
if grep -q "^nvidia_fs " /proc/modules; then
  : "${{GDS_ENABLED:=true}}" "${{MOFED_ENABLED:=true}}"
fi
echo "starting {_NAME}"
exec {_NAME}
"""


def _container() -> Node:
    own: tuple[Node, ...] = (
        variable("PASS_DEVICE_SPECS", "true"),
        variable("FAIL_ON_INIT_ERROR", "true"),
        variable("DEVICE_LIST_STRATEGY", When(_CDI, "cdi-annotations,cdi-cri", "envvar")),
        variable("DEVICE_ID_STRATEGY", "uuid"),
        variable("NVIDIA_VISIBLE_DEVICES", "all"),
        variable("NVIDIA_DRIVER_CAPABILITIES", "all"),
        variable("MPS_ROOT", MPS_ROOT),
        host.ROOT_ENV,
        When(_GDS, variable("GDS_ENABLED", "true")),
        When(_GDS, variable("MOFED_ENABLED", "true")),
        When(_GDRCOPY, variable("GDRCOPY_ENABLED", "true")),
        device_plugin_config.CONFIG_FILE,
        *mig_env(),
        host.CDI_ENV,
        When(_CDI, variable("CDI_ANNOTATION_PREFIX", "cdi.k8s.io/")),
        host.CDI_HOOK_ENV,
    )
    return container(
        _VALUES,
        _NAME,
        helpers.image(_VALUES, "nvcr.io/nvidia"),
        command=entrypoint.COMMAND,
        args=either("devicePlugin.args", entrypoint.ARGS),
        env=EnvMerge("devicePluginEnv", (own, "devicePlugin.env")),
        volumeMounts=[
            entrypoint.mount(_NAME),
            {"name": "device-plugin", "mountPath": _KUBELET},
            host.VALIDATIONS_MOUNT,
            host.DRIVER_MOUNT,
            host.ROOT_MOUNT,
            host.CDI_MOUNT,
            {"name": "mps-shm", "mountPath": "/dev/shm"},  # noqa: S108 - where CUDA looks for it
            {"name": "mps-root", "mountPath": "/mps"},
            *device_plugin_config.MOUNTS,
        ],
    )


def manifest() -> Manifest:
    """All objects of the device plugin."""
    of_host = ("devicePlugin.resources", (host.ROOT_ENV,))
    workload = Workload(
        values=_VALUES,
        name=_DAEMONSET,
        account=ACCOUNT,
        enabled=ENABLED,
        deploy="device-plugin",
        metadata_annotations={"openshift.io/scc": "hostmount-anyuid"},
        init_containers=(host.toolkit_validation("devicePluginValidationEnv"), device_plugin_config.init(*of_host)),
        containers=(_container(), device_plugin_config.sidecar(_NAME, *of_host)),
        volumes=(
            entrypoint.volume(_NAME),
            host_path("device-plugin", _KUBELET),
            host.VALIDATIONS_VOLUME,
            host.driver_volume("DirectoryOrCreate"),
            host.ROOT_VOLUME,
            host.CDI_VOLUME,
            *MPS_VOLUMES,
            *device_plugin_config.VOLUMES,
        ),
        images=("validator", _VALUES),
        gpus=(_NAME,),
        host_network="devicePlugin.hostNetwork",
        pod={"shareProcessNamespace": When(device_plugin_config.CONFIGURED, True)},
    )
    documents = (
        *access.documents(_VALUES, ACCOUNT, ENABLED, role=[access.USE_PRIVILEGED], cluster_role=[access.READ_NODES]),
        entrypoint.config_map(_NAME, _DAEMONSET, ENABLED, _START),
        daemonset(workload),
    )
    return Manifest("components/device-plugin.yaml", "The device plugin, where no operator runs it.", documents)
