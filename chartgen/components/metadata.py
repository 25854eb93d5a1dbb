"""Names, labels and annotations of the chart's objects: the one place that knows what all of them carry.

Every object has the standard labels, `commonLabels` and `commonAnnotations`. What Helm or a selector goes by is merged
last, so that no user's label or annotation of the same key can take its place, and no key stands there twice.
"""

from __future__ import annotations

from collections.abc import Mapping

from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Helper, Node, Value, When

# Part of the interface: selectors and users' tools find the chart's objects by it.
COMPONENT = {"app.kubernetes.io/component": "gpu-operator"}
KEEP = {"helm.sh/resource-policy": "keep"}


def cluster(name: Node, labels: Helper | None = None, annotations: Node | None = None) -> dict[str, Node]:
    """The metadata of an object of the whole cluster.

    Args:
        name: its name.
        labels: when they are more than those that every object has; see `helpers.labels`.
        annotations: when they are more than those that every object has; see `annotated`.
    """
    return {
        "name": name,
        "labels": helpers.labels(COMPONENT) if labels is None else labels,
        "annotations": Value("commonAnnotations") if annotations is None else annotations,
    }


def namespaced(name: Node, labels: Helper | None = None, annotations: Node | None = None) -> dict[str, Node]:
    """As `cluster`, for an object in the namespace of the release."""
    members = cluster(name, labels, annotations)
    return {"name": members.pop("name"), "namespace": Builtin.NAMESPACE, **members}


def annotated(*own: Mapping[str, str | Builtin | Value] | Value) -> Helper:
    """The annotations that every object has, with an object's own on top; later ones win."""
    return helpers.merged(Value("commonAnnotations"), *own)


def kept_while(condition: Condition) -> Node:
    """The annotations that every object has, and while the condition holds the one that makes Helm leave the object."""
    return When(condition, annotated(KEEP), Value("commonAnnotations"))


def kept() -> Helper:
    """The annotations that every object has, and the one that makes Helm leave the object in the cluster."""
    return annotated(KEEP)


def hook(event: str, weight: int) -> Helper:
    """The annotations of an object that belongs to a hook.

    A hook's objects go when all of the event's hooks succeeded, and before they are made anew. Argo CD reads the same
    annotations: pre-install and pre-upgrade are its PreSync, the weight is the wave.

    Args:
        event: such as ``pre-upgrade``.
        weight: objects of a lower one come first.
    """
    return helpers.hook(event, weight, "hook-succeeded,before-hook-creation")
