"""The permissions of an operand: ServiceAccount, roles, bindings and, on OpenShift, its SecurityContextConstraints."""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.components.operands.workload import OPENSHIFT, static
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import Builtin, Document, Node, Value, join

_API = "rbac.authorization.k8s.io"


def rule(group: str, resources: Sequence[str], verbs: Sequence[str], names: Sequence[str] = ()) -> Node:
    """One policy rule, of named objects where names are given."""
    named: dict[str, Node] = {"resourceNames": list(names)} if names else {}
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs), **named}


USE_PRIVILEGED = rule("security.openshift.io", ["securitycontextconstraints"], ["use"], ["privileged"])


def documents(
    values: str,
    account: str,
    enabled: Condition,
    *,
    role: Sequence[Node] = (),
    cluster_role: Sequence[Node] = (),
) -> tuple[Document, ...]:
    """Account, roles and bindings, all of one name.

    Args:
        values: the component's top-level value.
        account: name of all objects.
        enabled: when the operand is wanted.
        role: rules in the release's namespace.
        cluster_role: rules in the whole cluster.
    """
    wanted = conditions.all_of(static(enabled), conditions.On(f"{values}.workload.serviceAccount.create"))
    found: list[dict[str, Node]] = [_object("ServiceAccount", account, namespaced=True, values=values)]
    if role:
        found.append(_object("Role", account, namespaced=True, rules=list(role)))
    if cluster_role:
        found.append(_object("ClusterRole", account, namespaced=False, rules=list(cluster_role)))
    if role:
        found.append(_binding("RoleBinding", "Role", account, values, namespaced=True))
    if cluster_role:
        found.append(_binding("ClusterRoleBinding", "ClusterRole", account, values, namespaced=False))
    return tuple(Document(tree, wanted) for tree in found)


def _account(values: str, account: str) -> Value:
    return Value(f"{values}.workload.serviceAccount.name", account)


def _object(kind: str, name: str, *, namespaced: bool, values: str = "", **members: Node) -> dict[str, Node]:
    own_name: Node = _account(values, name) if values else name
    metadata: dict[str, Node] = {"name": own_name, **({"namespace": Builtin.NAMESPACE} if namespaced else {})}
    return {
        "apiVersion": "v1" if kind == "ServiceAccount" else f"{_API}/v1",
        "kind": kind,
        "metadata": metadata,
        **members,
    }


def _binding(kind: str, role: str, account: str, values: str, *, namespaced: bool) -> dict[str, Node]:
    subject: Node = {"kind": "ServiceAccount", "name": _account(values, account), "namespace": Builtin.NAMESPACE}
    return _object(
        kind,
        account,
        namespaced=namespaced,
        roleRef={"apiGroup": _API, "kind": role, "name": account},
        subjects=[subject],
    )


def privileged_scc(account: str, enabled: Condition, **differs: Node) -> Document:
    """The SecurityContextConstraints of a privileged operand.

    Args:
        account: its name, and that of the account it is for.
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
        "users": [join("system:serviceaccount:", Builtin.NAMESPACE, f":{account}")],
        "volumes": ["*"],
        **differs,
    }
    return Document(tree, conditions.all_of(static(enabled), OPENSHIFT))
