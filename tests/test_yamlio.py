"""YAML is read as Helm reads it, and written so that every reader reads the same."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from support import helms, odd

from chartgen import yamlio
from chartgen.errors import ChartgenError
from chartgen.harness import tools

# Written by hand: what Helm makes of a plain scalar. Those below are compared with the real program.
FACTS: dict[str, Any] = {
    "y": True, "n": False, "Yes": True, "NO": False, "on": True, "Off": False, "true": True, "FALSE": False, "yEs": "yEs",
    "~": None, "null": None, "Null": None, "nULL": "nULL", "12:30": "12:30", "190:20:30": "190:20:30", "=": "=",
    "2026-01-01": "2026-01-01", "2026-01-01T00:00:00Z": "2026-01-01T00:00:00Z", "1.2.3": "1.2.3", "1,000": "1,000",
    "0123": 83, "0o17": 15, "0O17": 15, "017": 15, "-017": -15, "08": 8, "0x1F": 31, "0X1f": 31, "0b11": 3, "-0b11": -3,
    "0b2": "0b2", "0x": "0x", "0o": "0o", "0b_": "0b_", "1_000": 1000, "_1": "_1", "+1": 1, "-1": -1, "1.": 1, ".5": 0.5,
    "._5": "._5", "1_0.5": 10.5, "1e3": 1000, "1E+3": 1000, "1e": "1e", "e3": "e3", "1e400": "1e400", ".": ".",
    "v580": "v580", "580.10": 580.1, "1.10": 1.1, "20260101": 20260101, "9007199254740991": 9007199254740991,
    "inf": "inf", "nan": "nan", "-0": 0, "0.0": 0,
}  # fmt: skip
_ALPHABET = "0123456789+-._eExXobBtfynNoOsYTFru:~ "
_TEMPLATE = """
{{- range $number, $text := .Values.texts }}
---
kind: A
metadata: {name: "{{ $number }}"}
json: {{ fromYaml $text | toJson | quote }}
{{- end }}
"""


@pytest.fixture(scope="module", params=helms.MAJORS)
def helm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tools.Helm:
    """Each Helm that is installed."""
    return helms.find(request.param, tmp_path_factory.mktemp("home"))


def _asked(helm: tools.Helm, folder: Path, texts: Sequence[str]) -> list[Any]:
    """What helm's ``fromYaml`` makes of texts, in one call."""
    (folder / "templates").mkdir(parents=True)
    (folder / "Chart.yaml").write_text("{apiVersion: v2, name: asks, version: 0.1.0}")
    (folder / "templates" / "answers.yaml").write_text(_TEMPLATE)
    (folder / "values.yaml").write_text(json.dumps({"texts": list(texts)}))
    done = helm.render(tools.RenderRequest(folder))
    assert done.status == 0, done.stderr
    documents = [document for document in yaml.load_all(done.stdout, yaml.CSafeLoader) if document]
    answers = {int(document["metadata"]["name"]): json.loads(document["json"]) for document in documents}
    return [answers[number] for number in range(len(texts))]


def _as_json(value: Any) -> Any:
    """A value as JSON tells it, in which 1 and 1.0 are one number and True is none."""
    if isinstance(value, dict):
        return {key: _as_json(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_as_json(member) for member in value]
    return ("number", float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _read(text: str) -> Any:
    try:
        return yamlio.load(text)
    except yaml.YAMLError:
        return "no YAML"


@pytest.mark.parametrize(("text", "value"), FACTS.items())
def test_a_scalar_is_read_as_helm_reads_it(text: str, value: Any) -> None:
    """Booleans, nulls and numbers as of go-yaml; times and dates are text."""
    assert _as_json(yamlio.load(f"value: {text}")) == _as_json({"value": value})


def test_the_facts_are_facts(helm: tools.Helm, tmp_path: Path) -> None:
    """The real program agrees with the table."""
    answers = _asked(helm, tmp_path, [f"value: {text}" for text in FACTS])
    wrong = {
        text: answer
        for (text, value), answer in zip(FACTS.items(), answers, strict=True)
        if _as_json(answer) != _as_json({"value": value})
    }
    assert not wrong


def test_what_looks_like_a_number_is_read_as_helm_reads_it(helm: tools.Helm, tmp_path: Path) -> None:
    """Any mixture of digits, signs, dots and letters."""
    chosen = random.Random(20260101)
    drawn = {"".join(chosen.choices(_ALPHABET, k=chosen.randint(1, 6))).strip() for _ in range(1500)}
    texts = [f"value: {text}" for text in sorted(drawn)]
    answers = ["no YAML" if "Error" in answer else answer for answer in _asked(helm, tmp_path, texts)]
    found = {text: _read(text) for text in texts}
    assert {
        text: (answer, found[text])
        for text, answer in zip(texts, answers, strict=True)
        if _as_json(answer) != _as_json(found[text])
    } == {}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.sampled_from(odd.STRINGS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from(odd.STRINGS), inner, max_size=3)
    ),
    max_leaves=8,
)


@example(value={"long": "word " * 40 + ": # x", "lines": "a\n  b\n\nc\n", "more": "a\n\n", "end": "a \nb"})
@given(value=VALUES)
def test_what_is_written_is_read_again(value: Any) -> None:
    """By a YAML 1.1 reader and by one that reads like Helm, whatever the strings and keys."""
    text = yamlio.dump(value)
    assert yamlio.load(text) == value
    assert yaml.load(text, yaml.CSafeLoader) == value


_PROSE = st.lists(
    st.sampled_from(
        ("word", "a", "longer-word-than-most-others", "(b)", "`c`", "it's", "#x", "key:", "- d", "", " ", '"')
    ),
    min_size=1,
    max_size=40,
).map(" ".join)
_LINES = st.lists(_PROSE | st.sampled_from(("", "  in", "end ")), min_size=2, max_size=4).map("\n".join)
WRITTEN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(odd.STRINGS)
    | _PROSE | _LINES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from((*odd.STRINGS, "key", "other", "k" * 130)) | _PROSE, inner, max_size=4)
    ),
    max_leaves=12,
)  # fmt: skip


@example(value={"a": {"b": ["word " * 30, {"c": "x" * 200, "d": "\\d " * 40}]}}, width=118)
@given(value=WRITTEN, width=st.sampled_from((20, 40, 118, 1_000_000)))
def test_what_is_written_is_what_the_library_writes(value: Any, width: int) -> None:
    """To the letter, wherever it stands: where lines are folded, what is quoted and how."""
    assert yamlio.dump(value, width) == yamlio.by_library(value, width)


@given(value=st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(odd.STRINGS))
def test_a_scalar_on_one_line_is_read_again(value: Any) -> None:
    """In a mapping, which is where templates have it."""
    text = yamlio.scalar(value)
    assert "\n" not in text
    assert yamlio.load(f"key: {text}") == {"key": value}
    assert yaml.load(f"key: {text}", yaml.CSafeLoader) == {"key": value}
    if isinstance(value, str):
        assert yaml.load(f"{text}: 1", yaml.CSafeLoader) == {value: 1}


def test_helm_reads_what_is_written(helm: tools.Helm, tmp_path: Path) -> None:
    """Odd strings as keys and values, on one line and in blocks."""
    values = [{"key": string, "list": [string], "map": {"x" + string: string}} for string in odd.STRINGS]
    assert _asked(helm, tmp_path, [yamlio.dump(value) for value in values]) == values
    lines = [f"key: {yamlio.scalar(string)}" for string in odd.STRINGS]
    assert _asked(helm, tmp_path / "lines", lines) == [{"key": string} for string in odd.STRINGS]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [{"x": 1, "w": 2}]}, "b: 1\na:\n  - x: 1\n    w: 2\n"),
        ({"text": "two\nlines\n"}, "text: |\n  two\n  lines\n"),
        ({"a": {}, "b": [], "c": None, "d": ""}, 'a: {}\nb: []\nc: null\nd: ""\n'),
        ({"yes": "no", "n": "580"}, '"yes": "no"\n"n": "580"\n'),
        ({"image": "nvcr.io/nvidia/driver", "time": "12:30"}, 'image: nvcr.io/nvidia/driver\ntime: "12:30"\n'),
    ],
)
def test_what_is_written_reads_well(value: Any, text: str) -> None:
    """The given order, lists below their key, and quotes only where a reader needs them."""
    assert yamlio.dump(value) == text


def test_nothing_is_aliased() -> None:
    """Two places with one list are two lists to a reader."""
    shared = [1]
    assert yamlio.dump({"a": shared, "b": shared}) == "a:\n  - 1\nb:\n  - 1\n"


def test_all_documents_are_read() -> None:
    """Empty ones are none."""
    assert yamlio.load_all("---\n# nothing\n---\na: 1\n---\n---\nb: y\n") == [{"a": 1}, {"b": True}]


def test_every_key_has_its_line() -> None:
    """Counted from 1; what has none is told by its parent's."""
    located = yamlio.locate("a:\n  b: 1\n  c:\n    - x\n    - d: 2\n", "file.yaml")
    assert [located.at(path) for path in (("a",), ("a", "b"), ("a", "c", 0), ("a", "c", 1, "d"), ("a", "z"), ())] == [
        "file.yaml:1", "file.yaml:2", "file.yaml:4", "file.yaml:5", "file.yaml:1", "file.yaml:1"
    ]  # fmt: skip


def test_every_repeated_key_is_told() -> None:
    """All of them, with the line of the first."""
    with pytest.raises(ChartgenError) as caught:
        yamlio.locate("a: 1\nb: {c: 1, c: 2}\na: 2\n", "file.yaml")
    assert [str(problem) for problem in caught.value.problems] == [
        "file.yaml:2: b.c: a second 'c'; expected one only; the first is on line 2",
        "file.yaml:3: a: a second 'a'; expected one only; the first is on line 1",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [1\n", 2),
        ("a: 1\n b: 2\n", 2),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: !thing 1\n", 1),
        ("ä: b\na: \x01\n", 2),
        ("a: *b\n", 1),
    ],
)
def test_what_is_no_yaml_is_told_with_its_line(text: str, line: int) -> None:
    """Also a second document, an unknown tag, a control character and an alias of nothing."""
    with pytest.raises(ChartgenError) as caught:
        yamlio.locate(text, "file.yaml")
    (problem,) = caught.value.problems
    assert problem.where == f"file.yaml:{line}"
    assert problem.found.startswith("not YAML: ")
