"""Each kind of fault, made in a few lines of a chart."""

from __future__ import annotations

import pytest

from chartgen.harness.mutants import catalogue
from chartgen.harness.mutants.source import Source

TEMPLATE = "templates/x.yaml"
HELPERS = "templates/_helpers.tpl"
RULES = "templates/validations.yaml"
NOTES = "templates/NOTES.txt"
SCHEMA = "values.schema.json"
CRD = "crds/x.yaml"

IF = "{{- if .Values.a }}\na: 1\n{{- end }}"
ELSE = "{{- if .Values.a }}\na: 1\n{{- else if .Values.b }}\na: 2\n{{- else }}\na: 3\n{{- end }}"
AND = '{{- if and (eq (toString .Values.a) "true") .Values.b }}\na: 1\n{{- end }}'
ROLE = "rules:\n  - apiGroups:\n      - apps\n    resources:\n      - pods\n    verbs:\n      - get\n      - delete"
BINDING = "roleRef:\n  kind: Role\n  name: x\nsubjects:\n  - kind: ServiceAccount\n    name: a\n    namespace: b"
HOOK = '    {{- include "c.hook" (list . "pre-delete" "-1" "hook-succeeded") | nindent 4 }}'
IMAGE = 'image: {{ include "c.image" (list . .Values.repository "r" .Values.tag) | quote }}'
TWO = "apiVersion: v1\nmetadata:\n  name: a\n---\napiVersion: v2"
RULE = '{{- if .Values.a }}\n  {{- $broken = append $broken "a.b: it is wrong." }}\n{{- end }}'
PROPERTIES = "schema:\n  properties:\n    a:\n      type: string\n      enum:\n        - x\n        - y\n    b:\n      type: boolean"


def changed(line: str, old: str, new: str) -> str:
    """The diff of a line in which a part is another."""
    return f"-{line}\n+{line.replace(old, new)}"


# fault -> the file, what is in it, and what each mutant has: the lines that change, as a diff.
MADE = {
    "guard-removed": (TEMPLATE, IF, ["-{{- if .Values.a }}\n-{{- end }}"]),
    "guard-negated": (TEMPLATE, IF, ["-{{- if .Values.a }}\n+{{- if not (.Values.a) }}"]),
    "guard-never": (TEMPLATE, "{{- with .Values.a }}\na: 1\n{{- end }}", ["-{{- with .Values.a }}\n+{{- with false }}"]),
    "operand-dropped": (
        TEMPLATE,
        AND,
        [
            '-{{- if and (eq (toString .Values.a) "true") .Values.b }}\n+{{- if and .Values.b }}',
            '-{{- if and (eq (toString .Values.a) "true") .Values.b }}\n+{{- if and (eq (toString .Values.a) "true") }}',
        ],
    ),
    "join-swapped": (TEMPLATE, AND, [changed(AND.splitlines()[0], "if and", "if or")]),
    "default-swapped": (
        TEMPLATE,
        '{{- if ne (toString .Values.a) "false" }}\na: 1\n{{- end }}',
        ['-{{- if ne (toString .Values.a) "false" }}\n+{{- if eq (toString .Values.a) "true" }}'],
    ),
    "else-dropped": (TEMPLATE, ELSE, ["-{{- else if .Values.b }}\n-a: 2", "-{{- else }}\n-a: 3"]),
    "path-swapped": (
        TEMPLATE,
        "a: {{ (.Values.x).a }}\nb: {{ (.Values.x).b }}\nc: {{ (.Values.y).c }}",
        ["-a: {{ (.Values.x).a }}\n+a: {{ (.Values.x).b }}", "-b: {{ (.Values.x).b }}\n+b: {{ (.Values.x).a }}"],
    ),
    "literal-changed": (
        TEMPLATE,
        'a: {{ include "c.x" (dict "a" "true") }}',
        [
            '-a: {{ include "c.x" (dict "a" "true") }}\n+a: {{ include "c.x" (dict "ax" "true") }}',
            '-a: {{ include "c.x" (dict "a" "true") }}\n+a: {{ include "c.x" (dict "a" "false") }}',
        ],
    ),
    "fallback-changed": (
        TEMPLATE,
        'a: {{ .Values.a | default "x" }}\nb: {{ ternary 8 .Values.b true }}',
        [
            '-a: {{ .Values.a | default "x" }}\n+a: {{ .Values.a | default "xx" }}',
            "-b: {{ ternary 8 .Values.b true }}\n+b: {{ ternary 9 .Values.b true }}",
        ],
    ),
    "quote-removed": (TEMPLATE, "a: {{ .Values.a | quote }}", ["-a: {{ .Values.a | quote }}\n+a: {{ .Values.a }}"]),
    "indentation-changed": (
        TEMPLATE,
        "  {{- toYaml .Values.a | nindent 4 }}",
        ["-  {{- toYaml .Values.a | nindent 4 }}\n+  {{- toYaml .Values.a | nindent 2 }}"],
    ),
    "conversion-dropped": (
        TEMPLATE,
        "a: {{ .Values.a | int64 }}",
        ["-a: {{ .Values.a | int64 }}\n+a: {{ .Values.a }}"],
    ),
    "image-confused": (
        TEMPLATE,
        IMAGE,
        [
            changed(IMAGE, ".Values.repository", '""'),
            changed(IMAGE, '"r"', '""'),
            changed(IMAGE, ".Values.tag", '""'),
        ],
    ),
    "helper-step-dropped": (HELPERS, '{{ .a | trunc 63 | trimSuffix "-" }}', [
        '-{{ .a | trunc 63 | trimSuffix "-" }}\n+{{ .a | trimSuffix "-" }}',
        '-{{ .a | trunc 63 | trimSuffix "-" }}\n+{{ .a | trunc 63 }}',
    ]),
    "helper-image-confused": (
        HELPERS,
        '{{ printf "%s%s%s" .a (ternary "@" ":" .b) .c }}',
        [
            '-{{ printf "%s%s%s" .a (ternary "@" ":" .b) .c }}\n+{{ printf "%s%s%s" .a (ternary ":" ":" .b) .c }}',
            '-{{ printf "%s%s%s" .a (ternary "@" ":" .b) .c }}\n+{{ printf "%s%s%s" .a (ternary "@" "@" .b) .c }}',
            '-{{ printf "%s%s%s" .a (ternary "@" ":" .b) .c }}\n+{{ printf "%s%s:%s" .a (ternary "@" ":" .b) .c }}',
        ],
    ),
    "key-dropped": (TEMPLATE, "a:\n  b: 1\n  c:\n    - d: 2", ["-a:\n-  b: 1\n-  c:\n-    - d: 2", "-  b: 1", "-  c:\n-    - d: 2"]),
    "key-renamed": (TEMPLATE, "a:\n  - b: 1", ["-a:\n+aX:", "-  - b: 1\n+  - bX: 1"]),
    "value-changed": (TEMPLATE, 'a: x\nb: "1"\nc: true', ["-a: x\n+a: xx", '-b: "1"\n+b: "2"', "-c: true\n+c: false"]),
    "item-dropped": (TEMPLATE, "a:\n  - b\n  - c: 1\n    d: 2", ["-  - b", "-  - c: 1\n-    d: 2"]),
    "unquoted": (TEMPLATE, 'a: "true"\nb: "x"', ['-a: "true"\n+a: true']),
    "separator-dropped": (TEMPLATE, TWO, ["----"]),
    "document-doubled": (TEMPLATE, TWO, ["+---\n+apiVersion: v1\n+metadata:\n+  name: a", "+---\n+apiVersion: v2"]),
    "member-misplaced": (TEMPLATE, "a:\n  b: 1\nc:\n  d: 2", ["-c:\n-  d: 2\n+  c:\n+    d: 2"]),
    "verb-dropped": (TEMPLATE, ROLE, ["-      - get", "-      - delete"]),
    "verb-added": (TEMPLATE, ROLE, ["+      - delete", "+      - deletecollection"]),
    "verb-changed": (TEMPLATE, ROLE, ["-      - get\n+      - list", "-      - delete\n+      - get"]),
    "api-group-changed": (TEMPLATE, ROLE, ["-      - apps\n+      - appsx"]),
    "resource-changed": (TEMPLATE, ROLE, ["-      - pods\n+      - podsx"]),
    "hook-changed": (
        TEMPLATE,
        HOOK,
        [
            changed(HOOK, "pre-delete", "post-delete"),
            changed(HOOK, "-1", "2"),
            changed(HOOK, "hook-succeeded", "hook-failed"),
        ],
    ),
    "role-ref-renamed": (TEMPLATE, BINDING, ["-  name: x\n+  name: xx"]),
    "subject-changed": (TEMPLATE, BINDING, ["-    name: a\n+    name: ax", "-    namespace: b\n+    namespace: elsewhere"]),
    "account-renamed": (TEMPLATE, "  serviceAccountName: a", ["-  serviceAccountName: a\n+  serviceAccountName: ax"]),
    "reference-renamed": (
        TEMPLATE,
        "  configMap:\n    name: {{ .Values.a | quote }}\n  secretName: b",
        [
            '-    name: {{ .Values.a | quote }}\n+    name: {{ .Values.a | printf "%s-x" | quote }}',
            "-  secretName: b\n+  secretName: bx",
        ],
    ),
    "name-changed": (TEMPLATE, "metadata:\n  name: a", ["-  name: a\n+  name: ax"]),
    "namespace-dropped": (TEMPLATE, "metadata:\n  namespace: a", ["-  namespace: a"]),
    "selector-changed": (TEMPLATE, "    matchLabels:\n      app: a", ["-      app: a\n+      app: ax"]),
    "variable-renamed": (TEMPLATE, "- name: A_B\n  value: x", ["-- name: A_B\n+- name: A_B_X"]),
    "port-changed": (TEMPLATE, "  containerPort: 80", ["-  containerPort: 80\n+  containerPort: 81"]),
    "path-changed": (TEMPLATE, "- mountPath: /a", ["-- mountPath: /a\n+- mountPath: /ax"]),
    "api-version-changed": (TEMPLATE, "apiVersion: v1", ["-apiVersion: v1\n+apiVersion: v1x"]),
    "rule-dropped": (RULES, RULE, ["-" + RULE.replace("\n", "\n-")]),
    "rule-reworded": (RULES, RULE, [changed(RULE.splitlines()[1], "a.b:", "Values")]),
    "note-dropped": (NOTES, RULE, ["-" + RULE.replace("\n", "\n-")]),
    "note-reworded": (NOTES, RULE, [changed(RULE.splitlines()[1], "a.b:", "Values")]),
    "sentence-dropped": (NOTES, "{{ .Values.a }}\nSee to it.", ["-See to it."]),
    "default-changed": ("values.yaml", "# a: 1\na: 1\nb: {}", ["-a: 1\n+a: 2"]),
    "default-dropped": ("values.yaml", "# a: 1\na: 1\nb: {}", ["-a: 1"]),
    "type-widened": (SCHEMA, '{"type": ["object", "null"]}', ['-{"type": ["object", "null"]}\n+{"type": ["object", "null", "string"]}']),
    "bound-dropped": (
        SCHEMA,
        '{"type": "string", "pattern": "a, b", "required": ["x"]}',
        [
            '-{"type": "string", "pattern": "a, b", "required": ["x"]}\n+{"type": "string", "required": ["x"]}',
            '-{"type": "string", "pattern": "a, b", "required": ["x"]}\n+{"type": "string", "pattern": "a, b"}',
        ],
    ),
    "bound-moved": (
        SCHEMA,
        '{"minimum": 1, "maxLength": 63}',
        [
            '-{"minimum": 1, "maxLength": 63}\n+{"minimum": 0, "maxLength": 63}',
            '-{"minimum": 1, "maxLength": 63}\n+{"minimum": 1, "maxLength": 64}',
        ],
    ),
    "enum-widened": (SCHEMA, '{"enum": ["a", null]}', ['-{"enum": ["a", null]}\n+{"enum": ["a", null, "else"]}']),
    "enum-narrowed": (SCHEMA, '{"enum": ["a", null]}', ['-{"enum": ["a", null]}\n+{"enum": [null]}']),
    "object-opened": (SCHEMA, '{"additionalProperties": false}', ['-{"additionalProperties": false}\n+{"additionalProperties": true}']),
    "definition-changed": (
        SCHEMA,
        '[{"$ref": "#/definitions/a"},\n{"$ref": "#/definitions/b"}]',
        [
            '-[{"$ref": "#/definitions/a"},\n+[{"$ref": "#/definitions/b"},',
            '-{"$ref": "#/definitions/b"}]\n+{"$ref": "#/definitions/a"}]',
        ],
    ),
    "crd-field-dropped": (CRD, PROPERTIES, [
        "-    a:\n-      type: string\n-      enum:\n-        - x\n-        - y",
        "-    b:\n-      type: boolean",
    ]),
    "crd-rule-dropped": (CRD, "a:\n  x-kubernetes-validations:\n    - rule: b", ["-  x-kubernetes-validations:\n-    - rule: b"]),
    "crd-bound-dropped": (CRD, "a:\n  minimum: 1\n  required:\n    - b", ["-  minimum: 1", "-  required:\n-    - b"]),
    "crd-default-changed": (CRD, "a:\n  default: true", ["-  default: true\n+  default: false"]),
    "crd-default-added": (CRD, PROPERTIES, ["+      default: false"]),
    "crd-type-changed": (CRD, PROPERTIES, ["-      type: string\n+      type: integer", "-      type: boolean\n+      type: string"]),
    "crd-enum-narrowed": (CRD, PROPERTIES, ["-        - x"]),
    "crd-changed": (CRD, "scope: Cluster\nserved: true", ["-scope: Cluster\n+scope: Clusterx", "-served: true\n+served: false"]),
    "chart-changed": (
        "Chart.yaml",
        'version: "0.1.0"\ndependencies:\n  - name: a\n    condition: a.on\nannotations:\n  a: |\n    - b:\n      version: v1',
        ['-version: "0.1.0"\n+version: "0.1.0x"', "-    condition: a.on\n+    condition: a.onx"],
    ),
}  # fmt: skip
# The same change in another kind of file.
SAME = {
    "helper-guard-removed": ("guard-removed", HELPERS),
    "helper-guard-negated": ("guard-negated", HELPERS),
    "helper-guard-never": ("guard-never", HELPERS),
    "helper-operand-dropped": ("operand-dropped", HELPERS),
    "helper-join-swapped": ("join-swapped", HELPERS),
    "helper-else-dropped": ("else-dropped", HELPERS),
    "helper-literal-changed": ("literal-changed", HELPERS),
    "helper-fallback-changed": ("fallback-changed", HELPERS),
    "rule-negated": ("guard-negated", RULES),
    "rule-operand-dropped": ("operand-dropped", RULES),
    "rule-join-swapped": ("join-swapped", RULES),
    "rule-default-swapped": ("default-swapped", RULES),
    "note-negated": ("guard-negated", NOTES),
}
CASES = {**MADE, **{name: (file, *MADE[like][1:]) for name, (like, file) in SAME.items()}}


@pytest.mark.parametrize("fault", [each.name for each in catalogue.FAULTS])
def test_a_fault_is_made_in_every_place(fault):
    """Just there, once in each place, and nothing else is changed."""
    file, text, diffs = CASES[fault]
    faults = [each for each in catalogue.FAULTS if each.name == fault]
    assert len(faults) == 1
    source = Source(file, text + "\n")
    made = catalogue.all_of([source], faults)
    assert [mutant.diff for mutant in made] == diffs
    assert all(catalogue.differs(mutant, source) for mutant in made)


@pytest.mark.parametrize("fault", [each.name for each in catalogue.FAULTS])
def test_a_fault_keeps_to_its_files(fault):
    """The same text in a file of another kind is left alone."""
    _, text, _ = CASES[fault]
    faults = [each for each in catalogue.FAULTS if each.name == fault]
    assert catalogue.all_of([Source("README.md", text + "\n")], faults) == []


def test_every_fault_says_what_it_does():
    """In a sentence, for whoever reads the list."""
    assert all(fault.means.endswith(".") and fault.means[0].isupper() for fault in catalogue.FAULTS)
