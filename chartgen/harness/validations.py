"""The rules of a CRD (``x-kubernetes-validations``), held against objects as the API server does it.

Rules stand at any depth of a schema. Each is compiled once, and only the parts of an object below which there is a rule are
looked at. What a rule sees is the stored object: with defaults, without members that the schema does not name, and of the
metadata just the names. A rule that names ``oldSelf`` speaks of changes: it has nothing to say when an object is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chartgen.harness import compare, expressions, stored
from chartgen.harness.expressions import Expression, Failed, Unrunnable

_OLD = re.compile(r"\boldSelf\b")
_ESCAPES = (("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__"))
_RESERVED = frozenset([
    "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop", "namespace",
    "null", "package", "return", "true", "var", "void", "while",
])  # fmt: skip
_SEEN_METADATA = ("name", "generateName")
_NOTHING = object()


@dataclass(frozen=True)
class Broken:
    """A rule that an object breaks, or that could not be judged.

    Attributes:
        path: of the part that the rule is about.
        message: the rule's own words, or why it could not be judged.
        unrunnable: why it could not be judged; None when it could.
    """

    path: str
    message: str
    unrunnable: Unrunnable | None = None


@dataclass(frozen=True)
class Rule:
    """An entry of ``x-kubernetes-validations``.

    Attributes:
        text: the expression.
        message: what it says to a person; empty when it has no message.
        message_text: an expression that makes the message; empty when there is none.
        is_optional_old: whether it is judged for new objects too, with an ``oldSelf`` that may be absent.
    """

    text: str
    message: str = ""
    message_text: str = ""
    is_optional_old: bool = False

    @property
    def is_of_changes(self) -> bool:
        """Whether it compares with what was there before."""
        return bool(_OLD.search(self.text))

    def judge(self, new: Any, old: Any) -> str:
        """What is wrong; empty when nothing is.

        Args:
            new: the part of the object that it is about.
            old: what was there before; `_NOTHING` when nothing was.

        Raises:
            Unrunnable: see `chartgen.harness.expressions`.
        """
        variables = {"self": new} if old is _NOTHING else {"self": new, "oldSelf": old}
        try:
            holds = self._compiled(self.text, old).evaluate(variables)
        except Failed as failure:
            return f"{self._words(variables, old)} (the rule fails: {failure})"
        if not isinstance(holds, bool):
            raise Unrunnable(f"the rule is {compare.show(holds)}, and a boolean is expected")
        return "" if holds else self._words(variables, old)

    def _words(self, variables: Mapping[str, Any], old: Any) -> str:
        """The message; where its expression makes none on a line, the API server falls back to the fixed one."""
        if self.message_text:
            try:
                made = self._compiled(self.message_text, old).evaluate(variables)
            except (Failed, Unrunnable):
                made = ""
            if isinstance(made, str) and made.strip() and "\n" not in made.strip():
                return made.strip()
        return self.message or f"failed rule: {self.text}"

    def _compiled(self, text: str, old: Any) -> Expression:
        if self.is_optional_old and _OLD.search(text):
            value = "optional.none()" if old is _NOTHING else "optional.of(oldSelf)"
            text = f"cel.bind(oldSelf, {value}, {text})"
        return expressions.compiled(text)


@dataclass(frozen=True)
class Rules:
    """The rules of a part of a schema, and of all parts below it.

    Attributes:
        schema: the part.
        own: rules at this very place.
        members: property -> what is below it, where there are rules.
        items: what is below each item of a list; None when there are no rules.
        rest: what is below each value of a map; None when there are no rules.
    """

    schema: Mapping[str, Any]
    own: tuple[Rule, ...] = ()
    members: Mapping[str, Rules] = field(default_factory=dict)
    items: Rules | None = None
    rest: Rules | None = None

    def judge(self, new: Mapping[str, Any], old: Mapping[str, Any] | None = None) -> list[Broken]:
        """Every rule that an object breaks.

        Args:
            new: the object, as it was rendered.
            old: the object before an upgrade; None when it is new.
        """
        before = _NOTHING if old is None else stored.defaulted(old, self.schema)
        return list(self._walk(stored.defaulted(new, self.schema), before, ""))

    def _walk(self, new: Any, old: Any, path: str) -> Iterator[Broken]:
        if new is None:
            return
        if self.own:
            before = old if old is _NOTHING else seen(_aligned(old, new, self.schema), self.schema, is_root=not path)
            yield from self._judge_own(seen(new, self.schema, is_root=not path), before, path)
        if isinstance(new, dict):
            was = old if isinstance(old, dict) else {}
            for key, value in new.items():
                below = self.members.get(key) or (self.rest if key not in self.schema.get("properties", {}) else None)
                if below:
                    yield from below._walk(value, was.get(key, _NOTHING), compare.join(path, key))
        elif isinstance(new, list) and self.items:
            for number, value in enumerate(new):
                yield from self.items._walk(value, _twin(value, old, self.schema), f"{path}[{number}]")

    def _judge_own(self, new: Any, old: Any, path: str) -> Iterator[Broken]:
        for rule in self.own:
            if rule.is_of_changes and old is _NOTHING and not rule.is_optional_old:
                continue
            try:
                said = rule.judge(new, old)
            except Unrunnable as unrunnable:
                yield Broken(path, f"{rule.text}: {unrunnable.reason}", unrunnable)
                continue
            if said:
                yield Broken(path, said)


def of_schema(schema: Mapping[str, Any]) -> Rules | None:
    """The rules of a CRD's ``openAPIV3Schema``, or of a part of one; None when there are none."""
    own = tuple(
        Rule(
            entry["rule"],
            entry.get("message", ""),
            entry.get("messageExpression", ""),
            bool(entry.get("optionalOldSelf")),
        )
        for entry in schema.get("x-kubernetes-validations") or ()
    )
    below = {name: of_schema(part) for name, part in schema.get("properties", {}).items()}
    members = {name: rules for name, rules in below.items() if rules}
    items = of_schema(schema["items"]) if isinstance(schema.get("items"), Mapping) else None
    rest = stored.rest(schema)
    more = of_schema(rest) if rest else None
    return Rules(schema, own, members, items, more) if own or members or items or more else None


def seen(value: Any, schema: Mapping[str, Any], *, is_root: bool = False) -> Any:
    """A value as an expression sees it.

    Properties go by names that the language allows; what the schema does not name is not there.

    Args:
        value: a part of a stored object.
        schema: of this part.
        is_root: whether it is a whole object, whose metadata has its names alone.
    """
    if isinstance(value, list):
        return [seen(item, schema.get("items") or {}) for item in value]
    if not isinstance(value, dict):
        return float(value) if schema.get("type") == "number" and not isinstance(value, str | bool) else value
    rest = stored.rest(schema)
    if rest:
        return {str(key): seen(member, rest) for key, member in value.items()}
    members = dict(schema.get("properties", {}))
    is_object = is_root or bool(schema.get("x-kubernetes-embedded-resource"))
    result: dict[str, Any] = {}
    for key, member in value.items():
        if is_object and key == "metadata" and isinstance(member, dict):
            result[key] = {name: member[name] for name in _SEEN_METADATA if name in member}
        elif key in members or (is_object and key in ("apiVersion", "kind")):
            # By its own name too, which newer versions write between backquotes.
            result[key] = result[escaped(key)] = seen(member, members.get(key, {}))
    return result


def escaped(name: str) -> str:
    """How an expression writes the name of a property."""
    if name in _RESERVED:
        return f"__{name}__"
    for sign, word in _ESCAPES:
        name = name.replace(sign, word)
    return name


def _keys(schema: Mapping[str, Any]) -> Sequence[str]:
    """The members by which items of a list are told apart; none unless the list is a map."""
    is_map = schema.get("x-kubernetes-list-type") == "map"
    return schema.get("x-kubernetes-list-map-keys") or () if is_map else ()


def _twin(item: Any, old: Any, schema: Mapping[str, Any]) -> Any:
    """What an item of a list was before; nothing can be said unless the list is a map."""
    keys = _keys(schema)
    if not keys or not isinstance(old, list) or not isinstance(item, dict):
        return _NOTHING
    same = [each for each in old if isinstance(each, dict) and all(each.get(key) == item.get(key) for key in keys)]
    return same[0] if same else _NOTHING


def _aligned(old: Any, new: Any, schema: Mapping[str, Any]) -> Any:
    """What was before, with the items of sets and maps in the order that they have now, since there it does not count."""
    if isinstance(old, dict) and isinstance(new, dict):
        members, rest = schema.get("properties", {}), stored.rest(schema)
        return {
            key: _aligned(value, new[key], members.get(key) or rest) if key in new else value
            for key, value in old.items()
        }
    if not isinstance(old, list) or not isinstance(new, list):
        return old
    of_items = schema.get("items") or {}
    if _keys(schema):
        pairs = [(_twin(item, old, schema), item) for item in new]
        known = [_aligned(was, item, of_items) for was, item in pairs if was is not _NOTHING]
        taken = [was for was, _ in pairs]
        return known + [each for each in old if each not in taken]
    if schema.get("x-kubernetes-list-type") == "set":
        return [each for each in new if each in old] + [each for each in old if each not in new]
    return [_aligned(was, item, of_items) for was, item in zip(old, new, strict=False)] + old[len(new) :]
