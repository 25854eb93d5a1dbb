"""Hypothesis strategies: values of a field's type, as users write them, and random trees over ``small_schema``."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from support import odd, trees

from chartgen.schema import conditions
from chartgen.schema.model import Field, Kind, Type
from chartgen.tree import helpers
from chartgen.tree.forms import Form, form
from chartgen.tree.nodes import Builtin, EnvMerge, Extend, Join, Node, Value, When

_LIMIT = 2**53 - 1
# Helm cannot write some control characters in maps and lists (see `odd.STRINGS`), and YAML knows no surrogates.
_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\x7f\x85\ufffe\uffff\ufeff")
STRINGS: st.SearchStrategy[str] = st.sampled_from(odd.STRINGS) | st.text(_CHARACTERS, max_size=6)
_PLAIN = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
_KEYS = st.sampled_from([string for string in odd.STRINGS if string != "<<"])
_WORDS = st.sampled_from(("x", "word", "else", "auto", "25%"))
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
    return (STRINGS | _WORDS).filter(lambda text: low <= len(text) <= high)


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


VALUES: st.SearchStrategy[dict[str, Any]] = st.sampled_from(list(odd.VALUES.values())) | members(trees.SCHEMA.fields)

_FIELDS = {
    field.path: form(field)
    for field in trees.SCHEMA.walk()
    if not field.children and not field.path.startswith(("global", "operator"))
}


def _paths(*forms: Form) -> st.SearchStrategy[str]:
    return st.sampled_from([path for path, found in _FIELDS.items() if found in forms])


_TEXTS = _paths(Form.STRING, Form.TEXT)
_LISTS = st.sampled_from([path for path in _FIELDS if path.endswith((".args", ".tolerations", ".secrets"))])
_LABELS = _paths(Form.STRINGS)
_BUILTINS = st.sampled_from(list(Builtin))
_LITERALS = STRINGS | st.sampled_from((0, 1, 20260101)) | st.booleans()


def _leaf_conditions() -> st.SearchStrategy[conditions.Condition]:
    patterns = st.sampled_from((r"^\d+$", "^[a-z]*$", "[`'\"]", r"\.", "^$"))
    variables = st.sampled_from(("WORD", "B", "FIRST"))
    return st.one_of(
        _paths(Form.BOOLEAN).map(conditions.On),
        st.sampled_from(list(_FIELDS)).map(conditions.Set),
        st.builds(
            conditions.Equals, _paths(Form.STRING, Form.TEXT, Form.INTEGER, Form.INT_OR_STRING), _WORDS | STRINGS
        ),
        st.builds(conditions.Equals, _paths(Form.BOOLEAN), st.sampled_from(("true", "false"))),
        st.builds(conditions.Matches, _TEXTS, patterns),
        st.builds(conditions.Has, _LABELS | st.just("top.args"), key=_WORDS),
        st.builds(conditions.Has, _LABELS, key_from=_TEXTS),
        st.builds(conditions.Variable, _paths(Form.ENV), variables, patterns),
        st.builds(conditions.Same, _TEXTS, _TEXTS),
        st.sampled_from(("top", "top.deep.deeper", "top.a-b")).map(conditions.Given),
        st.sampled_from(("word", "size")).map(lambda member: conditions.Twice("top.pools", member)),
        _of_items().map(_asked),
        st.sampled_from((*trees.APIS, "example.com/v1/Nothing")).map(conditions.Api),
    )


def _of_items() -> st.SearchStrategy[conditions.Condition]:
    """Conditions on an item of ``top.pools``."""
    return st.one_of(
        st.sampled_from(("word", "size", "labels", "deep.word")).map(conditions.Set),
        st.builds(conditions.Equals, st.just("word"), _WORDS),
        st.builds(conditions.Has, st.just("labels"), key=_WORDS),
    ).flatmap(lambda one: st.sampled_from((one, conditions.negate(one))))


def _asked(wanted: conditions.Condition) -> conditions.Condition:
    """That of some item; the same question may have one template for all that ask it."""
    return conditions.Some("top.pools", wanted, f"some{zlib.crc32(repr(wanted).encode())}")


CONDITIONS: st.SearchStrategy[conditions.Condition] = st.recursive(
    _leaf_conditions(),
    lambda inner: st.one_of(
        inner.map(conditions.negate),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: conditions.all_of(*found)),
        st.lists(inner, min_size=1, max_size=3).map(lambda found: conditions.any_of(*found)),
    ),
    max_leaves=4,
)
_SCALAR_VALUES: st.SearchStrategy[Value] = st.one_of(
    st.builds(Value, _TEXTS, st.none() | STRINGS | _BUILTINS),
    st.builds(Value, _paths(Form.INTEGER), st.none() | st.sampled_from((0, 7))),
    st.builds(Value, _paths(Form.BOOLEAN), st.none() | st.booleans()),
    st.builds(Value, _paths(Form.INT_OR_STRING), st.none() | st.sampled_from((0, 7, "5%"))),
)
_SCALARS: st.SearchStrategy[Node] = st.one_of(
    _LITERALS,
    _BUILTINS,
    _SCALAR_VALUES,
    st.lists(STRINGS | _BUILTINS | _SCALAR_VALUES, min_size=1, max_size=3).map(lambda parts: Join(tuple(parts))),
    _paths(Form.INT_OR_STRING, Form.TEXT).map(helpers.number),
    st.just(helpers.release_image("top.image", "nvcr.io/nvidia", "thing")),
    st.just(helpers.commas("top.secrets", "top.args")),
)
_LEAVES: st.SearchStrategy[Node] = st.one_of(
    _SCALARS,
    st.sampled_from(sorted(_FIELDS)).map(Value),
    st.booleans().map(lambda of_pod: helpers.pull_secrets("top.secrets", of_pod=of_pod)),
    st.just(helpers.merged_labels({"x": Builtin.NAMESPACE}, "top.labels")),
    st.just(helpers.merged(Value("top.labels"), Value("side-car.labels"))),
)


@st.composite
def _environments(draw: st.DrawFn) -> Node:
    names = st.sampled_from(("WORD", "B", "OWN", "LAST"))
    item = st.fixed_dictionaries({"name": names}, optional={"value": _SCALARS})
    own: st.SearchStrategy[Node] = item | st.builds(When, CONDITIONS, item)
    layers = draw(st.lists(st.lists(own, max_size=3).map(tuple) | _paths(Form.ENV), min_size=1, max_size=3))
    # The definitions need a name for each tree: identical trees may share one.
    return EnvMerge(f"env{zlib.crc32(repr(layers).encode())}", tuple(layers))


def _mappings(inner: st.SearchStrategy[Node], prefix: str) -> st.SearchStrategy[dict[str, Node]]:
    return st.dictionaries(
        st.sampled_from([f"{prefix}{key}" for key in ("a", "b", "{{ c }}", ": d")]), inner, max_size=3
    )


def _extended_lists(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    literals: st.SearchStrategy[Node] = st.lists(inner, max_size=3)
    parts: st.SearchStrategy[Node] = literals | _LISTS.map(Value)
    choices = st.builds(When, CONDITIONS, parts, st.none() | parts)
    return st.lists(parts | choices, min_size=1, max_size=3).map(lambda found: Extend(tuple(found)))


def _extended_mappings(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    literals = _mappings(inner, "k")
    more: st.SearchStrategy[Node] = st.just(Value("top.resources")) | _LABELS.map(Value) | _mappings(inner, "m")
    choices = st.builds(When, CONDITIONS, more, st.none() | _mappings(inner, "n"))
    return st.tuples(literals.map(lambda found: {**found, "always": 1}), more | choices).map(Extend)


def _grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        _mappings(inner, ""),
        st.lists(inner, max_size=3),
        st.builds(When, CONDITIONS, inner, st.none() | inner),
        _extended_lists(inner),
        _extended_mappings(inner),
    )


TREES: st.SearchStrategy[Node] = st.recursive(_LEAVES | _environments(), _grown, max_leaves=8)
