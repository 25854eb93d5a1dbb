"""Printing a tree as the Helm template that a careful person would write.

The printer owns what nobody should have to remember: nil-safe reads, a guard around everything that can be absent, no
guard repeated inside itself, quoting by the value's form, indentation. Nothing it prints is processed afterwards.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.schema import conditions
from chartgen.schema.conditions import ALWAYS, NEVER, Condition
from chartgen.schema.model import Field, Kind
from chartgen.schema.paths import Index, UnknownPath
from chartgen.tree import expressions, guards, helper_texts, slots
from chartgen.tree.expressions import Scope
from chartgen.tree.forms import Form, form, kindly_members
from chartgen.tree.nodes import (
    DIGEST_LENGTH,
    Builtin,
    ChartFile,
    Digest,
    Document,
    Each,
    EnvMerge,
    Extend,
    Helper,
    Join,
    Manifest,
    Node,
    Shape,
    Value,
    When,
)
from chartgen.tree.presence import Presences, assume, reads, simplify

_BLOCKS = {Form.STRINGS: "strings", Form.ENV: "env", Form.RELABELINGS: "relabelings", Form.NAMES: "names"}


@dataclass(frozen=True)
class _Place:
    """Where the printer is.

    Attributes:
        scope: what the dot stands for.
        presences: when each node is there.
        assumed: conditions that hold here, because a guard around this place checked them.
    """

    scope: Scope
    presences: Presences
    assumed: frozenset[Condition] = frozenset()

    @property
    def index(self) -> Index:
        return self.scope.index

    def guard(self, node: Node) -> Condition:
        """What must still be checked before `node` may be printed here."""
        return simplify(self.presences.of(node), self.assumed)


def manifest(given: Manifest, index: Index, chart: str) -> str:
    """A template file; see `lines`."""
    return "\n".join(lines(given, index, chart)) + "\n"


def lines(given: Manifest, index: Index, chart: str) -> list[str]:
    """The lines of a template file; each that opens a branch is an `Opening` of `chartgen.tree.guards`.

    Args:
        given: the file's objects.
        index: the fields that its paths are looked up in.
        chart: prefix of the helpers' names.

    Raises:
        ChartgenError: a path that is no value.
    """
    try:
        return _manifest(given, index, chart)
    except UnknownPath as error:
        hint = f"did you mean {error.near}?" if error.near else ""
        problem = Problem(
            f"templates/{given.file}", error.path, f"the unknown path {error.path}", "a values path", hint
        )
        raise ChartgenError([problem]) from error


def _manifest(given: Manifest, index: Index, chart: str) -> list[str]:
    place = _Place(Scope(index, chart), Presences(index))
    common = _common(given.documents)
    inner = replace(place, assumed=assume(common, place.assumed)) if common != ALWAYS else place
    many = len(given.documents) > 1
    groups = itertools.groupby(given.documents, key=lambda document: simplify(document.condition, inner.assumed))
    body = [line for condition, group in groups for line in _documents(condition, group, inner, separated=many)]
    if common != ALWAYS:
        body = [*guards.opening(common, place.scope, ""), *body, "{{- end }}"]
    return [*_comment(given.about), *place.scope.sheet.lines(), *body]


def _common(documents: Sequence[Document]) -> Condition:
    """What every object of a file depends on: checked once, around all of them."""
    if len(documents) < 2:
        return ALWAYS
    wanted = [_operands(document.condition) for document in documents]
    return conditions.all_of(*(one for one in wanted[0] if all(one in other for other in wanted[1:])))


def _operands(condition: Condition) -> tuple[Condition, ...]:
    return condition.conditions if isinstance(condition, conditions.All) else (condition,)


def _comment(about: str) -> list[str]:
    return ["{{- /*", *about.strip().splitlines(), "*/ -}}"]


def _documents(condition: Condition, documents: Iterable[Document], place: _Place, *, separated: bool) -> list[str]:
    """Neighbouring objects with one guard. What separates them stands inside, so that no empty document is left without them."""
    inner = replace(place, assumed=assume(condition, place.assumed))
    lines: list[str] = []
    for document in documents:
        head = ["---"] if separated or document.each else []
        body = [*head, *_mapping(document.tree, inner, 0)]
        lines += _repeated(document, document.each, body, inner) if document.each else body
    if condition != ALWAYS:
        lines = [*guards.opening(condition, place.scope, ""), *lines, "{{- end }}"]
    return lines


def _repeated(document: Document, each: Each, lines: list[str], place: _Place) -> list[str]:
    """A document for each item of a list: a definition, called with values in which the item has been laid over an object.

    In the definition the root is what it is called with, so that its text is that of any other document. Its guard stands
    outside, and so must not depend on the item.
    """
    if any(path.startswith(f"{each.over}.") for path in conditions.paths(document.condition)):
        raise TypeError(f"whether {each.define} is there depends on what it is repeated for")
    scope = place.scope
    name = expressions.literal(f"{scope.chart}.{each.define}")
    place.scope.sheet.define(name, lines, " -")
    overlaid = expressions.literal(f"{scope.chart}.overlaid")
    over = expressions.literal(each.over)
    values = f"(set (omit $.Values {over}) {over} $item)"
    return [
        f"{{{{- range {expressions.raw(each.items, scope)} | default (list dict) }}}}",
        f"{{{{- $item := include {overlaid} (list $.Values.{each.over} .) | fromJson }}}}",
        f'{{{{ include {name} (set (omit $ "Values") "Values" {values}) }}}}',
        "{{- end }}",
    ]


def _mapping(tree: Mapping[str, Node], place: _Place, indent: int) -> list[str]:
    return _children([(node, slots.Entry(_literal(key))) for key, node in tree.items()], place, indent)


def _sequence(items: Sequence[Node], place: _Place, indent: int) -> list[str]:
    return _children([(node, slots.Item()) for node in items], place, indent)


def _children(children: Sequence[tuple[Node, slots.Slot]], place: _Place, indent: int) -> list[str]:
    """Members or items; neighbours that hang on the same guard share it."""
    lines: list[str] = []
    for guard, group in itertools.groupby(children, key=lambda child: _shared_guard(child[0], place)):
        members = list(group)
        if guard is None or len(members) == 1:
            for node, slot in members:
                lines += _conditional(node, place, indent, slot)
            continue
        pad = " " * indent
        inner = replace(place, assumed=assume(guard, place.assumed))
        lines += guards.opening(guard, place.scope, pad)
        for node, slot in members:
            lines += _conditional(node, inner, indent, slot)
        lines.append(f"{pad}{{{{- end }}}}")
    return lines


def _shared_guard(node: Node, place: _Place) -> Condition | None:
    """The guard that a member could share with its neighbours; None for one that is always or never there, or has a choice."""
    guard, inner = _opened(node, place)
    return None if guard in (ALWAYS, NEVER) or isinstance(inner, When) else guard


def _conditional(node: Node, place: _Place, indent: int, slot: slots.Slot) -> list[str]:
    """A member or item, inside the guard that it needs."""
    pad = " " * indent
    guard, inner_node = _opened(node, place)
    if guard == NEVER:
        return []
    if guard == ALWAYS or (
        isinstance(slot, slots.Part) and _is_map(inner_node, place) and guard == conditions.Set(inner_node.path)
    ):
        return _slot(inner_node, place, indent, slot)
    assumed = assume(guard, place.assumed)
    if isinstance(guard, conditions.Set) and _only_reads(inner_node, guard.path, place):
        opening: list[str] = [
            guards.Opening(f"{pad}{{{{- with {expressions.bound(guard.path, place.scope)} }}}}", guard)
        ]
        inner = replace(place, assumed=assumed, scope=replace(place.scope, dot=guard.path))
    else:
        opening = guards.opening(guard, place.scope, pad)
        inner = replace(place, assumed=assumed)
    return [*opening, *_slot(inner_node, inner, indent, slot), f"{pad}{{{{- end }}}}"]


def _opened(node: Node, place: _Place) -> tuple[Condition, Node]:
    """What must be checked before a node, and what is printed then; a choice between two checks what is left by itself."""
    found: list[Condition] = []
    inner = node
    while isinstance(inner, When) and inner.otherwise is None:
        found.append(inner.condition)
        inner = inner.node
    if isinstance(inner, When):
        return simplify(conditions.all_of(*found), place.assumed), inner
    return place.guard(node), inner


def _either(node: When, place: _Place, indent: int, slot: slots.Slot) -> list[str]:
    """Both branches of a `When`, each with the guards of its own."""
    condition = simplify(node.condition, place.assumed)
    otherwise = node.otherwise
    if condition == ALWAYS or otherwise is None:
        return _conditional(node.node, place, indent, slot)
    if condition == NEVER:
        return _conditional(otherwise, place, indent, slot)
    pad = " " * indent
    then = _conditional(node.node, replace(place, assumed=assume(condition, place.assumed)), indent, slot)
    opposite = replace(place, assumed=assume(conditions.negate(condition), place.assumed))
    return [
        *guards.opening(condition, place.scope, pad),
        *then,
        *_else(otherwise, opposite, indent, slot),
        f"{pad}{{{{- end }}}}",
    ]


def _else(node: Node, place: _Place, indent: int, slot: slots.Slot) -> list[str]:
    """The second branch: ``else if`` where all of it hangs on one guard."""
    pad = " " * indent
    guard, inner_node = _opened(node, place)
    if guard == NEVER:
        return []
    if guard != ALWAYS:
        inner = replace(place, assumed=assume(guard, place.assumed))
        return [*guards.opening(guard, place.scope, pad, "else if"), *_slot(inner_node, inner, indent, slot)]
    if isinstance(inner_node, When) and inner_node.otherwise is not None:
        condition = simplify(inner_node.condition, place.assumed)
        if condition not in (ALWAYS, NEVER):
            inner = replace(place, assumed=assume(condition, place.assumed))
            opposite = replace(place, assumed=assume(conditions.negate(condition), place.assumed))
            then = _conditional(inner_node.node, inner, indent, slot)
            other = _else(inner_node.otherwise, opposite, indent, slot)
            return [*guards.opening(condition, place.scope, pad, "else if"), *then, *other]
    return [f"{pad}{{{{- else }}}}", *_slot(inner_node, place, indent, slot)]


def _only_reads(node: Node, path: str, place: _Place) -> bool:
    """Whether ``with`` suits: the guarded part reads this one path and nothing else."""
    return set(reads(node)) == {path} and expressions.withable(path, place.scope)


def _slot(node: Node, place: _Place, indent: int, slot: slots.Slot) -> list[str]:
    """A member or item that is known to be there."""
    pad = " " * indent
    if isinstance(node, When):
        return _either(node, place, indent, slot)
    if isinstance(node, str) and _is_text(node):
        inner = " " * (indent + 2)
        return [*slot.inline("|", pad), *(f"{inner}{line}" if line else "" for line in node.splitlines())]
    if isinstance(slot, slots.Part) and _is_map(node, place):
        # Without its nulls the map may be empty, and then adds nothing.
        given = f"{pad}{{{{- with {_block_value(node, place.scope)} | fromYaml }}}}"
        return [
            guards.Opening(given, conditions.Set(node.path)),
            f"{pad}{{{{- toYaml . | nindent {indent} }}}}",
            f"{pad}{{{{- end }}}}",
        ]
    text = _inline(node, place)
    if text is not None:
        return slot.inline(text, pad)
    if isinstance(node, Helper) and node.shape is Shape.TEXT:
        return [*slot.inline("|-", pad), *_block(node, place, indent + 2)]
    return slot.block(_block(node, place, indent if isinstance(slot, slots.Part) else indent + 2), pad)


def _is_map(node: Node, place: _Place) -> TypeGuard[Value]:
    """Whether a node is a value that is a map of its own."""
    return isinstance(node, Value) and place.index.field(node.path).type.kind in (Kind.MAP, Kind.OBJECT)


def _is_text(text: str) -> bool:
    """Whether a string reads best as a block of lines, and YAML gives it back as it is from one."""
    lines = text.splitlines()
    if not text.endswith("\n") or text.endswith("\n\n") or "{{" in text or lines[0][:1] in ("", " "):
        return False
    return all(line.isprintable() and line == line.rstrip() for line in lines)


def _inline(node: Node, place: _Place) -> str | None:
    """A node that fits on its key's line; None for one that needs a block."""
    scope = place.scope
    match node:
        case str():
            return _literal(node)
        case bool() | int():
            return yamlio.scalar(node)
        case Builtin():
            return f"{{{{ {scope.rooted(node.value)} | quote }}}}"
        case ChartFile(member=""):
            return f"{{{{ {expressions.file(node, scope)} | quote }}}}"
        case Value(path) if form(scope.index.field(path)) not in _BLOCK_FORMS:
            return f"{{{{ {expressions.value(node, scope)} }}}}"
        case Join(parts):
            return _join(parts, scope)
        case Digest():
            return _digest(node, place)
        case Helper(shape=Shape.STRING | Shape.PLAIN as shape):
            return f"{{{{ {expressions.helper(node, scope)}{' | quote' if shape is Shape.STRING else ''} }}}}"
        case Mapping() if not node:
            return "{}"
        case list() | tuple() if not node:
            return "[]"
        case _:
            return None


def _digest(node: Digest, place: _Place) -> str:
    scope = place.scope
    name = expressions.literal(f"{scope.chart}.{node.define}")
    body = _mapping(node.tree, _Place(scope.fresh(), place.presences), 0)
    place.scope.sheet.define(name, body)
    value = f"include {name} {scope.root} | fromYaml | toJson | sha256sum | trunc {DIGEST_LENGTH}"
    return f"{{{{ {value} | quote }}}}"


_BLOCK_FORMS = (Form.STRINGS, Form.ENV, Form.NAMES, Form.RELABELINGS, Form.YAML)


def _literal(text: str) -> str:
    if "{{" in text:
        return f"{{{{ {expressions.literal(text)} | quote }}}}"
    return yamlio.scalar(text)


def _join(parts: tuple[str | Builtin | Value | Helper, ...], scope: Scope) -> str:
    template = ""
    arguments: list[str] = []
    for part in parts:
        if isinstance(part, str):
            template += part.replace("%", "%%")
            continue
        verb, argument = _part(part, scope)
        template += verb
        arguments.append(argument)
    return f"{{{{ {expressions.call('printf', expressions.literal(template), *arguments)} | quote }}}}"


def _part(part: Builtin | Value | Helper, scope: Scope) -> tuple[str, str]:
    match part:
        case Builtin():
            return "%s", scope.rooted(part.value)
        case Helper():
            return "%s", expressions.helper(part, scope)
        case _:
            return expressions.part(part, scope)


def _block(node: Node, place: _Place, indent: int) -> list[str]:
    """The lines of a node below its key."""
    pad = " " * indent
    match node:
        case Value():
            return [f"{pad}{{{{- {_block_value(node, place.scope)} | nindent {indent} }}}}"]
        case Helper():
            return [f"{pad}{{{{- {expressions.helper(node, place.scope)} | nindent {indent} }}}}"]
        case ChartFile(member=member):
            file = f"({expressions.file(node, place.scope)} | fromYaml)"
            return [f"{pad}{{{{- {file}.{member} | toYaml | nindent {indent} }}}}"]
        case Extend(parts):
            return _extend(parts, place, indent)
        case EnvMerge():
            return _env(node, place, indent)
        case Mapping():
            return _mapping(node, place, indent)
        case list() | tuple():
            return _sequence(node, place, indent)
        case _:
            raise TypeError(f"{type(node).__name__} has no block form")


def _block_value(node: Value, scope: Scope) -> str:
    given = expressions.raw(node.path, scope)
    field = scope.index.field(node.path)
    kind = form(field)
    if kind is Form.YAML:
        _refuse_kindly_members(field)
    name = _BLOCKS.get(kind, "yaml")
    if name in helper_texts.VARIADIC:
        given = expressions.call("list", given)
    return expressions.call("include", expressions.literal(f"{scope.chart}.{name}"), given)


def _extend(parts: tuple[Node, ...], place: _Place, indent: int) -> list[str]:
    lines: list[str] = []
    if any(_is_map(_opened(part, place)[1], place) for part in parts) and not any(
        place.guard(part) == ALWAYS and not _is_map(part, place) for part in parts
    ):
        raise TypeError(f"one of these must always be there, since a user's map can turn out to be empty: {parts}")
    for part in parts:
        if isinstance(part, list | tuple):
            lines += _sequence(part, place, indent)
        elif isinstance(part, Mapping):
            lines += _mapping(part, place, indent)
        else:
            lines += _conditional(part, place, indent, slots.Part())
    return lines


def _env(node: EnvMerge, place: _Place, indent: int) -> list[str]:
    """The container's own lists go into definitions, because an expression cannot hold a list otherwise."""
    if len(node.layers) == 1 and isinstance(node.layers[0], tuple):
        return _sequence(node.layers[0], place, indent)
    scope = place.scope
    layers: list[str] = []
    for number, layer in enumerate(node.layers):
        if isinstance(layer, str):
            layers.append(f"{expressions.raw(layer, scope)} | default list")
            continue
        if isinstance(layer, Helper):
            layers.append(f"{expressions.helper(layer, scope)} | fromYamlArray")
            continue
        name = expressions.literal(f"{scope.chart}.{node.define}" + (f".{number}" if number else ""))
        fresh = _Place(scope.fresh(), place.presences)
        body = _extend(layer.parts, fresh, 0) if isinstance(layer, Extend) else _sequence(layer, fresh, 0)
        place.scope.sheet.define(name, body)
        layers.append(f"include {name} {scope.root} | fromYamlArray")
    call = expressions.call("include", expressions.literal(f"{scope.chart}.env"), expressions.call("concat", *layers))
    return [f"{' ' * indent}{{{{- {call} | nindent {indent} }}}}"]


def _refuse_kindly_members(field: Field) -> None:
    """What is copied as it was given must be exact: nothing would turn a quoted boolean in it into a boolean."""
    kindly = list(kindly_members(field.type, field.path))
    if kindly:
        expected = "strict booleans and no `reads` below a value that is copied whole"
        raise ChartgenError([Problem(field.where, path, "a member that is read kindly", expected) for path in kindly])
