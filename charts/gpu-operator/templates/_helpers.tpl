{{- /*
A scalar as the string it spells, null as the empty string. Helm reads whole numbers from files as floats.
*/}}
{{- define "gpu-operator.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else if not (kindIs "invalid" .) }}{{ . }}{{ end -}}
{{- end }}

{{- /*
A count as a number, anything else as a string.
*/}}
{{- define "gpu-operator.number" -}}
{{- $text := include "gpu-operator.text" . }}
{{- regexMatch "^(0|[1-9][0-9]*)$" $text | ternary $text ($text | quote) }}
{{- end }}

{{- /*
A list of maps as one map of strings: later maps win, nulls are left out.
*/}}
{{- define "gpu-operator.strings" -}}
{{- $merged := dict }}
{{- range . }}
  {{- range $key, $value := . }}
    {{- if not (kindIs "invalid" $value) }}
      {{- $_ := set $merged $key (include "gpu-operator.text" $value) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- toYaml $merged }}
{{- end }}

{{- /*
Takes the nulls out of a map or list, which is changed by that; yields nothing.
*/}}
{{- define "gpu-operator.pruned" -}}
{{- $value := . }}
{{- range $key, $member := . }}
  {{- if kindIs "invalid" $member }}
    {{- $_ := unset $value $key }}
  {{- else if or (kindIs "map" $member) (kindIs "slice" $member) }}
    {{- include "gpu-operator.pruned" $member }}
  {{- end }}
{{- end }}
{{- end }}

{{- /*
A map or list as YAML, without its nulls. Others read the same values, so these stay as they are.
*/}}
{{- define "gpu-operator.yaml" -}}
{{- $value := . }}
{{- if contains ":null" (toJson .) }}
  {{- $value = deepCopy . }}
  {{- include "gpu-operator.pruned" $value }}
{{- end }}
{{- toYaml $value }}
{{- end }}

{{- /*
A list of environment variables: values as strings; of two with one name the later gives the value, the first the place.
*/}}
{{- define "gpu-operator.env" -}}
{{- $byName := dict }}
{{- range . }}
  {{- $_ := set $byName .name (omit . "value") }}
  {{- if not (kindIs "invalid" .value) }}
    {{- $_ := set (get $byName .name) "value" (include "gpu-operator.text" .value) }}
  {{- end }}
{{- end }}
{{- $merged := list }}
{{- range . }}
  {{- with get $byName .name }}
    {{- $merged = append $merged . }}
    {{- $_ := unset $byName .name }}
  {{- end }}
{{- end }}
{{- include "gpu-operator.yaml" $merged }}
{{- end }}

{{- /*
The value that a list of environment variables gives a name, as the string it spells; the last item of that name counts.
*/}}
{{- define "gpu-operator.variable" -}}
{{- $name := index . 2 }}
{{- $value := "" }}
{{- range index . 1 }}
  {{- if eq .name $name }}
    {{- $value = include "gpu-operator.text" .value }}
  {{- end }}
{{- end }}
{{- $value }}
{{- end }}

{{- /*
The values of a member that an item of a list has and one before it had too, one after the other.
*/}}
{{- define "gpu-operator.twice" -}}
{{- $seen := dict }}
{{- range $item := index . 0 }}
  {{- $value := include "gpu-operator.text" (get ($item | default dict) (index $ 1)) }}
  {{- if hasKey $seen $value }}
    {{- $value }}
  {{- end }}
  {{- $_ := set $seen $value true }}
{{- end }}
{{- end }}

{{- /*
Lists of references, given as names or as {name: x}, as one list of names, each once.
*/}}
{{- define "gpu-operator.names" -}}
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
Lists of references, given as names or as {name: x}, as one string of names, each once, with commas between.
*/}}
{{- define "gpu-operator.commas" -}}
{{- include "gpu-operator.names" . | fromYamlArray | join "," }}
{{- end }}

{{- /*
Lists of references as the imagePullSecrets of a pod.
*/}}
{{- define "gpu-operator.pullSecrets" -}}
{{- $secrets := list }}
{{- range include "gpu-operator.names" . | fromYamlArray }}
  {{- $secrets = append $secrets (dict "name" .) }}
{{- end }}
{{- toYaml $secrets }}
{{- end }}

{{- /*
A list of relabelings, each with the action that the API server would fill in.
*/}}
{{- define "gpu-operator.relabelings" -}}
{{- $relabelings := list }}
{{- range . }}
  {{- $relabelings = append $relabelings (merge (dict "action" (.action | default "replace")) (omit . "action")) }}
{{- end }}
{{- include "gpu-operator.yaml" $relabelings }}
{{- end }}

{{- /*
The condition of kubectl wait that a node offers a resource; dots in its name are not those of a path.
*/}}
{{- define "gpu-operator.resourceThere" -}}
{{- printf "--for=jsonpath={.status.allocatable.%s}" (replace "." "\\." .) -}}
{{- end }}

{{- /*
The annotations of an object that belongs to a hook: commonAnnotations, and event, weight and delete policy on top.
*/}}
{{- define "gpu-operator.hook" -}}
{{- $hook := dict
  "helm.sh/hook" (index . 1)
  "helm.sh/hook-weight" (index . 2)
  "helm.sh/hook-delete-policy" (index . 3) }}
{{- include "gpu-operator.strings" (list (index . 0).Values.commonAnnotations $hook) }}
{{- end }}

{{- /*
The labels of an object: the standard ones, commonLabels, operator.labels, the third argument, the second; later ones win.
*/}}
{{- define "gpu-operator.labels" -}}
{{- $args := kindIs "slice" . | ternary . (list . dict) }}
{{- $root := index $args 0 }}
{{- $common := dict
  "app.kubernetes.io/name" ($root.Values.nameOverride | default $root.Chart.Name | trunc 63 | trimSuffix "-")
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/instance" $root.Release.Name
  "app.kubernetes.io/version" $root.Chart.AppVersion
  "app.kubernetes.io/managed-by" $root.Release.Service }}
{{- include "gpu-operator.strings" (list $common $root.Values.commonLabels ($root.Values.operator).labels (slice $args 2 | first) (index $args 1)) }}
{{- end }}

{{- /*
The labels of a pod: those of an object but for the chart's version, which would start the pod anew with each release.
*/}}
{{- define "gpu-operator.podLabels" -}}
{{- include "gpu-operator.strings" (list (omit (include "gpu-operator.labels" . | fromYaml) "helm.sh/chart")) }}
{{- end }}

{{- /*
A path that an environment list may give, under the first of some names that it sets, else the default: the path, its dir or its base.
*/}}
{{- define "gpu-operator.hostFile" -}}
{{- $path := "" }}
{{- range $name := splitList " " (index . 2) }}
  {{- $given := "" }}
  {{- range index $ 1 }}
    {{- if eq .name $name }}
      {{- $given = include "gpu-operator.text" .value }}
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
{{- end }}
{{- end }}

{{- /*
An environment list in which RUNTIME_CONFIG_SOURCE names files of the host as a container finds them, below /host.
*/}}
{{- define "gpu-operator.hostSources" -}}
{{- $items := list }}
{{- range . }}
  {{- if eq .name "RUNTIME_CONFIG_SOURCE" }}
    {{- $value := regexReplaceAll "(^|,)file=/*" (include "gpu-operator.text" .value) "${1}file=/host/" }}
    {{- $items = append $items (dict "name" .name "value" $value) }}
  {{- else }}
    {{- $items = append $items . }}
  {{- end }}
{{- end }}
{{- toYaml $items }}
{{- end }}

{{- /*
A repository. One left at its default moves to global.imageRegistry, when that is set.
*/}}
{{- define "gpu-operator.repository" -}}
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
An image reference of repository, its default, name and version, and the name and version that the release has for gaps.
*/}}
{{- define "gpu-operator.image" -}}
{{- $repository := index . 1 }}
{{- $name := index . 3 }}
{{- $version := include "gpu-operator.text" (index . 4) }}
{{- if and (gt (len .) 5) (or $repository (not $name)) }}
  {{- $repository = $repository | default (index . 2) }}
  {{- $name = $name | default (index . 5) }}
  {{- $version = $version | default (index . 6) }}
{{- end }}
{{- $reference := $name | default "" }}
{{- with include "gpu-operator.repository" (list (index . 0) $repository (index . 2)) }}
  {{- $reference = printf "%s/%s" . $reference }}
{{- end }}
{{- with $version }}
  {{- $reference = printf "%s%s%s" $reference (hasPrefix "sha256:" . | ternary "@" ":") . }}
{{- end }}
{{- $reference }}
{{- end }}

{{- /*
The image of a driver: its tag ends in the kernel, if one is given, and the operating system; a digest stays as it is.
*/}}
{{- define "gpu-operator.driverImage" -}}
{{- $image := include "gpu-operator.image" (slice . 0 5) }}
{{- $release := regexReplaceAll "^((?:ol|rocky|rhel)[0-9]+)[.].*$" (index . 6 | default "") "${1}" }}
{{- contains "sha256:" $image | ternary $image (list $image (index . 5) $release | compact | join "-") }}
{{- end }}

{{- /*
A mount for each file of a ConfigMap, named like its volume, in a folder that keeps its other files.
*/}}
{{- define "gpu-operator.fileMounts" -}}
{{- $name := index . 1 }}
{{- $folder := index . 2 }}
{{- $mounts := list }}
{{- range get (index . 3 | default dict) $name | default list }}
  {{- $mounts = append $mounts (dict "name" $name "mountPath" (printf "%s/%s" $folder .) "subPath" . "readOnly" true) }}
{{- end }}
{{- with $mounts }}{{ toYaml . }}{{ end }}
{{- end }}

{{- /*
Parts of an object's name joined by dashes; a kernel version without its processor architecture and underscores.
*/}}
{{- define "gpu-operator.objectName" -}}
{{- $parts := list }}
{{- range . }}
  {{- $part := regexReplaceAll "(x86_64|aarch64)(_64k)?" (include "gpu-operator.text" .) "" | replace "_" "." | trimSuffix "." | lower }}
  {{- $parts = append $parts $part }}
{{- end }}
{{- compact $parts | join "-" }}
{{- end }}

{{- /*
Maps merged into one of strings, without the keys of the first argument; nothing when none is left.
*/}}
{{- define "gpu-operator.othersThan" -}}
{{- $merged := include "gpu-operator.strings" (rest .) | printf "%s\n" | fromYaml }}
{{- range first . }}
  {{- $_ := unset $merged . }}
{{- end }}
{{- with $merged }}{{ toYaml . }}{{ end }}
{{- end }}

{{- /*
Maps in one, as JSON: of members with one name the last that is not null, as a whole.
*/}}
{{- define "gpu-operator.overlaid" -}}
{{- $merged := dict }}
{{- range . }}
  {{- range $key, $value := . }}
    {{- if not (kindIs "invalid" $value) }}
      {{- $_ := set $merged $key $value }}
    {{- end }}
  {{- end }}
{{- end }}
{{- toJson $merged }}
{{- end }}
