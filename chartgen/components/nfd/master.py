"""The master: turns what the workers published into labels, annotations, extended resources and taints of nodes.

With more than one replica it elects a leader, by a Lease in its own namespace.
"""

from __future__ import annotations

from chartgen.components.nfd import parts
from chartgen.schema import conditions
from chartgen.tree.nodes import Manifest, Node, Value, When, join

MASTER = parts.Program("master", "master", "", slow=True)
_LEASE = "nfd-master.nfd.kubernetes.io"
_GROUP = "nfd.k8s-sigs.io"
_SEVERAL = conditions.Matches("master.replicaCount", "^([2-9]|[1-9][0-9]+)$")

_ARGS: tuple[Node, ...] = (
    [
        parts.instance_flag(),
        When(_SEVERAL, "-enable-leader-election"),
        parts.listed("-extra-label-ns", "master.extraLabelNs"),
        parts.listed("-deny-label-ns", "master.denyLabelNs"),
        When(conditions.On("master.enableTaints"), "-enable-taints"),
        join("-resync-period=", Value("master.resyncPeriod")),
        join("-nfd-api-parallelism=", Value("master.nfdApiParallelism")),
    ],
    parts.FEATURE_GATES,
    [join("-port=", Value("master.port", 8080))],
)
_RULES: tuple[Node, ...] = (
    parts.rule("", ["namespaces"], "watch", "list"),
    parts.rule("", ["nodes", "nodes/status"], "get", "patch", "update", "list"),
    parts.rule(_GROUP, ["nodefeatures", "nodefeaturerules", "nodefeaturegroups"], *parts.READ),
    parts.rule(_GROUP, ["nodefeaturegroups/status"], "patch", "update"),
    parts.rule("coordination.k8s.io", ["leases"], "create"),
    parts.rule("coordination.k8s.io", ["leases"], "get", "update", names=[_LEASE]),
)


def manifests() -> list[Manifest]:
    """The files of the master."""
    spec: dict[str, Node] = {
        "replicas": Value("master.replicaCount", 1),
        "revisionHistoryLimit": MASTER.value("revisionHistoryLimit"),
        "selector": {"matchLabels": parts.selector(MASTER.label())},
        "template": parts.pod(
            MASTER,
            parts.container(MASTER, _ARGS),
            enableServiceLinks=False,
            securityContext=parts.restricted("master.podSecurityContext"),
        ),
    }
    about = "The master, which writes labels of nodes from what the workers published and from rules."
    return [
        parts.workload(MASTER, "Deployment", "deploymentAnnotations", spec, about),
        parts.config_map(MASTER),
        parts.access(MASTER, {"ClusterRole": _RULES}),
        parts.network_policy(MASTER),
        parts.disruption_budget(MASTER),
    ]
