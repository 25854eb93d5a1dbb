"""Values are put together as the real Helm does it: held against its own answer."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from chartgen import yamlio
from chartgen.errors import ChartgenError
from chartgen.harness import compare, values
from chartgen.harness.tools import RenderRequest

PRINT = """
apiVersion: v1
kind: ConfigMap
metadata: {name: %s}
data:
  values: {{ .Values | toJson | quote }}
"""


def chart(folder: Path, name: str, defaults: Any, dependencies: list[dict[str, str]] | None = None) -> Path:
    """A chart that prints the values its templates see; JSON is YAML."""
    (folder / "templates").mkdir(parents=True)
    facts = {"apiVersion": "v2", "name": name, "version": "0.1.0", "dependencies": dependencies or []}
    (folder / "Chart.yaml").write_text(json.dumps(facts), encoding="utf-8")
    (folder / "values.yaml").write_text(json.dumps(defaults), encoding="utf-8")
    (folder / "templates" / "print.yaml").write_text(PRINT % name, encoding="utf-8")
    return folder


def seen(toolbox, folder: Path, given: Path) -> list[tuple[int, dict[str, Any]]]:
    """What the top chart's templates see under each Helm: (major version, values)."""
    answers: list[tuple[int, dict[str, Any]]] = []
    for renderer in toolbox.renderers:
        run = renderer.render(RenderRequest(folder, (given,)))
        assert run.status == 0, run.report()
        documents = {each["metadata"]["name"]: each for each in yamlio.load_all(run.stdout)}
        answers.append((int(renderer.version[1]), json.loads(documents["top"]["data"]["values"])))
    return answers


def agree(toolbox, folder: Path, given: Any) -> None:
    """Fail unless both Helms see what `values.coalesce` says."""
    file = folder.parent / "given.yaml"
    file.write_text(given if isinstance(given, str) else json.dumps(given), encoding="utf-8")
    for major, found in seen(toolbox, folder, file):
        ours = values.coalesce(values.load(folder), values.read(file.read_text(encoding="utf-8")), major)
        assert list(compare.differences(found, ours)) == [], f"Helm {major}"


@pytest.mark.parametrize(
    ("defaults", "given"),
    [
        ({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 4}}),
        ({"a": 1, "b": {"c": 2}}, {"a": None, "b": None, "unknown": None}),
        ({"b": {"c": {"d": 1, "e": 2}}}, {"b": {"c": {"d": None, "unknown": None}}}),
        ({"b": {"c": 1}}, {"b": 5}),
        ({"b": 5}, {"b": {"c": 1, "d": None}}),
        ({"a": None, "b": {"c": None, "d": 1}}, {}),
        ({"a": None, "b": {"c": None, "d": 1}}, {"a": None, "b": {"c": None, "e": 2}}),
        ({"l": [1, 2, {"a": None}]}, {"l": [3, {"b": None}]}),
    ],
    ids=[
        "merge",
        "null",
        "nested-null",
        "scalar-over-map",
        "map-over-scalar",
        "default-nulls",
        "null-over-null",
        "lists",
    ],
)
def test_a_user_s_values_over_the_defaults(toolbox, tmp_path, defaults, given):
    """Each rule of Helm's, by itself."""
    agree(toolbox, chart(tmp_path / "top", "top", defaults), given)


def test_words_of_yaml_1_1(toolbox, tmp_path):
    """What Helm reads as a boolean or a number, we do too; keys become strings."""
    text = "a: y\nb: 'y'\nc: 0123\nd: 12:30\ne: 1_000\nf: 1.10\ng: 0o17\nh: Off\ni: ~\nj: 2026-01-01\non: 1\n5: x\n"
    agree(toolbox, chart(tmp_path / "top", "top", {}), text)


@pytest.mark.parametrize("enabled", [True, False, None, "false"])
def test_a_dependency_with_a_condition(toolbox, tmp_path, enabled):
    """An enabled one's defaults are among the parent's values; globals go down. A string is no boolean to Helm."""
    top = chart(
        tmp_path / "top",
        "top",
        {"global": {"a": {"b": 1}}, "sub": {"x": {"y": 1}}, "nfd": {"enabled": True}},
        [{"name": "sub", "version": "0.1.0", "condition": "nfd.enabled"}],
    )
    chart(top / "charts" / "sub", "sub", {"x": {"y": 2, "z": None}, "own": None, "global": {"a": {"b": 9, "c": 3}}})
    agree(toolbox, top, {"nfd": {"enabled": enabled}, "sub": {"x": {"z": 5}}, "global": {"a": {"d": None}}})


def test_random_values(toolbox, tmp_path):
    """Nulls, maps and scalars in every combination, with a subchart; seeded, so that each run is the same."""
    for seed in range(12):
        source = random.Random(seed)
        dependencies = [{"name": "sub", "version": "0.1.0"} | ({"alias": "other"} if seed % 3 == 0 else {})]
        key = "other" if seed % 3 == 0 else "sub"
        folder = tmp_path / str(seed)
        top = chart(folder / "top", "top", {**table(source, 3), key: table(source, 2)}, dependencies)
        chart(top / "charts" / "sub", "sub", table(source, 3))
        agree(toolbox, top, {**table(source, 3), key: table(source, 2), "global": table(source, 2)})


def table(source: random.Random, depth: int) -> dict[str, Any]:
    """A random mapping."""
    return {key: anything(source, depth) for key in source.sample("abcd", source.randint(0, 4))}


def anything(source: random.Random, depth: int) -> Any:
    """A random value, a null more often than not."""
    if depth > 0 and source.random() < 0.5:
        return table(source, depth - 1)
    return source.choice([None, None, 1, "s", True, [], [1, None], {}])


def test_what_is_not_supported_is_refused(tmp_path):
    """Better no oracle than a wrong one."""
    top = chart(tmp_path / "top", "top", {}, [{"name": "sub", "version": "0.1.0", "tags": ["x"]}])
    with pytest.raises(ChartgenError, match=r"dependencies\.sub: tags; expected conditions only"):
        values.load(top)


@pytest.mark.parametrize("file", ["values.yaml", "mine.yaml"])
def test_a_values_file_that_is_no_yaml_is_bad_input(tmp_path, file):
    """The chart's own, or one of the user's: both with the path."""
    (tmp_path / "Chart.yaml").write_text("{apiVersion: v2, name: x, version: 0.1.0}\n")
    (tmp_path / file).write_text("a: [\n")
    with pytest.raises(ChartgenError, match=f"{file}: not YAML: "):
        values.load(tmp_path) if file == "values.yaml" else values.given([tmp_path / file], {})
