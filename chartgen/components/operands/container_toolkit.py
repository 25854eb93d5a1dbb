"""The container toolkit: puts the NVIDIA runtime on a node, tells the container runtime of it, and writes CDI specs.

What it edits on the host is in `container_runtimes`. It works in the host's process namespace, to restart the runtime.
"""

from __future__ import annotations

from chartgen.components.operands import access, container_runtimes, entrypoint, host
from chartgen.components.operands.workload import (
    CRIO,
    NRI,
    Workload,
    container,
    daemonset,
    from_field,
    host_path,
    variable,
)
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, Value, When, extend

_NAME = "nvidia-container-toolkit"
_DAEMONSET = f"{_NAME}-daemonset"
_ENABLED = conditions.On("toolkit.enabled")
_CDI = conditions.On("cdi.enabled")
# After containerd restarts, it ends a toolkit that was started a moment ago (seen with 1.6.9 and later).
_START = """\
sleep 5
exec nvidia-toolkit
"""


def _env() -> Node:
    own: tuple[Node, ...] = (
        variable("ROOT", host.TOOLKIT),
        variable("NVIDIA_CONTAINER_RUNTIME_MODES_CDI_DEFAULT_KIND", "management.nvidia.com/gpu"),
        variable("NVIDIA_VISIBLE_DEVICES", "void"),
        variable("TOOLKIT_PID_FILE", "/run/nvidia/toolkit/toolkit.pid"),
        from_field("NRI_NAMESPACE", "metadata.namespace"),
        host.ROOT_ENV,
        host.CDI_ENV,
        When(_CDI, variable("NVIDIA_RUNTIME_SET_AS_DEFAULT", "false")),
        When(_CDI, variable("NVIDIA_CONTAINER_RUNTIME_MODE", "cdi")),
        When(_CDI, variable("CRIO_CONFIG_MODE", "config"), When(CRIO, variable("CRIO_CONFIG_MODE", "hook"))),
        When(conditions.all_of(_CDI, NRI), variable("ENABLE_NRI_PLUGIN", "true")),
    )
    runtime = variable("RUNTIME", container_runtimes.chosen("crio", "docker", "containerd"))
    containerd = conditions.all_of(conditions.negate(NRI), container_runtimes.CONTAINERD)
    runtime_class = variable("CONTAINERD_RUNTIME_CLASS", Value("operator.runtimeClass", "nvidia"))
    last = extend([runtime, When(containerd, runtime_class)], container_runtimes.touched(container_runtimes.File.env))
    return EnvMerge("containerToolkitEnv", (own, helpers.host_sources("toolkit.env"), last))


def _container() -> Node:
    return container(
        "toolkit",
        f"{_NAME}-ctr",
        helpers.image("toolkit", "nvcr.io/nvidia/k8s"),
        command=entrypoint.COMMAND,
        args=entrypoint.ARGS,
        env=_env(),
        securityContext={"privileged": True, "seLinuxOptions": {"level": "s0"}},
        volumeMounts=extend(
            [
                entrypoint.mount(_NAME),
                {"name": "toolkit-root", "mountPath": "/run/nvidia/toolkit"},
                host.VALIDATIONS_MOUNT,
                {"name": "toolkit-install-dir", "mountPath": host.TOOLKIT},
                {"name": "crio-hooks", "mountPath": "/usr/share/containers/oci/hooks.d"},
                host.DRIVER_MOUNT,
                host.ROOT_MOUNT,
                host.CDI_MOUNT,
            ],
            container_runtimes.touched(container_runtimes.File.mounts),
        ),
    )


def _volumes() -> Node:
    return extend(
        [
            entrypoint.volume(_NAME),
            host_path("toolkit-root", "/run/nvidia/toolkit", "DirectoryOrCreate"),
            host.VALIDATIONS_VOLUME,
            host.driver_volume("DirectoryOrCreate"),
            host.ROOT_VOLUME,
            host_path("toolkit-install-dir", host.TOOLKIT),
            host_path("crio-hooks", container_runtimes.HOOKS),
            host.DEV_CHAR_VOLUME,
            host.CDI_VOLUME,
        ],
        container_runtimes.touched(container_runtimes.File.volumes),
    )


def manifest() -> Manifest:
    """All objects of the container toolkit."""
    mounts = (host.VALIDATED_DRIVER_MOUNT, host.VALIDATED_MOUNT, host.ROOT_MOUNT, host.DEV_CHAR_MOUNT)
    workload = Workload(
        values="toolkit",
        name=_DAEMONSET,
        account=_NAME,
        enabled=_ENABLED,
        deploy="container-toolkit",
        metadata_annotations={"openshift.io/scc": "hostmount-anyuid"},
        init_containers=(host.driver_validation("toolkitValidationEnv", mounts),),
        containers=(_container(),),
        volumes=_volumes(),
        images=("validator", "toolkit"),
        host_network="toolkit.hostNetwork",
        pod={"hostPID": True},
    )
    role = [access.USE_PRIVILEGED, access.rule("apps", ["daemonsets"], ["list"])]
    documents = (
        *access.documents("toolkit", _NAME, _ENABLED, role=role),
        entrypoint.config_map(_NAME, _DAEMONSET, _ENABLED, _START),
        daemonset(workload),
    )
    return Manifest("components/container-toolkit.yaml", "The container toolkit, where no operator runs it.", documents)
