"""Nodes that call a template of ``_helpers.tpl``, one function for each job; the templates stand in `chartgen.tree.helper_texts`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import Builtin, Extend, Helper, Node, Shape, Value, When


def labels(extra: Mapping[str, str | Builtin | Value]) -> Helper:
    """The labels of an object of this chart.

    Args:
        extra: labels that selectors depend on; no user label replaces them.
    """
    return Helper("labels", (extra,), Shape.YAML, root=True)


def merged_labels(extra: Mapping[str, str | Builtin | Value], path: str) -> Helper:
    """As `labels`, with the user's labels at a path between the chart's and `extra`."""
    return Helper("labels", (extra, Value(path)), Shape.YAML, root=True)


def pod_labels(extra: Mapping[str, str | Builtin | Value], path: str) -> Helper:
    """As `merged_labels`, for a pod that a new version of the chart is not to start anew."""
    return Helper("podLabels", (extra, Value(path)), Shape.YAML, root=True)


def hook(event: str, weight: int, policy: str) -> Helper:
    """The annotations of an object that belongs to a hook.

    Args:
        event: such as ``pre-upgrade``.
        weight: objects of a lower one come first.
        policy: when Helm deletes the object.
    """
    return Helper("hook", (event, str(weight), policy), Shape.YAML, root=True)


def merged(*maps: Mapping[str, str | Builtin | Value] | Value) -> Helper:
    """Maps merged into one of strings, later ones winning; absent when all of them are."""
    found = [conditions.Set(one.path) if isinstance(one, Value) else conditions.ALWAYS for one in maps]
    return Helper("strings", tuple(maps), Shape.YAML, presence=conditions.any_of(*found))


_GLOBAL_PULL_SECRETS = "global.imagePullSecrets"


def pull_secrets(*paths: str, of_pod: bool, also: Mapping[str, Condition] = MappingProxyType({})) -> Helper:
    """The pull secrets at the paths and those of ``global``: names in a custom resource, references in a pod.

    Args:
        paths: of lists of secrets.
        of_pod: whether references are wanted, and not names.
        also: further lists, which count while a condition holds.
    """
    there = {**dict.fromkeys(paths, conditions.ALWAYS), **also, _GLOBAL_PULL_SECRETS: conditions.ALWAYS}
    found = [conditions.all_of(condition, conditions.Set(path)) for path, condition in there.items()]
    arguments = (while_(condition, Value(path), ()) for path, condition in there.items())
    return Helper("pullSecrets" if of_pod else "names", tuple(arguments), Shape.YAML, conditions.any_of(*found))


def while_(condition: Condition, argument: Value, otherwise: str | tuple[()]) -> Value | When:
    """An argument that is another one while a condition does not hold."""
    return argument if condition == conditions.ALWAYS else When(condition, argument, otherwise)


def labelled(own: Mapping[str, Node], *maps: Value | When) -> Extend:
    """Labels of an object, and after them those of the user that have other keys; see `while_`."""
    found = conditions.any_of(*(_there(one) for one in maps))
    return Extend((own, Helper("othersThan", (tuple(own), *maps), Shape.YAML, found)))


def _there(argument: Node) -> Condition:
    """When a user's map is there, which may count only while a condition holds."""
    if isinstance(argument, When):
        return conditions.all_of(argument.condition, _there(argument.node))
    return conditions.Set(argument.path) if isinstance(argument, Value) else conditions.NEVER


def object_name(*parts: str | Value) -> Helper:
    """The name of an object from its parts; see the function of the same name in the templates."""
    return Helper("objectName", parts)


def driver_image(path: str, default_repository: str, kernel: str | Value | When, os: Value) -> Helper:
    """The image reference below a path, for a kernel ("" for none) and an operating system."""
    return Helper("driverImage", (*image(path, default_repository).arguments, kernel, os), root=True)


def file_mounts(config_map: str, folder: str, contents: str) -> Helper:
    """A mount for each file of a ConfigMap.

    Args:
        config_map: path of its name, which its volume has too.
        folder: where the files go, next to those that are there.
        contents: path of a map that holds the keys of each ConfigMap.
    """
    arguments = (Value(config_map), folder, Value(contents))
    return Helper("fileMounts", arguments, Shape.YAML, conditions.Set(config_map), root=True)


def commas(*paths: str) -> Helper:
    """The names in the lists at the paths, with commas between them; absent when the lists are."""
    presence = conditions.any_of(*(conditions.Set(path) for path in paths))
    return Helper("commas", tuple(Value(path) for path in paths), presence=presence)


def number(path: str) -> Helper:
    """A count as a number, a share such as 25% as a string."""
    return Helper("number", (Value(path),), Shape.PLAIN, conditions.Set(path))


def repository(path: str, default: str) -> Helper:
    """The repository at a path, moved to ``global.imageRegistry`` while it is at its default."""
    return Helper("repository", (Value(path), default), presence=conditions.Set(path), root=True)


def host_file(path: str, names: str, default: str, part: str = "") -> Helper:
    """A path of the host that the environment list at a path may give.

    Args:
        path: of the list.
        names: of the variables that may give it, in one string; the first that is set counts.
        default: the path when none does.
        part: "dir" or "base" for that part of it.
    """
    return Helper("hostFile", (Value(path), names, default, part), root=True)


def host_sources(path: str) -> Helper:
    """The environment list at a path, with the files that RUNTIME_CONFIG_SOURCE names moved below /host."""
    return Helper("hostSources", (Value(path),), Shape.YAML, conditions.Set(path))


def image(path: str, default_repository: str) -> Helper:
    """The image reference of the fields repository, image and version below a path."""
    return Helper("image", _image_fields(path, default_repository), root=True)


def release_image(path: str, default_repository: str, default_name: str) -> Helper:
    """As `image`, for an image that is released with the chart: what is left open is the chart's own.

    A whole reference in the field image, with repository and version empty, is still taken as it is.
    """
    arguments = (*_image_fields(path, default_repository), default_name, Builtin.APP_VERSION)
    return Helper("image", arguments, root=True)


def _image_fields(path: str, default_repository: str) -> tuple[Value | str, ...]:
    return Value(f"{path}.repository"), default_repository, Value(f"{path}.image"), Value(f"{path}.version")
