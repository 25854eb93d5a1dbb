"""The subchart's own helpers: names, labels, the image, and a program's configuration file.

They stand beside those that every chart has (`chartgen.tree.helpers`), which they call. NFD's chart names and labels its
objects differently from the parent chart, and selectors cannot be changed on an upgrade, so both keep their own ways.

``document`` writes YAML itself, because what `toYaml` makes of a value depends on the version of Helm: the checksum on the
pods is taken of this text, and pods should not start anew because somebody updated Helm.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from chartgen.tree import helper_texts, twins
from chartgen.tree.context import Context
from chartgen.tree.helper_texts import Definition

_LONGEST = 63
_PLAIN_KEY = r"^[A-Za-z][A-Za-z0-9_.-]*$"
# Words that a YAML reader could take for a boolean or null.
_WORDS = r"(?i)^(y|n|yes|no|on|off|true|false|null)$"


def fullname(context: Context, suffix: str) -> str:
    """The name of an object: what all names start with, cut so that the suffix still fits."""
    values = context.values
    name = values.get("nameOverride") or context.chart_name
    given = context.release_name if name in context.release_name else f"{context.release_name}-{name}"
    start = str(values.get("fullnameOverride") or given)[:_LONGEST].removesuffix("-")
    room = _LONGEST - len(suffix)
    if len(start) > room:
        start = re.sub(r"[-.]+$", "", start[:room])
    return start + suffix


def _service_account(context: Context, name: Any, create: Any, suffix: str) -> str:
    if name:
        return str(name)
    return fullname(context, suffix) if twins.text(create) == "true" else "default"


def _labels(context: Context, extra: Mapping[str, str]) -> dict[str, str]:
    common = {"helm.sh/chart": twins.chart_label(context)}
    common |= {"app.kubernetes.io/version": context.app_version}
    common |= {"app.kubernetes.io/managed-by": context.release_service}
    return common | _selector(context, extra)


def _selector(context: Context, extra: Mapping[str, str], more: Any = None) -> dict[str, str]:
    own = {"app.kubernetes.io/name": twins.name_label(context), "app.kubernetes.io/instance": context.release_name}
    return twins.strings([more, own, extra])


def _image(context: Context, repository: Any, default: str, tag: Any) -> str:
    version = twins.text(tag)
    place = helper_texts.DEFINITIONS["repository"].twin(context, repository, default)
    return f"{place}{'@' if version.startswith('sha256:') else ':'}{version}"


def document(value: Any) -> str:
    """A value as YAML: keys sorted, strings in quotes, without null members."""
    if isinstance(value, Mapping) and value:
        return "\n".join(_entry(key, value[key]) for key in sorted(value) if value[key] is not None) or "{}"
    if isinstance(value, list) and value:
        return "\n".join(_item(item) for item in value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = json.dumps(value, ensure_ascii=False)
    for character in "<>&\x7f\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _entry(key: str, value: Any) -> str:
    plain = re.search(_PLAIN_KEY, key) and not re.search(_WORDS, key)
    name = key if plain else document(key)
    text = document(value)
    if isinstance(value, Mapping | list) and value and text != "{}":
        return f"{name}:\n{_indented(text)}"
    return f"{name}: {text}"


def _item(value: Any) -> str:
    return f"- {_indented(document(value)).removeprefix('  ')}"


def _indented(text: str) -> str:
    return "  " + text.replace("\n", "\n  ")


def _configuration(value: Any) -> str:
    return document(value or {})


def _annotations(context: Context, given: Any, suffix: str, config: Any) -> dict[str, str]:
    hashed: dict[str, Any] = {"data": _configuration(config)}
    if twins.text(context.values.get("checksumValuesOnly")) != "true":
        hashed |= {
            "labels": {key: value for key, value in _labels(context, {}).items() if key != "helm.sh/chart"},
            "name": fullname(context, suffix),
            "namespace": context.values.get("namespaceOverride") or context.namespace,
        }
    checksum = hashlib.sha256(document(hashed).encode()).hexdigest()
    return twins.strings([given, {"checksum/config": checksum}])


_OWN: Mapping[str, Definition] = {
    "name": Definition(
        "The name of this chart or what stands in for it.",
        """\
{{- (index . 0).Values.nameOverride | default (index . 0).Chart.Name | trunc 63 | trimSuffix "-" }}""",
        twins.name_label,
    ),
    "fullname": Definition(
        "The name of an object: what all names start with, and the suffix of this one; 63 characters at most.",
        """\
{{- $root := index . 0 }}
{{- $name := $root.Values.nameOverride | default $root.Chart.Name }}
{{- $long := printf "%s-%s" $root.Release.Name $name }}
{{- $given := contains $name $root.Release.Name | ternary $root.Release.Name $long }}
{{- $start := $root.Values.fullnameOverride | default $given | trunc 63 | trimSuffix "-" }}
{{- $room := sub 63 (len (index . 1)) | int }}
{{- if gt (len $start) $room }}
  {{- $start = trunc $room $start | regexFind "^.*[^-.]" }}
{{- end }}
{{- printf "%s%s" $start (index . 1) }}""",
        fullname,
    ),
    "serviceAccount": Definition(
        "The account of a program: the name given, the one that is created, or the namespace's own.",
        """\
{{- if index . 1 }}
  {{- index . 1 }}
{{- else if eq (toString (index . 2)) "true" }}
  {{- include "CHART.fullname" (list (index . 0) (index . 3)) }}
{{- else }}
  {{- "default" }}
{{- end }}""",
        _service_account,
        ("fullname",),
    ),
    "labels": Definition(
        "The labels of an object: the standard ones and those of the second argument.",
        """\
{{- $root := index . 0 }}
{{- $common := dict
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/version" $root.Chart.AppVersion
  "app.kubernetes.io/managed-by" $root.Release.Service }}
{{- include "CHART.strings" (list $common (include "CHART.selector" . | fromYaml)) }}""",
        _labels,
        ("strings", "selector"),
    ),
    "selector": Definition(
        "The labels that pods are selected by; before them, labels of the third argument, which they win over.",
        """\
{{- $root := index . 0 }}
{{- $own := dict "app.kubernetes.io/name" (include "CHART.name" .) "app.kubernetes.io/instance" $root.Release.Name }}
{{- include "CHART.strings" (list (slice . 2 | first) $own (index . 1)) }}""",
        _selector,
        ("strings", "name"),
    ),
    "image": Definition(
        "The image reference of repository, its default, and tag; a digest is joined with @.",
        """\
{{- $repository := include "CHART.repository" (list (index . 0) (index . 1) (index . 2)) }}
{{- $tag := include "CHART.text" (index . 3) }}
{{- printf "%s%s%s" $repository (hasPrefix "sha256:" $tag | ternary "@" ":") $tag }}""",
        _image,
        ("repository", "text"),
    ),
    "flag": Definition(
        "A flag whose value is a list.",
        """\
{{- printf "%s=%s" .name (join "," .values) }}""",
        lambda context, flag: f"{flag['name']}={','.join(flag['values'] or [])}",
    ),
    "flags": Definition(
        "A flag for each entry of a map, in the order of its keys.",
        """\
{{- $flags := list }}
{{- range $key, $value := .values }}
  {{- if not (kindIs "invalid" $value) }}
    {{- $flags = append $flags (printf "%s=%s=%s" $.name $key (toString $value)) }}
  {{- end }}
{{- end }}
{{- with $flags }}
  {{- toYaml . }}
{{- end }}""",
        lambda context, flag: [
            f"{flag['name']}={key}={twins.text(value)}"
            for key, value in sorted((flag["values"] or {}).items())
            if value is not None
        ],
    ),
    "document": Definition(
        "A value as YAML: keys sorted, strings in quotes, without null members.",
        """\
{{- $lines := list }}
{{- if and (kindIs "map" .) . }}
  {{- range $key, $value := . }}
    {{- $name := $key }}
    {{- if or (not (regexMatch `PLAIN` $key)) (regexMatch `WORDS` $key) }}
      {{- $name = include "CHART.document" $key }}
    {{- end }}
    {{- $text := include "CHART.document" $value }}
    {{- if and (or (kindIs "map" $value) (kindIs "slice" $value)) $value (ne $text "{}") }}
      {{- $lines = append $lines (printf "%s:\\n%s" $name ($text | indent 2)) }}
    {{- else if not (kindIs "invalid" $value) }}
      {{- $lines = append $lines (printf "%s: %s" $name $text) }}
    {{- end }}
  {{- end }}
  {{- $lines = $lines | default (list "{}") }}
{{- else if and (kindIs "slice" .) . }}
  {{- range . }}
    {{- $lines = append $lines (include "CHART.document" . | indent 2 | trimPrefix "  " | printf "- %s") }}
  {{- end }}
{{- else }}
  {{- $lines = append $lines (toJson . | replace "\\u007f" "\\\\u007f") }}
{{- end }}
{{- join "\\n" $lines | default "{}" }}""".replace("PLAIN", _PLAIN_KEY).replace("WORDS", _WORDS),
        lambda context, value: document(value),
    ),
    "configuration": Definition(
        "The text of a configuration file.",
        """\
{{- include "CHART.document" (. | default dict) }}""",
        lambda context, value: _configuration(value),
        ("document",),
    ),
    "podAnnotations": Definition(
        "Annotations of a pod and the checksum of its configuration, by which pods start anew when that changes.",
        """\
{{- $root := index . 0 }}
{{- $hashed := dict "data" (include "CHART.configuration" (index . 3)) }}
{{- if ne (toString $root.Values.checksumValuesOnly) "true" }}
  {{- $_ := set $hashed "labels" (omit (include "CHART.labels" (list $root dict) | fromYaml) "helm.sh/chart") }}
  {{- $_ := set $hashed "name" (include "CHART.fullname" (list $root (index . 2))) }}
  {{- $_ := set $hashed "namespace" ($root.Values.namespaceOverride | default $root.Release.Namespace) }}
{{- end }}
{{- $checksum := dict "checksum/config" (include "CHART.document" $hashed | sha256sum) }}
{{- include "CHART.strings" (list (index . 1) $checksum) }}""",
        _annotations,
        ("configuration", "labels", "fullname", "document", "strings"),
    ),
}

# The helpers of the subchart, in the order of ``_helpers.tpl``.
DEFINITIONS: Mapping[str, Definition] = {**helper_texts.DEFINITIONS, **_OWN}
