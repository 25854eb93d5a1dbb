"""What lets Prometheus read an operand: Service, ServiceMonitor, and on OpenShift rules. All go by the label ``app``.

Kinds of the Prometheus operator are there only where the cluster serves its API, as an operand must not fail for want of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chartgen.components.operands.workload import OPENSHIFT
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Node, Value

_API = "monitoring.coreos.com/v1"
SERVED = conditions.Api(_API)


def service(app: str, condition: Condition, port: str, number: int, **spec: Node) -> Document:
    """The Service that shows Prometheus where metrics are.

    Args:
        app: its name, and the label of the pods.
        condition: when it is there.
        port: name of its port.
        number: of the port, in the pods too.
        spec: further members of its spec.
    """
    metadata = {**_metadata(app, {"app": app}), "annotations": {"prometheus.io/scrape": "true"}}
    ports: Node = [{"name": port, "port": number, "targetPort": number, "protocol": "TCP"}]
    members: dict[str, Node] = {"selector": {"app": app}, "ports": ports, **spec}
    return Document({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": members}, condition)


def service_monitor(app: str, condition: Condition, port: str, job_label: str, values: str = "") -> Document:
    """The ServiceMonitor of such a Service.

    Args:
        app: name of both.
        condition: when it is there, where the cluster has the kind.
        port: name of the Service's port.
        job_label: label of the Service that gives the job its name.
        values: path of the user's settings; "" where there are none.
    """
    own = {"app": app}
    labels: Node = helpers.merged(own, Value(f"{values}.additionalLabels")) if values else own
    names = ("interval", "scrapeTimeout", "honorLabels", "relabelings") if values else ()
    endpoint: dict[str, Node] = {
        "port": port,
        "path": "/metrics",
        **{name: Value(f"{values}.{name}") for name in names},
    }
    tree: dict[str, Node] = {
        "apiVersion": _API,
        "kind": "ServiceMonitor",
        "metadata": _metadata(app, labels),
        "spec": {
            "jobLabel": job_label,
            "namespaceSelector": {"matchNames": [Builtin.NAMESPACE]},
            "selector": {"matchLabels": own},
            "endpoints": [endpoint],
        },
    }
    return Document(tree, conditions.all_of(condition, SERVED))


def rules(name: str, app: str, condition: Condition, group: Mapping[str, Node]) -> Document:
    """The PrometheusRule of an operand, for the Prometheus that OpenShift brings.

    Args:
        name: its name.
        app: label of the operand.
        condition: when it is there, on OpenShift.
        group: its one group.
    """
    tree: dict[str, Node] = {
        "apiVersion": _API,
        "kind": "PrometheusRule",
        "metadata": _metadata(name, {"app": app}),
        "spec": {"groups": [group]},
    }
    return Document(tree, conditions.all_of(condition, OPENSHIFT, SERVED))


def alerts(group: str, *found: tuple[str, str, str, str, str]) -> dict[str, Node]:
    """A group of warnings.

    Args:
        group: its name.
        found: for each its name, expression, how long that must hold, summary and description.
    """
    made: list[Node] = [
        {
            "alert": name,
            "expr": expression,
            "for": lasting,
            "labels": {"severity": "warning"},
            "annotations": {"summary": summary, "description": description},
        }
        for name, expression, lasting, summary, description in found
    ]
    return {"name": group, "rules": made}


def records(group: str, interval: str, labels: Mapping[str, Node], found: Sequence[tuple[str, str]]) -> dict[str, Node]:
    """A group of recorded series, each with its expression."""
    made: list[Node] = [{"record": name, "expr": expression, "labels": labels} for name, expression in found]
    return {"name": group, "interval": interval, "rules": made}


def _metadata(name: str, labels: Node) -> dict[str, Node]:
    return {"name": name, "namespace": Builtin.NAMESPACE, "labels": labels}
