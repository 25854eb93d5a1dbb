"""Cases that Helm must refuse."""

from __future__ import annotations

import json
from collections import Counter

import jsonschema_rs
import pytest
from support import cases, helms, judged

from chartgen.harness.cases import refusals
from chartgen.harness.checks import refuses
from chartgen.schema.model import Severity

CASES = cases.refused().cases
RULES = {rule.text: rule for chart in cases.trees().charts for rule in chart.schema.rules}
OF_RULES = [case for case in CASES if case.name.startswith("refusal/rule/")]
OF_KEYS = [case for case in CASES if case.name.startswith("refusal/key/")]
OF_SCHEMAS = [case for case in CASES if case not in (*OF_RULES, *OF_KEYS)]


def test_every_refusing_rule_has_a_case():
    """But those that the schema is before: they are for who skips it."""
    refusing = {rule.name for rule in RULES.values() if rule.severity is Severity.REFUSE}
    covered = {RULES[case.refusal.words[0]].name for case in OF_RULES}
    assert refusing - covered == set(cases.refused().left_out) == {"log-level-above-zero", "rolling-update-needs-one"}


@pytest.mark.parametrize("case", OF_RULES, ids=lambda case: case.name)
def test_a_rule_is_broken_alone(case):
    """By values that the schemas take, few of them."""
    context = cases.feasibility().of_values(case.values, frozenset(case.api_versions))
    assert cases.feasibility().broken(context) == (RULES[case.refusal.words[0]],)
    assert cases.feasibility().fits_schema(context)
    assert len(case.values) <= 6


def test_every_misplaced_key_has_a_case():
    """With the sentence that names the right one, and nothing else wrong."""
    misplaced = {stray.path: stray.text for stray in cases.trees().schema.strays.values() if not stray.retired}
    assert {case.refusal.path: case.refusal.words[0] for case in OF_KEYS} == misplaced
    for case in OF_KEYS:
        context = cases.feasibility().of_values(case.values)
        assert cases.feasibility().broken(context) == ()
        assert cases.feasibility().fits_schema(context)


def test_a_schema_refuses_every_fault_for_one_reason():
    """The schema of the chart that the case names, and of the two only that."""
    validators = {}
    for chart in cases.trees().charts:
        schema = json.loads((judged.CHART / chart.part.folder / "values.schema.json").read_bytes())
        validators[chart.part.name] = (chart.name, jsonschema_rs.validator_for(schema))
    wrong = []
    for case in OF_SCHEMAS:
        name, validator = validators[case.refusal.words[0].rstrip(":")]
        values = case.values
        if "/required/" in case.name:
            # A null takes a default away, which only Helm's way of putting values together shows.
            values = cases.feasibility().of_values(values).values
        errors = list(validator.iter_errors(values[name] if name else values))
        place = "".join(f"/{part}" for part in errors[0].instance_path) if errors else ""
        if len(errors) != 1 or f"at '{place}'" not in case.refusal.words[1]:
            wrong.append((case.name, [error.message for error in errors]))
    assert wrong == []


def test_every_sort_of_fault_is_there():
    """Thousands, each with a name of its own."""
    sorts = Counter(case.name.split("/")[1] for case in CASES)
    assert sorts == cases.refused().numbers
    assert min(sorts.values()) > 10
    assert {"kind", "null", "enum", "pattern", "minimum", "maximum", "min-length", "max-length", "required"} <= set(
        sorts
    )
    assert len({case.name for case in CASES}) == len(CASES) > 5000
    assert {case.helm for case in CASES} == set(cases.HELMS)


def test_every_object_is_closed_but_those_that_say_so():
    """An unknown key is tried in each, in the chart and in its subchart."""
    closed = {
        chart.path(field.path)
        for chart in cases.trees().charts
        for field in chart.schema.walk()
        if field.children and not field.type.open and field.path not in cases.trees().schema.subcharts
    }
    names = [case.name.split("/", 2)[2] for case in CASES if "/unknown-key/" in case.name]
    assert closed - {name.replace("/", ".").rpartition(".")[0] for name in names} == set()


# Of each sort a few, from all over the charts.
SAMPLE = [case for sort in cases.refused().numbers for case in [c for c in CASES if f"/{sort}/" in c.name][5::400]]


@pytest.mark.parametrize("major", helms.MAJORS)
@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.name)
def test_helm_refuses_in_these_words(case, major, tmp_path):
    """Whatever helm."""
    flags = [word for api in case.api_versions for word in ("--api-versions", api)]
    rendered = judged.Rendered(helms.find(major, tmp_path), tmp_path)
    said = " ".join(rendered.run(case.values, *flags).stderr.split())
    assert refuses.names(said, case.refusal.path)
    assert [words for words in case.refusal.words if " ".join(words.split()) not in said] == []


def test_a_witness_that_breaks_others_is_better_than_none():
    """It says which."""
    found = refusals.witnesses(cases.trees(), cases.feasibility())
    assert [each.rule.name for each in found if each.others] == []
    assert all(each.assignment or each.rule.name in cases.refused().left_out for each in found)
