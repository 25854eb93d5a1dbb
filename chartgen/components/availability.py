"""What keeps an eye on the operator and guards it: disruption budget, network policy, metrics for Prometheus. All optional."""

from __future__ import annotations

from chartgen.components import metadata
from chartgen.components.operator import METRICS_PORT, NAME, SELECTOR
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value, When, extend

# With a ClusterPolicy the operator makes a Service and a ServiceMonitor of its own, called gpu-operator.
_METRICS = f"{NAME}-metrics"
_METRICS_LABEL = {"app": _METRICS}


def disruption_budget() -> Manifest:
    """``operator/poddisruptionbudget.yaml``."""
    values = "operator.podDisruptionBudget"
    least = conditions.Set(f"{values}.minAvailable")
    tree: dict[str, Node] = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata.namespaced(NAME),
        "spec": extend(
            # Kubernetes takes one of the two.
            When(
                least,
                {"minAvailable": Value(f"{values}.minAvailable")},
                {"maxUnavailable": Value(f"{values}.maxUnavailable", 1)},
            ),
            {"selector": {"matchLabels": SELECTOR}},
        ),
    }
    about = "How many operator pods a drain of nodes may take away at a time."
    condition = conditions.On(f"{values}.enabled")
    return Manifest("operator/poddisruptionbudget.yaml", about, (Document(tree, condition),))


def network_policy() -> Manifest:
    """``operator/networkpolicy.yaml``."""
    values = "operator.networkPolicy"
    tree: dict[str, Node] = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata.namespaced(NAME),
        "spec": {
            "podSelector": {"matchLabels": SELECTOR},
            # Both, so that an empty list means that there is no such connection.
            "policyTypes": ["Ingress", "Egress"],
            "ingress": Value(f"{values}.ingress"),
            "egress": Value(f"{values}.egress"),
        },
    }
    about = "Which connections the operator's pod may have."
    return Manifest("operator/networkpolicy.yaml", about, (Document(tree, conditions.On(f"{values}.enabled")),))


def metrics() -> Manifest:
    """``operator/metrics.yaml``."""
    values = "operator.metrics"
    monitor = f"{values}.serviceMonitor"
    create = conditions.On(f"{values}.create")
    service: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata.namespaced(_METRICS, helpers.labels({**metadata.COMPONENT, **_METRICS_LABEL})),
        "spec": {
            "selector": SELECTOR,
            "ports": [{"name": "metrics", "port": METRICS_PORT, "targetPort": "metrics", "protocol": "TCP"}],
        },
    }
    service_monitor: dict[str, Node] = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "ServiceMonitor",
        "metadata": metadata.namespaced(
            _METRICS, helpers.merged_labels({**metadata.COMPONENT, **_METRICS_LABEL}, f"{monitor}.additionalLabels")
        ),
        "spec": {
            "endpoints": [
                {
                    "port": "metrics",
                    "path": "/metrics",
                    "interval": Value(f"{monitor}.interval"),
                    "scrapeTimeout": Value(f"{monitor}.scrapeTimeout"),
                    "honorLabels": Value(f"{monitor}.honorLabels"),
                    "relabelings": Value(f"{monitor}.relabelings"),
                }
            ],
            "namespaceSelector": {"matchNames": [Builtin.NAMESPACE]},
            "selector": {"matchLabels": _METRICS_LABEL},
        },
    }
    wanted = conditions.all_of(create, conditions.negate(conditions.Equals(f"{monitor}.enabled", "false")))
    about = "The operator's own metrics, for clusters where no ClusterPolicy makes the operator publish them itself."
    return Manifest("operator/metrics.yaml", about, (Document(service, create), Document(service_monitor, wanted)))
