"""Odd strings, and sets of values that users write and templates trip over, for the fields of ``small_schema``."""

from __future__ import annotations

import itertools
from typing import Any

from chartgen.harness.strategies import ODD_STRINGS as STRINGS

_ENV = [{"name": "WORD", "value": "given"}, {"name": "B", "value": True}, {"name": "C", "value": 20260101}]
_USUAL = {
    "word": "word1",
    "blank": "full",
    "mode": "manual",
    "version": "1.2",
    "size": 3,
    "switch": True,
    "lit": False,
    "dim": True,
    "share": "10%",
    "labels": {"a": "x", "word1": "y"},
    "env": _ENV,
    "containerEnv": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "b"}}}, {"name": "FIRST", "value": "2"}],
    "secrets": ["one", {"name": "two"}, "one"],
    "relabelings": [{"regex": "a"}, {"action": "drop", "sourceLabels": ["b"]}],
    "args": ["-v", "--x=1"],
    "tolerations": [{"key": "a", "tolerationSeconds": 20260101}],
    "resources": {"limits": {"cpu": 1, "memory": "1Gi"}},
    "deep": {"word": "deep", "deeper": {"version": 580, "switch": False, "labels": {"580": 1}, "args": ["d"]}},
    "a-b": {"c-d": "cd", "version": 7, "size": 9},
    "image": {"repository": "nvcr.io/nvidia", "image": "thing", "version": "v1"},
    "files": {"word1": ["a.list", "b.list"], "other": []},
    "pools": [{"word": "first", "size": 1}, {"labels": {"b": "2"}, "deep": {"word": None}, "word": None}],
}


def _top(**members: Any) -> dict[str, Any]:
    return {"top": {**_USUAL, **members}, "side-car": {"word": "side", "labels": {"s": 1}, "switch": "true"}}


def _scalars(start: int) -> dict[str, Any]:
    """Odd strings in all fields that take one, in each another; three neighbours reach every kind of field."""
    strings = itertools.islice(itertools.cycle(STRINGS), start, None)
    return {
        "top": {
            **{name: next(strings) for name in ("word", "blank", "mode")},
            "deep": {"deeper": {"version": next(strings), "labels": {next(strings): next(strings)}}},
            "image": {name: next(strings) for name in ("repository", "image", "version")},
            "version": next(strings),
            "a-b": {"version": next(strings), "c-d": next(strings)},
            "share": next(strings),
        },
        "side-car": {"word": next(strings)},
    }


VALUES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "usual": _top(),
    "each null": {"top": dict.fromkeys(_USUAL), "side-car": {"word": None, "labels": None, "switch": None}},
    "parents null": {"top": None, "side-car": None, "global": None, "operator": None, "nameOverride": None},
    "deep parents null": _top(deep={"word": None, "deeper": None}, image={"repository": None}, **{"a-b": None}),
    "members null": _top(
        deep={"deeper": {"version": None, "labels": {"a": None}, "args": None}},
        labels={"a": None, "word1": None, "b": "x"},
        env=[{"name": "WORD", "value": None}, {"name": "Z"}],
        containerEnv=[{"name": "A", "value": None, "valueFrom": {"fieldRef": {"fieldPath": None}}}],
        relabelings=[{"action": None, "regex": None}],
        tolerations=[{"key": None, "tolerationSeconds": 1}],
        resources={"limits": {"cpu": None}, "requests": None},
        image={"repository": None, "image": "thing", "version": None},
    ),
    "empty": _top(
        word="", blank="", mode="", version="", share="", labels={}, env=[], secrets=[], args=[], resources={}, deep={}
    ),
    "nulls alone": _top(labels={"a": None}, resources={"limits": None}, relabelings=[{"action": ""}]),
    "zero and false": _top(size=0, share=0, version=0, switch=False, lit=False, dim=False, labels={"a": False, "b": 0}),
    "version false": _top(version=False, image={"repository": "", "image": "x", "version": 0}),
    "quoted booleans": _top(switch="true", lit="false", dim="false", labels={"a": "true"}),
    "quoted booleans the other way": _top(switch="false", lit="true", dim="true"),
    "big numbers": _top(
        version=20260101,
        size=20260101,
        share=20260101,
        labels={"a": 9007199254740991},
        env=[{"name": "A", "value": -20260101}],
        resources={"limits": {"cpu": 20260101}},
        image={"repository": "r", "image": "i", "version": 20260101},
    ),
    "whole floats": _top(version=580.0, size=3.0, share=4.0, labels={"a": 5.0}, env=[{"name": "A", "value": 6.0}]),
    "variables of files": _top(
        env=[
            {"name": "WORD", "value": "/x/y/"},
            {"name": "FILE", "value": None},
            {"name": "RUNTIME_CONFIG_SOURCE", "value": "command,file=//etc/a,file=b"},
        ],
        containerEnv=[{"name": "FILE", "value": "x"}, {"name": "FILE", "value": "/a//b/../c.toml"}],
    ),
    "the same": _top(
        version=3, blank="word1", args=["-v", "-v"], tolerations=[{"key": "a"}, {"key": "b"}, {"key": "a"}]
    ),
    "items alike": _top(pools=[{"word": "x", "size": 1}, {}, {"word": "x", "size": 2.0}, {"word": None, "size": 2}]),
    "a digest": _top(image={"repository": "nvcr.io/nvidia", "image": "thing", "version": "sha256:" + "0" * 64}),
    "else": _top(word="else", blank="else", mode="else", version="else", deep={"word": "else"}),
    "a registry": {
        **_top(version="true", word="a"),
        "global": {"imageRegistry": "reg.example:5000", "imagePullSecrets": ["g", {"name": "one"}]},
        "operator": {"labels": {"app.kubernetes.io/name": "other", "component": "no", "c": None, "d": 5}},
        "nameOverride": "short",
        "commonLabels": {"c": "common", "d": "common", "n": None},
        "commonAnnotations": {"a": True, "helm.sh/hook": "mine"},
    },
    "a registry that a whole repository moves to": {
        **_top(image={"repository": "docker.io", "image": "thing"}),
        "global": {"imageRegistry": "reg/"},
        "nameOverride": "l" * 62 + "--",
    },
    "odd strings in lists": _top(args=[*STRINGS], secrets=[*STRINGS], tolerations=[{"key": key} for key in STRINGS]),
    "odd strings in maps": _top(
        labels={key: key for key in STRINGS if key != "<<"},
        resources={key: {key: key} for key in STRINGS if key != "<<"},
        env=[{"name": key or "E", "value": key} for key in STRINGS],
        relabelings=[{"regex": key} for key in STRINGS],
    ),
    **{f"odd strings {number}": _scalars(number) for number in range(0, len(STRINGS), 3)},
}
