"""What the printer writes: the template that a careful person would."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pytest
from support import trees

from chartgen.errors import ChartgenError
from chartgen.schema import conditions
from chartgen.tree import gotext, helpers
from chartgen.tree.nodes import Builtin, Document, EnvMerge, Manifest, Node, Value, When, extend, join

ON = conditions.On("top.switch")
WORD = conditions.Set("top.word")

# Lines of the template below "tree", which is the node's key.
PRINTED: Mapping[str, tuple[Node, str]] = {
    "a string is quoted": (Value("top.word"), "{{- with (.Values.top).word }}\ntree: {{ . | quote }}\n{{- end }}"),
    "a version is read as text": (
        Value("top.version"),
        '{{- with include "throwaway.text" (.Values.top).version }}\ntree: {{ . | quote }}\n{{- end }}',
    ),
    "a default needs no guard": (
        Value("top.version", Builtin.APP_VERSION),
        'tree: {{ include "throwaway.text" (.Values.top).version | default .Chart.AppVersion | quote }}',
    ),
    "a number is there when it is not null": (
        Value("top.size"),
        '{{- if not (kindIs "invalid" (.Values.top).size) }}\ntree: {{ (.Values.top).size | int64 }}\n{{- end }}',
    ),
    "a switch that is on when absent": (Value("top.lit"), 'tree: {{ ne (toString (.Values.top).lit) "false" }}'),
    "a switch that is off when absent": (Value("top.dim"), 'tree: {{ eq (toString (.Values.top).dim) "true" }}'),
    "a number or string keeps its type": (
        Value("top.share"),
        '{{- if ne (include "throwaway.text" (.Values.top).share) "" }}\ntree: {{ (.Values.top).share | toJson }}\n{{- end }}',
    ),
    "labels become strings": (
        Value("top.labels"),
        '{{- with (.Values.top).labels }}\ntree:\n  {{- include "throwaway.strings" (list .) | nindent 2 }}\n{{- end }}',
    ),
    "a map is copied without nulls": (
        Value("top.resources"),
        '{{- with (.Values.top).resources }}\ntree:\n  {{- include "throwaway.yaml" . | nindent 2 }}\n{{- end }}',
    ),
    "each parent may be missing": (
        Value("top.deep.deeper.args"),
        '{{- with (((.Values.top).deep).deeper).args }}\ntree:\n  {{- include "throwaway.yaml" . | nindent 2 }}\n{{- end }}',
    ),
    "names that are no identifiers": (
        Value("side-car.word"),
        '{{- with (index .Values "side-car").word }}\ntree: {{ . | quote }}\n{{- end }}',
    ),
    "names deep down that are no identifiers": (
        Value("top.a-b.c-d"),
        '{{- with index (index (.Values.top | default dict) "a-b" | default dict) "c-d" }}\ntree: {{ . | quote }}\n{{- end }}',
    ),
    "a join is one printf": (
        join("--x=", Value("top.word"), "%"),
        '{{- with (.Values.top).word }}\ntree: {{ printf "--x=%s%%" . | quote }}\n{{- end }}',
    ),
    "a choice of two": (
        When(ON, "a", "b"),
        '{{- if eq (toString (.Values.top).switch) "true" }}\ntree: a\n{{- else }}\ntree: b\n{{- end }}',
    ),
    "a chain of choices": (
        When(ON, "a", When(WORD, "b", "c")),
        ('{{- if eq (toString (.Values.top).switch) "true" }}\ntree: a\n{{- else if (.Values.top).word }}\ntree: b\n'
        "{{- else }}\ntree: c\n{{- end }}"),
    ),
    "a condition and what the value needs": (
        When(ON, Value("top.word")),
        ('{{- if and (eq (toString (.Values.top).switch) "true") (.Values.top).word }}\ntree: {{ (.Values.top).word | quote }}\n'
        "{{- end }}"),
    ),
    "a guard stands around the parent": (
        {"a": {"b": {"c": Value("top.word")}}, "d": 1},
        "tree:\n  {{- with (.Values.top).word }}\n  a:\n    b:\n      c: {{ . | quote }}\n  {{- end }}\n  d: 1",
    ),
    "items of a list": (
        ["a", When(ON, "b"), {"c": 1, "d": Value("top.word")}, ["x"]],
        ('tree:\n  - a\n  {{- if eq (toString (.Values.top).switch) "true" }}\n  - b\n  {{- end }}\n  - c: 1\n'
        "    {{- with (.Values.top).word }}\n    d: {{ . | quote }}\n    {{- end }}\n  - - x"),
    ),
    "neighbours share a guard": (
        {"a": When(ON, 1), "b": When(ON, 2), "c": 3},
        'tree:\n  {{- if eq (toString (.Values.top).switch) "true" }}\n  a: 1\n  b: 2\n  {{- end }}\n  c: 3',
    ),
    "a list and a value's items": (
        extend(["a"], Value("top.args")),
        'tree:\n  - a\n  {{- with (.Values.top).args }}\n  {{- include "throwaway.yaml" . | nindent 2 }}\n  {{- end }}',
    ),
    "a mapping and a value's members": (
        extend({"a": 1}, Value("top.resources")),
        ('tree:\n  a: 1\n  {{- with include "throwaway.yaml" (.Values.top).resources | fromYaml }}\n'
        "  {{- toYaml . | nindent 2 }}\n  {{- end }}"),
    ),
    "an environment and a user's on top": (
        EnvMerge("own", (({"name": "A", "value": "1"},), "top.env")),
        ('{{- define "throwaway.own" }}\n- name: A\n  value: "1"\n{{- end }}\ntree:\n'
        '  {{- include "throwaway.env" (concat (include "throwaway.own" . | fromYamlArray) ((.Values.top).env | default list))'
        " | nindent 2 }}"),
    ),
    "braces stay text": ({"{{ a }}": "{{ b }}"}, 'tree:\n  {{ "{{ a }}" | quote }}: {{ "{{ b }}" | quote }}'),
    "lines stay lines": ({"run.sh": "#!/bin/sh\necho\n"}, "tree:\n  run.sh: |\n    #!/bin/sh\n    echo"),
    "nothing in it": ({"map": {}, "list": []}, "tree:\n  map: {}\n  list: []"),
    "a helper": (
        helpers.repository("top.image.repository", "nvcr.io/nvidia"),
        ('{{- with ((.Values.top).image).repository }}\n'
        'tree: {{ include "throwaway.repository" (list $ . "nvcr.io/nvidia") | quote }}\n{{- end }}'),
    ),
}  # fmt: skip
CONDITIONS: Mapping[str, tuple[conditions.Condition, str]] = {
    "on": (ON, 'eq (toString (.Values.top).switch) "true"'),
    "off": (conditions.negate(ON), 'ne (toString (.Values.top).switch) "true"'),
    "unset": (conditions.negate(WORD), "not (.Values.top).word"),
    "equals": (conditions.Equals("top.word", "x"), 'eq (toString (.Values.top).word) "x"'),
    "equals with a default": (conditions.Equals("top.mode", "x"), 'eq ((.Values.top).mode | default "auto") "x"'),
    "differs": (
        conditions.negate(conditions.Equals("top.version", "5")),
        'ne (include "throwaway.text" (.Values.top).version) "5"',
    ),
    "matches": (
        conditions.Matches("top.word", "^a"),
        'regexMatch `^a` (include "throwaway.text" (.Values.top).word)',
    ),
    "has": (conditions.Has("top.labels", "a"), 'hasKey ((.Values.top).labels | default dict) "a"'),
    "serves": (conditions.Api("a/v1/B"), '.Capabilities.APIVersions.Has "a/v1/B"'),
    "both": (conditions.All((ON, WORD)), 'and (eq (toString (.Values.top).switch) "true") (.Values.top).word'),
    "neither": (
        conditions.negate(conditions.Any((ON, WORD))),
        'not (or (eq (toString (.Values.top).switch) "true") (.Values.top).word)',
    ),
}


@pytest.mark.parametrize(("tree", "text"), PRINTED.values(), ids=PRINTED)
def test_a_tree_is_printed(tree: Node, text: str) -> None:
    """Guards where something can be absent, quotes by the kind of value."""
    assert trees.printed(tree) == f"{text}\n"


@pytest.mark.parametrize(("condition", "text"), CONDITIONS.values(), ids=CONDITIONS)
def test_a_condition_is_printed(condition: conditions.Condition, text: str) -> None:
    """As short as Go templates allow."""
    assert trees.printed(When(condition, 1)) == f"{{{{- if {text} }}}}\ntree: 1\n{{{{- end }}}}\n"


def test_a_long_condition_stands_on_lines_of_its_own() -> None:
    """One operand each."""
    paths = ("top.word", "top.deep.word", "top.image.repository", "top.image.image", "top.args", "top.tolerations")
    text = trees.printed(When(conditions.any_of(*map(conditions.Set, paths)), 1))
    assert text.splitlines()[:3] == ["{{- if or", "  (.Values.top).word", "  ((.Values.top).deep).word"]
    assert max(map(len, text.splitlines())) <= 118


def _text(*documents: Document) -> str:
    return gotext.manifest(Manifest("file.yaml", "What it is for.", documents), trees.INDEX, trees.NAME)


def test_a_file_says_what_it_is_for() -> None:
    """In a comment that helm does not print."""
    assert _text(Document({"kind": "A"})) == "{{- /*\nWhat it is for.\n*/ -}}\nkind: A\n"


def test_documents_of_a_file_are_parted() -> None:
    """And what all of them depend on is checked once, around them."""
    both = conditions.All((ON, WORD))
    text = _text(Document({"kind": "A"}, ON), Document({"kind": "B"}, both))
    assert text == textwrap.dedent("""\
        {{- /*
        What it is for.
        */ -}}
        {{- if eq (toString (.Values.top).switch) "true" }}
        ---
        kind: A
        {{- if (.Values.top).word }}
        ---
        kind: B
        {{- end }}
        {{- end }}
        """)


def test_a_typing_error_in_a_path_names_the_near_miss() -> None:
    """As bad input, with the template that it is in."""
    with pytest.raises(ChartgenError) as caught:
        _text(Document({"a": Value("top.wrod")}))
    assert str(caught.value) == (
        "templates/file.yaml: top.wrod: the unknown path top.wrod; expected a values path (did you mean top.word?)"
    )


def test_what_is_copied_whole_must_be_exact() -> None:
    """A quoted boolean inside would stay a string."""
    with pytest.raises(ChartgenError) as caught:
        _text(Document({"a": Value("top.deep")}))
    assert [problem.path for problem in caught.value.problems] == [
        "top.deep.deeper.labels[]",
        "top.deep.deeper.switch",
        "top.deep.deeper.version",
    ]


def test_a_users_map_alone_is_no_extension() -> None:
    """It can turn out to be empty, and then null would be printed."""
    with pytest.raises(TypeError, match="must always be there"):
        trees.printed(extend({"a": Value("top.word")}, Value("top.resources")))
