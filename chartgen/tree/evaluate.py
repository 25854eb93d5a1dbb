"""Computing a tree: the oracle that Helm's output has to equal."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition, Leaf
from chartgen.schema.paths import Index
from chartgen.tree import helper_texts, twins
from chartgen.tree.context import Context, lookup
from chartgen.tree.forms import Form, crd_default, form
from chartgen.tree.nodes import (
    DIGEST_LENGTH,
    Argument,
    Builtin,
    ChartFile,
    Digest,
    Document,
    EnvMerge,
    Extend,
    Helper,
    Join,
    Manifest,
    Node,
    Value,
    When,
)
from chartgen.tree.presence import Presences


class _Absent(Enum):
    ABSENT = "absent"


ABSENT = _Absent.ABSENT


class Evaluator:
    """Evaluates trees and conditions for one context.

    Args:
        index: the fields that paths are looked up in.
        context: what a template would see.
        definitions: the helpers of the chart.
        presences: see `Presences`; one of its own when there is none to share.
    """

    def __init__(
        self,
        index: Index,
        context: Context,
        definitions: Mapping[str, helper_texts.Definition] = helper_texts.DEFINITIONS,
        presences: Presences | None = None,
    ) -> None:
        self._index = index
        self._context = context
        self._definitions = definitions
        self._presences = presences or Presences(index)
        self._held: dict[Leaf, bool] = {}

    def objects(self, manifest: Manifest) -> list[dict[str, Any]]:
        """The objects of a template file, in order."""
        found = [made for document in manifest.documents for made in self.repeated(document)]
        return [document for document in found if document is not None]

    def repeated(self, document: Document) -> list[dict[str, Any] | None]:
        """What `document` gives for each item that it is repeated for; one alone when it is not."""
        each = document.each
        if each is None:
            return [self.document(document)]
        found: list[dict[str, Any] | None] = []
        for item in self._read(each.items) or [{}]:
            own = twins.overlaid([self._read(each.over), item])
            context = replace(self._context, values={**self._context.values, each.over: own})
            own_evaluator = Evaluator(self._index, context, self._definitions, self._presences)
            found.append(own_evaluator.document(document))
        return found

    def document(self, document: Document) -> dict[str, Any] | None:
        """The object of a document for the values as they are, or None while its condition does not hold."""
        if not self.holds(document.condition):
            return None
        result = self.node(document.tree)
        return result if isinstance(result, dict) else None

    def node(self, node: Node) -> Any:
        """What a node yields; `ABSENT` when it is not there."""
        if not self.holds(self._presences.of(node)):
            return ABSENT
        match node:
            case Value():
                return self._value(node)
            case Join(parts):
                return "".join(twins.text(self.node(part)) for part in parts)
            case When():
                return self._choice(node)
            case Extend(parts):
                return _joined(self._list(parts))
            case EnvMerge(_, layers):
                return self._env(layers)
            case Helper():
                return self._helper(node)
            case Builtin():
                return self._builtin(node)
            case ChartFile() | Digest():
                return node.content if isinstance(node, ChartFile) else _digest(self.node(node.tree))
            case str() | bool() | int():
                return node
            case Mapping():
                return self._mapping(node)
            case _:
                return self._list(node)

    def holds(self, condition: Condition) -> bool:
        """Whether a condition holds."""
        match condition:
            case conditions.All(members):
                return all(self.holds(member) for member in members)
            case conditions.Any(members):
                return any(self.holds(member) for member in members)
            case conditions.Not(inner):
                return not self.holds(inner)
            case _:
                known = self._held.get(condition)
                if known is None:
                    known = self._held[condition] = self._holds_here(condition)
                return known

    def _holds_here(self, condition: Leaf) -> bool:
        """Whether a condition that reads something holds."""
        match condition:
            case conditions.On(path):
                spelt = _spelt(self._read(path))
                return spelt != "false" if self._index.field(path).unset else spelt == "true"
            case conditions.Set(path):
                return self._is_set(path)
            case conditions.Equals(path, literal):
                value = self._read(path)
                if value in (None, ""):
                    value = crd_default(self._index.field(path))
                return twins.text(value) == literal
            case conditions.Matches(path, pattern):
                return re.search(pattern, twins.text(self._read(path))) is not None
            case conditions.Has(path, key, key_from):
                return (twins.text(self._read(key_from)) if key_from else key) in (self._read(path) or {})
            case conditions.Variable(path, name, pattern):
                return re.search(pattern, twins.variable(self._read(path), name)) is not None
            case conditions.Given(path):
                return lookup(self._context.values, path) is not None
            case conditions.Same(path, other):
                return twins.text(self._read(path)) == twins.text(self._read(other)) != ""
            case conditions.Some() | conditions.Twice():
                return self._holds_of_items(condition)
            case conditions.Api(name):
                return name in self._context.api_versions

    def _holds_of_items(self, condition: conditions.Some | conditions.Twice) -> bool:
        """Whether a condition on the items of a list holds. To one that is asked by itself, its members are the values."""
        items = self._read(condition.path) or []
        if isinstance(condition, conditions.Twice):
            return twins.twice(items, condition.member) != ""
        index = self._index.items(condition.path)
        contexts = (replace(self._context, values=item or {}) for item in items)
        return any(Evaluator(index, context, self._definitions).holds(condition.condition) for context in contexts)

    def _read(self, path: str) -> Any:
        self._index.field(path)
        return lookup(self._context.values, path)

    def _is_set(self, path: str) -> bool:
        field = self._index.field(path)
        value = self._read(path)
        match form(field):
            case Form.TEXT | Form.INT_OR_STRING:
                return twins.text(value) != ""
            case Form.INTEGER | Form.BOOLEAN:
                return value is not None
            case Form.STRING if field.type.empty_is_value:
                return value is not None
            case _:
                return bool(value)

    def _value(self, node: Value) -> Any:
        """A value that is there, by its form."""
        field = self._index.field(node.path)
        value = self._read(node.path)
        kind = form(field)
        if kind is Form.BOOLEAN:
            absent_is_on = field.unset if node.default is None else node.default
            return _spelt(value) != "false" if absent_is_on else _spelt(value) == "true"
        if not self._is_set(node.path):
            return self.node(node.default) if node.default is not None else ABSENT
        match kind:
            case Form.TEXT:
                return twins.text(value)
            case Form.INTEGER:
                return int(value)
            case Form.INT_OR_STRING:
                return int(value) if isinstance(value, float) else value
            case Form.STRINGS:
                return twins.strings([value])
            case Form.ENV:
                return twins.env(value)
            case Form.NAMES:
                return twins.names([value])
            case Form.RELABELINGS:
                return twins.relabelings(value)
            case _:
                return twins.without_nulls(value)

    def _helper(self, node: Helper) -> Any:
        arguments = [self._argument(argument) for argument in node.arguments]
        twin = self._definitions[node.name].twin
        return twin(self._context, arguments) if node.name in helper_texts.VARIADIC else twin(self._context, *arguments)

    def _choice(self, node: When) -> Any:
        if self.holds(node.condition):
            return self.node(node.node)
        return ABSENT if node.otherwise is None else self.node(node.otherwise)

    def _mapping(self, members: Mapping[str, Node]) -> dict[str, Any]:
        found = ((key, self.node(member)) for key, member in members.items())
        return {key: member for key, member in found if member is not ABSENT}

    def _list(self, items: Sequence[Node]) -> list[Any]:
        found = (self.node(item) for item in items)
        return [item for item in found if item is not ABSENT]

    def _env(self, layers: tuple[tuple[Node, ...] | str | Helper | Extend, ...]) -> list[Any]:
        """The merged layers; a literal list alone stays as it is."""
        found = [item for layer in layers for item in self._layer(layer)]
        return found if len(layers) == 1 and isinstance(layers[0], tuple) else twins.env(found)

    def _layer(self, layer: tuple[Node, ...] | str | Helper | Extend) -> list[Any]:
        if isinstance(layer, str):
            return self._read(layer) or []
        if isinstance(layer, Helper | Extend):
            found = self.node(layer)
            return [] if found is ABSENT else list(found)
        return self._list(layer)

    def _argument(self, argument: Argument) -> Any:
        match argument:
            case Value(path, default):
                value = self._read(path)
                if not self._is_set(path) and default is not None:
                    return self.node(default)
                return value
            case When(condition, node, otherwise):
                chosen = node if self.holds(condition) else otherwise
                return self._argument(chosen)  # type: ignore[arg-type]  # the branches of an argument are arguments
            case Helper():
                return self._helper(argument)
            case tuple():
                return list(argument)
            case Builtin():
                return self._builtin(argument)
            case Mapping():
                return {key: self._argument(item) for key, item in argument.items()}
            case _:
                return argument

    def _builtin(self, builtin: Builtin) -> str:
        context = self._context
        return {
            Builtin.RELEASE_NAME: context.release_name,
            Builtin.RELEASE_SERVICE: context.release_service,
            Builtin.NAMESPACE: context.namespace,
            Builtin.CHART_NAME: context.chart_name,
            Builtin.CHART_VERSION: context.chart_version,
            Builtin.APP_VERSION: context.app_version,
        }[builtin]


def _digest(value: Any) -> str:
    """The hash that Helm makes of the same value: of its JSON as Go writes it, keys sorted and angle brackets escaped."""
    text = json.dumps({} if value is ABSENT else value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def _joined(parts: list[Any]) -> Any:
    """Lists one after the other, or mappings with the members of each."""
    if isinstance(parts[0], list):
        return [item for part in parts for item in part]
    return {key: member for part in parts for key, member in part.items()}


def _spelt(value: Any) -> str:
    return "true" if value is True else "false" if value is False else str(value)
