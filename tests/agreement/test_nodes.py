"""Each node and each condition alone: what helm makes of it is what evaluation says.

All trees stand in one chart, which is rendered once for each set of values below. Failures show the tree, its template
and both results.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest
from support import odd, trees

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helper_texts, helpers
from chartgen.tree.nodes import (
    Builtin,
    ChartFile,
    Digest,
    EnvMerge,
    Extend,
    Helper,
    Node,
    Shape,
    Value,
    When,
    extend,
    join,
)

_FIELDS = [
    field.path for field in trees.SCHEMA.walk() if not field.children and field.path not in ("global", "nameOverride")
]
_SCALARS = ("top.word", "top.blank", "top.mode", "top.version", "top.deep.word", "top.a-b.c-d", "side-car.word")
_SWITCHES = ("top.switch", "top.lit", "top.dim", "top.deep.deeper.switch", "side-car.switch")
_ON = conditions.On("top.switch")
_WORD = conditions.Set("top.word")

VALUES: Mapping[str, Node] = {
    **{path: Value(path) for path in _FIELDS},
    **{f"{path} or a string": Value(path, "else") for path in _SCALARS},
    **{f"{path} or a builtin": Value(path, Builtin.APP_VERSION) for path in _SCALARS},
    "a size or a number": Value("top.size", 7),
    "a size or zero": Value("top.size", 0),
    "a share or a number": Value("top.share", 7),
    "a share or a string": Value("top.share", "7%"),
    **{f"{path} or true": Value(path, True) for path in _SWITCHES},
    **{f"{path} or false": Value(path, False) for path in _SWITCHES},
}
JOINS: Mapping[str, Node] = {
    "of literals": join("100%", " {{ x }} ", '"quoted"', "\n"),
    "of a builtin": join("in ", Builtin.NAMESPACE),
    "of values": join("a=", Value("top.word"), ",b=", Value("top.deep.deeper.version"), "."),
    "of a value with a default": join(Value("top.word", "else"), "/", Value("top.version", Builtin.APP_VERSION)),
    "of a size": join("--size=", Value("top.size")),
    "of a size with a default": join("--size=", Value("top.size", 7)),
    "of a share": join("--share=", Value("top.share")),
    "of a switch": join("--dim=", Value("top.dim"), " --switch=", Value("top.switch")),
    "of a helper": join("--image=", helpers.image("top.image", "nvcr.io/nvidia")),
    "of one value": join(Value("top.version")),
    "of a blank": join("<", Value("top.blank"), ">"),
}
CHOICES: Mapping[str, Node] = {
    "a literal": When(_ON, "yes"),
    "one of two": When(_ON, "yes", "no"),
    "a value": When(_ON, Value("top.word")),
    "values both": When(_ON, Value("top.word"), Value("top.version")),
    "guarded by itself": When(_WORD, Value("top.word"), "none"),
    "a mapping": When(_ON, {"a": Value("top.word")}, {"b": Value("top.version")}),
    "a list": When(_ON, [Value("top.word")], ["b"]),
    "in each other": When(_ON, When(_WORD, "both", "on alone"), When(_WORD, "word alone")),
    "in each other without else": When(_ON, When(_WORD, Value("top.version"), "on alone")),
    "in a list": ["first", When(_ON, "yes", Value("top.word")), When(_WORD, When(_ON, "both"))],
    "the same twice": When(_ON, {"a": When(_ON, "always"), "b": When(conditions.negate(_ON), "never")}),
    "neighbours with one guard": {
        "a": When(_ON, "1"),
        "b": When(_ON, Value("top.word")),
        "c": When(_ON, ["x"]),
        "d": "y",
    },
    "neighbours in a list": [When(_WORD, "a"), When(_WORD, Value("top.word")), When(_ON, "b"), When(_ON, {"c": "d"})],
    "a chain": When(_ON, "first", When(_WORD, Value("top.word"), When(conditions.On("top.lit"), "third"))),
    "a chain of lists": extend(["a"], When(_ON, ["b"], When(_WORD, [Value("top.word")], ["c"]))),
    "a helper": When(_ON, helpers.pull_secrets("top.secrets", of_pod=True), []),
}
EXTENDS: Mapping[str, Node] = {
    "a list by a value": extend(["a", "b"], Value("top.args")),
    "values by values": extend(Value("top.args"), Value("top.deep.deeper.args")),
    "a list by a choice": extend([When(_ON, "a")], When(_WORD, [Value("top.word")], ["none"])),
    "a list by a conditional list": extend(Value("top.args"), When(_ON, ["x"])),
    "a mapping by a value": extend({"k": Value("top.word", "else")}, Value("top.resources")),
    "a mapping by a conditional value": extend({"k": 1}, When(_WORD, Value("top.resources"))),
    "a mapping by a choice": extend({"k": 1}, When(_ON, {"l": Value("top.word")}, {"m": Value("top.version")})),
    "a mapping by strings": extend({"k": 1}, Value("top.labels")),
    "nothing by a value": extend([], Value("top.args")),
    "nothing by a choice": extend(Value("top.args"), When(_ON, [])),
    "variables": extend([{"name": "A", "value": Value("top.word")}], Value("top.env")),
    "by a helper": extend([{"name": "own"}], helpers.pull_secrets("top.secrets", of_pod=True)),
}
_NUMBERS = itertools.count()
_OWN: tuple[Node, ...] = (
    {"name": "FIRST", "value": "1"},
    {"name": "WORD", "value": Value("top.word")},
    When(_ON, {"name": "SWITCH", "value": Value("top.dim")}),
    {"name": "SOURCE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
    {"name": "LAST", "value": join(Builtin.NAMESPACE, "/", Value("top.version", "0"))},
)


def _merge(*layers: tuple[Node, ...] | str | Helper | Extend) -> EnvMerge:
    """An `EnvMerge` whose definitions have a name of their own."""
    return EnvMerge(f"env{next(_NUMBERS)}", layers)


MERGES: Mapping[str, Node] = {
    "own and given": _merge(_OWN, "top.env"),
    "given with sources": _merge(_OWN, "top.containerEnv"),
    "own that may be absent": _merge((_OWN[2],), "top.env"),
    "in a choice": When(_WORD, _merge((_OWN[1],), "top.env")),
    "own alone": _merge(_OWN),
    "own alone that may be absent": _merge((_OWN[2],)),
    "given alone": _merge("top.env"),
    "a helper as a layer": _merge(_OWN, helpers.host_sources("top.env")),
    "a choice as a layer": _merge(extend([_OWN[0]], When(_ON, [_OWN[1]], [_OWN[4]])), "top.env"),
    "an extended list and a helper": _merge(
        extend((_OWN[0],), When(_ON, [_OWN[3]])), helpers.host_sources("top.env"), (_OWN[2],)
    ),
    "five layers": _merge((_OWN[1], _OWN[2]), "top.env", (_OWN[0],), "top.containerEnv", (_OWN[2],)),
}
_WORDS = ("top.env", "FILE WORD", "/etc/some/file")
HELPERS: Mapping[str, Node] = {
    "text": Helper("text", (Value("top.version"),)),
    "number": helpers.number("top.share"),
    "number of a version": helpers.number("top.version"),
    "strings": helpers.merged(Value("top.labels"), Value("top.deep.deeper.labels")),
    "strings with literals": helpers.merged({"a": Value("nameOverride", Builtin.CHART_NAME)}, Value("top.labels")),
    "strings with those of a helper": Helper(
        "strings", (helpers.labels({"a": "own"}), Value("top.labels")), Shape.YAML
    ),
    "yaml": Helper("yaml", (Value("top.resources"),), Shape.YAML, conditions.Set("top.resources")),
    "env": Helper("env", (Value("top.env"),), Shape.YAML, conditions.Set("top.env")),
    "variable": Helper("variable", (Value("top.env"), "B"), root=True),
    "twice": Helper("twice", (Value("top.pools"), "word")),
    "names": helpers.pull_secrets("top.secrets", of_pod=False),
    "commas": helpers.commas("top.secrets", "global.imagePullSecrets"),
    "pullSecrets": helpers.pull_secrets("top.secrets", of_pod=True),
    "relabelings": Helper("relabelings", (Value("top.relabelings"),), Shape.YAML, conditions.Set("top.relabelings")),
    "resourceThere": Helper("resourceThere", (Value("top.word", "nvidia.com/gpu"),)),
    "resourceThere as a text": Helper("resourceThere", ("nvidia.com/gpu",), Shape.TEXT),
    "hook": helpers.hook("pre-delete", -5, "before-hook-creation"),
    "labels": helpers.labels({"component": "x", "namespace": Builtin.NAMESPACE}),
    "labels and more": helpers.merged_labels({"app.kubernetes.io/name": "mine"}, "top.labels"),
    "podLabels": helpers.pod_labels({"app.kubernetes.io/name": "mine"}, "top.labels"),
    "hostFile": helpers.host_file(*_WORDS),
    "hostFile dir": helpers.host_file(*_WORDS, "dir"),
    "hostFile base": helpers.host_file("top.containerEnv", "FILE", "/etc/some/file", "base"),
    "hostFile in a join": join("/in/", helpers.host_file(*_WORDS, "base")),
    "hostSources": helpers.host_sources("top.env"),
    "repository": helpers.repository("top.image.repository", "nvcr.io/nvidia"),
    "repository without a path": helpers.repository("top.image.repository", "docker.io"),
    "image": helpers.image("top.image", "nvcr.io/nvidia"),
    "image of the release": helpers.release_image("top.image", "nvcr.io/nvidia", "own"),
    "driverImage": helpers.driver_image("top.image", "nvcr.io/nvidia", "", Value("top.deep.word")),
    "driverImage for a kernel": helpers.driver_image(
        "top.image", "r", When(_ON, Value("top.word"), ""), Value("top.mode")
    ),
    "fileMounts": extend([{"name": "own"}], helpers.file_mounts("top.word", "/etc/files", "top.files")),
    "objectName": helpers.object_name("Some_Name", Value("top.version"), Value("top.word"), Value("top.mode")),
    "othersThan": helpers.labelled({"a": When(_ON, "own"), "b": Value("top.word"), "x": "y"}, Value("top.labels")),
    "othersThan of two": helpers.labelled({"a": "own"}, Value("top.labels"), Value("top.deep.deeper.labels")),
    "overlaid": Helper(
        "overlaid", (Value("top.labels"), Value("side-car.labels")), Shape.YAML, conditions.Set("top.labels")
    ),
    "pullSecrets, some while a switch is on": helpers.pull_secrets(
        "top.secrets", of_pod=True, also={"global.imagePullSecrets": _ON}
    ),
    "objectName, a part of it while a value is set": helpers.object_name("x", When(_WORD, Value("top.word"), "none")),
}
DIGESTS: Mapping[str, Node] = {
    "of values": Digest("digestOne", {"a": Value("top.word"), "b": {"c": Value("top.size"), "d": When(_ON, True)}}),
    "of odd strings": Digest("digestTwo", {"all": [*odd.STRINGS], "keys": {"<>&": 1}}),
    "of a user's values": Digest("digestThree", {"z": 0, "labels": Value("top.labels"), "env": Value("top.env")}),
    "in an environment": EnvMerge(
        "digestFour", (({"name": "A", "value": Digest("digestFive", {"a": "b"})},), "top.env")
    ),
}
PLAIN: Mapping[str, Node] = {
    **{builtin.name: builtin for builtin in Builtin},
    "strings": [*odd.STRINGS],
    "keys": dict.fromkeys(odd.STRINGS, "x"),
    "texts": [
        "one line\n",
        "#!/bin/sh\nif x; then\n  y\n\nfi\n",
        "a\n  b",
        " a\nb\n",
        "a \nb\n",
        "a\n\n",
        "a: b\n- c\n",
    ],
    "text of a key": {"run.sh": "#!/bin/sh\necho \"$x\" 'y' # z\n", "braces": "a\n{{ b }}\n"},
    "numbers": [0, -1, 20260101, True, False],
    "texts or not": [
        "a\n",
        "a\nb\n",
        "a\n\n  b\n",
        " a\nb\n",
        "a\n \nb\n",
        "a \nb\n",
        "a\n\n",
        "a\n{{ b }}\n",
        "# a\nb: c\n",
    ],
    "files": [ChartFile(path, text) for path, text in trees.FILES.items()],
    "a file's member": {"member": ChartFile("files/map.yaml", {"b": 1, "c": ["x", "y"]}, "a")},
    "empty": {"map": {}, "list": [], "string": ""},
    "lists in lists": [["a", ["b"]], [Value("top.word")], [[]]],
    "nothing left": {"a": {"b": [Value("top.word")]}, "c": [{"d": Value("top.version")}]},
}
_CONDITIONS: Mapping[str, Condition] = {
    **{f"on {path}": conditions.On(path) for path in _SWITCHES},
    **{f"set {path}": conditions.Set(path) for path in _FIELDS},
    **{f"{path} is else": conditions.Equals(path, "else") for path in _SCALARS},
    **{f"{path} is empty": conditions.Equals(path, "") for path in (*_SCALARS, "top.size", "top.share", "top.dim")},
    "a number is": conditions.Equals("top.version", "20260101"),
    "a size is": conditions.Equals("top.size", "20260101"),
    "a share is": conditions.Equals("top.share", "20260101"),
    "a switch is": conditions.Equals("top.dim", "true"),
    "a default is": conditions.Equals("top.mode", "auto"),
    "a default share is": conditions.Equals("top.share", "25%"),
    "matches": conditions.Matches("top.word", r"^[a-z]+\d*$"),
    "matches a number": conditions.Matches("top.version", r"^\d+$"),
    "matches a quote": conditions.Matches("top.word", "[`\"']"),
    "has": conditions.Has("top.labels", "a"),
    "a variable is": conditions.Variable("top.env", "WORD", "^given$"),
    "a variable is not empty": conditions.Variable("top.containerEnv", "A", "."),
    "a variable is absent": conditions.Variable("top.env", "NONE", "^$"),
    "has what a value says": conditions.Has("top.labels", key_from="top.word"),
    "has what a version says": conditions.Has("top.deep.deeper.labels", key_from="top.version"),
    "has in a list": conditions.Has("top.args", "-v"),
    "has a version in a list": conditions.Has("top.deep.deeper.args", key_from="top.version"),
    "a variable matches": conditions.Variable("top.env", "B", "^(true|1)$"),
    "a variable is empty": conditions.Variable("top.containerEnv", "A", "^$"),
    "given": conditions.Given("top.deep.deeper"),
    "given a value": conditions.Given("top.size"),
    "same": conditions.Same("top.word", "top.blank"),
    "same as a number": conditions.Same("top.version", "top.size"),
    "some item": conditions.Some("top.pools", conditions.Equals("word", "first"), "someOne"),
    "some item without": conditions.Some("top.pools", conditions.negate(conditions.Set("word")), "someTwo"),
    "some item of several": conditions.Some(
        "top.pools",
        conditions.all_of(
            conditions.Set("size"), conditions.any_of(conditions.Set("labels"), conditions.Set("deep.word"))
        ),
        "someThree",
    ),
    "some item with labels": conditions.Some("top.pools", conditions.Has("labels", "b"), "someFour"),
    "some toleration": conditions.Some("top.tolerations", conditions.Matches("key", "^[a-z]$"), "someFive"),
    "some seconds": conditions.Some("top.tolerations", conditions.Set("tolerationSeconds"), "someSix"),
    "twice": conditions.Twice("top.pools", "word"),
    "twice a number": conditions.Twice("top.pools", "size"),
    "twice in tolerations": conditions.Twice("top.tolerations", "key"),
    "serves": conditions.Api(trees.APIS[1]),
    "serves a group": conditions.Api(trees.APIS[0]),
    "serves not": conditions.Api("resource.k8s.io/v1/Nothing"),
    "all": conditions.All((_ON, _WORD, conditions.Api(trees.APIS[1]))),
    "any": conditions.Any((_ON, conditions.Not(_WORD), conditions.Equals("top.word", "x"))),
    "always": conditions.ALWAYS,
    "never": conditions.NEVER,
    "mixed": conditions.All((conditions.Any((_ON, _WORD)), conditions.Not(conditions.All((_ON, _WORD))))),
}
CONDITIONS: Mapping[str, Node] = {
    name: {"holds": When(one, "yes", "no"), "opposite": When(conditions.negate(one), "yes", "no"), "last": 1}
    for name, one in _CONDITIONS.items()
}
ALL = [
    node
    for group in (VALUES, JOINS, CHOICES, EXTENDS, MERGES, HELPERS, DIGESTS, PLAIN, CONDITIONS)
    for node in group.values()
]


def test_every_helper_is_tried() -> None:
    """A new helper needs a tree here, but for one that others alone may call."""
    assert {name.split()[0].rstrip(",") for name in HELPERS} == set(helper_texts.DEFINITIONS) - {"pruned"}


@pytest.mark.parametrize("values", odd.VALUES.values(), ids=odd.VALUES)
def test_helm_and_evaluation_agree(workshop: trees.Workshop, values: dict[str, Any]) -> None:
    """For every node and condition, whatever the values."""
    found = workshop.disagreements(ALL, values)
    assert not found, "\n\n".join(found[:5])


def test_items_that_are_null(workshop: trees.Workshop) -> None:
    """A schema refuses them, but a condition on items fails on none."""
    asked = [CONDITIONS[name] for name in ("some item", "some item without", "some item of several", "twice")]
    assert workshop.disagreements(asked, {"top": {"pools": [None, {"word": "x"}, None, {"word": "x"}]}}) == []
