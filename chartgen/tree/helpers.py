"""The templates of ``_helpers.tpl``, each beside its Python twin.

One string, list or map each; none makes a pod or a container. There are more than eight, because reading a version, a
label map, an environment list and pull secrets kindly are four jobs that occur in nearly every template. The Go text is written with ``CHART`` for the chart's
name, so that the subchart has its own set.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.schema import conditions
from chartgen.tree.context import Context
from chartgen.tree.nodes import Builtin, Helper, Shape, Value


@dataclass(frozen=True)
class Definition:
    """A helper.

    Attributes:
        about: the comment above it.
        go: its body.
        twin: what it computes; the first argument is the context.
        needs: other helpers that its body calls.
    """

    about: str
    go: str
    twin: Callable[..., Any]
    needs: tuple[str, ...] = ()


def text(value: Any) -> str:
    """A scalar as the string it spells; Helm reads whole numbers from files as floats."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value))
    return str(value)


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


def names(lists: list[Any]) -> list[str]:
    """Lists of references as one list of bare names, each once."""
    found = [item["name"] if isinstance(item, Mapping) else item for one in lists for item in one or []]
    return list(dict.fromkeys(found))


def relabelings(items: list[Any]) -> list[Any]:
    """Relabelings with the action that the API server would fill in."""
    return [{"action": "replace", **without_nulls(item)} for item in items]


def chart_label(context: Context) -> str:
    """The value of ``helm.sh/chart``."""
    return f"{context.chart_name}-{context.chart_version}".replace("+", "_")[:63].removesuffix("-")


def name_label(context: Context) -> str:
    """The value of ``app.kubernetes.io/name``."""
    return text(context.values.get("nameOverride") or context.chart_name)[:63].removesuffix("-")


def _labels(context: Context, extra: Mapping[str, str], more: Any = None) -> dict[str, str]:
    operator = context.values.get("operator") or {}
    common = {
        "app.kubernetes.io/name": name_label(context),
        "helm.sh/chart": chart_label(context),
        "app.kubernetes.io/instance": context.release_name,
        "app.kubernetes.io/version": context.app_version,
        "app.kubernetes.io/managed-by": context.release_service,
    }
    return strings([common, context.values.get("commonLabels"), operator.get("labels"), more, extra])


def _hook(context: Context, event: str, weight: str, policy: str) -> dict[str, str]:
    own = {"helm.sh/hook": event, "helm.sh/hook-weight": weight, "helm.sh/hook-delete-policy": policy}
    return strings([context.values.get("commonAnnotations"), own])


def _repository(context: Context, value: Any, default: str) -> str:
    registry = str((context.values.get("global") or {}).get("imageRegistry") or "").removesuffix("/")
    if registry and value == default:
        return f"{registry}/{default.split('/', 1)[1]}" if "/" in default else registry
    return text(value)


def _image(context: Context, repository: Any, default: str, name: Any, version: Any, *released: str) -> str:
    tag = text(version)
    if released and (repository or not name):
        repository, name, tag = repository or default, name or released[0], tag or released[1]
    place = _repository(context, repository, default)
    reference = f"{place}/{text(name)}" if place else text(name)
    if not tag:
        return reference
    return reference + ("@" if tag.startswith("sha256:") else ":") + tag


def _host_file(context: Context, items: Any, names: str, default: str, part: str) -> str:
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


def _host_sources(context: Context, items: Any) -> list[Any]:
    return [_host_source(item) if item["name"] == "RUNTIME_CONFIG_SOURCE" else item for item in items or []]


def _host_source(item: Mapping[str, Any]) -> dict[str, Any]:
    return {**item, "value": re.sub(r"(^|,)file=/*", r"\1file=/host/", text(item.get("value")))}


DEFINITIONS: Mapping[str, Definition] = {
    "text": Definition(
        "A scalar as the string it spells, null as the empty string. Helm reads whole numbers from files as floats.",
        """\
{{- if kindIs "float64" . }}{{ int64 . }}{{ else if not (kindIs "invalid" .) }}{{ . }}{{ end -}}""",
        lambda context, value: text(value),
    ),
    "number": Definition(
        "A count as a number, anything else as a string.",
        """\
{{- $text := include "CHART.text" . }}
{{- regexMatch "^(0|[1-9][0-9]*)$" $text | ternary $text ($text | quote) }}""",
        lambda context, value: int(text(value)) if re.fullmatch("0|[1-9][0-9]*", text(value)) else text(value),
        ("text",),
    ),
    "strings": Definition(
        "A list of maps as one map of strings: later maps win, nulls are left out.",
        """\
{{- $merged := dict }}
{{- range . }}
  {{- range $key, $value := . }}
    {{- if not (kindIs "invalid" $value) }}
      {{- $_ := set $merged $key (include "CHART.text" $value) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- toYaml $merged }}""",
        lambda context, maps: strings(maps),
        ("text",),
    ),
    "yaml": Definition(
        "A map or list as YAML, without its nulls.",
        """\
{{- $value := . }}
{{- range $key, $member := . }}
  {{- if kindIs "invalid" $member }}
    {{- $_ := unset $value $key }}
  {{- else if or (kindIs "map" $member) (kindIs "slice" $member) }}
    {{- $_ := include "CHART.yaml" $member }}
  {{- end }}
{{- end }}
{{- toYaml $value }}""",
        lambda context, value: without_nulls(value),
    ),
    "env": Definition(
        "A list of environment variables: values as strings; of two with one name the later gives the value, the first the place.",
        """\
{{- $byName := dict }}
{{- range . }}
  {{- $_ := set $byName .name (omit . "value") }}
  {{- if not (kindIs "invalid" .value) }}
    {{- $_ := set (get $byName .name) "value" (include "CHART.text" .value) }}
  {{- end }}
{{- end }}
{{- $merged := list }}
{{- range . }}
  {{- with get $byName .name }}
    {{- $merged = append $merged . }}
    {{- $_ := unset $byName .name }}
  {{- end }}
{{- end }}
{{- include "CHART.yaml" $merged }}""",
        lambda context, items: env(items),
        ("text", "yaml"),
    ),
    "variable": Definition(
        "The value that a list of environment variables gives a name, as the string it spells; the last item of that name counts.",
        """\
{{- $name := index . 2 }}
{{- $value := "" }}
{{- range index . 1 }}
  {{- if eq .name $name }}
    {{- $value = include "CHART.text" .value }}
  {{- end }}
{{- end }}
{{- $value }}""",
        lambda context, items, name: variable(items, name),
        ("text",),
    ),
    "names": Definition(
        "Lists of references, given as names or as {name: x}, as one list of names, each once.",
        """\
{{- $names := list }}
{{- range . }}
  {{- range . }}
    {{- if kindIs "map" . }}
      {{- $names = append $names .name }}
    {{- else }}
      {{- $names = append $names . }}
    {{- end }}
  {{- end }}
{{- end }}
{{- toYaml (uniq $names) }}""",
        lambda context, lists: names(lists),
    ),
    "commas": Definition(
        "Lists of references, given as names or as {name: x}, as one string of names, each once, with commas between.",
        """\
{{- include "CHART.names" . | fromYamlArray | join "," }}""",
        lambda context, lists: ",".join(names(lists)),
        ("names",),
    ),
    "pullSecrets": Definition(
        "Lists of references as the imagePullSecrets of a pod.",
        """\
{{- $secrets := list }}
{{- range include "CHART.names" . | fromYamlArray }}
  {{- $secrets = append $secrets (dict "name" .) }}
{{- end }}
{{- toYaml $secrets }}""",
        lambda context, lists: [{"name": name} for name in names(lists)],
        ("names",),
    ),
    "relabelings": Definition(
        "A list of relabelings, each with the action that the API server would fill in.",
        """\
{{- $relabelings := list }}
{{- range . }}
  {{- $relabelings = append $relabelings (merge (dict "action" (.action | default "replace")) (omit . "action")) }}
{{- end }}
{{- include "CHART.yaml" $relabelings }}""",
        lambda context, items: relabelings(items),
        ("yaml",),
    ),
    "resourceThere": Definition(
        "The condition of kubectl wait that a node offers a resource; dots in its name are not those of a path.",
        """\
{{- printf "--for=jsonpath={.status.allocatable.%s}" (replace "." "\\\\." .) -}}""",
        lambda context, resource: "--for=jsonpath={.status.allocatable." + resource.replace(".", "\\.") + "}",
    ),
    "hook": Definition(
        "The annotations of an object that belongs to a hook: commonAnnotations, and event, weight and delete policy on top.",
        """\
{{- $hook := dict
  "helm.sh/hook" (index . 1)
  "helm.sh/hook-weight" (index . 2)
  "helm.sh/hook-delete-policy" (index . 3) }}
{{- include "CHART.strings" (list (index . 0).Values.commonAnnotations $hook) }}""",
        _hook,
        ("strings",),
    ),
    "labels": Definition(
        "The labels of an object: the standard ones, commonLabels, operator.labels, the third argument, the second; later ones win.",
        """\
{{- $root := index . 0 }}
{{- $common := dict
  "app.kubernetes.io/name" ($root.Values.nameOverride | default $root.Chart.Name | trunc 63 | trimSuffix "-")
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/instance" $root.Release.Name
  "app.kubernetes.io/version" $root.Chart.AppVersion
  "app.kubernetes.io/managed-by" $root.Release.Service }}
{{- include "CHART.strings" (list $common $root.Values.commonLabels ($root.Values.operator).labels (slice . 2 | first) (index . 1)) }}""",
        _labels,
        ("strings",),
    ),
    "hostFile": Definition(
        "A path that an environment list may give, under the first of some names that it sets, else the default: the path, its dir or its base.",
        """\
{{- $path := "" }}
{{- range $name := splitList " " (index . 2) }}
  {{- $given := "" }}
  {{- range index $ 1 }}
    {{- if eq .name $name }}
      {{- $given = include "CHART.text" .value }}
    {{- end }}
  {{- end }}
  {{- $path = $path | default $given }}
{{- end }}
{{- $path = $path | default (index . 3) }}
{{- if eq (index . 4) "dir" }}
  {{- dir $path }}
{{- else if eq (index . 4) "base" }}
  {{- base $path }}
{{- else }}
  {{- $path }}
{{- end }}""",
        _host_file,
        ("text",),
    ),
    "hostSources": Definition(
        "An environment list in which RUNTIME_CONFIG_SOURCE names files of the host as a container finds them, below /host.",
        """\
{{- $items := list }}
{{- range . }}
  {{- if eq .name "RUNTIME_CONFIG_SOURCE" }}
    {{- $value := regexReplaceAll "(^|,)file=/*" (include "CHART.text" .value) "${1}file=/host/" }}
    {{- $items = append $items (dict "name" .name "value" $value) }}
  {{- else }}
    {{- $items = append $items . }}
  {{- end }}
{{- end }}
{{- toYaml $items }}""",
        _host_sources,
        ("text",),
    ),
    "repository": Definition(
        "A repository. One left at its default moves to global.imageRegistry, when that is set.",
        """\
{{- $root := index . 0 }}
{{- $repository := index . 1 | default "" }}
{{- $default := index . 2 }}
{{- $registry := ($root.Values.global).imageRegistry | default "" | trimSuffix "/" }}
{{- if and $registry (eq $repository $default) }}
  {{- $registry }}
  {{- with splitList "/" $default | rest | join "/" }}/{{ . }}{{ end }}
{{- else }}
  {{- $repository }}
{{- end }}""",
        _repository,
    ),
    "image": Definition(
        "An image reference of repository, its default, name and version, and the name and version that the release has for gaps.",
        """\
{{- $repository := index . 1 }}
{{- $name := index . 3 }}
{{- $version := include "CHART.text" (index . 4) }}
{{- if and (gt (len .) 5) (or $repository (not $name)) }}
  {{- $repository = $repository | default (index . 2) }}
  {{- $name = $name | default (index . 5) }}
  {{- $version = $version | default (index . 6) }}
{{- end }}
{{- $reference := $name | default "" }}
{{- with include "CHART.repository" (list (index . 0) $repository (index . 2)) }}
  {{- $reference = printf "%s/%s" . $reference }}
{{- end }}
{{- with $version }}
  {{- $reference = printf "%s%s%s" $reference (hasPrefix "sha256:" . | ternary "@" ":") . }}
{{- end }}
{{- $reference }}""",
        _image,
        ("repository", "text"),
    ),
}


def labels(extra: Mapping[str, str | Builtin | Value]) -> Helper:
    """The labels of an object of this chart.

    Args:
        extra: labels that selectors depend on; no user label replaces them.
    """
    return Helper("labels", (extra,), Shape.YAML, root=True)


def merged_labels(extra: Mapping[str, str | Builtin | Value], path: str) -> Helper:
    """As `labels`, with the user's labels at a path between the chart's and `extra`."""
    return Helper("labels", (extra, Value(path)), Shape.YAML, root=True)


def hook(event: str, weight: int, policy: str) -> Helper:
    """The annotations of an object that belongs to a hook.

    Args:
        event: such as ``pre-upgrade``.
        weight: objects of a lower one come first.
        policy: when Helm deletes the object.
    """
    return Helper("hook", (event, str(weight), policy), Shape.YAML, root=True)


# Helpers whose arguments are one list.
VARIADIC = ("strings", "names", "commas", "pullSecrets")


def merged(*maps: Mapping[str, str | Builtin | Value] | Value) -> Helper:
    """Maps merged into one of strings, later ones winning; absent when all of them are."""
    found = [conditions.Set(one.path) if isinstance(one, Value) else conditions.ALWAYS for one in maps]
    return Helper("strings", tuple(maps), Shape.YAML, presence=conditions.any_of(*found))


_GLOBAL_PULL_SECRETS = "global.imagePullSecrets"


def pull_secrets(*paths: str, of_pod: bool) -> Helper:
    """The pull secrets at the paths and those of ``global``: names in a custom resource, references in a pod."""
    every = (*paths, _GLOBAL_PULL_SECRETS)
    presence = conditions.any_of(*(conditions.Set(path) for path in every))
    return Helper("pullSecrets" if of_pod else "names", tuple(Value(path) for path in every), Shape.YAML, presence)


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
