"""The permissions of an operand: ServiceAccount, roles, bindings and, on OpenShift, its SecurityContextConstraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chartgen.components.operands.workload import OPENSHIFT, static
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import Builtin, Document, Node, Value, join

_API = "rbac.authorization.k8s.io"


def rule(group: str, resources: Sequence[str], verbs: Sequence[str], names: Sequence[str] = ()) -> Node:
    """One policy rule, of named objects where names are given."""
    named: dict[str, Node] = {"resourceNames": list(names)} if names else {}
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs), **named}


READ_NODES = rule("", ["nodes"], ["get", "list", "watch"])
READ_PODS = rule("", ["pods"], ["get", "list", "watch"])
USE_PRIVILEGED = rule("security.openshift.io", ["securitycontextconstraints"], ["use"], ["privileged"])


def documents(
    values: str,
    account: str,
    enabled: Condition,
    *,
    role: Sequence[Node] = (),
    cluster_role: Sequence[Node] = (),
    labels: Mapping[str, Node] | None = None,
) -> tuple[Document, ...]:
    """Account, roles and bindings, all of one name.

    Args:
        values: the component's top-level value.
        account: name of all objects.
        enabled: when the operand is wanted.
        role: rules in the release's namespace.
        cluster_role: rules in the whole cluster.
        labels: of the objects in the release's namespace.
    """
    wanted = _managed(values, enabled)
    found: list[dict[str, Node]] = [_namespaced("ServiceAccount", _account(values, account), labels)]
    if role:
        found.append(_namespaced("Role", account, labels, rules=list(role)))
    if cluster_role:
        found.append(_cluster_wide("ClusterRole", account, None, rules=list(cluster_role)))
    if role:
        found.append(_namespaced("RoleBinding", account, labels, **_bound("Role", account, values, account)))
    if cluster_role:
        bound = _bound("ClusterRole", account, values, account)
        found.append(_cluster_wide("ClusterRoleBinding", account, None, **bound))
    return tuple(Document(tree, wanted) for tree in found)


def cluster_grant(
    values: str, account: str, enabled: Condition, name: str, rules: Sequence[Node], labels: Mapping[str, Node]
) -> tuple[Document, ...]:
    """A further permission in the whole cluster, which an operand needs only sometimes.

    Args:
        values: the component's top-level value.
        account: who gets it.
        enabled: when the operand needs it.
        name: of the role and its binding.
        rules: what is permitted.
        labels: of both.
    """
    wanted = _managed(values, enabled)
    bound = _bound("ClusterRole", name, values, account)
    trees = (
        _cluster_wide("ClusterRole", name, labels, rules=list(rules)),
        _cluster_wide("ClusterRoleBinding", name, labels, **bound),
    )
    return tuple(Document(tree, wanted) for tree in trees)


def _managed(values: str, enabled: Condition) -> Condition:
    """When the account is not one of the user's, who then grants its permissions too."""
    return conditions.all_of(static(enabled), conditions.On(f"{values}.workload.serviceAccount.create"))


def _account(values: str, account: str) -> Value:
    return Value(f"{values}.workload.serviceAccount.name", account)


def _namespaced(kind: str, name: Node, labels: Mapping[str, Node] | None, **members: Node) -> dict[str, Node]:
    metadata: dict[str, Node] = {"name": name, "namespace": Builtin.NAMESPACE}
    return _object(kind, {**metadata, **({"labels": labels} if labels else {})}, members)


def _cluster_wide(kind: str, name: Node, labels: Mapping[str, Node] | None, **members: Node) -> dict[str, Node]:
    return _object(kind, {"name": name, **({"labels": labels} if labels else {})}, members)


def _object(kind: str, metadata: Mapping[str, Node], members: Mapping[str, Node]) -> dict[str, Node]:
    api = "v1" if kind == "ServiceAccount" else f"{_API}/v1"
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **members}


def _bound(kind: str, role: str, values: str, account: str) -> dict[str, Node]:
    """What a binding says: the role, and who gets it."""
    subject: Node = {"kind": "ServiceAccount", "name": _account(values, account), "namespace": Builtin.NAMESPACE}
    return {"roleRef": {"apiGroup": _API, "kind": kind, "name": role}, "subjects": [subject]}


def privileged_scc(values: str, account: str, enabled: Condition, **differs: Node) -> Document:
    """The SecurityContextConstraints of a privileged operand.

    Args:
        values: the component's top-level value.
        account: its name, and that of the account it is for, unless the user gives another.
        enabled: when the operand is wanted.
        differs: members that differ from the usual ones.
    """
    any_id: Node = {"type": "RunAsAny"}
    tree: dict[str, Node] = {
        "apiVersion": "security.openshift.io/v1",
        "kind": "SecurityContextConstraints",
        "metadata": {
            "name": account,
            "annotations": {
                "kubernetes.io/description": "Privileged, for an operand that works on the host. Give it to nobody else."
            },
        },
        "allowHostDirVolumePlugin": True,
        "allowHostIPC": False,
        "allowHostNetwork": False,
        "allowHostPID": True,
        "allowHostPorts": False,
        "allowPrivilegeEscalation": True,
        "allowPrivilegedContainer": True,
        "allowedCapabilities": ["*"],
        "allowedUnsafeSysctls": ["*"],
        "fsGroup": any_id,
        "groups": ["system:cluster-admins", "system:nodes", "system:masters"],
        "readOnlyRootFilesystem": False,
        "runAsUser": any_id,
        "seLinuxContext": any_id,
        "seccompProfiles": ["*"],
        "supplementalGroups": any_id,
        "users": [join("system:serviceaccount:", Builtin.NAMESPACE, ":", _account(values, account))],
        "volumes": ["*"],
        **differs,
    }
    return Document(tree, conditions.all_of(static(enabled), OPENSHIFT))
