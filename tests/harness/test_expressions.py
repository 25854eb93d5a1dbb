"""CEL, as rules of CRDs use it."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from chartgen.harness import expressions
from chartgen.harness.expressions import Failed, Unrunnable, compiled
from chartgen.harness.tools import ToolMissing

OBJECT = {"name": "abc", "list": [1, 2], "map": {"a": "b"}, "items": [{"name": "x"}, {"name": "y", "on": True}], "n": 4}


def evaluate(text: str, value: Any = None) -> Any:
    """The value of an expression about one object."""
    return compiled(text).evaluate({"self": OBJECT if value is None else value})


@pytest.mark.parametrize(
    "text",
    [
        # presence and optional values
        "has(self.name) && !has(self.other)",
        "self.?other.orValue('d') == 'd' && self.?name.hasValue() && !self.?other.hasValue()",
        "self[?'name'].orValue('') == 'abc'",
        "self.name == 'abc' || self.other.deep",
        # sizes, membership, macros
        "size(self.list) == 2 && self.name.size() == 3 && size(self.map) == 1",
        "size('é') == 1",
        "2 in self.list && 'a' in self.map && !('b' in self.map) && self.name in ['abc', 'd']",
        "self.list.all(i, i > 0) && self.list.exists(i, i == 2) && self.list.exists_one(i, i > 1)",
        "self.list.map(i, i * 2) == [2, 4] && self.list.filter(i, i > 1) == [2]",
        "self.map.all(k, self.map[k] != '')",
        "self.items.map(i, i.name).all(n, self.items.exists_one(i, i.name == n))",
        "self.items.filter(i, has(i.on) && i.on).size() <= 1",
        # strings
        "self.name.startsWith('a') && self.name.endsWith('c') && self.name.contains('b')",
        "self.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && !self.name.matches('^b')",
        "'A'.lowerAscii() == 'a' && 'a'.upperAscii() == 'A' && ' a '.trim() == 'a'",
        "'a,b'.split(',').join('-') == 'a-b' && 'abc'.substring(1, 2) == 'b' && 'aa'.replace('a', 'b', 1) == 'ba'",
        "'abc'.indexOf('c') == 2 && 'aba'.lastIndexOf('a') == 2 && 'abc'.charAt(1) == 'b'",
        "'%s-%d'.format(['a', 1]) == 'a-1'",
        # what Kubernetes adds to lists and strings
        "self.list.isSorted() && self.list.sum() == 3 && self.list.min() == 1 && self.list.max() == 2",
        "'a12b3'.find('[0-9]+') == '12' && 'a12b3'.findAll('[0-9]+') == ['12', '3'] && 'a'.find('[0-9]') == ''",
        # numbers and types
        "self.n % 3 == 1 && self.n / 3 == 1 && -self.n == -4 && self.n > 3.5 && double(self.n) == 4.0",
        "type(self.n) == int && int('4') == self.n && string(self.n) == '4' && string(true) == 'true'",
        "duration('90s') > duration('1m') && timestamp('2024-01-01T00:00:00Z').getFullYear() == 2024",
        "cel.bind(x, self.n, x * x == 16)",
        "self.n > 3 ? true : self.other",
    ],
)
def test_the_language(text):
    """Each expression is true."""
    assert evaluate(text) is True


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("self.other == 1", "other"),
        ("self.list[5] == 1", "index=5"),
        ("1 / (self.n - 4) == 1", "divide by zero"),
        ("self.items.all(i, i.on)", "on"),
        ("[].min() == 1", "empty"),
    ],
)
def test_an_expression_without_a_value(text, why):
    """The API server would meet the same."""
    with pytest.raises(Failed, match=why):
        evaluate(text)


@pytest.mark.parametrize(
    "text",
    [
        "isQuantity(self.name)",
        "url(self.name).getHost() == ''",
        "ip(self.name).family() == 4",
        "sets.contains([1], [1])",
    ],
)
def test_what_is_not_here_is_never_true(text):
    """Functions that Kubernetes has and this harness does not."""
    with pytest.raises(Unrunnable, match="is not known here") as raised:
        evaluate(text)
    assert raised.value.is_known


@pytest.mark.parametrize(
    "text", ["self.", "self.name.unheardOf()", "other", "self.n > 'a'", "self.name.find('(')", "'a' + 1"]
)
def test_what_nobody_can_evaluate_is_never_true(text):
    """No CEL, a name that nobody knows, types that do not go together."""
    with pytest.raises(Unrunnable) as raised:
        evaluate(text)
    assert not raised.value.is_known
    assert raised.value.reason


def test_an_expression_is_compiled_once():
    """Rules are evaluated for many objects."""
    assert compiled("self.n == 4") is compiled("self.n == 4")


def test_without_the_library_a_person_is_told_what_to_install(monkeypatch):
    """It is no part of a plain installation."""
    monkeypatch.setitem(sys.modules, "cel_expr_python.unheard_of", None)
    with pytest.raises(ToolMissing, match=r"pip install 'chartgen\[validate\]'"):
        expressions._library("unheard_of")
