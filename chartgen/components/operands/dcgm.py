"""The DCGM host engine, for the exporter and other tools of the same node: its Service never leaves the node."""

from __future__ import annotations

from chartgen.components.operands import access
from chartgen.components.operands.workload import (
    Workload,
    daemonset,
    host_path,
    pull_policy,
    static,
    toolkit_validation,
)
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value

NAME = "nvidia-dcgm"
PORT = 5555
ENABLED = conditions.On("dcgm.enabled")

_CONTAINER = "nvidia-dcgm-ctr"


def _container() -> Node:
    probe: Node = {"tcpSocket": {"port": PORT}, "initialDelaySeconds": 15}
    return {
        "name": _CONTAINER,
        "image": helpers.image("dcgm", "nvcr.io/nvidia/cloud-native"),
        "imagePullPolicy": pull_policy("dcgm.imagePullPolicy"),
        "args": Value("dcgm.args"),
        "env": Value("dcgm.env"),
        "ports": [{"name": "dcgm", "containerPort": PORT}],
        "livenessProbe": probe,
        "readinessProbe": probe,
        "resources": Value("dcgm.resources"),
        "securityContext": {"privileged": True},
    }


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
    mount: dict[str, Node] = {"mountPath": "/run/nvidia", "mountPropagation": "HostToContainer"}
    workload = Workload(
        values="dcgm",
        name=NAME,
        account=NAME,
        enabled=ENABLED,
        deploy="dcgm",
        metadata_annotations={"openshift.io/scc": "hostmount-anyuid"},
        init_containers=(toolkit_validation("run-nvidia", mount),),
        containers=(_container(),),
        volumes=(host_path("run-nvidia", "/run/nvidia", "Directory"),),
        images=("validator", "dcgm"),
        nri=(_CONTAINER,),
        runtime_class=True,
        host_network="dcgm.hostNetwork",
    )
    documents = (
        *access.documents("dcgm", NAME, ENABLED, role=[access.USE_PRIVILEGED]),
        access.privileged_scc("dcgm", NAME, ENABLED, allowHostNetwork=True, allowHostPID=False, allowHostPorts=True),
        _service(),
        daemonset(workload),
    )
    return Manifest("components/dcgm.yaml", "The DCGM host engine, where no operator runs it.", documents)
