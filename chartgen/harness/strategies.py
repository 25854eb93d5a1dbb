"""Hypothesis strategies made from a schema: values of each field as users write them, all of which the JSON Schema takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from chartgen.schema.model import Field, Kind, Type

# Strings that YAML, Go templates, shells and people trip over. Not among them, because Helm itself cannot write them in a map
# or list: DEL and NEL, and "<<" as a key.
ODD_STRINGS = (
    "y", "no", "On", "true", "null", "~", "", " ", "0123", "1e3", "580.10", "1_000", "0x1f", "0o17", "12:30", "2026-01-01",
    ".inf", "{{ x }}", "{{- end }}", "}}", "a: b", "a #b", "- a", "-", "&a", "*a", "!a", "|", ">-", "%a", "%s", "@a", "`a`",
    "{a}", "[a]", "?", "it's", 'a"b', "a\\b", "a\\nb", "a\nb", "a\n\n  b\n", "\n", "\ta", "$a", "<a>&amp;", "ä\u2028\U0001f600",
    "\x07\u200b", "---", "#", "=", "<<", "20260101", "sha256:abc", "x,y=z", "a/b:c@d",
)  # fmt: skip
_LIMIT = 2**53 - 1
# Helm cannot write some control characters in maps and lists (see above), and YAML knows no surrogates.
_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\x7f\x85\ufffe\uffff\ufeff")
STRINGS: st.SearchStrategy[str] = st.sampled_from(ODD_STRINGS) | st.text(_CHARACTERS, max_size=6)
WORDS = st.sampled_from(("x", "word", "else", "auto", "25%"))
_PLAIN = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
_KEYS = st.sampled_from([string for string in ODD_STRINGS if string != "<<"])
_INTEGERS = st.sampled_from((0, 1, 580, 20260101, -1)) | st.integers(-_LIMIT, _LIMIT)


def value(type_: Type) -> st.SearchStrategy[Any]:
    """Values of a type that the JSON Schema takes; null wherever it may stand."""
    match type_.kind:
        case _ if type_.enum:
            return st.sampled_from(type_.enum)
        case Kind.STRING:
            return _strings(type_) | _read(type_)
        case Kind.INTEGER:
            return _integers(type_) | _integers(type_).map(float)
        case Kind.BOOLEAN:
            return st.booleans() if type_.strict else st.booleans() | st.sampled_from(("true", "false"))
        case Kind.INT_OR_STRING:
            return _strings(type_) | _integers(type_).filter(lambda number: number >= 0 or not type_.pattern)
        case Kind.REFERENCE:
            return STRINGS | st.fixed_dictionaries({"name": STRINGS})
        case Kind.LIST if type_.items is not None:
            return st.lists(value(type_.items.type), max_size=3)
        case Kind.MAP if type_.values is not None:
            return st.dictionaries(_KEYS, nullable(type_.values.type), max_size=3)
        case _:
            return members(type_.properties, type_.required)


def _strings(type_: Type) -> st.SearchStrategy[str]:
    """Strings of a type; those with a pattern are made after it."""
    low, high = type_.min_length or 0, type_.max_length or 100
    if type_.pattern:
        made = st.from_regex(re.compile(type_.pattern, re.ASCII), alphabet=_PLAIN)
        return made.filter(lambda text: low <= len(text) <= high and "\n" not in text)
    return (STRINGS | WORDS).filter(lambda text: low <= len(text) <= high)


def _integers(type_: Type) -> st.SearchStrategy[int]:
    if type_.minimum is None and type_.maximum is None:
        return _INTEGERS
    return st.integers(
        type_.minimum if type_.minimum is not None else -_LIMIT, type_.maximum if type_.maximum is not None else _LIMIT
    )


def _read(type_: Type) -> st.SearchStrategy[Any]:
    """What is kindly read as the string that it spells."""
    numbers = _INTEGERS.filter(lambda number: not type_.pattern or re.search(type_.pattern, str(number)) is not None)
    return (numbers if Kind.INTEGER in type_.reads else st.nothing()) | (
        st.booleans() if Kind.BOOLEAN in type_.reads else st.nothing()
    )


def nullable(type_: Type) -> st.SearchStrategy[Any]:
    """As `value`, or null."""
    return value(type_) | st.none()


def members(fields: Mapping[str, Field], required: tuple[str, ...] = ()) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping with some of the fields."""
    return st.fixed_dictionaries(
        {name: value(fields[name].type) for name in required},
        optional={name: nullable(field.type) for name, field in fields.items() if name not in required},
    )
