"""What the templates of ``_helpers.tpl`` compute, in Python: the twin of each, which evaluation calls.

`chartgen.tree.helpers` pairs them with their Go text. The first argument of those that read values is the context.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from chartgen.tree.context import Context


def text(value: Any) -> str:
    """A scalar as the string it spells; Helm reads whole numbers from files as floats."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value))
    return str(value)


def number(value: Any) -> int | str:
    """A count as a number, anything else as a string."""
    return int(text(value)) if re.fullmatch("0|[1-9][0-9]*", text(value)) else text(value)


def strings(maps: list[Any]) -> dict[str, str]:
    """Maps merged into one of strings: later ones win, nulls are left out."""
    merged: dict[str, str] = {}
    for one in maps:
        for key, value in (one or {}).items():
            if value is not None:
                merged[key] = text(value)
    return merged


def without_nulls(value: Any) -> Any:
    """A map or list without null members, at every depth."""
    if isinstance(value, Mapping):
        return {key: without_nulls(member) for key, member in value.items() if member is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def env(items: list[Any]) -> list[Any]:
    """Environment variables with string values; of two with one name the later gives the value and the first the place."""
    merged: dict[str, Any] = {}
    for item in items:
        merged[item["name"]] = {
            key: text(member) if key == "value" else without_nulls(member)
            for key, member in item.items()
            if member is not None
        }
    return list(merged.values())


def variable(items: Any, name: str) -> str:
    """The value of an environment variable as the string it spells; the last item of that name counts."""
    values = [text(item.get("value")) for item in items or [] if item["name"] == name]
    return values[-1] if values else ""


def twice(items: Any, member: str) -> str:
    """The values of a member that an item of a list has and one before it had too, one after the other."""
    values = [text((item or {}).get(member)) for item in items or []]
    return "".join(value for number, value in enumerate(values) if value in values[:number])


def overlaid(maps: list[Any]) -> dict[str, Any]:
    """Maps in one: of members with one name the last that is not null, as a whole."""
    return {key: value for one in maps for key, value in (one or {}).items() if value is not None}


def others_than(keys: list[str], *maps: Any) -> dict[str, str]:
    """Maps merged into one of strings as `strings` does, without some keys."""
    return {key: value for key, value in strings(list(maps)).items() if key not in keys}


def object_name(parts: list[Any]) -> str:
    """Parts of a name joined by dashes, the empty ones left out, in the letters that an object's name may have.

    A kernel version loses the processor architecture and its underscores: 5.14.0-503.el9_5.x86_64 is 5.14.0-503.el9.5.
    """
    plain = (re.sub(r"(x86_64|aarch64)(_64k)?", "", text(part)).replace("_", ".") for part in parts)
    return "-".join(filter(None, (part.removesuffix(".").lower() for part in plain)))


def names(lists: list[Any]) -> list[str]:
    """Lists of references as one list of bare names, each once."""
    found = [item["name"] if isinstance(item, Mapping) else item for one in lists for item in one or []]
    return list(dict.fromkeys(found))


def relabelings(items: list[Any]) -> list[Any]:
    """Relabelings with the action that the API server would fill in."""
    return [{**without_nulls(item), "action": item.get("action") or "replace"} for item in items]


def chart_label(context: Context) -> str:
    """The value of ``helm.sh/chart``."""
    return f"{context.chart_name}-{context.chart_version}".replace("+", "_")[:63].removesuffix("-")


def name_label(context: Context) -> str:
    """The value of ``app.kubernetes.io/name``."""
    return text(context.values.get("nameOverride") or context.chart_name)[:63].removesuffix("-")


def labels(context: Context, extra: Mapping[str, str], more: Any = None) -> dict[str, str]:
    """The labels of an object, the later of two with one key winning."""
    operator = context.values.get("operator") or {}
    common = {
        "app.kubernetes.io/name": name_label(context),
        "helm.sh/chart": chart_label(context),
        "app.kubernetes.io/instance": context.release_name,
        "app.kubernetes.io/version": context.app_version,
        "app.kubernetes.io/managed-by": context.release_service,
    }
    return strings([common, context.values.get("commonLabels"), operator.get("labels"), more, extra])


def pod_labels(context: Context, extra: Mapping[str, str], more: Any = None) -> dict[str, str]:
    """The labels of a pod: those of an object without the chart's version."""
    return {key: value for key, value in labels(context, extra, more).items() if key != "helm.sh/chart"}


def hook(context: Context, event: str, weight: str, policy: str) -> dict[str, str]:
    """The annotations of a hook."""
    own = {"helm.sh/hook": event, "helm.sh/hook-weight": weight, "helm.sh/hook-delete-policy": policy}
    return strings([context.values.get("commonAnnotations"), own])


def repository(context: Context, value: Any, default: str) -> str:
    """A repository; one at its default moves to ``global.imageRegistry``."""
    registry = str((context.values.get("global") or {}).get("imageRegistry") or "").removesuffix("/")
    if registry and value == default:
        return f"{registry}/{default.split('/', 1)[1]}" if "/" in default else registry
    return text(value)


def image(context: Context, given: Any, default: str, *parts: Any) -> str:
    """An image reference; a digest is joined with @.

    Args:
        context: what the template sees.
        given: the repository.
        default: what the repository is by default.
        parts: name and version, and those that the release has for gaps.
    """
    name, version, *released = parts
    tag = text(version)
    if released and (given or not name):
        given, name, tag = given or default, name or released[0], tag or released[1]
    place = repository(context, given, default)
    reference = f"{place}/{text(name)}" if place else text(name)
    if not tag:
        return reference
    return reference + ("@" if tag.startswith("sha256:") else ":") + tag


def host_file(context: Context, items: Any, names: str, default: str, part: str) -> str:
    """A path that an environment list may give, or its dir or base."""
    given = {item["name"]: text(item.get("value")) for item in items or []}
    path = next((given[name] for name in names.split() if given.get(name)), default)
    folder, _, name = path.rstrip("/").rpartition("/") if part == "base" else path.rpartition("/")
    if part == "base":
        return name or "/"
    return _clean(folder or "/" * path.startswith("/")) if part == "dir" else path


def _clean(path: str) -> str:
    """As Go's path.Clean."""
    cleaned = posixpath.normpath(path)
    return "/" + cleaned.lstrip("/") if cleaned.startswith("/") else cleaned


def host_sources(context: Context, items: Any) -> list[Any]:
    """An environment list in which RUNTIME_CONFIG_SOURCE names files as a container finds them."""
    return [_host_source(item) if item["name"] == "RUNTIME_CONFIG_SOURCE" else item for item in items or []]


def _host_source(item: Mapping[str, Any]) -> dict[str, Any]:
    return {**item, "value": re.sub(r"(^|,)file=/*", r"\1file=/host/", text(item.get("value")))}


def driver_image(context: Context, *parts: Any) -> str:
    """An image whose tag ends in a kernel, if one is given, and an operating system.

    Args:
        context: what the template sees.
        parts: those of `image`, then the kernel, then the operating system.
    """
    *reference, kernel, system = parts
    plain = image(context, *reference)
    if "sha256:" in plain:
        return plain
    release = re.sub(r"^((?:ol|rocky|rhel)[0-9]+)[.].*$", r"\1", text(system))
    return "-".join(part for part in (plain, kernel, release) if part)


def file_mounts(context: Context, name: Any, folder: str, contents: Any) -> list[dict[str, Any]]:
    """A mount for each file of a ConfigMap."""
    return [
        {"name": name, "mountPath": f"{folder}/{key}", "subPath": key, "readOnly": True}
        for key in (contents or {}).get(name) or []
    ]
