"""What NFD's own chart renders for given values, from tables: made apart from our trees, so that the two can be compared.

``tests/data/nfd`` holds the tables, and its README tells how to read them. Here a table's rows are put together to objects,
the way that chart's templates would.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen import yamlio

_FOLDER = Path(__file__).resolve().parents[1] / "data" / "nfd"
_NAMED_LISTS = ("containers", "env", "ports", "volumes", "volumeMounts")
CHART = "node-feature-discovery"
VERSION = "0.19.0"


@dataclass(frozen=True)
class Value:
    """A value of that chart.

    Attributes:
        path: dotted path.
        default: in its values.yaml; None when it has none.
        tries: other values that a test gives it.
        needs: what must be set besides, for the value to have an effect.
    """

    path: str
    default: Any
    tries: Sequence[Any]
    needs: Mapping[str, Any]


@dataclass(frozen=True)
class Chart:
    """The chart, for one release."""

    release: str = "rel"
    namespace: str = "ns"

    def objects(self, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What it renders."""
        entries = [entry for entry in _TABLE["objects"].values() if _holds(entry["when"], values)]
        return [_Builder(values, self._words(values)).build(entry["rows"]) for entry in entries]

    def _words(self, values: Mapping[str, Any]) -> dict[str, str]:
        name = values.get("nameOverride") or CHART
        given = self.release if name in self.release else f"{self.release}-{name}"
        repository, tag = values["image"]["repository"], values["image"].get("tag") or f"v{VERSION}"
        return {
            "release": self.release,
            "service": "Helm",
            "chartLabel": f"{CHART}-{VERSION}",
            "name": _cut(name),
            "fullname": _cut(values.get("fullnameOverride") or given),
            "namespace": values.get("namespaceOverride") or self.namespace,
            "image": f"{repository}:{tag}",
        }


def _cut(name: str) -> str:
    return name[:63].removesuffix("-")


def _load(name: str) -> Any:
    return yamlio.load((_FOLDER / name).read_text())


_TABLE = _load("objects.yaml")
SETS = _load("sets.yaml")


def values() -> list[Value]:
    """All values, in the order of the table."""
    return [
        Value(path, row.get("default"), row["try"], row.get("with", {})) for path, row in _load("values.yaml").items()
    ]


def defaults() -> dict[str, Any]:
    """The values.yaml of that chart."""
    found: dict[str, Any] = {}
    for value in values():
        put(found, value.path, copy.deepcopy(value.default))
    return found


def put(tree: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Set a value at a dotted path, and give the tree back."""
    *parents, last = path.split(".")
    place = tree
    for name in parents:
        place = place.setdefault(name, {})
    place[last] = value
    return tree


def get(tree: Any, path: str) -> Any:
    """The value at a dotted path, or None."""
    for name in path.split("."):
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


def _holds(when: Sequence[Any], values: Mapping[str, Any]) -> bool:
    for one in when:
        held = one["has"] in get(values, one["list"]) if isinstance(one, dict) else get(values, one)
        if not held:
            return False
    return True


@dataclass(frozen=True)
class _Builder:
    """Makes an object of rows."""

    values: Mapping[str, Any]
    words: Mapping[str, str]

    def build(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for row in rows:
            if row["at"] == "":
                found = self._filled(row["is"])
                continue
            for value in self._given(row):
                _place(found, row["at"], value, merge=row.get("add", False))
        return found

    def _given(self, row: Mapping[str, Any]) -> Iterator[Any]:
        """What a row puts in its place: nothing, one thing, or several for a list."""
        if "account" in row:
            yield self._account(row["account"])
            return
        if "yaml" in row:
            yield {row["key"]: get(self.values, row["yaml"])}
            return
        value = get(self.values, row["from"]) if "from" in row else None
        if not value and "else" in row:
            value = row["else"]
        if not value and "else from" in row:
            value = get(self.values, row["else from"]) or None
        if "if" in row and not _IFS[row["if"]](value):
            return
        if "is" in row:
            yield self._filled(row["is"], value)
        elif "text" in row:
            yield row["text"].format(",".join(value) if isinstance(value, list) else value)
        elif "each" in row:
            for key in sorted(value):
                yield row["each"].format(key, str(value[key]).lower())
        elif row.get("all"):
            yield from value
        else:
            yield value

    def _account(self, program: str) -> str:
        given = self.values[program]["serviceAccount"]
        if given.get("name"):
            return str(given["name"])
        suffix = {"master": "", "topologyUpdater": "-topology-updater"}.get(program, f"-{program}")
        return self.words["fullname"] + suffix if given["create"] else "default"

    def _filled(self, value: Any, given: Any = None) -> Any:
        """A value with the words in angle brackets filled in."""
        if isinstance(value, dict):
            found: dict[str, Any] = {}
            for key, member in value.items():
                if key in ("<labels>", "<selector>"):
                    found |= self._filled(_TABLE[key.strip("<>")])
                else:
                    found[key] = self._filled(member, given)
            return found
        if isinstance(value, list):
            return [self._filled(item, given) for item in value]
        if not isinstance(value, str):
            return value
        if value == "<value>":
            return given
        return re.sub(r"<(\w+)>", lambda match: self.words.get(match[1], match[0]), value)


_IFS = {
    "filled": bool,
    "empty": lambda value: not value,
    "boolean": lambda value: isinstance(value, bool),
    "false": lambda value: value is False,
    "above one": lambda value: value > 1,
    "there": lambda value: value is not None,
}


def _place(found: dict[str, Any], path: str, value: Any, *, merge: bool) -> None:
    """Put a value at a path such as ``spec.containers[master].args[+]``."""
    place: Any = found
    steps = re.findall(r"[^.\[\]]+|\[[^\]]+\]", path)
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        name = step.strip("[]") if step.startswith("[") else step
        following = steps[number + 1] if not last else ""
        listed = following.startswith("[") and (step in _NAMED_LISTS or following in ("[+]", "[0]"))
        if isinstance(place, list):
            place = _step_into(place, name, value, last=last)
        elif last:
            place[name] = {**place.get(name, {}), **value} if merge else value
        else:
            place = place.setdefault(name, [] if listed else {})


def _step_into(items: list[Any], name: str, value: Any, *, last: bool) -> Any:
    """Go on in a list: append, or find the item by its number or name."""
    if name == "+":
        items.append(value)
        return None
    if name.isdigit():
        return items[int(name)]
    item = next((item for item in items if item["name"] == name), None)
    if item is None:
        item = {"name": name}
        items.append(item)
    if last:
        item.update(value)
    return item
