"""Rules of CRDs held against objects."""

from __future__ import annotations

from typing import Any

import pytest

from chartgen.harness import validations
from chartgen.harness.validations import Broken

STRING = {"type": "string"}
UNCHANGED = {"rule": "self == oldSelf", "message": "never changes"}


def broken(schema: dict[str, Any], spec: Any, old: Any = None) -> list[tuple[str, str]]:
    """The rules that an object breaks whose spec has this schema."""
    rules = validations.of_schema({"type": "object", "properties": {"spec": schema}})
    assert rules
    was = None if old is None else {"spec": old}
    return [(each.path, each.message) for each in rules.judge({"spec": spec}, was)]


def ruled(rule: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A schema with a rule."""
    return {**schema, "x-kubernetes-validations": [{"rule": rule, **more}]}


def with_members(**members: dict[str, Any]) -> dict[str, Any]:
    """An object."""
    return {"type": "object", "properties": members}


def test_rules_stand_at_any_depth():
    """Below properties, items of lists and values of maps; each is told by its path."""
    item = ruled("self.size() < 3", STRING, message="short")
    schema = with_members(
        list={"type": "array", "items": with_members(name=item)}, map={"type": "object", "additionalProperties": item}
    )
    found = broken(schema, {"list": [{"name": "ab"}, {"name": "abc"}], "map": {"a.b": "long"}})
    assert found == [("spec.list[1].name", "short"), (r"spec.map.a\.b", "short")]
    assert broken(schema, {"list": [], "map": {}}) == []
    assert broken(schema, {}) == []


def test_a_schema_without_rules():
    """Nothing is looked at."""
    assert validations.of_schema(with_members(a=STRING)) is None


def test_without_a_message_the_rule_is_told():
    """As the API server does."""
    assert broken(ruled("self.a == 'b'", with_members(a=STRING)), {"a": "c"}) == [
        ("spec", "failed rule: self.a == 'b'")
    ]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("'a is ' + self.a", "a is c"),
        ("self.b", "fixed"),
        ("self.a.size()", "fixed"),
        ("'  '", "fixed"),
        ("'two\\nlines'", "fixed"),
        ("quantity(self.a)", "fixed"),
    ],
)
def test_a_message_may_be_an_expression(expression, said):
    """One that makes no line of text gives way to the fixed message."""
    schema = ruled("self.a == 'b'", with_members(a=STRING), message="fixed", messageExpression=expression)
    assert broken(schema, {"a": "c"}) == [("spec", said)]


def test_a_rule_that_fails_refuses():
    """A member that is not there, without has(): the API server refuses the object."""
    [(_, said)] = broken(ruled("self.a == 'b'", with_members(a=STRING), message="m"), {})
    assert said == 'm (the rule fails: Key not found in map : "a")'


def test_a_rule_that_cannot_be_judged_is_told():
    """It is neither kept nor broken."""
    rules = validations.of_schema(ruled("isQuantity(self.a)", with_members(a=STRING)))
    [each] = rules.judge({"a": "1"})
    assert each.message == "isQuantity(self.a): isQuantity is not known here"
    assert each.unrunnable.is_known
    [each] = validations.of_schema(ruled("self.a", with_members(a=STRING))).judge({"a": "1"})
    assert each == Broken("", 'self.a: the rule is "1", and a boolean is expected', each.unrunnable)


def test_defaults_are_there_when_a_rule_is_judged():
    """At every depth that is there; a null gives way to the default."""
    schema = ruled("self.a == 'd'", with_members(a={**STRING, "default": "d"}))
    assert broken(schema, {}) == []
    assert broken(schema, {"a": None}) == []
    assert broken(schema, {"a": "x"}) != []


def test_what_may_be_null_is_null():
    """And a rule at its place is not asked."""
    nullable = {**STRING, "nullable": True}
    assert broken(ruled("self.a == null", with_members(a=nullable)), {"a": None}) == []
    assert broken(with_members(a=ruled("false", nullable)), {"a": None}) == []


def test_names_that_the_language_does_not_allow():
    """Are written in another way; keys of maps are not."""
    schema = with_members(**{"namespace": STRING, "a-b": STRING, "c.d/e": STRING, "f__g": STRING})
    rule = "self.__namespace__ + self.a__dash__b + self.c__dot__d__slash__e + self.f__underscores__g == '1234'"
    assert broken(ruled(rule, schema), {"namespace": "1", "a-b": "2", "c.d/e": "3", "f__g": "4"}) == []
    assert broken(ruled("self.`a-b` == '2'", schema), {"a-b": "2"}) == []
    assert broken(ruled("self['a-b'] == 'x'", {"type": "object", "additionalProperties": STRING}), {"a-b": "x"}) == []


def test_members_without_a_schema_are_not_there():
    """The API server drops them before it looks at rules."""
    assert broken(ruled("!has(self.b)", with_members(a=STRING)), {"b": "x"}) == []


def test_of_the_metadata_only_names_are_there():
    """Labels are not, in any rule."""
    schema = with_members(metadata={"type": "object"}, kind=STRING)
    rules = validations.of_schema(
        ruled("self.metadata.name == 'one' && !has(self.metadata.labels)", schema, message="m")
    )
    assert rules.judge({"kind": "A", "metadata": {"name": "one", "labels": {}}}) == []
    assert [each.message for each in rules.judge({"kind": "A", "metadata": {"name": "two"}})] == ["m"]


def test_a_number_is_a_double():
    """Also when it is written without a point."""
    assert broken(ruled("type(self.a) == double", with_members(a={"type": "number"})), {"a": 1}) == []


def test_an_int_or_string_is_what_it_is():
    """A rule asks for its type."""
    schema = with_members(a={"x-kubernetes-int-or-string": True})
    rule = ruled("type(self.a) == int ? self.a > 0 : self.a.endsWith('%')", schema)
    assert [broken(rule, {"a": value}) != [] for value in (1, 0, "1%", "1")] == [False, True, False, True]


def test_a_rule_about_changes_needs_something_before():
    """It says nothing of a new object, nor of a part that is new."""
    schema = with_members(a={**STRING, "x-kubernetes-validations": [UNCHANGED]})
    assert broken(schema, {"a": "1"}) == []
    assert broken(schema, {"a": "1"}, {}) == []
    assert broken(schema, {"a": "1"}, {"a": "1"}) == []
    assert broken(schema, {"a": "1"}, {"a": "2"}) == [("spec.a", "never changes")]


def test_defaults_are_no_change():
    """What was stored before had them."""
    schema = {**with_members(a={**STRING, "default": "d"}), "x-kubernetes-validations": [UNCHANGED]}
    assert broken(schema, {"a": "d"}, {}) == []
    assert broken(schema, {"a": "e"}, {}) == [("spec", "never changes")]


def test_a_rule_may_take_what_was_before_as_optional():
    """Then it is judged for new objects, too."""
    rule = ruled(
        "oldSelf.hasValue() ? self == oldSelf.value() : self == 'new'", STRING, optionalOldSelf=True, message="m"
    )
    assert broken(with_members(a=rule), {"a": "new"}) == []
    assert broken(with_members(a=rule), {"a": "x"}) == [("spec.a", "m")]
    assert broken(with_members(a=rule), {"a": "x"}, {"a": "x"}) == []
    assert broken(with_members(a=rule), {"a": "new"}, {"a": "x"}) == [("spec.a", "m")]


def test_items_of_a_map_are_compared_by_their_keys():
    """Wherever they stand; an item of another list was nothing before."""
    item = with_members(name=STRING, value={**STRING, "x-kubernetes-validations": [UNCHANGED]})
    keyed = {"type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
    old = {"l": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]}
    new = {"l": [{"name": "b", "value": "2"}, {"name": "a", "value": "3"}, {"name": "c", "value": "4"}]}
    assert broken(with_members(l=keyed), new, old) == [("spec.l[1].value", "never changes")]
    assert broken(with_members(l={"type": "array", "items": item}), new, old) == []


def test_the_order_of_a_set_or_a_map_is_no_change():
    """Of any other list it is."""
    item = with_members(name=STRING, tags={"type": "array", "items": STRING, "x-kubernetes-list-type": "set"})
    keyed = {"type": "array", "items": item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
    schema = {
        **with_members(l=keyed, plain={"type": "array", "items": STRING}),
        "x-kubernetes-validations": [UNCHANGED],
    }
    old = {"l": [{"name": "a", "tags": ["x", "y"]}, {"name": "b"}], "plain": ["1", "2"]}
    same = {"l": [{"name": "b"}, {"name": "a", "tags": ["y", "x"]}], "plain": ["1", "2"]}
    fewer = {"l": [{"name": "a", "tags": ["x", "y"]}], "plain": ["1", "2"]}
    assert broken(schema, same, old) == []
    for new in (fewer, {**old, "plain": ["2", "1"]}, {**old, "l": [{"name": "a", "tags": ["x"]}, {"name": "b"}]}):
        assert broken(schema, new, old) == [("spec", "never changes")]
