"""The operator's own metrics: what it creates for itself, once there is a ClusterPolicy.

Without an operator there is nothing to measure, so the chart has no template of this; the operator evaluates it. Its
ServiceMonitor honours ``operator.metrics.serviceMonitor.enabled``.
"""

from __future__ import annotations

from chartgen.components.operands import monitoring
from chartgen.components.operands.access import rule
from chartgen.components.operands.workload import OPENSHIFT
from chartgen.schema import conditions
from chartgen.tree.nodes import Builtin, Document, Manifest, Node

_NAME = "gpu-operator"
_PROMETHEUS = "prometheus-k8s"
_RBAC = "rbac.authorization.k8s.io"
_MONITOR = "operator.metrics.serviceMonitor"
_STATUS = "gpu_operator_reconciliation_status"
_TOOLKIT = "gpu_operator_openshift_driver_toolkit"


def _alerts() -> dict[str, Node]:
    half_hour = "30m"
    return monitoring.alerts(
        "Alert on GPU Operator operator reconciliation failure",
        (
            "GPUOperatorReconciliationFailed",
            f"{_STATUS} != 1",
            "1h",
            "The GPU operator could not reconcile",
            "For an hour no reconciliation succeeded. GPUs of some nodes may not be usable.",
        ),
        (
            "GPUOperatorReconciliationFailedNfdLabelsMissing",
            f"{_STATUS} != 1 AND gpu_operator_reconciliation_has_nfd_labels == 0",
            half_hour,
            "No node has labels of Node Feature Discovery",
            "The GPU operator finds GPU nodes by these labels. See whether Node Feature Discovery runs.",
        ),
        (
            "GPUOperatorOpenshiftDriverToolkitEnabledNfdTooOld",
            f"{_TOOLKIT}_enabled == -1 AND {_TOOLKIT}_nfd_too_old == 1",
            half_hour,
            "Node Feature Discovery is too old for the driver toolkit",
            "Nodes lack the label with their OSTREE version, by which the driver toolkit image is chosen.",
        ),
        (
            "GPUOperatorOpenshiftDriverToolkitEnabledImageStreamMissing",
            f"{_TOOLKIT}_enabled == -1 AND {_TOOLKIT}_imagestream_missing == 1",
            half_hour,
            "The driver toolkit has no image stream",
            "This version of OpenShift has no image stream driver-toolkit in the namespace openshift.",
        ),
        (
            "GPUOperatorOpenshiftDriverToolkitEnabledImageStreamBroken",
            f"{_TOOLKIT}_enabled == 1 AND {_TOOLKIT}_imagestream_broken == 1",
            half_hour,
            "The image stream of the driver toolkit is broken",
            "It has a tag without a name, as is known to happen in a cluster upgrade (Red Hat bug 2015024).",
        ),
        (
            "GPUOperatorOpenshiftDriverToolkitEnabledImageTagsMissing",
            f"{_TOOLKIT}_enabled == 1 AND {_TOOLKIT}_rhcos_tags_missing == 1",
            half_hour,
            "The image stream of the driver toolkit lacks tags",
            "Some nodes run a version of RHCOS that it has no image for.",
        ),
        (
            "GPUOperatorDriverAutoUpgradeFailures",
            "gpu_operator_driver_auto_upgrade_enabled == 1 AND gpu_operator_nodes_upgrades_failed > 0",
            half_hour,
            "The driver could not be upgraded on some nodes",
            "See the events of the nodes and the log of the GPU operator.",
        ),
    )


def _prometheus() -> tuple[Document, Document]:
    """What the Prometheus of OpenShift may read in the operator's namespace."""
    metadata: Node = {"name": _PROMETHEUS, "namespace": Builtin.NAMESPACE, "labels": {"app": _NAME}}
    role: dict[str, Node] = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "Role",
        "metadata": metadata,
        "rules": [rule("", ["services", "endpoints", "pods"], ["get", "list", "watch"])],
    }
    binding: dict[str, Node] = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": metadata,
        "roleRef": {"apiGroup": _RBAC, "kind": "Role", "name": _PROMETHEUS},
        "subjects": [{"kind": "ServiceAccount", "name": _PROMETHEUS, "namespace": "openshift-monitoring"}],
    }
    return Document(role, OPENSHIFT), Document(binding, OPENSHIFT)


def manifest() -> Manifest:
    """All objects about the operator's metrics."""
    port = "gpu-operator-metrics"
    monitored = conditions.negate(conditions.Equals(f"{_MONITOR}.enabled", "false"))
    documents = (
        *_prometheus(),
        monitoring.service(_NAME, conditions.ALWAYS, port, 8080),
        monitoring.service_monitor(_NAME, monitored, port, "operator", _MONITOR),
        monitoring.rules("nvidia-gpu-operator-metrics", _NAME, conditions.ALWAYS, _alerts()),
    )
    return Manifest("components/operator-metrics.yaml", "Metrics of the operator.", documents)
