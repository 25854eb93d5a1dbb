"""What the engine says of documents is what this side reads, and what it does not say is read here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chartgen.harness import compare, engine, manifests, tools
from chartgen.harness.checks import duplicate_keys
from chartgen.harness.engine import Engine
from chartgen.harness.manifests import Document, Reader
from chartgen.harness.tools import RenderRequest, Run, ToolFailed

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "charts" / "gpu-operator"

# Scalars as a template may print them, and what Kubernetes makes of them.
SCALARS = {
    "12:30": "12:30",
    "1:2:3": "1:2:3",
    "2024-01-31": "2024-01-31",
    "2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
    "0123": 83,
    "0o17": 15,
    "0x1F": 31,
    "0b101": 5,
    "-0b101": -5,
    "089": 89,
    "1_000": 1000,
    "1e3": 1000,
    "1.0": 1,
    "-0": 0,
    ".5": 0.5,
    "1e400": "1e400",
    "1.5e-7": 1.5e-7,
    "9007199254740993": 9007199254740993,
    "18446744073709551615": 18446744073709551615,
    "18446744073709551617": 1.8446744073709552e19,
    "-9223372036854775809": -9.223372036854775808e18,
    "0x1ffffffffffffffff": "0x1ffffffffffffffff",
    "yes": True,
    "Off": False,
    "y": True,
    "~": None,
    "": None,
    "null": None,
    "nUll": "nUll",
    "=": "=",
    "'yes'": "yes",
    '"\\x41\\u00e9\\U0001F600\\t"': "Aé😀\t",
    "größe": "größe",
    "a<b>&c": "a<b>&c",
    "!": "",
    "{}": {},
    "[]": [],
    "[1, 'a', {b: ~}, [on]]": [1, "a", {"b": None}, [True]],
    "&x {a: 1}\nagain: *x": {"a": 1},
    "|\n  #!/bin/sh\n  [ ! -f x ] && a != b\n": "#!/bin/sh\n[ ! -f x ] && a != b\n",
    ">-\n  one\n  two\n\n  three\n": "one two\nthree",
}
# Documents that the engine leaves to this side.
LEFT = (
    "a: 1\na: 2",
    'a: {b: 1, "b": 2}',
    "1: one",
    "on: one",
    "a: !!binary aGVsbG8=",
    "a: !!str 1",
    "a: no !tag at all",
    "a: &x {b: 1}\nc: {<<: *x}",
    "a: 1\n...",
)


@pytest.fixture(scope="module")
def engines(tmp_path_factory) -> tuple[Engine, ...]:
    """The engine, for both versions."""
    found = engine.find_engines(ROOT, tools.find_helms(ROOT, tmp_path_factory.mktemp("home")))
    if not found:
        pytest.skip("there is no engine here; `make tools` builds it where there is Go")
    return found


def render(engines: tuple[Engine, ...], folder: Path, texts: list[str]) -> Run:
    """A chart that prints the texts, each in a file of its own."""
    (folder / "templates").mkdir()
    (folder / "Chart.yaml").write_text("{apiVersion: v2, name: odd, version: 0.1.0}", encoding="utf-8")
    for number, text in enumerate(texts):
        (folder / "templates" / f"{number:03}.yaml").write_text(f"{text}\n", encoding="utf-8")
    run = engines[0].render(RenderRequest(folder))
    assert run.status == 0, run.stderr
    return run


def test_odd_scalars_are_what_kubernetes_sees(engines, tmp_path):
    """And what is read here, which the reader compares."""
    texts = [f"number: {number}\nodd: {scalar}" for number, scalar in enumerate(SCALARS)]
    run = render(engines, tmp_path, texts)
    documents = {each.object["number"]: each for each in Reader(one_in=1).read(run).documents}
    told = {scalar: documents[number].object.get("odd") for number, scalar in enumerate(SCALARS)}
    assert list(compare.differences(told, SCALARS)) == []
    assert {name: type(value) for name, value in told.items()} == {name: type(value) for name, value in SCALARS.items()}
    left = [scalar for number, scalar in enumerate(SCALARS) if not documents[number].keys_are_distinct]
    assert left == []
    assert list(documents[0].object) == ["number", "odd"]


def test_what_readers_differ_in_is_left_to_this_side(engines, tmp_path):
    """It comes out as it always did; and a second key is found."""
    run = render(engines, tmp_path, [f"{text}\n" for text in LEFT])
    documents = Reader(one_in=1).read(run).documents
    assert len(documents) == len(LEFT)
    assert not run.objects
    assert [each.object for each in documents] == [manifests.document("", each.text).object for each in documents]
    assert [bool(list(duplicate_keys.judge(each))) for each in documents[:3]] == [True, True, False]


def test_every_document_of_the_chart_is_told(engines):
    """Those of both versions of Helm."""
    for each in engines:
        documents = Reader(one_in=1).read(each.render(RenderRequest(CHART))).documents
        assert [document.identity for document in documents if not document.keys_are_distinct] == []


def _run(texts: dict[str, object]) -> Run:
    printed = "".join(f"---\n# Source: c/templates/a.yaml\n{text}" for text in texts)
    objects = {manifests.digest(text): json.dumps(told).encode() for text, told in texts.items()}
    return Run("helm template x", 0, printed, "", 0.0, objects=objects)


def test_a_sample_is_read_here_too():
    """A difference is a failure, and nothing is taken from that renderer any more."""
    reader = Reader(one_in=1)
    good = _run({"a: 1\n": {"a": 1}})
    assert reader.read(good).documents[0].keys_are_distinct
    with pytest.raises(ToolFailed, match=r"(?s)a: true instead of 1.*\$ helm template x"):
        reader.read(_run({"a: 1 # one\n": {"a": True}}))
    assert reader.read(_run({"a: 1 # two\n": {"a": 1}})).documents == (
        Document("c/templates/a.yaml", "a: 1 # two\n", {"a": 1}),
    )


def test_the_sample_is_the_first_and_some_by_their_text():
    """The others are taken as they are told: so one can see which they are."""
    with pytest.raises(ToolFailed, match="b: absent instead of 1"):
        Reader(one_in=10**30).read(_run({"b: 1\n": {}}))
    texts = {f"a: {number}\n": {"a": -number} for number in range(1000)}
    taken = 0
    for text, told in texts.items():
        reader = Reader(one_in=100)
        reader.read(_run({"first: 1\n": {"first": 1}}))
        try:
            taken += reader.read(_run({text: told})).documents[0].object == told and told["a"] != 0
        except ToolFailed:
            continue
    assert 970 <= taken <= 997
