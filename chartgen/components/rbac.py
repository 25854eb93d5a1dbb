"""What the operator may do: its ServiceAccount, ClusterRole, Role and their bindings.

The operator may only hand out permissions that it holds itself, so its ClusterRole also carries those of the operands
whose RBAC it creates (the DRA driver, DCGM, the exporter).
"""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.components import metadata
from chartgen.components.operator import ACCOUNT, NAME
from chartgen.schema import conditions
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value

_API = "rbac.authorization.k8s.io"
_READ = ("get", "list", "watch")
_ALL = ("create", "get", "list", "watch", "update", "patch", "delete")


def rule(group: str, resources: Sequence[str], *verbs: Node) -> Node:
    """One policy rule."""
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}


def _cluster_rules() -> list[Node]:
    return [
        rule("config.openshift.io", ["clusterversions", "proxies"], *_READ),
        rule("image.openshift.io", ["imagestreams"], *_READ),
        rule("security.openshift.io", ["securitycontextconstraints"], *_ALL, "use"),
        rule(_API, ["clusterroles", "clusterrolebindings"], *_ALL),
        rule("", ["nodes"], *_READ, "update", "patch"),
        rule("", ["namespaces"], *_READ, "update", "patch"),
        # What is told again is counted in the event that is there.
        rule("", ["events"], "create", *_READ, "patch", "delete"),
        rule("events.k8s.io", ["events"], "create", "patch"),
        rule("", ["pods"], *_READ, "patch"),
        rule("", ["pods/eviction"], "create"),
        rule("apps", ["daemonsets"], *_READ),
        rule(
            "nvidia.com",
            [
                f"{kind}{part}"
                for kind in ("clusterpolicies", "gpuclusters", "nvidiadrivers")
                for part in ("", "/finalizers", "/status")
            ],
            *_ALL,
            "deletecollection",
        ),
        rule("scheduling.k8s.io", ["priorityclasses"], *_READ, "create"),
        rule("node.k8s.io", ["runtimeclasses"], "get", "list", "create", "update", "watch", "delete"),
        rule(
            "apiextensions.k8s.io",
            ["customresourcedefinitions"],
            *_READ,
            "update",
            "patch",
            "create",
        ),
        rule("resource.nvidia.com", ["computedomains", "computedomains/status"], *_READ, "update", "patch"),
        rule("resource.nvidia.com", ["computedomaincliques"], *_READ, "create", "update", "patch"),
        rule("coordination.k8s.io", ["leases"], "get", "create", "update"),
        rule("resource.k8s.io", ["resourceclaims"], *_READ),
        rule(
            "resource.k8s.io",
            ["resourceclaimtemplates", "deviceclasses", "resourceslices"],
            *_READ,
            "create",
            "update",
            "delete",
        ),
        rule(
            "admissionregistration.k8s.io",
            ["validatingadmissionpolicies", "validatingadmissionpolicybindings"],
            *_READ,
            "create",
            "update",
            "delete",
        ),
    ]


def _namespace_rules() -> list[Node]:
    core = [
        "configmaps",
        "endpoints",
        "pods",
        "pods/eviction",
        "secrets",
        "services",
        "services/finalizers",
        "serviceaccounts",
    ]
    return [
        rule(_API, ["roles", "rolebindings"], *_ALL),
        rule("apps", ["controllerrevisions"], *_READ),
        rule("apps", ["daemonsets"], *_ALL),
        rule("apps", ["deployments"], *_ALL),
        rule("", core, *_ALL),
        rule("coordination.k8s.io", ["leases"], *_ALL),
        rule(
            "monitoring.coreos.com",
            ["servicemonitors", "prometheusrules"],
            "get",
            "list",
            "create",
            "watch",
            "update",
            "delete",
        ),
        rule("nfd.k8s-sigs.io", ["nodefeatures"], *_READ, "create", "update"),
    ]


def _object(kind: str, *, namespaced: bool, **members: Node) -> dict[str, Node]:
    identity = metadata.namespaced(NAME) if namespaced else metadata.cluster(NAME)
    return {"apiVersion": f"{_API}/v1", "kind": kind, "metadata": identity, **members}


def _binding(kind: str, role: str, *, namespaced: bool) -> dict[str, Node]:
    return _object(
        kind,
        namespaced=namespaced,
        roleRef={"apiGroup": _API, "kind": role, "name": NAME},
        subjects=[{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": Builtin.NAMESPACE}],
    )


def _account() -> dict[str, Node]:
    annotations = metadata.annotated(Value("operator.serviceAccount.annotations"))
    return {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": metadata.namespaced(ACCOUNT, annotations=annotations),
    }


def manifests() -> list[Manifest]:
    """The RBAC files of the operator."""
    cluster_about = (
        "Permissions in the whole cluster; those of operands are here too, because only a holder may grant them."
    )
    return [
        Manifest(
            "operator/serviceaccount.yaml",
            "The account of the operator's pod.",
            (Document(_account(), conditions.On("operator.serviceAccount.create")),),
        ),
        Manifest(
            "operator/clusterrole.yaml",
            cluster_about,
            (Document(_object("ClusterRole", namespaced=False, rules=_cluster_rules())),),
        ),
        Manifest(
            "operator/clusterrolebinding.yaml",
            "Gives the ClusterRole to the operator.",
            (Document(_binding("ClusterRoleBinding", "ClusterRole", namespaced=False)),),
        ),
        Manifest(
            "operator/role.yaml",
            "Permissions in the release's namespace: the operands live here.",
            (Document(_object("Role", namespaced=True, rules=_namespace_rules())),),
        ),
        Manifest(
            "operator/rolebinding.yaml",
            "Gives the Role to the operator.",
            (Document(_binding("RoleBinding", "Role", namespaced=True)),),
        ),
    ]
