"""The node status exporter: how far each node has come with its GPU stack, as metrics.

It is the validator in another role. It sees the driver through the host's root and ``/run/nvidia`` alone, and so gets no
GPU of its own.
"""

from __future__ import annotations

from chartgen.components.operands import access, host, monitoring
from chartgen.components.operands.workload import Workload, container, daemonset, from_field, static, variable
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, Value

_NAME = "nvidia-node-status-exporter"
_VALUES = "nodeStatusExporter"
_ENABLED = conditions.On("nodeStatusExporter.enabled")
_PORT = 8000
_METRIC = "gpu_operator_node"
_DRIVER_WORKS = f"{_METRIC}_driver_validation == 1"


def _container() -> Node:
    own: tuple[Node, ...] = (
        variable("NVIDIA_VISIBLE_DEVICES", "void"),
        variable("COMPONENT", "metrics"),
        variable("METRICS_PORT", str(_PORT)),
        host.NODE_NAME,
        from_field("OPERATOR_NAMESPACE", "metadata.namespace"),
        host.ROOT_ENV,
    )
    return container(
        _VALUES,
        _NAME,
        helpers.release_image(_VALUES, "nvcr.io/nvidia", "gpu-operator"),
        command=["nvidia-validator"],
        args=Value("nodeStatusExporter.args"),
        env=EnvMerge("nodeStatusExporterEnv", (own, "nodeStatusExporter.env")),
        ports=[{"name": "node-status", "containerPort": _PORT}],
        securityContext={"privileged": True, "runAsUser": 0},
        volumeMounts=[host.RUN_MOUNT, host.ROOT_MOUNT],
    )


def _alerts() -> dict[str, Node]:
    node = "{{ $labels.node }}"
    return monitoring.alerts(
        "Alert on node deployment failure",
        (
            "GPUOperatorNodeDeploymentFailed",
            f"{_METRIC}_device_plugin_devices_total == 0",
            "30m",
            "A GPU node offers no GPU",
            f"For half an hour the device plugin has offered no GPU on node {node}.",
        ),
        (
            "GPUOperatorNodeDeploymentDriverFailed",
            f"{_METRIC}_driver_validation == 0",
            "30m",
            "A GPU node has no working driver",
            f"For half an hour the driver has not worked on node {node}.",
        ),
        (
            "GPUOperatorNodeDeploymentToolkitFailed",
            f"{_METRIC}_toolkit_ready == 0 AND {_DRIVER_WORKS}",
            "30m",
            "A GPU node has no working container toolkit",
            f"For half an hour the container toolkit has not worked on node {node}, although the driver does.",
        ),
        (
            "GPUOperatorNodeDeploymentCudaFailed",
            f"{_METRIC}_cuda_ready == 0 AND {_DRIVER_WORKS}",
            "30m",
            "CUDA does not work on a GPU node",
            f"For half an hour no CUDA program could run on node {node}, although the driver works.",
        ),
    )


def manifest() -> Manifest:
    """All objects of the exporter."""
    workload = Workload(
        values=_VALUES,
        name=_NAME,
        enabled=_ENABLED,
        deploy="node-status-exporter",
        metadata_annotations={"openshift.io/scc": _NAME},
        containers=(_container(),),
        volumes=(host.RUN_VOLUME, host.ROOT_VOLUME),
        images=(_VALUES,),
        host_network="nodeStatusExporter.hostNetwork",
    )
    role = [
        access.USE_PRIVILEGED,
        access.rule("", ["pods"], ["get", "list"]),
        access.rule("apps", ["daemonsets"], ["get", "list", "watch"]),
    ]
    documents = (
        *access.documents(_VALUES, _NAME, _ENABLED, role=role, cluster_role=[access.READ_NODES], labels={"app": _NAME}),
        access.privileged_scc(_VALUES, _NAME, _ENABLED, allowHostPID=False),
        monitoring.service(_NAME, static(_ENABLED), "node-status", _PORT),
        monitoring.service_monitor(_NAME, static(_ENABLED), "node-status", "node-status"),
        monitoring.rules(f"{_NAME}-alerts", _NAME, static(_ENABLED), _alerts()),
        daemonset(workload),
    )
    return Manifest(
        "components/node-status-exporter.yaml", "The node status exporter, where no operator runs it.", documents
    )
