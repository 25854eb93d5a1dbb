"""The templates of ``_helpers.tpl``, each with its Python twin.

One string, list or map each; none makes a pod or a container. There are more than eight, because reading a version, a
label map, an environment list and pull secrets kindly are four jobs that occur in nearly every template. The Go text is written with ``CHART`` for the chart's
name, so that the subchart has its own set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.tree import twins


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


DEFINITIONS: Mapping[str, Definition] = {
    "text": Definition(
        "A scalar as the string it spells, null as the empty string. Helm reads whole numbers from files as floats.",
        """\
{{- if kindIs "float64" . }}{{ int64 . }}{{ else if not (kindIs "invalid" .) }}{{ . }}{{ end -}}""",
        lambda context, value: twins.text(value),
    ),
    "number": Definition(
        "A count as a number, anything else as a string.",
        """\
{{- $text := include "CHART.text" . }}
{{- regexMatch "^(0|[1-9][0-9]*)$" $text | ternary $text ($text | quote) }}""",
        lambda context, value: twins.number(value),
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
        lambda context, maps: twins.strings(maps),
        ("text",),
    ),
    "pruned": Definition(
        "Takes the nulls out of a map or list, which is changed by that; yields nothing.",
        """\
{{- $value := . }}
{{- range $key, $member := . }}
  {{- if kindIs "invalid" $member }}
    {{- $_ := unset $value $key }}
  {{- else if or (kindIs "map" $member) (kindIs "slice" $member) }}
    {{- include "CHART.pruned" $member }}
  {{- end }}
{{- end }}""",
        lambda context, value: "",
    ),
    "yaml": Definition(
        "A map or list as YAML, without its nulls. Others read the same values, so these stay as they are.",
        """\
{{- $value := . }}
{{- if contains ":null" (toJson .) }}
  {{- $value = deepCopy . }}
  {{- include "CHART.pruned" $value }}
{{- end }}
{{- toYaml $value }}""",
        lambda context, value: twins.without_nulls(value),
        ("pruned",),
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
        lambda context, items: twins.env(items),
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
        lambda context, items, name: twins.variable(items, name),
        ("text",),
    ),
    "twice": Definition(
        "The values of a member that an item of a list has and one before it had too, one after the other.",
        """\
{{- $seen := dict }}
{{- range $item := index . 0 }}
  {{- $value := include "CHART.text" (get ($item | default dict) (index $ 1)) }}
  {{- if hasKey $seen $value }}
    {{- $value }}
  {{- end }}
  {{- $_ := set $seen $value true }}
{{- end }}""",
        lambda context, arguments: twins.twice(*arguments),
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
        lambda context, lists: twins.names(lists),
    ),
    "commas": Definition(
        "Lists of references, given as names or as {name: x}, as one string of names, each once, with commas between.",
        """\
{{- include "CHART.names" . | fromYamlArray | join "," }}""",
        lambda context, lists: ",".join(twins.names(lists)),
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
        lambda context, lists: [{"name": name} for name in twins.names(lists)],
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
        lambda context, items: twins.relabelings(items),
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
        twins.hook,
        ("strings",),
    ),
    "labels": Definition(
        "The labels of an object: the standard ones, commonLabels, operator.labels, the third argument, the second; later ones win.",
        """\
{{- $args := kindIs "slice" . | ternary . (list . dict) }}
{{- $root := index $args 0 }}
{{- $common := dict
  "app.kubernetes.io/name" ($root.Values.nameOverride | default $root.Chart.Name | trunc 63 | trimSuffix "-")
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/instance" $root.Release.Name
  "app.kubernetes.io/version" $root.Chart.AppVersion
  "app.kubernetes.io/managed-by" $root.Release.Service }}
{{- include "CHART.strings" (list $common $root.Values.commonLabels ($root.Values.operator).labels (slice $args 2 | first) (index $args 1)) }}""",
        twins.labels,
        ("strings",),
    ),
    "podLabels": Definition(
        "The labels of a pod: those of an object but for the chart's version, which would start the pod anew with each release.",
        """\
{{- include "CHART.strings" (list (omit (include "CHART.labels" . | fromYaml) "helm.sh/chart")) }}""",
        twins.pod_labels,
        ("labels", "strings"),
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
        twins.host_file,
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
        twins.host_sources,
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
        twins.repository,
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
        twins.image,
        ("repository", "text"),
    ),
    "driverImage": Definition(
        "The image of a driver: its tag ends in the kernel, if one is given, and the operating system; a digest stays as it is.",
        """\
{{- $image := include "CHART.image" (slice . 0 5) }}
{{- $release := regexReplaceAll "^((?:ol|rocky|rhel)[0-9]+)[.].*$" (index . 6 | default "") "${1}" }}
{{- contains "sha256:" $image | ternary $image (list $image (index . 5) $release | compact | join "-") }}""",
        twins.driver_image,
        ("image",),
    ),
    "fileMounts": Definition(
        "A mount for each file of a ConfigMap, named like its volume, in a folder that keeps its other files.",
        """\
{{- $name := index . 1 }}
{{- $folder := index . 2 }}
{{- $mounts := list }}
{{- range get (index . 3 | default dict) $name | default list }}
  {{- $mounts = append $mounts (dict "name" $name "mountPath" (printf "%s/%s" $folder .) "subPath" . "readOnly" true) }}
{{- end }}
{{- with $mounts }}{{ toYaml . }}{{ end }}""",
        twins.file_mounts,
    ),
    "objectName": Definition(
        "Parts of an object's name joined by dashes; a kernel version without its processor architecture and underscores.",
        """\
{{- $parts := list }}
{{- range . }}
  {{- $part := regexReplaceAll "(x86_64|aarch64)(_64k)?" (include "CHART.text" .) "" | replace "_" "." | trimSuffix "." | lower }}
  {{- $parts = append $parts $part }}
{{- end }}
{{- compact $parts | join "-" }}""",
        lambda context, parts: twins.object_name(parts),
        ("text",),
    ),
    "othersThan": Definition(
        "Maps merged into one of strings, without the keys of the first argument; nothing when none is left.",
        """\
{{- $merged := include "CHART.strings" (rest .) | printf "%s\\n" | fromYaml }}
{{- range first . }}
  {{- $_ := unset $merged . }}
{{- end }}
{{- with $merged }}{{ toYaml . }}{{ end }}""",
        lambda context, arguments: twins.others_than(*arguments),
        ("strings",),
    ),
    "overlaid": Definition(
        "Maps in one, as JSON: of members with one name the last that is not null, as a whole.",
        """\
{{- $merged := dict }}
{{- range . }}
  {{- range $key, $value := . }}
    {{- if not (kindIs "invalid" $value) }}
      {{- $_ := set $merged $key $value }}
    {{- end }}
  {{- end }}
{{- end }}
{{- toJson $merged }}""",
        lambda context, maps: twins.overlaid(maps),
    ),
}

# Helpers whose arguments are one list.
VARIADIC = ("twice", "strings", "names", "commas", "pullSecrets", "objectName", "othersThan", "overlaid")
