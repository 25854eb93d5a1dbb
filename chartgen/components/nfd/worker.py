"""The worker: looks at its node and publishes what it finds as a NodeFeature object named after the node.

It reads the node's files, so its namespace must allow hostPath volumes, which the baseline Pod Security Standard forbids;
nothing is gained by a stricter security context of the pod, and on OpenShift the constraint that allows hostPath
volumes refuses a seccomp profile.
"""

from __future__ import annotations

from chartgen.components.nfd import parts
from chartgen.schema import conditions
from chartgen.tree.nodes import Helper, Manifest, Node, Value, When, join

WORKER = parts.Program("worker", "worker", "-worker")
_USR_SRC = conditions.On("worker.mountUsrSrc")
_TYPE = "worker.updateStrategy.type"

# The node's files: volume -> (path on the node, path in the container).
_HOST = {
    "host-boot": ("/boot", "/host-boot"),
    "host-os-release": ("/etc/os-release", "/host-etc/os-release"),
    "host-sys": ("/sys", "/host-sys"),
    "host-usr-lib": ("/usr/lib", "/host-usr/lib"),
    "host-lib": ("/lib", "/host-lib"),
    "host-proc-swaps": ("/proc/swaps", "/host-proc/swaps"),
    "host-usr-src": ("/usr/src", "/host-usr/src"),
    "features-d": (
        "/etc/kubernetes/node-feature-discovery/features.d/",
        "/etc/kubernetes/node-feature-discovery/features.d/",
    ),
}
_ARGS: tuple[Node, ...] = (
    parts.FEATURE_GATES,
    # Written when the list is empty too: the program's own default is not.
    [
        Helper("flag", ({"name": "-owner-refs", "values": Value("worker.ownerRefs")},)),
        join("-port=", Value("worker.port", 8080)),
    ],
)
_RULES: tuple[Node, ...] = (
    parts.rule("nfd.k8s-sigs.io", ["nodefeatures"], "create", "get", "update", "delete"),
    parts.rule("", ["pods"], "get"),
)
_NODE_RULES: tuple[Node, ...] = (parts.rule("", ["nodes"], "get"),)


def _where_wanted(volume: str, node: Node) -> Node:
    return When(_USR_SRC, node) if volume == "host-usr-src" else node


def manifests() -> list[Manifest]:
    """The files of the worker."""
    mounts = [_where_wanted(volume, parts.mount(volume, there, read_only=True)) for volume, (_, there) in _HOST.items()]
    volumes = [_where_wanted(volume, parts.host_volume(volume, path)) for volume, (path, _) in _HOST.items()]
    env = (parts.from_field("POD_NAME", "metadata.name"), parts.from_field("POD_UID", "metadata.uid"))
    own_class = "worker.priorityClassName"
    pod = parts.pod(
        WORKER,
        parts.container(WORKER, _ARGS, env, mounts=mounts),
        volumes=volumes,
        priorityClassName=When(conditions.Set(own_class), Value(own_class), Value("priorityClassName")),
    )
    spec: dict[str, Node] = {
        "revisionHistoryLimit": WORKER.value("revisionHistoryLimit"),
        "updateStrategy": {
            "type": Value(_TYPE),
            "rollingUpdate": When(
                conditions.negate(conditions.Equals(_TYPE, "OnDelete")),
                {
                    "maxUnavailable": WORKER.value("updateStrategy.rollingUpdate.maxUnavailable"),
                    "maxSurge": WORKER.value("updateStrategy.rollingUpdate.maxSurge"),
                },
            ),
        },
        "selector": {"matchLabels": parts.selector(WORKER.label())},
        "template": pod,
    }
    about = "The worker, which runs on every node and publishes what it finds there."
    # With the node as owner of what a worker publishes, the worker has to look the node up.
    owned_by_node = {"ClusterRole": conditions.Has("worker.ownerRefs", "node")}
    return [
        parts.workload(WORKER, "DaemonSet", "daemonsetAnnotations", spec, about),
        parts.config_map(WORKER),
        parts.access(WORKER, {"Role": _RULES, "ClusterRole": _NODE_RULES}, owned_by_node),
        parts.network_policy(WORKER),
    ]
