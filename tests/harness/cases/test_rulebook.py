"""The rules as bits, and what mends an assignment that breaks one."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from support import cases, judged

from chartgen import yamlio
from chartgen.harness.cases import assignments, rulebook
from chartgen.harness.cases.assignments import API
from chartgen.harness.cases.candidates import Candidates
from chartgen.harness.cases.rulebook import Mender, Rulebook
from chartgen.harness.cases.truths import Space, Truths
from chartgen.schema.model import Severity

EXAMPLES: dict[str, dict[str, Any]] = yamlio.load((judged.ROOT / "tests" / "data" / "rules.yaml").read_text())
REFUSING = [rule.name for rule in judged.schema().rules if rule.severity is Severity.REFUSE]


@functools.cache
def machine() -> tuple[Rulebook, Mender, Space]:
    truths = Truths(cases.trees(), cases.chart(), Space())
    known = Candidates(cases.trees(), truths, rulebook.atoms(cases.trees()))
    rules = Rulebook(cases.trees(), truths)
    return rules, Mender(rules, known), truths.space


def told(values: dict[str, Any], *apis: str) -> tuple[list[str], list[str]]:
    """The rules that are broken as bits, and as the evaluator has it."""
    rules, _, space = machine()
    given = {
        **{path.replace("\\.", "."): value for path, value in values.items()},
        **{f"{API}{api}": True for api in apis},
    }
    bits = rules.bits(space.pins(given))
    broken = cases.feasibility().broken(cases.feasibility().context(given))
    return list(rules.broken(bits)), [rule.name for rule in broken]


@pytest.mark.parametrize("name", REFUSING)
def test_each_rule_holds_as_the_evaluator_has_it(name):
    """For its example, and not for the one next to it."""
    example = EXAMPLES[name]
    as_bits, evaluated = told(example["holds"], *example.get("apis", ()))
    assert name in as_bits
    assert as_bits == evaluated
    as_bits, evaluated = told(example["passes"], *example.get("apis", ()))
    assert name not in as_bits
    assert as_bits == evaluated


def test_rules_of_a_subchart_count_while_it_is_on():
    """Their names open with its name."""
    accounts = ("node-feature-discovery.master.serviceAccount", "node-feature-discovery.gc.serviceAccount")
    same = {f"{path}.{key}": value for path in accounts for key, value in (("name", "x"), ("create", True))}
    assert told(same)[0] == ["node-feature-discovery/account-of-master-and-gc"]
    assert told({**same, "nfd.enabled": False})[0] == []


def test_defaults_break_no_rule():
    """Or nothing would render."""
    rules, _, _ = machine()
    assert rules.broken(rules.default) == ()


def test_later_values_change_what_was_broken():
    """One after the other, as packing adds them."""
    rules, _, space = machine()
    pins = space.pins({"cdi.nriPluginEnabled": True, "cdi.enabled": False})
    bits = rules.changed(rules.default, pins, pins)
    assert rules.broken(bits) == ("nri-needs-cdi",)
    more = {**pins, **space.pins({"cdi.enabled": True})}
    assert rules.broken(rules.changed(bits, more, ["cdi.enabled"])) == ()


def test_mends_what_more_values_can_mend():
    """Without touching what was given; each rule is asked again for what is added."""
    rules, mender, space = machine()
    given = {"gpuCluster.deployCR": True}
    mended = mender.mend(space.pins(given), {})
    assert mended is not None
    assert rules.broken(rules.bits(mended)) == ()
    assert given.items() <= space.assignment(mended).items()
    context = cases.feasibility().context(space.assignment(mended))
    assert cases.feasibility().broken(context) == ()


def test_other_values_that_are_as_good_may_be_taken():
    """Where there are choices at a path that is given."""
    _, mender, space = machine()
    bad, good = (space.number("operator.logging.level", level) for level in ("word", "debug"))
    assert mender.mend({"operator.logging.level": bad}, {}) is None
    assert mender.mend({"operator.logging.level": bad}, {"operator.logging.level": (bad, good)}) == {
        "operator.logging.level": good
    }


def test_what_nothing_mends():
    """Both switches are fixed."""
    _, mender, space = machine()
    assert mender.mend(space.pins({"cdi.nriPluginEnabled": True, "cdi.enabled": False}), {}) is None
    assert mender.gave_up == 0


def test_a_parent_is_not_filled_in_beside_what_is_below_it():
    """Nothing can be given to both."""
    _, mender, space = machine()
    mended = mender.mend(space.pins({"operator.enabled": False, "cluster": None}), {})
    assert mended is None or not any(assignments.clash("cluster", path) for path in mended)
