"""GPU Feature Discovery: labels nodes with what their GPUs are.

It shares the device plugin's configuration, so that the labels say what the plugin advertises: both need the config
manager, and a shared process namespace to be signalled in.
"""

from __future__ import annotations

from chartgen.components.operands import access, device_plugin_config, host
from chartgen.components.operands.workload import (
    OPENSHIFT,
    Workload,
    container,
    daemonset,
    from_field,
    host_path,
    mig_env,
    variable,
)
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, Value, When

_NAME = "gpu-feature-discovery"
_ACCOUNT = "nvidia-gpu-feature-discovery"
_ENABLED = conditions.On("gfd.enabled")
_FEATURES = "/etc/kubernetes/node-feature-discovery/features.d"


def _container() -> Node:
    own: tuple[Node, ...] = (
        variable("GFD_SLEEP_INTERVAL", "60s"),
        variable("GFD_FAIL_ON_INIT_ERROR", "true"),
        from_field("NAMESPACE", "metadata.namespace"),
        host.NODE_NAME,
        from_field("POD_NAME", "metadata.name"),
        When(OPENSHIFT, variable("USE_NODE_FEATURE_API", "false")),
    )
    return container(
        "gfd",
        _NAME,
        helpers.image("gfd", "nvcr.io/nvidia"),
        command=[_NAME],
        args=Value("gfd.args"),
        env=EnvMerge("gpuFeatureDiscoveryEnv", (own, "gfd.env", (device_plugin_config.CONFIG_FILE, *mig_env()))),
        volumeMounts=[
            {"name": "output-dir", "mountPath": _FEATURES},
            {"name": "host-sys", "mountPath": "/sys", "readOnly": True},
            *device_plugin_config.MOUNTS,
        ],
    )


def manifest() -> Manifest:
    """All objects of GPU Feature Discovery."""
    workload = Workload(
        values="gfd",
        name=_NAME,
        account=_ACCOUNT,
        enabled=_ENABLED,
        deploy=_NAME,
        part_of="nvidia-gpu",
        init_containers=(
            host.toolkit_validation(),
            device_plugin_config.init("gfd.resources"),
        ),
        containers=(_container(), device_plugin_config.sidecar(_NAME, "gfd.resources")),
        volumes=(
            host_path("output-dir", _FEATURES),
            host_path("host-sys", "/sys"),
            host.RUN_VOLUME,
            *device_plugin_config.VOLUMES,
        ),
        images=("validator", "gfd"),
        gpus=(_NAME,),
        host_network="gfd.hostNetwork",
        pod={"shareProcessNamespace": When(device_plugin_config.CONFIGURED, True)},
    )
    role = [
        access.USE_PRIVILEGED,
        access.rule("nfd.k8s-sigs.io", ["nodefeatures"], ["get", "list", "watch", "create", "update"]),
        access.rule("", ["pods"], ["get"]),
    ]
    documents = (
        *access.documents("gfd", _ACCOUNT, _ENABLED, role=role, cluster_role=[access.READ_NODES]),
        access.privileged_scc("gfd", _ACCOUNT, _ENABLED),
        daemonset(workload),
    )
    return Manifest(
        "components/gpu-feature-discovery.yaml", "GPU Feature Discovery, where no operator runs it.", documents
    )
