"""The PodMonitor, by which the Prometheus operator scrapes all pods of the release."""

from __future__ import annotations

from chartgen.components.nfd import parts
from chartgen.schema import conditions
from chartgen.tree.nodes import Builtin, Document, Helper, Manifest, Node, Value

_NAME = Helper("name", root=True)


def manifest() -> Manifest:
    """``podmonitor.yaml``."""
    tree: dict[str, Node] = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PodMonitor",
        "metadata": {
            "name": parts.name(),
            # The release's own, whatever namespaceOverride says: a Prometheus often looks for monitors in a few places.
            "namespace": Builtin.NAMESPACE,
            "labels": parts.selector({}, Value("prometheus.labels")),
        },
        "spec": {
            "namespaceSelector": {"matchNames": [parts.NAMESPACE]},
            "selector": {
                "matchExpressions": [
                    {"key": "app.kubernetes.io/instance", "operator": "In", "values": [Builtin.RELEASE_NAME]},
                    {"key": "app.kubernetes.io/name", "operator": "In", "values": [_NAME]},
                ]
            },
            "podMetricsEndpoints": [
                {
                    "port": "http",
                    "path": "/metrics",
                    "scheme": "http",
                    "interval": Value("prometheus.scrapeInterval"),
                    "honorLabels": True,
                }
            ],
        },
    }
    about = "Where Prometheus finds the metrics of all programs."
    return Manifest("podmonitor.yaml", about, (Document(tree, conditions.On("prometheus.enable")),))
