"""The topology updater: asks the kubelet what is allocated and publishes what is free in each NUMA zone.

Off by default. It runs as root, since only root may use the kubelet's socket.
"""

from __future__ import annotations

from chartgen.components import definitions
from chartgen.components.nfd import parts
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.schema.model import Schema
from chartgen.tree.nodes import Document, Manifest, Node, Value, When, join

UPDATER = parts.Program("topologyUpdater", "topology-updater", "-topology-updater")
_CONFIG: Condition = conditions.Set("topologyUpdater.kubeletConfigPath")
_STATE: Condition = conditions.Set("topologyUpdater.kubeletStateDir")
_SOCKET = "/host-var/lib/kubelet-podresources/kubelet.sock"
_HOST_SOCKET = Value("topologyUpdater.kubeletPodResourcesSockPath", "/var/lib/kubelet/pod-resources/kubelet.sock")

_ARGS: tuple[Node, ...] = (
    [
        f"-podresources-socket={_SOCKET}",
        join("-sleep-interval=", Value("topologyUpdater.updateInterval", "60s")),
        join("-watch-namespace=", Value("topologyUpdater.watchNamespace", "*")),
        When(conditions.off("topologyUpdater.podSetFingerprint"), "-pods-fingerprint=false"),
        When(_CONFIG, "-kubelet-config-uri=file:///host-var/kubelet-config"),
        When(conditions.negate(_STATE), "-kubelet-state-dir="),
        join("-port=", Value("topologyUpdater.port", 8080)),
    ],
)
_MOUNTS: tuple[Node, ...] = (
    When(_CONFIG, parts.mount("kubelet-config", "/host-var/kubelet-config", read_only=False)),
    parts.mount("kubelet-podresources-sock", _SOCKET, read_only=False),
    parts.mount("host-sys", "/host-sys", read_only=False),
    When(_STATE, parts.mount("kubelet-state-files", "/host-var/lib/kubelet", read_only=True)),
)
_VOLUMES: tuple[Node, ...] = (
    parts.host_volume("host-sys", "/sys"),
    When(_CONFIG, parts.host_volume("kubelet-config", Value("topologyUpdater.kubeletConfigPath"))),
    parts.host_volume("kubelet-podresources-sock", _HOST_SOCKET),
    When(_STATE, parts.host_volume("kubelet-state-files", Value("topologyUpdater.kubeletStateDir"))),
)
_RULES: tuple[Node, ...] = (
    parts.rule("", ["nodes"], "get", "list"),
    parts.rule("", ["namespaces"], "get"),
    parts.rule("", ["nodes/configz"], "get"),
    parts.rule("", ["pods"], *parts.READ),
    parts.rule("topology.node.k8s.io", ["noderesourcetopologies"], "create", "get", "update"),
    parts.rule("apiextensions.k8s.io", ["customresourcedefinitions"], *parts.READ),
)


def manifests(schema: Schema) -> list[Manifest]:
    """The files of the topology updater."""
    env = (parts.from_field("NODE_ADDRESS", "status.hostIP"),)
    spec: dict[str, Node] = {
        "revisionHistoryLimit": UPDATER.value("revisionHistoryLimit"),
        "selector": {"matchLabels": parts.selector(UPDATER.label())},
        "template": parts.pod(UPDATER, parts.container(UPDATER, _ARGS, env, mounts=_MOUNTS), volumes=_VOLUMES),
    }
    about = "The topology updater, which publishes what is free in each NUMA zone of a node."
    return [
        parts.workload(UPDATER, "DaemonSet", "daemonsetAnnotations", spec, about),
        parts.config_map(UPDATER),
        parts.access(UPDATER, {"ClusterRole": _RULES}),
        parts.network_policy(UPDATER),
        _crd(schema),
    ]


def _crd(schema: Schema) -> Manifest:
    """The CRD of what it publishes, which other schedulers may have brought along already."""
    tree = definitions.document(schema, "noderesourcetopologies.topology.node.k8s.io")
    condition = conditions.all_of(UPDATER.enabled, conditions.On("topologyUpdater.createCRDs"))
    return Manifest(
        "topology-updater/crd.yaml",
        "NodeResourceTopology: what the topology updater publishes.",
        (Document(tree, condition),),
    )
