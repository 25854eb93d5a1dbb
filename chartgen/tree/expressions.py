"""Go-template expressions: how a path, a value and a condition are written, given what the dot stands for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition, Leaf
from chartgen.schema.model import Kind
from chartgen.schema.paths import Index
from chartgen.tree import helper_texts
from chartgen.tree.forms import Form, crd_default, form
from chartgen.tree.nodes import Argument, Builtin, ChartFile, Helper, Value, When

_TEXTS = (Form.TEXT, Form.INT_OR_STRING)
_NULLS = (Form.INTEGER, Form.BOOLEAN)
# Inside `with` the dot is the value itself: these forms are true exactly when they are set.
WITHABLE = (Form.STRING, Form.TEXT, Form.STRINGS, Form.ENV, Form.NAMES, Form.RELABELINGS, Form.YAML)


@dataclass
class Sheet:
    """The template being written: the definitions that its text needs come before it."""

    definitions: list[list[str]] = field(default_factory=list)

    def define(self, name: str, lines: list[str], trim: str = " ") -> None:
        """Adds a definition, unless it is there already.

        Args:
            name: as a Go literal.
            lines: its body.
            trim: what stands in front of the braces that close its opening line.
        """
        definition = [f"{{{{- define {name}{trim}}}}}", *lines, "{{- end }}"]
        if definition not in self.definitions:
            self.definitions.append(definition)

    def lines(self) -> list[str]:
        """All of them, one after the other."""
        return [line for definition in self.definitions for line in definition]


@dataclass(frozen=True)
class Scope:
    """What the dot stands for.

    Attributes:
        index: the fields.
        chart: prefix of the helpers' names.
        dot: path of the value that a surrounding ``with`` bound; "" at the root.
        item: the variable that holds what the paths are counted from; "" for the values.
        sheet: the template.
    """

    index: Index
    chart: str
    dot: str = ""
    item: str = ""
    sheet: Sheet = field(default_factory=Sheet, compare=False)

    @property
    def root(self) -> str:
        """The root context: ``.``, or ``$`` where the dot was bound."""
        return "$" if self.dot else "."

    def rooted(self, expression: str) -> str:
        """A root expression (``.Release.Name``) from here."""
        return f"${expression}" if self.dot else expression

    def fresh(self) -> Scope:
        """The scope of a definition, whose root is what it is called with."""
        return replace(self, dot="", item="")


def literal(text: str) -> str:
    """A Go string literal."""
    return json.dumps(text, ensure_ascii=False)


def call(name: str, *arguments: str) -> str:
    """A function call, its arguments in parentheses where they need them."""
    return " ".join([name, *(argument if _is_atom(argument) else f"({argument})" for argument in arguments)])


def _is_atom(expression: str) -> bool:
    """Whether an expression can be an argument as it stands: no blank outside of parentheses and quotes."""
    if " " not in expression:
        return True
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|`[^`]*`', "", expression)
    depth = 0
    for character in bare:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == " " and depth == 0:
            return False
    return True


def raw(path: str, scope: Scope) -> str:
    """The value at a path, null when it or a parent is missing: ``((.Values.driver).manager).image``."""
    if scope.dot and path == scope.dot:
        text_form = form(scope.index.field(path)) is Form.TEXT
        return _descend("$.Values", path.split(".")) if text_form else "."
    return _descend(scope.item or scope.rooted(".Values"), path.split("."))


def _descend(start: str, names: list[str]) -> str:
    expression = start
    for number, name in enumerate(names):
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            expression = f"{expression}.{name}" if number == 0 else f"({expression}).{name}"
        else:
            expression = f"index {expression if number == 0 else f'({expression} | default dict)'} {literal(name)}"
    return expression


def text(path: str, scope: Scope) -> str:
    """The value at a path as the string it spells; the dot itself where ``with`` bound that string."""
    if scope.dot == path and form(scope.index.field(path)) is Form.TEXT:
        return "."
    return call("include", literal(f"{scope.chart}.text"), raw(path, scope))


def part(node: Value, scope: Scope) -> tuple[str, str]:
    """A value that is there as a part of a longer string: the verb for ``printf``, and what it prints."""
    kind = form(scope.index.field(node.path))
    if kind in (Form.INTEGER, Form.BOOLEAN):
        return "%v", value(node, scope)
    given = raw(node.path, scope) if kind is Form.STRING else text(node.path, scope)
    return "%v" if isinstance(node.default, int) else "%s", _defaulted(given, node, scope)


def bound(path: str, scope: Scope) -> str:
    """What a ``with`` on the path binds: the value, or for texts the string it spells."""
    return text(path, scope) if form(scope.index.field(path)) is Form.TEXT else raw(path, scope)


def operand(given: Condition, scope: Scope) -> str:
    """A condition as an operand: in parentheses where it needs them."""
    expression = condition(given, scope)
    return expression if _is_atom(expression) else f"({expression})"


def condition(given: Condition, scope: Scope) -> str:
    """A condition as an expression without outer parentheses."""
    match given:
        case conditions.All(members) | conditions.Any(members):
            word = "and" if isinstance(given, conditions.All) else "or"
            return call(word, *(condition(member, scope) for member in members))
        case conditions.Not(inner):
            return _opposite(inner, scope)
        case _:
            return _leaf(given, scope)


def _leaf(given: Leaf, scope: Scope) -> str:
    """A condition that reads something."""
    match given:
        case conditions.On(path):
            absent_is_on = scope.index.field(path).unset
            return _compare("ne" if absent_is_on else "eq", path, "false" if absent_is_on else "true", scope)
        case conditions.Set(path):
            return _is_set(path, scope)
        case conditions.Equals(path, wanted):
            return _equals("eq", path, wanted, scope)
        case conditions.Matches(path, pattern):
            return call("regexMatch", _backquoted(pattern), text(path, scope))
        case conditions.Has(path, key, key_from):
            wanted_key = text(key_from, scope) if key_from else literal(key)
            if scope.index.field(path).type.kind is Kind.LIST:
                return call("has", wanted_key, f"{raw(path, scope)} | default list")
            return call("hasKey", f"{raw(path, scope)} | default dict", wanted_key)
        case conditions.Variable(path, name, pattern):
            both = call("list", scope.root, raw(path, scope), literal(name))
            return call("regexMatch", _backquoted(pattern), f"include {literal(f'{scope.chart}.variable')} ({both})")
        case conditions.Given(path):
            return call("not", is_null(path, scope))
        case conditions.Same(path, other):
            both = call("eq", text(path, scope), text(other, scope))
            return call("and", call("ne", text(path, scope), '""'), both)
        case conditions.Some() | conditions.Twice():
            return _of_items(given, scope)
        case conditions.Api(name):
            return f"{scope.rooted('.Capabilities.APIVersions.Has')} {literal(name)}"


def _of_items(given: conditions.Some | conditions.Twice, scope: Scope) -> str:
    """A condition on the items of a list: a call of a template, since an expression has no loops."""
    if isinstance(given, conditions.Twice):
        both = call("list", raw(given.path, scope), literal(given.member))
        return call("include", literal(f"{scope.chart}.twice"), both)
    name = literal(f"{scope.chart}.{given.define}")
    of_item = replace(scope, index=scope.index.items(given.path), dot="", item="$item")
    lines = [
        "  {{- range . }}",
        "    {{- $item := . | default dict }}",
        f"    {{{{- if {condition(given.condition, of_item)} }}}}",
        "      {{- true }}",
        "    {{- end }}",
        "  {{- end }}",
    ]
    scope.sheet.define(name, lines)
    return call("include", name, raw(given.path, scope))


def _backquoted(pattern: str) -> str:
    return literal(pattern) if "`" in pattern else f"`{pattern}`"


def _opposite(inner: Condition, scope: Scope) -> str:
    match inner:
        case conditions.On(path):
            absent_is_on = scope.index.field(path).unset
            return _compare("eq" if absent_is_on else "ne", path, "false" if absent_is_on else "true", scope)
        case conditions.Set(path):
            return _is_unset(path, scope)
        case conditions.Given(path):
            return is_null(path, scope)
        case conditions.Equals(path, wanted):
            return _equals("ne", path, wanted, scope)
        case _:
            return call("not", condition(inner, scope))


def _compare(operator: str, path: str, word: str, scope: Scope) -> str:
    return f"{operator} ({call('toString', raw(path, scope))}) {literal(word)}"


def _equals(operator: str, path: str, wanted: str, scope: Scope) -> str:
    """The comparison (``eq`` or ``ne``) with a literal; "" is what an absent value without a default reads as."""
    field = scope.index.field(path)
    default = crd_default(field)
    if not wanted:
        never = "false" if operator == "eq" else "true"
        return never if default else f"{operator} ({text(path, scope)}) {literal('')}"
    if form(field) is not Form.STRING and (default or form(field) is not Form.BOOLEAN):
        given = text(path, scope)
    else:
        given = raw(path, scope) if default else call("toString", raw(path, scope))
    if default:
        given = f"{given} | default {literal(default)}"
    return f"{operator} ({given}) {literal(wanted)}"


def _by_null(path: str, scope: Scope) -> bool:
    field = scope.index.field(path)
    return form(field) in _NULLS or (form(field) is Form.STRING and field.type.empty_is_value)


def withable(path: str, scope: Scope) -> bool:
    """Whether ``with`` on the path is true exactly when the value is set."""
    return form(scope.index.field(path)) in WITHABLE and not _by_null(path, scope)


def is_null(path: str, scope: Scope) -> str:
    """Whether the value is null, as an expression."""
    return call('kindIs "invalid"', raw(path, scope))


def _is_set(path: str, scope: Scope) -> str:
    if _by_null(path, scope):
        return call("not", is_null(path, scope))
    if form(scope.index.field(path)) is Form.INT_OR_STRING:
        return call("ne", text(path, scope), '""')
    return bound(path, scope)


def _is_unset(path: str, scope: Scope) -> str:
    if _by_null(path, scope):
        return is_null(path, scope)
    if form(scope.index.field(path)) in _TEXTS:
        return call("eq", text(path, scope), '""')
    return call("not", raw(path, scope))


def file(node: ChartFile, scope: Scope) -> str:
    """The text of a file of the chart, or of one of its subcharts."""
    files = scope.rooted(".Files")
    if node.subchart:
        files = f"(index {scope.rooted('.Subcharts')} {literal(node.subchart)}).Files"
    return f"{files}.Get {literal(node.path)}"


def helper(node: Helper, scope: Scope) -> str:
    """A call of a helper."""
    name = literal(f"{scope.chart}.{node.name}")
    arguments = [argument(one, scope) for one in node.arguments]
    if node.root:
        return call("include", name, call("list", scope.root, *arguments))
    if node.name in helper_texts.VARIADIC:
        return call("include", name, call("list", *arguments))
    return call("include", name, *arguments)


def _boolean(given: Condition, scope: Scope) -> str:
    """A condition where only a boolean will do: the test whether a value is set yields the value itself."""
    expression = condition(given, scope)
    return expression if isinstance(given, conditions.On | conditions.Not) else call("not", call("not", expression))


def argument(given: Argument, scope: Scope) -> str:
    """An argument of a helper."""
    match given:
        case Value(path, default):
            if default is None:
                return raw(path, scope)
            value = text(path, scope) if form(scope.index.field(path)) in _TEXTS else raw(path, scope)
            return f"{value} | default {scope.rooted(default.value) if isinstance(default, Builtin) else _go(default)}"
        case When(condition_, node, otherwise):
            branches = [argument(branch, scope) for branch in (node, otherwise)]  # type: ignore[arg-type]  # branches of an argument
            return call("ternary", *branches, _boolean(condition_, scope))
        case tuple():
            return call("list", *(literal(item) for item in given))
        case Builtin():
            return scope.rooted(given.value)
        case Helper():
            return f"{helper(given, scope)} | fromYaml"
        case Mapping():
            pairs: list[str] = []
            for key, item in given.items():
                pairs += [literal(key), argument(item, scope)]
            return call("dict", *pairs)
        case _:
            return literal(given)


def _go(value: str | int) -> str:
    """A Go literal; a boolean is a whole number to the type checker."""
    return literal(value) if isinstance(value, str) else str(value).lower()


def value(node: Value, scope: Scope) -> str:
    """A scalar value that is there, as the whole pipeline between the braces."""
    field = scope.index.field(node.path)
    match form(field):
        case Form.BOOLEAN:
            absent_is_on = field.unset if node.default is None else node.default
            return _compare("ne" if absent_is_on else "eq", node.path, "false" if absent_is_on else "true", scope)
        case Form.INTEGER:
            return _integer(node, scope)
        case Form.INT_OR_STRING:
            given = raw(node.path, scope)
            if node.default is None:
                return f"{given} | toJson"
            return (
                call("ternary", _go_default(node, scope), given, call("eq", text(node.path, scope), '""')) + " | toJson"
            )
        case Form.TEXT:
            return f"{_defaulted(text(node.path, scope), node, scope)} | quote"
        case _:
            return f"{_defaulted(raw(node.path, scope), node, scope)} | quote"


def _go_default(node: Value, scope: Scope) -> str:
    default = node.default
    return scope.rooted(default.value) if isinstance(default, Builtin) else _go("" if default is None else default)


def _integer(node: Value, scope: Scope) -> str:
    given = raw(node.path, scope)
    if node.default in (None, 0):
        return f"{given} | int64"
    return call("ternary", _go_default(node, scope), f"{given} | int64", is_null(node.path, scope))


def _defaulted(given: str, node: Value, scope: Scope) -> str:
    """A string, or the default that stands in for it."""
    if node.default is None:
        return given
    if scope.index.field(node.path).type.empty_is_value:
        return call("ternary", _go_default(node, scope), given, is_null(node.path, scope))
    return f"{given} | default {_go_default(node, scope)}"
