{{- /*
A scalar as the string it spells, null as the empty string. Helm reads whole numbers from files as floats.
*/}}
{{- define "node-feature-discovery.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else if not (kindIs "invalid" .) }}{{ . }}{{ end -}}
{{- end }}

{{- /*
A list of maps as one map of strings: later maps win, nulls are left out.
*/}}
{{- define "node-feature-discovery.strings" -}}
{{- $merged := dict }}
{{- range . }}
  {{- range $key, $value := . }}
    {{- if not (kindIs "invalid" $value) }}
      {{- $_ := set $merged $key (include "node-feature-discovery.text" $value) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- toYaml $merged }}
{{- end }}

{{- /*
Takes the nulls out of a map or list, which is changed by that; yields nothing.
*/}}
{{- define "node-feature-discovery.pruned" -}}
{{- $value := . }}
{{- range $key, $member := . }}
  {{- if kindIs "invalid" $member }}
    {{- $_ := unset $value $key }}
  {{- else if or (kindIs "map" $member) (kindIs "slice" $member) }}
    {{- include "node-feature-discovery.pruned" $member }}
  {{- end }}
{{- end }}
{{- end }}

{{- /*
A map or list as YAML, without its nulls. Others read the same values, so these stay as they are.
*/}}
{{- define "node-feature-discovery.yaml" -}}
{{- $value := . }}
{{- if contains ":null" (toJson .) }}
  {{- $value = deepCopy . }}
  {{- include "node-feature-discovery.pruned" $value }}
{{- end }}
{{- toYaml $value }}
{{- end }}

{{- /*
A list of environment variables: values as strings; of two with one name the later gives the value, the first the place.
*/}}
{{- define "node-feature-discovery.env" -}}
{{- $byName := dict }}
{{- range . }}
  {{- $_ := set $byName .name (omit . "value") }}
  {{- if not (kindIs "invalid" .value) }}
    {{- $_ := set (get $byName .name) "value" (include "node-feature-discovery.text" .value) }}
  {{- end }}
{{- end }}
{{- $merged := list }}
{{- range . }}
  {{- with get $byName .name }}
    {{- $merged = append $merged . }}
    {{- $_ := unset $byName .name }}
  {{- end }}
{{- end }}
{{- include "node-feature-discovery.yaml" $merged }}
{{- end }}

{{- /*
Lists of references, given as names or as {name: x}, as one list of names, each once.
*/}}
{{- define "node-feature-discovery.names" -}}
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
{{- toYaml (uniq $names) }}
{{- end }}

{{- /*
Lists of references as the imagePullSecrets of a pod.
*/}}
{{- define "node-feature-discovery.pullSecrets" -}}
{{- $secrets := list }}
{{- range include "node-feature-discovery.names" . | fromYamlArray }}
  {{- $secrets = append $secrets (dict "name" .) }}
{{- end }}
{{- toYaml $secrets }}
{{- end }}

{{- /*
The labels of an object: the standard ones and those of the second argument.
*/}}
{{- define "node-feature-discovery.labels" -}}
{{- $root := index . 0 }}
{{- $common := dict
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/version" $root.Chart.AppVersion
  "app.kubernetes.io/managed-by" $root.Release.Service }}
{{- include "node-feature-discovery.strings" (list $common (include "node-feature-discovery.selector" . | fromYaml)) }}
{{- end }}

{{- /*
A repository. One left at its default moves to global.imageRegistry, when that is set.
*/}}
{{- define "node-feature-discovery.repository" -}}
{{- $root := index . 0 }}
{{- $repository := index . 1 | default "" }}
{{- $default := index . 2 }}
{{- $registry := ($root.Values.global).imageRegistry | default "" | trimSuffix "/" }}
{{- if and $registry (eq $repository $default) }}
  {{- $registry }}
  {{- with splitList "/" $default | rest | join "/" }}/{{ . }}{{ end }}
{{- else }}
  {{- $repository }}
{{- end }}
{{- end }}

{{- /*
The image reference of repository, its default, and tag; a digest is joined with @.
*/}}
{{- define "node-feature-discovery.image" -}}
{{- $repository := include "node-feature-discovery.repository" (list (index . 0) (index . 1) (index . 2)) }}
{{- $tag := include "node-feature-discovery.text" (index . 3) }}
{{- printf "%s%s%s" $repository (hasPrefix "sha256:" $tag | ternary "@" ":") $tag }}
{{- end }}

{{- /*
The name of this chart or what stands in for it.
*/}}
{{- define "node-feature-discovery.name" -}}
{{- (index . 0).Values.nameOverride | default (index . 0).Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- /*
The name of an object: what all names start with, and the suffix of this one; 63 characters at most.
*/}}
{{- define "node-feature-discovery.fullname" -}}
{{- $root := index . 0 }}
{{- $name := $root.Values.nameOverride | default $root.Chart.Name }}
{{- $long := printf "%s-%s" $root.Release.Name $name }}
{{- $given := contains $name $root.Release.Name | ternary $root.Release.Name $long }}
{{- $start := $root.Values.fullnameOverride | default $given | trunc 63 | trimSuffix "-" }}
{{- $room := sub 63 (len (index . 1)) | int }}
{{- if gt (len $start) $room }}
  {{- $start = trunc $room $start | regexFind "^.*[^-.]" }}
{{- end }}
{{- printf "%s%s" $start (index . 1) }}
{{- end }}

{{- /*
The account of a program: the name given, the one that is created, or the namespace's own.
*/}}
{{- define "node-feature-discovery.serviceAccount" -}}
{{- if index . 1 }}
  {{- index . 1 }}
{{- else if eq (toString (index . 2)) "true" }}
  {{- include "node-feature-discovery.fullname" (list (index . 0) (index . 3)) }}
{{- else }}
  {{- "default" }}
{{- end }}
{{- end }}

{{- /*
The labels that pods are selected by; before them, labels of the third argument, which they win over.
*/}}
{{- define "node-feature-discovery.selector" -}}
{{- $root := index . 0 }}
{{- $own := dict "app.kubernetes.io/name" (include "node-feature-discovery.name" .) "app.kubernetes.io/instance" $root.Release.Name }}
{{- include "node-feature-discovery.strings" (list (slice . 2 | first) $own (index . 1)) }}
{{- end }}

{{- /*
A flag whose value is a list.
*/}}
{{- define "node-feature-discovery.flag" -}}
{{- printf "%s=%s" .name (join "," .values) }}
{{- end }}

{{- /*
A flag for each entry of a map, in the order of its keys.
*/}}
{{- define "node-feature-discovery.flags" -}}
{{- $flags := list }}
{{- range $key, $value := .values }}
  {{- if not (kindIs "invalid" $value) }}
    {{- $flags = append $flags (printf "%s=%s=%s" $.name $key (toString $value)) }}
  {{- end }}
{{- end }}
{{- with $flags }}
  {{- toYaml . }}
{{- end }}
{{- end }}

{{- /*
A value as YAML: keys sorted, strings in quotes, without null members.
*/}}
{{- define "node-feature-discovery.document" -}}
{{- $lines := list }}
{{- if and (kindIs "map" .) . }}
  {{- range $key, $value := . }}
    {{- $name := $key }}
    {{- if or (not (regexMatch `^[A-Za-z][A-Za-z0-9_.-]*$` $key)) (regexMatch `(?i)^(y|n|yes|no|on|off|true|false|null)$` $key) }}
      {{- $name = include "node-feature-discovery.document" $key }}
    {{- end }}
    {{- $text := include "node-feature-discovery.document" $value }}
    {{- if and (or (kindIs "map" $value) (kindIs "slice" $value)) $value (ne $text "{}") }}
      {{- $lines = append $lines (printf "%s:\n%s" $name ($text | indent 2)) }}
    {{- else if not (kindIs "invalid" $value) }}
      {{- $lines = append $lines (printf "%s: %s" $name $text) }}
    {{- end }}
  {{- end }}
  {{- $lines = $lines | default (list "{}") }}
{{- else if and (kindIs "slice" .) . }}
  {{- range . }}
    {{- $lines = append $lines (include "node-feature-discovery.document" . | indent 2 | trimPrefix "  " | printf "- %s") }}
  {{- end }}
{{- else }}
  {{- $lines = append $lines (toJson . | replace "\u007f" "\\u007f") }}
{{- end }}
{{- join "\n" $lines | default "{}" }}
{{- end }}

{{- /*
The text of a configuration file.
*/}}
{{- define "node-feature-discovery.configuration" -}}
{{- include "node-feature-discovery.document" (. | default dict) }}
{{- end }}

{{- /*
Annotations of a pod and the checksum of its configuration, by which pods start anew when that changes.
*/}}
{{- define "node-feature-discovery.podAnnotations" -}}
{{- $root := index . 0 }}
{{- $hashed := dict "data" (include "node-feature-discovery.configuration" (index . 3)) }}
{{- if ne (toString $root.Values.checksumValuesOnly) "true" }}
  {{- $_ := set $hashed "labels" (omit (include "node-feature-discovery.labels" (list $root dict) | fromYaml) "helm.sh/chart") }}
  {{- $_ := set $hashed "name" (include "node-feature-discovery.fullname" (list $root (index . 2))) }}
  {{- $_ := set $hashed "namespace" ($root.Values.namespaceOverride | default $root.Release.Namespace) }}
{{- end }}
{{- $checksum := dict "checksum/config" (include "node-feature-discovery.document" $hashed | sha256sum) }}
{{- include "node-feature-discovery.strings" (list (index . 1) $checksum) }}
{{- end }}
