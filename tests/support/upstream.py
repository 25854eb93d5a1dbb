"""What NVIDIA's chart renders, and how what this chart renders differs from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import charts

from chartgen import yamlio

_DATA = Path(__file__).resolve().parents[1] / "data" / "upstream" / "objects.yaml"
_EVERY = "every"
_PROSE = "<text>"


@dataclass(frozen=True, order=True)
class Difference:
    """A place where an object differs.

    Attributes:
        object: ``Kind/name``.
        path: dotted path in it; "" for the whole object.
        change: added, removed or changed.
    """

    object: str
    path: str
    change: str


@dataclass(frozen=True)
class Upstream:
    """The facts.

    Attributes:
        contexts: name -> values.
        entries: objects, each with the contexts in which it is compared and in which it only has to be there.
    """

    contexts: Mapping[str, Mapping[str, Any]]
    entries: tuple[Mapping[str, Any], ...]

    def differences(self, context: str, rendered: Mapping[str, charts.Object]) -> set[Difference]:
        """How a render in a context differs from upstream's."""
        there: set[str] = set()
        found: set[Difference] = set()
        for entry in self.entries:
            one = entry["object"]
            name = charts.identity(one)
            compared = _EVERY in entry["in"] or context in entry["in"]
            if not compared and _EVERY not in entry.get("there", []) and context not in entry.get("there", []):
                continue
            there.add(name)
            if name not in rendered:
                found.add(Difference(name, "", "removed"))
            elif compared:
                ours = _plain(rendered[name])
                found |= {Difference(name, path, change) for path, change in _compare(_plain(one), ours, "")}
        return found | {Difference(name, "", "added") for name in set(rendered) - there}


def load(facts: Mapping[str, str]) -> Upstream:
    """The facts, with the words in angle brackets filled in.

    Args:
        facts: word -> what stands for it here.
    """
    text = _DATA.read_text()
    for word, value in facts.items():
        text = text.replace(f"<{word}>", value)
    data = yamlio.load(text)
    return Upstream(data["contexts"], tuple(data["objects"]))


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """An object in which order means something only where it does: rules as grants, lists of named things by name."""
    found = {key: _by_name(value) for key, value in given.items()}
    if "rules" in given and "apiGroups" in given["rules"][0]:
        found["rules"] = {grant: True for rule in given["rules"] for grant in _grants(rule)}
    return found


def _grants(rule: Mapping[str, Any]) -> Iterator[str]:
    for group in rule["apiGroups"]:
        for resource in rule["resources"]:
            for verb in rule["verbs"]:
                for name in rule.get("resourceNames", [""]):
                    yield f"{verb} {resource}.{group} {name}".rstrip(" .")


def _by_name(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _by_name(member) for key, member in value.items()}
    if isinstance(value, list) and value and all(isinstance(item, dict) and "name" in item for item in value):
        return {item["name"]: _by_name(item) for item in value}
    return value


def _compare(theirs: Any, ours: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted({*theirs, *ours}):
            here = f"{path}.{key}" if path else str(key)
            if key not in ours:
                yield here, "removed"
            elif key not in theirs:
                yield here, "added"
            else:
                yield from _compare(theirs[key], ours[key], here)
    elif theirs != _PROSE and (theirs != ours or isinstance(theirs, bool) != isinstance(ours, bool)):
        yield path, "changed"


def matches(pattern: str, path: str) -> bool:
    """Whether a path is one that a pattern means: itself, one below it, or with ``*`` for one segment."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", r"[^.]*") + r"(\..*)?", path) is not None
