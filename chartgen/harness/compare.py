"""Two objects side by side: where they differ, by path, with the exact types of JSON.

Python's own ``==`` will not do: to it True equals 1, and a boolean that became a number is just what must be found.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from chartgen import yamlio

_SHOWN = 160
_SCALARS = (str, int, bool, float, type(None))


def differences(left: Any, right: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Every place where two values differ.

    Args:
        left: one value.
        right: the other.
        path: where both are.

    Yields:
        (path, left as text, right as text); a side that has nothing there says ``absent``.
    """
    if equal(left, right):
        return
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        for key in sorted({*left, *right}, key=str):
            here = join(path, key)
            if key not in left:
                yield here, "absent", show(right[key])
            elif key not in right:
                yield here, show(left[key]), "absent"
            else:
                yield from differences(left[key], right[key], here)
    elif isinstance(left, list) and isinstance(right, list):
        for number in range(max(len(left), len(right))):
            here = f"{path}[{number}]"
            if number >= len(left):
                yield here, "absent", show(right[number])
            elif number >= len(right):
                yield here, show(left[number]), "absent"
            else:
                yield from differences(left[number], right[number], here)
    elif not _same(left, right):
        yield path, show(left), show(right)


def equal(left: Any, right: Any) -> bool:
    """Whether there is certainly no difference: found out faster than which there is."""
    kind = type(left)
    if kind is not type(right):
        return not isinstance(left, Mapping | list) and _same(left, right)
    if kind is dict:
        return left.keys() == right.keys() and all(map(equal, left.values(), map(right.get, left)))
    if kind is list:
        return len(left) == len(right) and all(map(equal, left, right))
    return kind in _SCALARS and bool(left == right)


def diff(left: Any, right: Any, left_name: str, right_name: str) -> str:
    """Two values as YAML with sorted keys, in the lines around their differences, as ``diff -u`` shows them."""
    texts = [json.dumps(value, sort_keys=True, default=str) for value in (left, right)]
    lines = [yamlio.dump(json.loads(text)).splitlines() for text in texts]
    return "\n".join(difflib.unified_diff(lines[0], lines[1], left_name, right_name, lineterm=""))


def _same(left: Any, right: Any) -> bool:
    """Equality of scalars; JSON knows one kind of number, so 1.0 is 1, but True is not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right
    return type(left) is type(right) and bool(left == right)


def join(path: str, key: Any) -> str:
    """A path one key further; dots inside a key are escaped as ``--set`` wants them."""
    name = str(key).replace(".", "\\.")
    return f"{path}.{name}" if path else name


def split(path: str) -> list[str | int]:
    r"""The keys of a path as `join` and ``--set`` write it: ``a.b\.c[0].d`` is a, b.c, 0, d."""
    keys: list[str | int] = []
    name = ""
    rest = path
    while rest:
        if rest[0] == "\\" and len(rest) > 1:
            name, rest = name + rest[1], rest[2:]
        elif rest[0] == ".":
            keys, name, rest = _end(keys, name), "", rest[1:]
        elif rest[0] == "[" and "]" in rest and rest[1 : rest.index("]")].isdigit():
            number = rest[1 : rest.index("]")]
            keys, name, rest = [*_end(keys, name), int(number)], "", rest[rest.index("]") + 1 :]
        else:
            name, rest = name + rest[0], rest[1:]
    return _end(keys, name)


def _end(keys: list[str | int], name: str) -> list[str | int]:
    return [*keys, name] if name else keys


def show(value: Any) -> str:
    """A value as JSON on one line, cut where nobody reads on."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
