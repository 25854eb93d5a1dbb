"""The garbage collector: deletes NodeFeature and NodeResourceTopology objects of nodes that are gone.

It has no configuration file and takes no feature gates.
"""

from __future__ import annotations

from chartgen.components.nfd import parts
from chartgen.schema import conditions
from chartgen.tree.nodes import Manifest, Node, Value, When, join

GC = parts.Program("gc", "gc", "-gc", config=False)
_ARGS: tuple[Node, ...] = (
    [
        join("-gc-interval=", Value("gc.interval")),
        # The program's own default; a Deployment of NFD's chart, which never says the port, then stays as it is.
        When(conditions.negate(conditions.Equals("gc.port", "8080")), join("-port=", Value("gc.port"))),
    ],
)
_RULES: tuple[Node, ...] = (
    parts.rule("", ["nodes"], "list", "watch"),
    parts.rule("topology.node.k8s.io", ["noderesourcetopologies"], "delete", "list"),
    parts.rule("nfd.k8s-sigs.io", ["nodefeatures"], "delete", "list"),
)


def manifests() -> list[Manifest]:
    """The files of the garbage collector."""
    spec: dict[str, Node] = {
        "replicas": Value("gc.replicaCount", 1),
        "revisionHistoryLimit": GC.value("revisionHistoryLimit"),
        "selector": {"matchLabels": parts.selector(GC.label())},
        "template": parts.pod(
            GC, parts.container(GC, _ARGS), securityContext=parts.restricted("gc.podSecurityContext")
        ),
    }
    about = "The garbage collector, which deletes what was found on nodes that are gone."
    return [
        parts.workload(GC, "Deployment", "deploymentAnnotations", spec, about),
        parts.access(GC, {"ClusterRole": _RULES}),
        parts.network_policy(GC),
        parts.disruption_budget(GC),
    ]
