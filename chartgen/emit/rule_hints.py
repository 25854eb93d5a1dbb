"""Rules across fields as the JSON Schema says them: warnings that an editor shows, and nothing that Helm stops at.

Helm checks the schema before it renders, and stops at the first of the two that refuses. A rule as an assertion would
have its user read ``at '': 'allOf' failed, at '/cdi/enabled': value must be true`` in place of the sentence that names
the paths and the way out. So the schema holds each rule as ``if`` its condition ``then`` a ``deprecationMessage``: for
Helm's library that is an annotation, which never fails; YAML and JSON language servers underline the key and show it.

Not every rule is worth it. Helm evaluates the conditions at each call: all rules together, which is a hundred, would add
40 ms to a call of 110; those that refuse and have four conditions at most add 2.

An editor sees one values file and not the chart's defaults, so that an absent key stands for its default here. Rules
that compare two values or items, ask what the cluster serves, or match a text that may be a number cannot be said in a schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.schema.model import Field, Kind, Rule, Severity
from chartgen.schema.paths import Index
from chartgen.tree.context import lookup
from chartgen.tree.forms import crd_default

# Conditions of a rule that is told.
_MOST = 4
_EMPTY: Sequence[Any] = (None, "", [], {})


class _CannotSayError(Exception):
    """A condition that a schema has no words for."""


def emit(rules: Sequence[Rule], index: Index, defaults: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The members of ``allOf``: one for each rule that can be said.

    Args:
        rules: those of the chart.
        index: its fields.
        defaults: what values.yaml holds.
    """
    teller = _Teller(index, defaults)
    found = []
    for rule in rules:
        if rule.severity is not Severity.REFUSE or len(list(conditions.leaves(rule.condition))) > _MOST:
            continue
        try:
            found.append({"if": teller.holds(rule.condition), "then": _message(rule)})
        except _CannotSayError:
            continue
    return found


def _message(rule: Rule) -> dict[str, Any]:
    """The sentence at each of the paths that it names."""
    node: dict[str, Any] = {}
    for path in rule.paths:
        at = node
        for name in path.split("."):
            at = at.setdefault("properties", {}).setdefault(name, {})
        at["deprecationMessage"] = rule.text
    return node


class _Teller:
    """Says conditions."""

    def __init__(self, index: Index, defaults: Mapping[str, Any]) -> None:
        self._index = index
        self._defaults = defaults

    def holds(self, condition: Condition) -> dict[str, Any]:
        """A schema that takes the values for which a condition holds."""
        match condition:
            case conditions.All(members):
                return {"allOf": [self.holds(member) for member in members]}
            case conditions.Any(members):
                return {"anyOf": [self.holds(member) for member in members]}
            case conditions.Not(inner):
                return {"not": self.holds(inner)}
            case conditions.On(path):
                field = self._index.field(path)
                default = self._default(path)
                if field.unset:
                    return _at(path, {"not": {"enum": [False, "false"]}}, absent=default is not False)
                return _at(path, {"enum": [True, "true"]}, absent=default is True)
            case conditions.Set(path):
                nothing = [None] if _is_set_by_null(self._index.field(path)) else [*_EMPTY]
                return _at(path, {"not": {"enum": nothing}}, absent=self._default(path) not in _EMPTY)
            case conditions.Equals(path, literal):
                field = self._index.field(path)
                taken = [literal, *([int(literal)] if literal.isdigit() else [])]
                taken += [None, ""] if crd_default(field) == literal else []
                return _at(path, {"enum": taken}, absent=self._default(path) in taken)
            case conditions.Matches(path, pattern):
                return self._matches(path, pattern)
            case conditions.Some(path, wanted) if self._default(path) in _EMPTY:
                item = _Teller(self._index.items(path), {}).holds(wanted)
                return _at(path, {"type": "array", "contains": item}, absent=False)
            case conditions.Has(path, key, "") if key:
                return _at(path, {"type": "object", "required": [key]}, absent=False)
            case _:
                raise _CannotSayError

    def _matches(self, path: str, pattern: str) -> dict[str, Any]:
        if self._index.field(path).type.reads:
            raise _CannotSayError  # A pattern has nothing to say about a number.
        default = self._default(path)
        absent = isinstance(default, str) and re.search(pattern, default) is not None
        return _at(path, {"type": "string", "pattern": pattern}, absent=absent)

    def _default(self, path: str) -> Any:
        return lookup(self._defaults, path)


def _at(path: str, predicate: dict[str, Any], *, absent: bool) -> dict[str, Any]:
    """A schema for the whole values: the value at a path is as the predicate says, or absent and that counts the same."""
    node = predicate
    for name in reversed(path.split(".")):
        node = {"properties": {name: node}} if absent else {"required": [name], "properties": {name: node}}
    return node


def _is_set_by_null(field: Field) -> bool:
    """Whether the value counts as set whatever it is, unless it is null."""
    return field.type.kind in (Kind.INTEGER, Kind.BOOLEAN) or field.type.empty_is_value
