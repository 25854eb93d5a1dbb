"""Fields that the API server does not let anybody change once an object is there.

An upgrade that changes one is refused by the cluster, in the middle of it, while helm was content with every render.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from chartgen.harness import compare

_KEPT = re.compile(r"self(?:\.(\w+))? == oldSelf(?:\.(\w+))?")

# API group and kind -> paths that stay as they are.
_FIELDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("apps", "Deployment"): ("spec.selector",),
    ("apps", "DaemonSet"): ("spec.selector",),
    ("apps", "ReplicaSet"): ("spec.selector",),
    ("batch", "Job"): (
        "spec.selector",
        "spec.template",
        "spec.completionMode",
        "spec.podFailurePolicy",
        "spec.managedBy",
    ),
    ("", "Service"): ("spec.clusterIP",),
    ("", "PersistentVolume"): ("spec.csi", "spec.hostPath", "spec.local", "spec.nfs"),
    ("", "Secret"): ("type",),
    ("rbac.authorization.k8s.io", "RoleBinding"): ("roleRef",),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): ("roleRef",),
    ("storage.k8s.io", "StorageClass"): ("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"),
    ("node.k8s.io", "RuntimeClass"): ("handler",),
    ("scheduling.k8s.io", "PriorityClass"): ("value", "preemptionPolicy"),
    ("networking.k8s.io", "IngressClass"): ("spec.controller",),
    ("resource.k8s.io", "ResourceClaim"): ("spec",),
    ("resource.k8s.io", "ResourceClaimTemplate"): ("spec",),
    ("apiextensions.k8s.io", "CustomResourceDefinition"): ("spec.group", "spec.scope", "spec.names.plural"),
}
# API group and kind -> the only members of its spec that may change.
_CHANGEABLE: Mapping[tuple[str, str], frozenset[str]] = {
    ("apps", "StatefulSet"): frozenset(
        (
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds",
        )
    ),
    ("", "PersistentVolumeClaim"): frozenset(("resources", "volumeAttributesClassName")),
}
# What the API server puts there when nobody says anything, as far as that may be said, too.
_DEFAULTS: Mapping[str, str] = {
    "type": "Opaque",
    "reclaimPolicy": "Delete",
    "volumeBindingMode": "Immediate",
    "preemptionPolicy": "PreemptLowerPriority",
    "spec.completionMode": "NonIndexed",
}
# What the API server chooses, and keeps when it is not named.
_ALLOCATED = "spec.clusterIP"


def changes(
    before: Mapping[str, Any], after: Mapping[str, Any], openapi: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, str, str]]:
    """The immutable fields in which two versions of an object differ.

    Args:
        before: the object as it is in the cluster.
        after: what it is to become.
        openapi: the schema of a custom resource, whose rules may forbid changes; None for other kinds.

    Yields:
        (path, before as text, after as text).
    """
    version = str(after.get("apiVersion"))
    kind = (version.rpartition("/")[0], str(after.get("kind")))
    paths = list(_FIELDS.get(kind, ()))
    if kind in _CHANGEABLE:
        names = {*(before.get("spec") or {}), *(after.get("spec") or {})}
        paths += [f"spec.{name}" for name in sorted(names - _CHANGEABLE[kind])]
    if kind[1] in ("ConfigMap", "Secret") and before.get("immutable") is True:
        paths += ["data", "binaryData", "immutable"]
    for path in paths:
        left, right = _at(before, path), _at(after, path)
        if path == _ALLOCATED and right is None:
            continue
        yield from compare.differences(_or_default(left, path), _or_default(right, path), path)
    for path in _kept(openapi, "") if openapi else ():
        left, right = _at(before, path), _at(after, path)
        # Such a rule is not asked about what was not there before, nor about what is gone.
        if left is not None and right is not None:
            yield from compare.differences(left, right, path)


def _kept(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    """The paths that rules of a CRD hold to their old value."""
    for rule in schema.get("x-kubernetes-validations") or []:
        match = _KEPT.fullmatch(str(rule.get("rule")).strip())
        if match and match[1] == match[2]:
            yield compare.join(path, match[1]) if match[1] else path
    for name, member in (schema.get("properties") or {}).items():
        yield from _kept(member, compare.join(path, name))


def _at(content: Any, path: str) -> Any:
    """The value at a path, as far as it is a path of members; None where there is nothing."""
    for name in path.split("."):
        content = content.get(name) if isinstance(content, Mapping) else None
    return content


def _or_default(value: Any, path: str) -> Any:
    return _DEFAULTS.get(path) if value is None else value
