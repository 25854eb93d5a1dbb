"""Plain data as the lines of YAML a careful person would write.

Two spaces of indentation, list items indented below their key, quotes only where a reader (YAML 1.1 or 1.2, whichever
a tool has) could take a string for something else. PyYAML's own printer wraps, and quotes by YAML 1.1 alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_./+-]*(:[A-Za-z0-9_./+-]+)*")
_AMOUNT = re.compile(r"[0-9]+([KMGT]i|m|s|%)")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def entry(key: str, value: Any) -> list[str]:
    """Lines of one member of a mapping."""
    name = scalar(key)
    if isinstance(value, dict) and value:
        return [f"{name}:", *indent(_members(value))]
    if isinstance(value, list) and value:
        return [f"{name}:", *indent(_items(value))]
    if _is_text_block(value):
        return [f"{name}: |", *indent(value.rstrip("\n").split("\n"))]
    return [f"{name}: {scalar(value)}"]


def scalar(value: Any) -> str:
    """A scalar, or an empty list or map, on one line."""
    if isinstance(value, str) and value.lower() not in _WORDS and (_PLAIN.fullmatch(value) or _AMOUNT.fullmatch(value)):
        return value
    return quoted(value)


def quoted(value: Any) -> str:
    """A string in quotes, needed or not: for values whose next edit may look like a number."""
    # JSON leaves characters as they are that YAML takes for line breaks, or does not allow.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() else f"\\U{ord(char):08x}" for char in text)


def indent(lines: Sequence[str]) -> list[str]:
    """Lines one level deeper; empty ones stay empty."""
    return [f"  {line}" if line else "" for line in lines]


def _members(mapping: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for key, value in mapping.items():
        lines += entry(key, value)
    return lines


def _items(values: list[Any]) -> list[str]:
    lines: list[str] = []
    for value in values:
        if isinstance(value, dict) and value:
            inner = _members(value)
        elif isinstance(value, list) and value:
            inner = _items(value)
        else:
            inner = [scalar(value)]
        lines += [f"- {inner[0]}", *indent(inner[1:])]
    return lines


def _is_text_block(value: Any) -> bool:
    """Whether a string reads best as a literal block: several lines, and nothing that a block would change."""
    if not isinstance(value, str) or not value.endswith("\n") or value.endswith("\n\n") or value[0] in " \n":
        return False
    return value.isascii() and all(line.isprintable() and line == line.rstrip() for line in value[:-1].split("\n"))
