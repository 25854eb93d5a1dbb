"""What the programs of Node Feature Discovery share: names, labels, pods, permissions and network policies.

A program is a `Program` record; master, worker, topology updater and garbage collector each say below only what is theirs.
Names, labels and selectors are those of NFD's own chart, so that an upgrade from it works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, EnvMerge, Helper, Manifest, Node, Shape, Value, When, extend, join

NAMESPACE = Value("namespaceOverride", Builtin.NAMESPACE)
READ = ("get", "list", "watch")
_REPOSITORY = "registry.k8s.io/nfd/node-feature-discovery"
_CONFIG_FOLDER = "/etc/kubernetes/node-feature-discovery"
_RBAC = "rbac.authorization.k8s.io"


@dataclass(frozen=True)
class Program:
    """One of the programs.

    Attributes:
        key: its top-level value.
        role: the label ``role`` of its pods and the name of its container.
        account: suffix of the names of its account and roles; the master's have none.
        config: whether it has a configuration file.
        slow: whether its start may take long, so that it has a startup probe.
    """

    key: str
    role: str
    account: str
    config: bool = True
    slow: bool = False

    @property
    def enabled(self) -> Condition:
        """When it runs."""
        return conditions.On(self.at("enable"))

    @property
    def command(self) -> str:
        """The program in the image."""
        return f"nfd-{self.role}"

    @property
    def folder(self) -> str:
        """Its folder below ``templates/``."""
        return self.role

    @property
    def conf(self) -> str:
        """The volume with its configuration file."""
        return f"{self.command}-conf"

    def at(self, path: str) -> str:
        """A values path below its key."""
        return f"{self.key}.{path}"

    def value(self, path: str) -> Value:
        """A value below its key."""
        return Value(self.at(path))

    def label(self) -> Mapping[str, str]:
        """What tells its pods from those of other programs."""
        return {"role": self.role}


def name(suffix: str = "") -> Helper:
    """The name of an object."""
    return Helper("fullname", (suffix,), root=True)


def labels(extra: Mapping[str, str] | None = None) -> Helper:
    """The labels of an object."""
    return Helper("labels", (extra or {},), Shape.YAML, root=True)


def selector(extra: Mapping[str, str] | None = None, *more: Value) -> Helper:
    """The labels that pods are selected by, and a user's labels that give way to them."""
    return Helper("selector", (extra or {}, *more), Shape.YAML, root=True)


def image() -> Helper:
    """The reference of the image."""
    tag = Value("image.tag", Builtin.APP_VERSION)
    return Helper("image", (Value("image.repository"), _REPOSITORY, tag), root=True)


def service_account(program: Program) -> Helper:
    """The name of a program's account."""
    arguments = (program.value("serviceAccount.name"), program.value("serviceAccount.create"), program.account)
    return Helper("serviceAccount", arguments, root=True)


def tolerations(path: str) -> Node:
    """A program's tolerations and those for every pod."""
    return extend(Value(path), Value("global.tolerations"))


def listed(flag: str, path: str) -> Helper:
    """A flag whose value is a list."""
    return Helper("flag", ({"name": flag, "values": Value(path)},), presence=conditions.Set(path))


FEATURE_GATES = Helper(
    "flags",
    ({"name": "-feature-gates", "values": Value("featureGates")},),
    Shape.YAML,
    conditions.Set("featureGates"),
)


def from_field(name: str, field: str) -> Node:
    """An environment variable that the kubelet fills in."""
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": field}}}


def container(
    program: Program, args: Sequence[Node], env: Sequence[Node] = (), *, mounts: Sequence[Node] = ()
) -> dict[str, Node]:
    """The program's container.

    Args:
        program: the program.
        args: parts of its arguments, each a list; the user's follow.
        env: its environment beside the name of the node.
        mounts: its volumes beside the configuration file.
    """
    mounts = (
        [*mounts, {"name": program.conf, "mountPath": _CONFIG_FOLDER, "readOnly": True}] if program.config else mounts
    )
    return {
        "name": program.role,
        "image": image(),
        "imagePullPolicy": Value("image.pullPolicy"),
        "command": [program.command],
        "args": extend(*args, program.value("extraArgs")),
        "env": EnvMerge(
            f"{program.key}Env", ((from_field("NODE_NAME", "spec.nodeName"), *env), program.at("extraEnvs"))
        ),
        "ports": [{"name": "http", "containerPort": Value(program.at("port"), 8080)}],
        **({"startupProbe": probe(program.at("startupProbe"))} if program.slow else {}),
        "livenessProbe": probe(program.at("livenessProbe")),
        "readinessProbe": probe(program.at("readinessProbe")),
        "resources": program.value("resources"),
        "securityContext": program.value("securityContext"),
        **({"volumeMounts": mounts} if mounts else {}),
    }


def probe(timings: str) -> Node:
    """A probe of the health port; what the timings leave out is Kubernetes' own."""
    return extend({"httpGet": {"path": "/healthz", "port": "http"}}, Value(timings))


def pod(
    program: Program, container: Mapping[str, Node], *, volumes: Sequence[Node] = (), **differs: Node
) -> dict[str, Node]:
    """The pod template of a program.

    Args:
        program: the program.
        container: its container.
        volumes: volumes beside the configuration file.
        differs: members of the spec that differ from those of other programs.
    """
    annotations: Node = program.value("annotations")
    if program.config:
        annotations = Helper(
            "podAnnotations",
            (program.value("annotations"), f"-{program.role}-conf", program.value("config")),
            Shape.YAML,
            root=True,
        )
        volumes = [*volumes, _config_volume(program)]
    spec: dict[str, Node] = {
        "serviceAccountName": service_account(program),
        "dnsPolicy": program.value("dnsPolicy"),
        "priorityClassName": Value("priorityClassName"),
        "imagePullSecrets": helpers.pull_secrets("imagePullSecrets", of_pod=True),
        "securityContext": program.value("podSecurityContext"),
        "hostNetwork": program.value("hostNetwork"),
        "hostUsers": program.value("hostUsers"),
        "initContainers": program.value("initContainers"),
        "containers": [container],
        "volumes": list(volumes),
        "nodeSelector": program.value("nodeSelector"),
        "affinity": program.value("affinity"),
        "tolerations": tolerations(program.at("tolerations")),
    }
    if not volumes:
        del spec["volumes"]
    pod_labels = selector(program.label(), program.value("labels"))
    return {"metadata": {"labels": pod_labels, "annotations": annotations}, "spec": {**spec, **differs}}


def restricted(path: str) -> Node:
    """Security settings of a pod that touches nothing of its node: with them it passes the restricted Pod Security Standard."""
    return When(conditions.Set(path), Value(path), {"seccompProfile": {"type": "RuntimeDefault"}})


def _config_volume(program: Program) -> Node:
    file = f"{program.command}.conf"
    config_map: Node = {"name": name(f"-{program.role}-conf"), "items": [{"key": file, "path": file}]}
    return {"name": program.conf, "configMap": config_map}


def host_volume(volume: str, path: Node) -> Node:
    """A file or folder of the node."""
    return {"name": volume, "hostPath": {"path": path}}


def mount(volume: str, path: str, *, read_only: bool) -> Node:
    """Where the container sees a volume."""
    found: dict[str, Node] = {"name": volume, "mountPath": path}
    return {**found, "readOnly": True} if read_only else found


def workload(program: Program, kind: str, annotations: str, spec: Mapping[str, Node], about: str) -> Manifest:
    """The file with a program's Deployment or DaemonSet."""
    tree: dict[str, Node] = {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {
            "name": name(f"-{program.role}"),
            "namespace": NAMESPACE,
            "labels": labels(program.label()),
            "annotations": program.value(annotations),
        },
        "spec": spec,
    }
    return Manifest(f"{program.folder}/{kind.lower()}.yaml", about, (Document(tree, program.enabled),))


def config_map(program: Program) -> Manifest:
    """The file with a program's configuration."""
    text = Helper("configuration", (program.value("config"),), Shape.TEXT)
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name(f"-{program.role}-conf"), "namespace": NAMESPACE, "labels": labels()},
        "data": {f"{program.command}.conf": text},
    }
    about = f"The configuration file of {program.command}, as {program.key}.config has it."
    return Manifest(f"{program.folder}/configmap.yaml", about, (Document(tree, program.enabled),))


def network_policy(program: Program) -> Manifest:
    """The file with a program's NetworkPolicy, which does not ask whether the program runs."""
    tree: dict[str, Node] = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {
            "name": name(f"-{program.role}-network-policy"),
            "namespace": NAMESPACE,
            "labels": labels(program.label()),
        },
        "spec": {
            "podSelector": {"matchLabels": selector(program.label())},
            "policyTypes": ["Egress", "Ingress"],
            "egress": program.value("networkPolicy.egress"),
            "ingress": program.value("networkPolicy.ingress"),
        },
    }
    condition = conditions.On(program.at("networkPolicy.enabled"))
    about = f"Connections that the pods of {program.command} may have."
    return Manifest(f"{program.folder}/networkpolicy.yaml", about, (Document(tree, condition),))


def disruption_budget(program: Program) -> Manifest:
    """The file with a Deployment's PodDisruptionBudget."""
    most = program.at("podDisruptionBudget.maxUnavailable")
    tree: dict[str, Node] = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name(f"-{program.role}"), "namespace": NAMESPACE, "labels": labels()},
        "spec": {
            "selector": {"matchLabels": selector(program.label())},
            "maxUnavailable": Value(most),
            # Kubernetes takes one of the two, and this one has a default.
            "minAvailable": When(
                conditions.negate(conditions.Set(most)), program.value("podDisruptionBudget.minAvailable")
            ),
            "unhealthyPodEvictionPolicy": program.value("podDisruptionBudget.unhealthyPodEvictionPolicy"),
        },
    }
    condition = conditions.all_of(program.enabled, conditions.On(program.at("podDisruptionBudget.enable")))
    about = f"How many pods of {program.command} may be taken down on purpose."
    return Manifest(f"{program.folder}/poddisruptionbudget.yaml", about, (Document(tree, condition),))


def account(program: Program) -> Document:
    """A program's ServiceAccount."""
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {
            "name": service_account(program),
            "namespace": NAMESPACE,
            "labels": labels(),
            "annotations": program.value("serviceAccount.annotations"),
        },
    }
    return Document(tree, conditions.all_of(program.enabled, conditions.On(program.at("serviceAccount.create"))))


def rule(group: str, resources: Sequence[str], *verbs: str, names: Sequence[str] = ()) -> Node:
    """One policy rule."""
    found: dict[str, Node] = {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}
    return {**found, "resourceNames": list(names)} if names else found


def role(
    kind: str, suffix: str, rules: Sequence[Node], subject: Node, condition: Condition, **metadata: Node
) -> tuple[Document, Document]:
    """A Role or ClusterRole and its binding.

    Args:
        kind: Role or ClusterRole.
        suffix: of both names.
        rules: what is allowed.
        subject: name of the account.
        condition: when both are there.
        metadata: more of both objects' metadata.
    """
    place: dict[str, Node] = {"namespace": NAMESPACE} if kind == "Role" else {}
    head = {"name": name(suffix), **place, "labels": labels(), **metadata}
    own: dict[str, Node] = {"apiVersion": f"{_RBAC}/v1", "kind": kind, "metadata": head, "rules": list(rules)}
    binding: dict[str, Node] = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": f"{kind}Binding",
        "metadata": head,
        "roleRef": {"apiGroup": _RBAC, "kind": kind, "name": name(suffix)},
        "subjects": [{"kind": "ServiceAccount", "name": subject, "namespace": NAMESPACE}],
    }
    return Document(own, condition), Document(binding, condition)


def access(
    program: Program, roles: Mapping[str, Sequence[Node]], only: Mapping[str, Condition] | None = None
) -> Manifest:
    """The file with a program's account, roles and their bindings.

    Args:
        program: the program.
        roles: Role or ClusterRole -> its rules.
        only: for one of them, when it is needed at all.
    """
    granted = conditions.all_of(program.enabled, conditions.On(program.at("rbac.create")))
    documents = [account(program)]
    for kind, rules in roles.items():
        condition = conditions.all_of(granted, (only or {}).get(kind, conditions.ALWAYS))
        documents += role(kind, program.account, rules, service_account(program), condition)
    about = f"The account of {program.command}, and what it may do."
    return Manifest(f"{program.folder}/rbac.yaml", about, tuple(documents))


def instance_flag() -> Node:
    """The flag that names this Node Feature Discovery; master and clean-up must agree on it."""
    return join("-instance=", Value("master.instance"))
