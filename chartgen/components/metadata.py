"""Names, labels and annotations of the chart's objects: the one place that knows what all of them carry.

Every object has the standard labels, `commonLabels` and `commonAnnotations`. What Helm or a selector goes by is merged
last, so that no user's label or annotation of the same key can take its place, and no key stands there twice.
"""

from __future__ import annotations

from collections.abc import Mapping

from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Extend, Helper, Node, Value, When

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


def released(tree: Mapping[str, Node]) -> dict[str, Node]:
    """An operand's object as a part of the release: with what every object of the chart carries.

    The operator makes the same object without these labels, which are those of a Helm release. They stay out of pod
    templates: a new version of the chart must not restart anything.

    Args:
        tree: the object; its labels are absent, literal, or literal ones merged with the user's.
    """
    own = tree["metadata"]
    if not isinstance(own, Mapping):
        raise TypeError("an object's metadata is a mapping")
    members = dict(own)
    members["labels"] = _released_labels(members.get("labels", {}))
    annotations = members.get("annotations")
    if annotations is None:
        members["annotations"] = Value("commonAnnotations")
    elif isinstance(annotations, Helper) and annotations.name == "strings":
        members["annotations"] = annotated(*(one for one in annotations.arguments if isinstance(one, Mapping | Value)))
    elif isinstance(annotations, Mapping):
        members["annotations"] = annotated(_strings(annotations))
    return {**tree, "metadata": members}


def _released_labels(own: Node) -> Node:
    """The standard labels with an object's own on top, which selectors may depend on."""
    if isinstance(own, Mapping):
        return helpers.labels(_strings(own))
    if isinstance(own, Extend):
        return _with_standard_labels(own)
    if not isinstance(own, Helper) or own.name != "strings":
        return own
    literal = {key: value for one in own.arguments if isinstance(one, Mapping) for key, value in one.items()}
    users = [one for one in own.arguments if isinstance(one, Value)]
    return Helper("labels", (literal, *users), own.shape, root=True)


def _with_standard_labels(own: Extend) -> Extend:
    """Labels made by `helpers.labelled`, with the standard ones among those that its own keys win over."""
    *literal, others = own.parts
    if not isinstance(others, Helper):
        raise TypeError("labels of parts end with those of the user")
    keys, *maps = others.arguments
    return Extend((*literal, Helper(others.name, (keys, helpers.labels({}), *maps), others.shape)))


def _strings(members: Mapping[str, Node]) -> dict[str, str]:
    """A literal mapping of strings, which is all that labels and annotations can be."""
    return {key: value for key, value in members.items() if isinstance(value, str)}
