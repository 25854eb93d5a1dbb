"""No schema file, however wrong, makes the loader fail in another way than by telling what is wrong."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from support.schema_folders import write

from chartgen import yamlio
from chartgen.errors import ChartgenError
from chartgen.schema import loader

GOOD: dict[str, Any] = yamlio.load("""
chart.yaml: {name: small, order: [top, other], subcharts: [{schemas: sub, condition: top.on}]}
keys.yaml: {retired: {old: {since: v1, use: top.word}}, misplaced: {topp: top}}
top.yaml:
  name: top
  type: object
  description: Top.
  surfaces: {clusterPolicy: top}
  retired: {gone: {since: v1, use: top.word}}
  misplaced: {wrod: top.word}
  required: [word]
  properties:
    word: {type: word, description: Word., default: abc, crd: {default: {clusterPolicy: x}}, surfaces: {gpuCluster: false}}
    "on": {type: boolean, unset: true, description: On., deprecated: {since: v1, use: word}, group: Switches}
    size: {type: integer, minimum: 1, maximum: 9, default: 5, description: Size.}
    data: {type: map, description: Data., values: {type: string, description: Value., reads: [integer]}, example: {a: b}}
    list: {type: items, description: List.}
other.yaml: {name: other, type: string, description: Other., fallback: appVersion, empty: value}
types/some.yaml:
  types:
    word: {type: string, description: A word., pattern: '^[a-z]*$', minLength: 0, enum: [abc, x]}
    items: {type: list, description: Items., items: {type: item}}
    item: {type: object, description: An item., properties: {name: {type: reference, description: A name.}}}
crds/things.yaml:
  name: things
  surface: gpuCluster
  description: Things.
  header: {group: example.com, plural: things}
  required: [status]
  properties: {status: {type: object, open: true, description: Status.}}
  older: {v1: {required: [a], properties: {a: {type: string, description: A.}}}}
rules.yaml:
  rules:
    - name: one
      refuse: {all: [{"on": top.on}, {equals: {top.word: x}}, {not: {matches: {top.word: '^a'}}}, {api: a/b}]}
      message: This cannot be
      fix: set another
      paths: [top.on]
    - name: two
      warn: {any: [{has: {path: top.data, key: {value: top.word}}}, {"off": IT.on}, {same: [top.word, other]}, {unset: other}]}
      for: {top: {set: other}}
      message: This may not be
      fix: set another
sub/chart.yaml: {name: sub}
sub/own.yaml: {name: own, type: string, description: Own.}
""")


def _places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _places(member, (*path, key))
    if isinstance(value, list):
        for number, member in enumerate(value):
            yield from _places(member, (*path, number))


JUNK = st.sampled_from(
    (5, -1.5, True, None, "x", "", "top", "word", [], ["x"], [5], [[]], {}, {"x": "y"}, {"type": "word"}, {"a": None})
)
MUTATION = st.tuples(st.sampled_from([path for path in _places(GOOD) if path]), JUNK)


def _load(folder: Path, files: dict[str, Any]) -> None:
    for old in folder.rglob("*.yaml"):
        old.unlink()
    loader.load(write(folder, {name: yaml.safe_dump(content, sort_keys=False) for name, content in files.items()}))


def test_the_good_one_is_good(tmp_path: Path) -> None:
    """What the mistakes are made in has none."""
    _load(tmp_path / "schemas", GOOD)


@example(mutations=[(("top.yaml", "retired"), None), (("top.yaml", "type"), "items")])
@given(mutations=st.lists(MUTATION, min_size=1, max_size=3))
def test_mistakes_are_told_and_nothing_else_happens(
    tmp_path_factory: Any, mutations: list[tuple[tuple[str | int, ...], Any]]
) -> None:
    """Anything in the place of anything: either the schema loads, or each problem has a file and words."""
    files = copy.deepcopy(GOOD)
    for path, junk in mutations:
        place: Any = files
        for key in path[:-1]:
            place = place[key] if isinstance(place, dict) and key in place else None
        if isinstance(place, dict):
            place[path[-1]] = copy.deepcopy(junk)
    folder = tmp_path_factory.getbasetemp() / "robust" / "schemas"
    try:
        _load(folder, files)
    except ChartgenError as error:
        for problem in error.problems:
            assert problem.where.startswith("schemas/")
            assert problem.found
            assert problem.expected
