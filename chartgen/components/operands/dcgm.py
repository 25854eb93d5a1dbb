"""The DCGM host engine, for the exporter and other tools of the same node: its Service never leaves the node."""

from __future__ import annotations

from chartgen.components.operands import access, host, monitoring
from chartgen.components.operands.workload import Workload, container, daemonset, static
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value

NAME = "nvidia-dcgm"
PORT = 5555
ENABLED = conditions.On("dcgm.enabled")

_CONTAINER = "nvidia-dcgm-ctr"

# What DCGM measures, under the names by which dashboards of OpenShift know accelerators of every vendor. It counts in MiB
# and MHz.
_ACCELERATOR = (
    ("accelerator_gpu_utilization", "DCGM_FI_DEV_GPU_UTIL"),
    ("accelerator_memory_used_bytes", "DCGM_FI_DEV_FB_USED * 1048576"),
    ("accelerator_memory_total_bytes", "DCGM_FI_DEV_FB_TOTAL * 1048576"),
    ("accelerator_power_usage_watts", "DCGM_FI_DEV_POWER_USAGE"),
    ("accelerator_temperature_celsius", "DCGM_FI_DEV_GPU_TEMP"),
    ("accelerator_sm_clock_hertz", "DCGM_FI_DEV_SM_CLOCK * 1000000"),
    ("accelerator_memory_clock_hertz", "DCGM_FI_DEV_MEM_CLOCK * 1000000"),
)
SERIES = monitoring.records("dcgm.accelerator.metrics", "30s", {"vendor": "nvidia"}, _ACCELERATOR)


def _container() -> Node:
    probe: Node = {"tcpSocket": {"port": PORT}, "initialDelaySeconds": 15}
    return container(
        "dcgm",
        _CONTAINER,
        helpers.image("dcgm", "nvcr.io/nvidia/cloud-native"),
        args=Value("dcgm.args"),
        env=Value("dcgm.env"),
        ports=[{"name": "dcgm", "containerPort": PORT}],
        livenessProbe=probe,
        readinessProbe=probe,
    )


def _service() -> Document:
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": NAME, "namespace": Builtin.NAMESPACE, "labels": {"app": NAME}},
        "spec": {
            "type": "ClusterIP",
            "internalTrafficPolicy": "Local",
            "selector": {"app": NAME},
            "ports": [{"name": "dcgm", "port": PORT, "protocol": "TCP"}],
        },
    }
    return Document(tree, static(ENABLED))


def manifest() -> Manifest:
    """All objects of the host engine."""
    workload = Workload(
        values="dcgm",
        name=NAME,
        enabled=ENABLED,
        deploy="dcgm",
        metadata_annotations={"openshift.io/scc": "hostmount-anyuid"},
        init_containers=(host.toolkit_validation(),),
        containers=(_container(),),
        volumes=(host.RUN_VOLUME,),
        images=("validator", "dcgm"),
        gpus=(_CONTAINER,),
        host_network="dcgm.hostNetwork",
    )
    documents = (
        *access.documents("dcgm", NAME, ENABLED, role=[access.USE_PRIVILEGED]),
        access.privileged_scc("dcgm", NAME, ENABLED, allowHostNetwork=True, allowHostPID=False, allowHostPorts=True),
        _service(),
        daemonset(workload),
    )
    return Manifest("components/dcgm.yaml", "The DCGM host engine, where no operator runs it.", documents)
