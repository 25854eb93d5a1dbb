"""What the cluster around the operator gets: the namespace, OpenShift's constraints, rules that label nodes, roles for people."""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.components import crds, metadata
from chartgen.components.operator import ACCOUNT, NAME
from chartgen.components.rbac import rule
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value, When, join

_READ = ("get", "list", "watch")
_WRITE = ("create", "update", "patch", "delete", "deletecollection")
_POD_SECURITY = "pod-security.kubernetes.io/"


def namespace() -> Manifest:
    """``namespace.yaml``."""
    level = Value("namespace.podSecurity", "privileged")
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": metadata.cluster(
            Builtin.NAMESPACE,
            helpers.merged_labels(
                {**metadata.COMPONENT, **{f"{_POD_SECURITY}{mode}": level for mode in ("enforce", "audit", "warn")}},
                "namespace.labels",
            ),
            metadata.annotated(Value("namespace.annotations"), metadata.KEEP),
        ),
    }
    about = (
        "The namespace of the release with the Pod Security labels that operands need, for tools that render the chart."
    )
    return Manifest("namespace.yaml", about, (Document(tree, conditions.On("namespace.create")),))


def security_context_constraints() -> Manifest:
    """``operator/securitycontextconstraints.yaml``."""
    tree: dict[str, Node] = {
        "apiVersion": "security.openshift.io/v1",
        "kind": "SecurityContextConstraints",
        "metadata": metadata.cluster(
            "restricted-readonly",
            annotations=metadata.annotated(
                {
                    "kubernetes.io/description": (
                        "No access to the host, user and SELinux context from the range of the namespace, and a root "
                        "filesystem that cannot be written."
                    )
                }
            ),
        ),
        "allowHostDirVolumePlugin": False,
        "allowHostIPC": False,
        "allowHostNetwork": False,
        "allowHostPID": False,
        "allowHostPorts": False,
        "allowPrivilegeEscalation": True,
        "allowPrivilegedContainer": False,
        "allowedCapabilities": [],
        "defaultAddCapabilities": [],
        "fsGroup": {"type": "MustRunAs"},
        "groups": ["system:authenticated"],
        "priority": 0,
        "readOnlyRootFilesystem": True,
        "requiredDropCapabilities": ["KILL", "MKNOD", "SETUID", "SETGID"],
        "runAsUser": {"type": "MustRunAsRange"},
        "seLinuxContext": {"type": "MustRunAs"},
        # Without it no pod that names a profile is let in, and the operator's does.
        "seccompProfiles": ["runtime/default"],
        "supplementalGroups": {"type": "RunAsAny"},
        "users": [join("system:serviceaccount:", Builtin.NAMESPACE, ":", ACCOUNT)],
        "volumes": ["configMap", "downwardAPI", "emptyDir", "persistentVolumeClaim", "projected", "secret"],
    }
    about = "OpenShift: the constraints that the operator's pod asks for by its annotation openshift.io/scc."
    condition = conditions.On("platform.openshift")
    return Manifest("operator/securitycontextconstraints.yaml", about, (Document(tree, condition),))


def node_feature_rule() -> Manifest:
    """``nodefeaturerule.yaml``."""
    tree: dict[str, Node] = {
        "apiVersion": "nfd.k8s-sigs.io/v1alpha1",
        "kind": "NodeFeatureRule",
        # The hook that deletes the CRDs may have deleted this kind before Helm comes to it.
        "metadata": metadata.cluster(
            "nvidia-kernel-modules", annotations=metadata.kept_while(crds.deleted(crds.NODE_FEATURES))
        ),
        "spec": {
            "rules": [
                _module("gdrdrv", "gdrcopy"),
                _module("nvidia_fs", "gds"),
                _module("nvidia_peermem", "peermem"),
            ]
        },
    }
    about = "Labels nodes on which the kernel modules of GDRCopy, GPUDirect Storage or peer memory are loaded."
    return Manifest("nodefeaturerule.yaml", about, (Document(tree, conditions.On("nfd.nodefeaturerules")),))


def _module(module: str, capability: str) -> Node:
    return {
        "name": f"kernel-module-{module}",
        "labels": {f"nvidia.com/{capability}.capable": "true"},
        "matchFeatures": [{"feature": "kernel.loadedmodule", "matchExpressions": {module: {"op": "Exists"}}}],
    }


def user_roles() -> Manifest:
    """``operator/userroles.yaml``."""
    kinds = ["clusterpolicies", "gpuclusters", "nvidiadrivers"]
    domains = ["computedomains", "computedomaincliques"]
    look = [rule("nvidia.com", kinds, *_READ), rule("resource.nvidia.com", domains, *_READ)]
    change = [
        rule("nvidia.com", kinds, *_READ, *_WRITE),
        # Cliques are written by the DRA driver alone.
        rule("resource.nvidia.com", domains[:1], *_READ, *_WRITE),
        rule("resource.nvidia.com", domains[1:], *_READ),
    ]
    about = "Roles for people: to look at the custom resources, and to change them."
    documents = (_user_role("view", ("view",), look), _user_role("edit", ("edit", "admin"), change))
    return Manifest("operator/userroles.yaml", about, documents)


def _user_role(name: str, into: Sequence[str], rules: Sequence[Node]) -> Document:
    aggregated = {f"rbac.authorization.k8s.io/aggregate-to-{role}": "true" for role in into}
    identity = metadata.cluster(f"{NAME}-{name}")
    identity["labels"] = When(
        conditions.On("userRoles.aggregate"),
        helpers.labels({**metadata.COMPONENT, **aggregated}),
        helpers.labels(metadata.COMPONENT),
    )
    tree: dict[str, Node] = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": identity,
        "rules": rules,
    }
    return Document(tree, conditions.On("userRoles.create"))
