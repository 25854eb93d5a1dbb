"""Mistakes in ``rules.yaml``, and what conditions are made of."""

from __future__ import annotations

import pytest
from support.schema_folders import Load, Mistakes

from chartgen.schema import conditions
from chartgen.schema.conditions import ALWAYS, NEVER, Any, Condition
from chartgen.schema.conditions import All as Every

FILES = {
    "top.yaml": """
        name: top
        type: object
        description: Top.
        properties:
          enabled: {type: boolean, description: On.}
          word: {type: string, description: Word.}
          data: {type: map, description: Data., values: {type: string, description: Value.}}
          words: {type: list, description: Words., items: {type: string, description: Word.}}
          parts:
            type: list
            description: Parts.
            items:
              type: object
              description: A part.
              properties:
                name: {type: string, description: Name.}
                inner: {type: object, description: Inner., properties: {size: {type: integer, description: Size.}}}
        """
}
FORMS = "on, off, set, unset, equals, matches, has, same, some, twice, api, all, any, not"
# A rule's condition -> line, path and words of the problem.
WRONG: dict[str, tuple[str, str]] = {
    "an unknown path": (
        "{on: top.enabeld}",
        "rules.0.refuse.on: the unknown path top.enabeld; expected a values path (did you mean top.enabled?)",
    ),
    "a path at the wrong level": (
        "{on: enabled}",
        "rules.0.refuse.on: the unknown path enabled; expected a values path (did you mean top.enabled?)",
    ),
    "a path that is no text": ("{set: [top]}", "rules.0.refuse.set: the unknown path ['top']; expected a values path"),
    "an unknown form": ("{when: top.word}", f"rules.0.refuse: when; expected one of {FORMS}"),
    "two forms in one": ("{on: top.enabled, set: top.word}", f"rules.0.refuse: on, set; expected one of {FORMS}"),
    "no form": ("{}", f"rules.0.refuse: a map; expected one of {FORMS}"),
    "text in place of a condition": (
        "top.enabled",
        f"rules.0.refuse: the string 'top.enabled'; expected one of {FORMS}",
    ),
    "a pattern that is none": (
        "{matches: {top.word: '('}}",
        (
            "rules.0.refuse.matches.top.word: a pattern that does not compile: missing ), unterminated subpattern at "
            "position 0; expected a regular expression"
        ),
    ),
    "equals without a literal": (
        "{equals: top.word}",
        "rules.0.refuse.equals: the string 'top.word'; expected a map of path to a literal",
    ),
    "has without a key": ("{has: {path: top.data}}", "rules.0.refuse.has: a map; expected a map with path and key"),
    "has with an unknown path of a key": (
        "{has: {path: top.data, key: {value: top.wrod}}}",
        "rules.0.refuse.has.key: the unknown path top.wrod; expected a values path (did you mean top.word?)",
    ),
    "same with one path": ("{same: [top.word]}", "rules.0.refuse.same: a list; expected a list of two paths"),
    "some of no list": (
        "{some: {of: top.word, that: {set: name}}}",
        "rules.0.refuse.some.of: top.word; expected the path of a list of objects",
    ),
    "some of a list of strings": (
        "{some: {of: top.words, that: {set: name}}}",
        "rules.0.refuse.some.of: top.words; expected the path of a list of objects",
    ),
    "some without a condition": (
        "{some: {of: top.parts}}",
        "rules.0.refuse.some: a map; expected a map with of and that",
    ),
    "some with an unknown path of an item": (
        "{some: {of: top.parts, that: {set: inner.sise}}}",
        "rules.0.refuse.some.that.set: the unknown path inner.sise; expected a values path (did you mean inner.size?)",
    ),
    "some with a path of the whole": (
        "{some: {of: top.parts, that: {set: top.word}}}",
        "rules.0.refuse.some.that.set: the unknown path top.word; expected a values path",
    ),
    "some that asks the cluster": (
        "{some: {of: top.parts, that: {all: [{set: name}, {api: v1}]}}}",
        "rules.0.refuse.some.that: api; expected a condition on the item alone",
    ),
    "twice with an unknown member": (
        "{twice: {of: top.parts, member: nmae}}",
        "rules.0.refuse.twice.member: the unknown path nmae; expected a values path (did you mean name?)",
    ),
    "twice without a member": (
        "{twice: top.parts}",
        "rules.0.refuse.twice: the string 'top.parts'; expected a map with of and member",
    ),
    "all of a map": ("{all: {on: top.enabled}}", "rules.0.refuse.all: a map; expected a list of conditions"),
    "something deep down": (
        "{any: [{set: top.word}, {not: {on: top.x}}]}",
        "rules.0.refuse.any.1.not.on: the unknown path top.x; expected a values path (did you mean top?)",
    ),
}


def _rule(condition: str) -> dict[str, str]:
    return {**FILES, "rules.yaml": f"rules:\n- name: r\n  message: M\n  fix: F\n  refuse: {condition}\n"}


@pytest.mark.parametrize(("condition", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_condition_is_told(mistakes: Mistakes, condition: str, said: str) -> None:
    """With its line and its place inside the rule."""
    assert [str(problem) for problem in mistakes(_rule(condition))] == [f"schemas/rules.yaml:5: {said}"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules: {a: b}", ["1: rules: a map; expected a list of rules"]),
        (
            "rules: [top]",
            ["1: rules.0: the string 'top'; expected a rule (a map with name, refuse or warn, message, fix)"],
        ),
        (
            "rules:\n- {name: a, refuse: {set: top}}",
            ["2: rules.0: no fix; expected fix in every rule", "2: rules.0: no message; expected message in every rule"],
        ),
        (
            "rules:\n- {name: a, message: M, fix: F}",
            ["2: rules.0: neither; expected one of refuse and warn"],
        ),
        (
            "rules:\n- {name: a, message: M, fix: F, warn: {set: top}, refuse: {set: top}}",
            ["2: rules.0: refuse and warn; expected one of refuse and warn"],
        ),
        (
            "rules:\n- {name: a, message: M, fix: F, warn: {set: top}, paths: [tpo]}",
            ["2: rules.0.paths.0: the unknown path tpo; expected a values path"],
        ),
        (
            "rules:\n- {name: a, message: M, fix: F, warn: {set: top}, for: 5}",
            ["2: rules.0.for: the number 5; expected a list of paths, or a map of path to condition"],
        ),
        (
            "rules:\n- {name: a, message: M, fix: F, warn: {set: top}}\n- {name: a, message: M, fix: F, warn: {set: top}}",
            ["3: rules.1.name: a second rule a; expected a name of its own"],
        ),
    ],
)  # fmt: skip
def test_a_wrong_rule_is_told(mistakes: Mistakes, text: str, said: list[str]) -> None:
    """What a rule must have, and may have once."""
    found = [str(problem) for problem in mistakes({**FILES, "rules.yaml": text})]
    assert found == [f"schemas/rules.yaml:{each}" for each in said]


def test_an_unknown_keyword_of_a_rule_is_told(mistakes: Mistakes) -> None:
    """With those that there are."""
    (problem,) = mistakes({**FILES, "rules.yaml": "rules:\n- {name: a, message: M, fix: F, warn: {set: top}, hint: H}"})
    assert str(problem).startswith("schemas/rules.yaml:2: rules.0.hint: the unknown keyword hint; expected one of ")


def test_conditions_on_items(load: Load) -> None:
    """The same question about a list has the same name in the templates, and another one another."""
    text = """
        rules:
        - {name: a, message: M, fix: F, refuse: {some: {of: top.parts, that: {unset: name}}}}
        - {name: b, message: M, fix: F, warn: {some: {of: top.parts, that: {set: inner.size}}}}
        - {name: c, message: M, fix: F, warn: {not: {some: {of: top.parts, that: {unset: name}}}}}
        - {name: d, message: M, fix: F, refuse: {twice: {of: top.parts, member: name}}}
        """
    rules = load({**FILES, "rules.yaml": text}).rules
    unnamed = conditions.Some("top.parts", conditions.Not(conditions.Set("name")), "some.top.parts")
    assert [rule.condition for rule in rules] == [
        unnamed,
        conditions.Some("top.parts", conditions.Set("inner.size"), "some.top.parts.2"),
        conditions.Not(unnamed),
        conditions.Twice("top.parts", "name"),
    ]
    assert {rule.paths for rule in rules} == {("top.parts",)}


def test_a_rule_for_several_values_becomes_several_rules(load: Load) -> None:
    """IT stands for each, and what is mapped to it must hold besides."""
    rules = (
        "rules:\n- {name: a, message: IT is off, fix: set IT, refuse: {set: IT.word}, for: {top: {on: top.enabled}}}"
    )
    (rule,) = load({**FILES, "rules.yaml": rules}).rules
    assert (rule.name, rule.message, rule.fix) == ("a-top", "top is off", "set top")
    assert rule.condition == Every((conditions.On("top.enabled"), conditions.Set("top.word")))


A, B, C = conditions.On("a"), conditions.Set("b"), conditions.Api("c")


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (conditions.all_of(), ALWAYS),
        (conditions.any_of(), NEVER),
        (conditions.all_of(A), A),
        (conditions.all_of(A, A), A),
        (conditions.all_of(A, ALWAYS), A),
        (conditions.all_of(A, NEVER), NEVER),
        (conditions.any_of(A, ALWAYS), ALWAYS),
        (conditions.any_of(A, NEVER), A),
        (conditions.all_of(A, conditions.all_of(B, C)), Every((A, B, C))),
        (conditions.any_of(A, conditions.any_of(B, A)), Any((A, B))),
        (conditions.negate(conditions.negate(A)), A),
        (conditions.negate(ALWAYS), NEVER),
        (conditions.negate(NEVER), ALWAYS),
        (conditions.off("a"), conditions.Not(A)),
    ],
)
def test_conditions_are_kept_flat(found: Condition, wanted: Condition) -> None:
    """No nesting of one kind, no repeats, no double negation."""
    assert found == wanted


def test_paths_of_a_condition() -> None:
    """Each once, in the order in which they are read; an API has none."""
    condition = Every((A, conditions.Has("m", key_from="b"), conditions.Not(Any((B, C, conditions.Same("x", "y"))))))
    assert conditions.paths(condition) == ("a", "m", "b", "x", "y")
