"""What the DaemonSets of operands have in common.

An operand module says what is its own (containers, volumes, permissions) in a `Workload`; labels, tolerations, priority,
update strategy, runtime class, pull secrets and the settings of ``daemonsets`` come from here. The same trees serve
the chart without an operator, where ``cluster.*`` and ``<component>.workload`` fill in what an operator would know, and
the operator, which evaluates them for a ClusterPolicy: paths that a ClusterPolicy does not have are simply absent there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chartgen.components.operands import pools
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Node, Value, When, extend

STATIC = conditions.off("operator.enabled")
OPENSHIFT = conditions.Set("cluster.openshiftVersion")
NRI = conditions.On("cdi.nriPluginEnabled")
# OpenShift has no other runtime, whatever the value says.
CRIO = conditions.any_of(OPENSHIFT, conditions.Equals("cluster.containerRuntime", "crio"))

# Only the chart without an operator has this value: the operator labels nodes itself.
LABELS_NODES = conditions.On("cluster.labelNodes")

# The rule that labels the nodes sees their hardware and not their labels, and so cannot spare a node that opted out.
NOT_OPTED_OUT: Node = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [
                {
                    "matchExpressions": [
                        {"key": "nvidia.com/gpu.deploy.operands", "operator": "NotIn", "values": ["false"]}
                    ]
                }
            ]
        }
    }
}
_GPU_TAINT: Node = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
VALIDATION_FILES = "/run/nvidia/validations"


@dataclass(frozen=True)
class Workload:
    """An operand's DaemonSet.

    Attributes:
        values: the component's top-level value, ``gfd``.
        name: of the DaemonSet, and its ``app`` label.
        enabled: when the operand is wanted at all.
        deploy: suffix of the node label ``nvidia.com/gpu.deploy.`` that selects its nodes.
        containers: its containers, in order.
        account: its ServiceAccount; "" for one of the same name.
        init_containers: those that run before, in order.
        volumes: in order.
        images: components whose pull secrets the pod needs, in the order they are added.
        gpus: containers that see the GPUs: the pod runs in the nvidia runtime class, or NRI gives them the management
            devices.
        host_network: path of the switch for the host network; "" for none.
        part_of: the label ``app.kubernetes.io/part-of``; "" for none.
        node_selector: further node labels.
        pod: further members of the pod's spec, in front of the containers.
        metadata_labels: further labels of the DaemonSet.
        metadata_annotations: annotations of the DaemonSet.
        pod_annotations: path of the component's own annotations for its pods; those of ``daemonsets`` win.
    """

    values: str
    name: str
    enabled: Condition
    deploy: str
    containers: tuple[Node, ...]
    account: str = ""
    init_containers: tuple[Node, ...] = ()
    volumes: Node = ()
    images: tuple[str, ...] = ()
    gpus: tuple[str, ...] = ()
    host_network: str = ""
    part_of: str = ""
    node_selector: Mapping[str, str] = field(default_factory=dict)
    pod: Mapping[str, Node] = field(default_factory=dict)
    metadata_labels: Mapping[str, str] = field(default_factory=dict)
    metadata_annotations: Mapping[str, str] = field(default_factory=dict)
    pod_annotations: str = ""


def static(enabled: Condition) -> Condition:
    """When an operand's objects are part of the chart: no operator makes them, and the operand is wanted."""
    return conditions.all_of(STATIC, enabled)


def daemonset(workload: Workload) -> Document:
    """The DaemonSet of an operand, once for each pool of nodes if its pods depend on what those are."""
    pod = _pod(workload)
    pooled = pools.depends(pod)
    part_of = {"app.kubernetes.io/part-of": workload.part_of} if workload.part_of else {}
    own = {"app": workload.name, **part_of}
    selector: dict[str, Node] = {**own, **(pools.LABEL if pooled else {})}
    if pooled:
        pod["nodeSelector"] = helpers.labelled(_node_selector(workload), pools.NODES)
    tree: dict[str, Node] = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {
            "name": pools.named(workload.name) if pooled else workload.name,
            "namespace": Builtin.NAMESPACE,
            "labels": helpers.merged({**own, **workload.metadata_labels}, Value("daemonsets.labels")),
            "annotations": _merged(workload.metadata_annotations, Value("daemonsets.annotations")),
        },
        "spec": {
            "selector": {"matchLabels": selector},
            "updateStrategy": update_strategy(workload.values),
            "template": {
                "metadata": {
                    "labels": helpers.labelled(
                        selector, Value("daemonsets.labels"), Value(f"{workload.values}.workload.labels")
                    ),
                    "annotations": _annotations(workload),
                },
                "spec": pod,
            },
        },
    }
    return Document(tree, static(workload.enabled), pools.each(workload.name) if pooled else None)


def _merged(own: Mapping[str, str], *users: Value) -> Node:
    return helpers.merged(own, *users) if own else helpers.merged(*users)


def _annotations(workload: Workload) -> Node:
    own = (Value(workload.pod_annotations),) if workload.pod_annotations else ()
    users = (Value("daemonsets.annotations"), Value(f"{workload.values}.workload.annotations"))
    if not workload.gpus:
        return helpers.merged(*own, *users)
    devices = {f"nvidia.cdi.k8s.io/container.{name}": "management.nvidia.com/gpu=all" for name in workload.gpus}
    return When(NRI, helpers.merged(*own, devices, *users), helpers.merged(*own, *users))


def _node_selector(workload: Workload) -> Mapping[str, Node]:
    return {f"nvidia.com/gpu.deploy.{workload.deploy}": "true", **workload.node_selector}


def _pod(workload: Workload) -> dict[str, Node]:
    own = f"{workload.values}.workload"
    pod: dict[str, Node] = {
        "serviceAccountName": Value(f"{own}.serviceAccount.name", workload.account or workload.name),
        "imagePullSecrets": helpers.pull_secrets(
            *(f"{image}.imagePullSecrets" for image in workload.images), of_pod=True
        ),
        "priorityClassName": either(
            f"{own}.priorityClassName", Value("daemonsets.priorityClassName", "system-node-critical")
        ),
        "securityContext": either(f"{own}.podSecurityContext", Value("daemonsets.podSecurityContext")),
        "nodeSelector": _node_selector(workload),
        "tolerations": tolerations(),
        "affinity": When(LABELS_NODES, NOT_OPTED_OUT),
    }
    if workload.gpus:
        pod["runtimeClassName"] = runtime_class()
    if workload.host_network:
        host = conditions.On(workload.host_network)
        pod["hostNetwork"] = When(host, True)
        pod["dnsPolicy"] = When(host, "ClusterFirstWithHostNet")
    pod.update(workload.pod)
    if workload.init_containers:
        pod["initContainers"] = workload.init_containers
    pod["containers"] = workload.containers
    pod["volumes"] = workload.volumes
    return pod


def container(values: str, name: str, image: Node, **members: Node) -> dict[str, Node]:
    """A container of an operand: privileged, and with the settings that every component has.

    Args:
        values: the component's top-level value.
        name: of the container.
        image: its image.
        members: what it has besides, or instead.
    """
    usual: dict[str, Node] = {"name": name, "image": image, "imagePullPolicy": pull_policy(f"{values}.imagePullPolicy")}
    settings: dict[str, Node] = {"resources": Value(f"{values}.resources"), "securityContext": {"privileged": True}}
    last = {key: members.pop(key, node) for key, node in settings.items()}
    mounts = {"volumeMounts": members.pop("volumeMounts")} if "volumeMounts" in members else {}
    return {**usual, **members, **last, **mounts}


def either(path: str, otherwise: Node) -> When:
    """The value at a path, or something else while it is not set."""
    return When(conditions.Set(path), Value(path), otherwise)


def tolerations() -> Node:
    """The tolerations of operands: the user's in place of the built-in one, and those of ``global`` on top."""
    path = "daemonsets.tolerations"
    return extend(When(conditions.Set(path), Value(path), [_GPU_TAINT]), Value("global.tolerations"))


def update_strategy(values: str) -> Node:
    """OnDelete, or a rolling update with the wanted pace; without either Kubernetes' own default."""
    own, common, pace = (
        f"{values}.workload.updateStrategy",
        "daemonsets.updateStrategy",
        "daemonsets.rollingUpdate.maxUnavailable",
    )
    inherited = conditions.all_of(conditions.negate(conditions.Set(own)), conditions.Equals(common, "OnDelete"))
    on_delete = conditions.any_of(conditions.Equals(own, "OnDelete"), inherited)
    rolling: Node = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": helpers.number(pace)}}
    return When(on_delete, {"type": "OnDelete"}, When(conditions.Set(pace), rolling))


def runtime_class() -> When:
    """The nvidia runtime class, but where NRI injects the devices or CRI-O runs its own hooks without CDI."""
    hooks = conditions.all_of(conditions.off("cdi.enabled"), CRIO)
    wanted = conditions.negate(conditions.any_of(NRI, hooks))
    return When(wanted, Value("operator.runtimeClass", "nvidia"))


def pull_policy(path: str) -> Node:
    """A pull policy; what is not one of the three counts as IfNotPresent."""
    return Value(path, "IfNotPresent")


def mig_env() -> tuple[Node, ...]:
    """What tells an operand how MIG devices are shown."""
    strategy = conditions.Set("mig.strategy")
    monitors = conditions.negate(conditions.Equals("mig.strategy", "none"))
    return (
        When(strategy, {"name": "MIG_STRATEGY", "value": Value("mig.strategy")}),
        When(monitors, {"name": "NVIDIA_MIG_MONITOR_DEVICES", "value": "all"}),
    )


def from_field(name: str, path: str) -> Node:
    """An environment variable that the downward API fills."""
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}


def variable(name: str, value: Node) -> Node:
    """An environment variable."""
    return {"name": name, "value": value}


def host_path(name: str, path: Node, type_: str = "") -> Node:
    """A volume of the host."""
    return {"name": name, "hostPath": {"path": path, **({"type": type_} if type_ else {})}}
