"""Hypothesis strategies: random trees over ``small_schema``, and values for them."""

from __future__ import annotations

import zlib
from typing import Any

from hypothesis import strategies as st
from support import odd, trees

from chartgen.harness.strategies import STRINGS, WORDS, members
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.forms import Form, form
from chartgen.tree.nodes import Builtin, EnvMerge, Extend, Join, Node, Value, When

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
        st.builds(conditions.Equals, _paths(Form.STRING, Form.TEXT, Form.INTEGER, Form.INT_OR_STRING), WORDS | STRINGS),
        st.builds(conditions.Equals, _paths(Form.BOOLEAN), st.sampled_from(("true", "false"))),
        st.builds(conditions.Matches, _TEXTS, patterns),
        st.builds(conditions.Has, _LABELS | st.just("top.args"), key=WORDS),
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
        st.builds(conditions.Equals, st.just("word"), WORDS),
        st.builds(conditions.Has, st.just("labels"), key=WORDS),
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
