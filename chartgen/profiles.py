"""Profiles: values files that say what they must produce.

The comment at the head of a file is a YAML mapping (each line without its ``# ``); the values follow. So one file is
what a user copies, what the documentation shows and what the harness checks::

    # title: The driver is on the nodes already
    # summary: For node images that bring their own driver.
    # expect:
    #   objects:
    #     remove: [ConfigMap/x]
    #   clusterPolicy:
    #     driver.enabled: false

    driver:
      enabled: false

Besides, ``apis`` lists what the cluster must serve, ``expect.fields`` says what other objects must hold, and
``expect.podSecurity`` which objects need more than the restricted Pod Security level.

``default.yaml`` lists its objects whole (``objects: {set: [...]}``); the others say what they add and remove, where ``*`` in a
name to remove stands for any part of it. A profile that expects nothing is refused: it could not fail.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem

BASELINE = "default"
_LINT_LINES = ("# yaml-language-server:", "#!")
_KEYS = ("title", "summary", "apis", "expect")
_EXPECTED = ("objects", "clusterPolicy", "fields", "podSecurity")


class Level(Enum):
    """The Pod Security levels, the one that allows least first."""

    RESTRICTED = "restricted"
    BASELINE = "baseline"
    PRIVILEGED = "privileged"


@dataclass(frozen=True)
class Profile:
    """A values file and what it must produce.

    Attributes:
        name: the file's stem.
        path: the file.
        title: a few words.
        summary: a sentence or two: when to use it.
        values: what the file sets.
        objects: every object that must be rendered, ``Kind/name``, sorted.
        cluster_policy: path below the ClusterPolicy's spec -> value; None where there must be nothing.
        fields: ``Kind/name`` -> path from the object's root -> value.
        pod_security: ``Kind/name`` -> the level that its pods need; restricted for all others.
        apis: what the cluster must serve beyond what every one does, ``group/version`` or ``group/version/Kind``.
        body: the values as text, with their comments and without the head.
    """

    name: str
    path: Path
    title: str
    summary: str
    values: Mapping[str, Any]
    objects: tuple[str, ...]
    cluster_policy: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    pod_security: Mapping[str, Level] = field(default_factory=dict)
    apis: tuple[str, ...] = ()
    body: str = ""

    @property
    def level(self) -> Level:
        """The Pod Security level that a namespace must allow for all of its pods."""
        levels = list(Level)
        return max(self.pod_security.values(), key=levels.index, default=Level.RESTRICTED)


@dataclass(frozen=True)
class _Head:
    """A file whose expectations are not yet put on top of the baseline's."""

    path: Path
    where: str
    document: Mapping[str, Any]
    values: Mapping[str, Any]
    body: str

    @property
    def objects(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.document["expect"].get("objects") or {}
        return found

    @property
    def pod_security(self) -> dict[str, Level] | None:
        """What the head says; None when it says nothing of it."""
        told = self.document["expect"].get("podSecurity")
        if told is None:
            return None
        return {name: Level(level) for level, names in told.items() for name in names}


def load(folder: Path) -> tuple[Profile, ...]:
    """Every profile of a folder, ``default`` first, then by name.

    Args:
        folder: holds the values files.

    Raises:
        ChartgenError: every mistake in every file.
    """
    problems: list[Problem] = []
    heads: dict[str, _Head] = {}
    for path in sorted(folder.glob("*.yaml"), key=lambda path: (path.stem != BASELINE, path.stem)):
        try:
            heads[path.stem] = _read(path)
        except ChartgenError as error:
            problems.extend(error.problems)
    if not heads and not problems:
        problems.append(Problem(str(folder), "", "no profile", "values files with a head of expectations"))
    if problems:
        raise ChartgenError(problems)
    baseline = heads.get(BASELINE)
    profiles: list[Profile] = []
    for head in heads.values():
        profile, wrong = _profile(head, baseline)
        problems.extend(wrong)
        profiles.append(profile)
    if problems:
        raise ChartgenError(problems)
    return tuple(profiles)


def _profile(head: _Head, baseline: _Head | None) -> tuple[Profile, list[Problem]]:
    """A head on top of the baseline's, and what is wrong with it."""
    objects, problems = _objects(head, baseline.objects.get("set") if baseline else None)
    expect = head.document["expect"]
    levels = head.pod_security
    if levels is None:
        inherited = baseline.pod_security if baseline else None
        levels = {name: level for name, level in (inherited or {}).items() if name in objects}
    problems += [
        Problem(head.where, "expect.podSecurity", f"{name} is not among the objects", "one of them")
        for name in levels
        if not problems and name not in objects
    ]
    profile = Profile(
        name=head.path.stem,
        path=head.path,
        title=head.document["title"],
        summary=head.document["summary"],
        values=head.values,
        objects=objects,
        cluster_policy=expect.get("clusterPolicy") or {},
        fields=expect.get("fields") or {},
        pod_security=levels,
        apis=tuple(head.document.get("apis") or ()),
        body=head.body,
    )
    return profile, problems


def _read(path: Path) -> _Head:
    text = path.read_text(encoding="utf-8")
    head = _head(text)
    document = yamlio.locate(head, str(path)).data
    problems = list(_mistakes(document, str(path)))
    if problems:
        raise ChartgenError(problems)
    values = yamlio.locate(text, str(path)).data or {}
    if not isinstance(values, dict):
        raise ChartgenError([Problem(str(path), "", f"a {type(values).__name__}", "a mapping of values")])
    rest = text.splitlines()[len(head.splitlines()) :]
    return _Head(path, str(path), document, values, "\n".join(rest).strip("\n") + "\n")


def _head(text: str) -> str:
    """The first comment without its marks, up to the first line that is none; problems shall name the right line."""
    lines: list[str] = []
    begun = False
    for line in text.splitlines():
        if line.startswith(_LINT_LINES) or (not line.strip() and not begun):
            lines.append("")
        elif line.startswith("#"):
            begun = True
            lines.append(line[1:].removeprefix(" "))
        else:
            break
    return "\n".join(lines)


def _mistakes(document: Any, where: str) -> Iterator[Problem]:
    if not isinstance(document, dict):
        yield Problem(where, "", "no head", "a leading comment with title, summary and expect")
        return
    for key in ("title", "summary"):
        if not isinstance(document.get(key), str) or not document[key].strip():
            yield Problem(where, key, "missing", "a sentence")
    for key in sorted(set(document) - set(_KEYS), key=str):
        yield Problem(where, str(key), "unknown", "title, summary, apis or expect")
    if not _is_texts(document.get("apis") or []):
        yield Problem(where, "apis", "not understood", "a list of group/version or group/version/Kind")
    expect = document.get("expect")
    if not isinstance(expect, dict) or not any(expect.values()):
        yield Problem(where, "expect", "missing", "what this profile must produce: objects, clusterPolicy or both")
        return
    for key in sorted(set(expect) - set(_EXPECTED), key=str):
        yield Problem(where, f"expect.{key}", "unknown", f"one of {', '.join(_EXPECTED)}")
    if not isinstance(expect.get("clusterPolicy") or {}, dict):
        yield Problem(where, "expect.clusterPolicy", "no mapping", "dotted path below spec -> value")
    fields = expect.get("fields") or {}
    if not isinstance(fields, dict) or not all(isinstance(paths, dict) for paths in fields.values()):
        yield Problem(where, "expect.fields", "not understood", "Kind/name -> dotted path -> value")
    yield from _mistaken_levels(expect.get("podSecurity"), where)
    yield from _mistaken_objects(expect.get("objects") or {}, where)


def _mistaken_levels(told: Any, where: str) -> Iterator[Problem]:
    allowed = [level.value for level in Level if level is not Level.RESTRICTED]
    if told is not None and (not isinstance(told, dict) or not set(told) <= set(allowed)):
        yield Problem(where, "expect.podSecurity", "not understood", f"a mapping with {' or '.join(allowed)}")
        return
    for level, names in (told or {}).items():
        if not _is_names(names):
            yield Problem(where, f"expect.podSecurity.{level}", "not understood", "a list of Kind/name")


def _mistaken_objects(objects: Any, where: str) -> Iterator[Problem]:
    if not isinstance(objects, dict) or set(objects) - {"set", "add", "remove"}:
        yield Problem(where, "expect.objects", "not understood", "a mapping with set, or with add and remove")
        return
    for key, names in objects.items():
        if not _is_names(names):
            yield Problem(where, f"expect.objects.{key}", "not understood", "a list of Kind/name")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_names(value: Any) -> bool:
    return _is_texts(value) and all("/" in item for item in value)


def _objects(head: _Head, baseline: list[str] | None) -> tuple[tuple[str, ...], list[Problem]]:
    """The whole set of objects, and what is wrong with the way it is told."""
    where = head.where
    objects = head.objects
    if "set" in objects:
        if len(objects) > 1:
            return (), [Problem(where, "expect.objects", "set beside add or remove", "either")]
        return tuple(sorted(objects["set"])), []
    if baseline is None:
        hint = f"or `set` in {BASELINE}.yaml to start from"
        return (), [Problem(where, "expect.objects.set", "missing", "the list of all objects", hint)]
    added, removed = objects.get("add") or [], list(_matching(objects.get("remove") or [], baseline))
    problems = [
        Problem(where, "expect.objects.add", f"{name} is in the default set", "a new object")
        for name in added
        if name in baseline
    ]
    problems += [
        Problem(where, "expect.objects.remove", f"{name} is not in the default set", "one of its objects")
        for name in removed
        if name not in baseline
    ]
    return tuple(sorted((set(baseline) | set(added)) - set(removed))), problems


def _matching(patterns: list[str], names: list[str]) -> Iterator[str]:
    """The names that patterns stand for; a pattern that stands for none, as it is."""
    for pattern in patterns:
        yield from fnmatch.filter(names, pattern) or [pattern]
