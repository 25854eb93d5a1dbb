"""When a node is there: the condition under which it yields anything at all.

This is what lets a tree be written without guards: a mapping whose members are all absent is absent itself, and the
printer asks here which guard to print around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chartgen.schema import conditions
from chartgen.schema.conditions import ALWAYS, NEVER, Condition
from chartgen.schema.paths import Index
from chartgen.tree.forms import Form, form
from chartgen.tree.nodes import Builtin, ChartFile, Digest, EnvMerge, Extend, Helper, Join, Node, Value, When


def presence(node: Node, index: Index) -> Condition:
    """The condition under which `node` is there."""
    return Presences(index).of(node)


class Presences:
    """When each node of some trees is there, found out once and kept.

    A node is known by its identity, since mappings and lists have no hash; so it is kept as long as this is.

    Args:
        index: the fields that paths are looked up in.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[int, tuple[Node, Condition]] = {}

    def of(self, node: Node) -> Condition:
        """The condition under which `node` is there."""
        if isinstance(node, str | int):
            return ALWAYS
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = (node, self._find(node))
        return known[1]

    def _find(self, node: Node) -> Condition:
        match node:
            case Value():
                return self._value(node)
            case Join(parts):
                return conditions.all_of(*map(self.of, parts))
            case When():
                return self._choice(node)
            case Extend(parts):
                return conditions.any_of(*map(self._part, parts))
            case EnvMerge(_, layers):
                return conditions.any_of(*map(self._layer, layers))
            case Helper():
                return node.presence
            case str() | bool() | int() | Builtin() | ChartFile() | Digest():
                return ALWAYS
            case Mapping():
                return self._members(tuple(node.values()))
            case _:
                return self._members(tuple(node))

    def _choice(self, node: When) -> Condition:
        condition = node.condition
        then = conditions.all_of(condition, simplify(self.of(node.node), assume(condition, frozenset())))
        if node.otherwise is None:
            return then
        other = conditions.all_of(conditions.negate(condition), self.of(node.otherwise))
        if then == condition and other == conditions.negate(condition):
            return ALWAYS
        return conditions.any_of(then, other)

    def _part(self, node: Node) -> Condition:
        """When a part of an `Extend` adds something: an empty literal never does."""
        if isinstance(node, When):
            then = conditions.all_of(node.condition, self._part(node.node))
            other = NEVER if node.otherwise is None else self._part(node.otherwise)
            return conditions.any_of(then, conditions.all_of(conditions.negate(node.condition), other))
        return NEVER if isinstance(node, Mapping | list | tuple) and not node else self.of(node)

    def _layer(self, layer: tuple[Node, ...] | str | Helper | Extend) -> Condition:
        if isinstance(layer, Helper | Extend):
            return self.of(layer)
        if isinstance(layer, str):
            return conditions.Set(layer)
        return conditions.any_of(*map(self.of, layer))

    def _members(self, members: tuple[Node, ...]) -> Condition:
        """A literal mapping or list: there when it is empty on purpose, or when any member is there."""
        return conditions.any_of(*map(self.of, members)) if members else ALWAYS

    def _value(self, node: Value) -> Condition:
        field = self._index.field(node.path)
        if node.default is not None or (form(field) is Form.BOOLEAN and field.unset is not None):
            return ALWAYS
        return conditions.Set(node.path)


def simplify(condition: Condition, assumed: frozenset[Condition]) -> Condition:
    """`condition` where all of `assumed` is known to hold, so that no guard is repeated inside itself."""
    if condition in assumed:
        return ALWAYS
    if conditions.negate(condition) in assumed:
        return NEVER
    match condition:
        case conditions.All(members):
            return conditions.all_of(*(simplify(member, assumed) for member in members))
        case conditions.Any(members):
            return conditions.any_of(*(simplify(member, assumed) for member in members))
        case conditions.Not(inner):
            return conditions.negate(simplify(inner, assumed))
        case _:
            return condition


def assume(condition: Condition, assumed: frozenset[Condition]) -> frozenset[Condition]:
    """`assumed` and what holds inside a guard on `condition`."""
    members = condition.conditions if isinstance(condition, conditions.All) else (condition,)
    return assumed | {condition} | frozenset(members)


def reads(node: Node) -> Iterator[str]:
    """Every values path that `node` reads, its conditions included."""
    if isinstance(node, Value):
        yield node.path
    elif isinstance(node, When):
        yield from conditions.paths(node.condition)
    elif isinstance(node, Helper):
        for argument in node.arguments:
            members = argument.values() if isinstance(argument, Mapping) else (argument,)
            for member in members:
                yield from reads(member)
    elif isinstance(node, EnvMerge):
        yield from (layer for layer in node.layers if isinstance(layer, str))
    for part in parts(node):
        yield from reads(part)


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes that `node` is directly made of."""
    match node:
        case Join(members) | Extend(members):
            return tuple(members)
        case When(_, inner, otherwise):
            return (inner,) if otherwise is None else (inner, otherwise)
        case EnvMerge(_, layers):
            found: list[Node] = []
            for layer in layers:
                found += layer if isinstance(layer, tuple) else () if isinstance(layer, str) else (layer,)
            return tuple(found)
        case Digest(_, tree):
            return (tree,)
        case str() | bool() | int() | Builtin() | ChartFile() | Value() | Helper():
            return ()
        case Mapping():
            return tuple(node.values())
        case _:
            return tuple(node)
