"""The keywords of the schema language: what each must be, and what each type allows.

This table is the language. The loader reads nothing that is not in it, and CONTRIBUTING shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.schema.model import Kind

_SCALARS = frozenset({Kind.STRING, Kind.INTEGER, Kind.BOOLEAN, Kind.INT_OR_STRING})
_NUMBERS = frozenset({Kind.INTEGER, Kind.INT_OR_STRING})
_TEXTS = frozenset({Kind.STRING, Kind.INT_OR_STRING})
EVERY = frozenset(Kind)


@dataclass(frozen=True)
class Keyword:
    """A keyword of a field record.

    Attributes:
        python: the types its value may have; empty means any value.
        expected: the same in words.
        kinds: the field kinds that may carry it.
        shapes: whether it belongs to the type (and so to a named type) and not to the one field.
    """

    python: tuple[type, ...]
    expected: str
    kinds: frozenset[Kind] = EVERY
    shapes: bool = False

    def takes(self, value: Any) -> bool:
        """Whether the keyword may have this value; true and false are no numbers."""
        if not self.python:
            return True
        return isinstance(value, self.python) and not (isinstance(value, bool) and bool not in self.python)


KEYWORDS: Mapping[str, Keyword] = {
    "name": Keyword((str,), "the name of the value"),
    "type": Keyword((str,), "a builtin or named type"),
    "description": Keyword((str,), "a text"),
    "default": Keyword((), "a value of the field's type"),
    "example": Keyword((), "a value of the field's type"),
    "group": Keyword((str,), "a heading"),
    "unset": Keyword((bool,), "true or false", frozenset({Kind.BOOLEAN})),
    "fallback": Keyword((str,), "appVersion or default", frozenset({Kind.STRING})),
    "surfaces": Keyword((dict,), "a map of surface to path"),
    "crd": Keyword((dict,), "a map of what the CRD says"),
    "deprecated": Keyword((dict,), "a map with since, use, reason"),
    "properties": Keyword((dict,), "a map of field records", frozenset({Kind.OBJECT}), shapes=True),
    "required": Keyword((list,), "a list of member names", frozenset({Kind.OBJECT}), shapes=True),
    "open": Keyword((bool,), "true or false", frozenset({Kind.OBJECT}), shapes=True),
    "values": Keyword((dict,), "a field record", frozenset({Kind.MAP}), shapes=True),
    "items": Keyword((dict,), "a field record", frozenset({Kind.LIST}), shapes=True),
    "enum": Keyword((list,), "a list of values", _SCALARS, shapes=True),
    "pattern": Keyword((str,), "a regular expression", _TEXTS, shapes=True),
    "minimum": Keyword((int,), "a whole number", _NUMBERS, shapes=True),
    "maximum": Keyword((int,), "a whole number", _NUMBERS, shapes=True),
    "minLength": Keyword((int,), "a whole number", _TEXTS, shapes=True),
    "maxLength": Keyword((int,), "a whole number", _TEXTS, shapes=True),
    "format": Keyword((str,), "an OpenAPI format", frozenset({Kind.STRING, Kind.INTEGER}), shapes=True),
    "reads": Keyword((list,), "a list of integer, boolean", frozenset({Kind.STRING}), shapes=True),
    "strict": Keyword((bool,), "true or false", frozenset({Kind.BOOLEAN}), shapes=True),
    "empty": Keyword((str,), "value", frozenset({Kind.STRING}), shapes=True),
}

CRD_KEYWORDS = frozenset(
    {
        "default",
        "description",
        "enum",
        "format",
        "listMapKeys",
        "listType",
        "mapType",
        "maximum",
        "maxLength",
        "minimum",
        "minLength",
        "pattern",
        "required",
        "type",
        "validations",
    }
)
DEPRECATED_KEYWORDS = frozenset({"since", "use", "reason"})
RULE_KEYWORDS = frozenset({"name", "refuse", "warn", "message", "fix", "paths", "for"})
# Keywords of a file, beside those of the field that it is: keys that are no values, yet known.
STRAY_KEYWORDS = ("retired", "misplaced")
