"""Every sample of every field, many at a time."""

from __future__ import annotations

from support import cases

from chartgen.harness.case import Group
from chartgen.harness.cases import contexts, samples, variations
from chartgen.schema.model import Kind

# Samples that the chart refuses in every context, by the rule that does.
REFUSED = {
    "operator.logging.level: lowest": "log-level-above-zero",
    "operator.logging.level: zero": "log-level-above-zero",
}


def test_every_sample_is_in_a_case():
    """But for those that the rules take nowhere."""
    assert set(cases.varied().left_out) == set(REFUSED)


def test_what_is_left_out_is_refused_by_its_rule():
    """And by no other."""
    fields = {field.path: field for field in samples.settable(cases.trees().schema)}
    for name, rule in REFUSED.items():
        path, _, label = name.partition(": ")
        [value] = [sample.value for sample in samples.of_field(fields[path]) if sample.label == label]
        context = cases.feasibility().context({path: value})
        assert [broken.name for broken in cases.feasibility().broken(context)] == [rule]


def test_no_case_is_refused():
    """Neither by a rule nor by the JSON Schema."""
    feasibility = cases.feasibility()
    refused = []
    for case in cases.varied().cases[::9]:
        context = feasibility.of_values(case.values, frozenset(case.api_versions), case.helm_major)
        if feasibility.broken(context) or not feasibility.fits_schema(context):
            refused.append(case.name)
    assert refused == []


def test_contexts_are_accepted():
    """Each way to use the chart is one that the chart takes."""
    feasibility = cases.feasibility()
    for name, given in contexts.CONTEXTS.items():
        context = feasibility.context(given)
        assert feasibility.fits_schema(context), name
        assert feasibility.broken(context) == (), name


def test_each_context_has_its_cases():
    """Their names open with it."""
    made = cases.varied().cases
    assert {case.group for case in made} == {Group.VARIATION}
    assert len({case.name.split("/")[1] for case in made}) == len(contexts.CONTEXTS)
    assert "variation/no-operator-driver-toolkit/0000" in {case.name for case in made}
    assert len({case.name for case in made}) == len(made)


def test_null_for_each_map_list_and_parent():
    """And with it every one of the chart's fields that take it, alone or with its neighbours."""
    nulls = set()
    for case in cases.varied().cases:
        nulls |= set(null_paths(case.values))
    wanted = {
        chart.path(field.path)
        for chart in cases.trees().charts
        for field in samples.settable(chart.schema)
        if field.type.kind in (Kind.MAP, Kind.LIST, Kind.OBJECT)
    }
    assert wanted - nulls == {"global"}  # Helm itself warns of that one


def null_paths(values: dict[str, object], path: str = "") -> list[str]:
    found = []
    for name, value in values.items():
        here = f"{path}.{name}".removeprefix(".")
        if value is None:
            found.append(here)
        elif isinstance(value, dict):
            found += null_paths(value, here)
    return found


def test_switches_keep_their_places_while_other_values_vary():
    """So that what is varied can be seen: most cases without an operator have all its programs on."""
    found = [case for case in cases.varied().cases if case.name.startswith("variation/no-operator/")]
    on = [case for case in found if "enabled" not in case.values.get("devicePlugin", {})]
    assert len(on) > len(found) / 2


def test_cases_are_the_same_each_time():
    """Names and values."""
    again = variations.vary(cases.trees(), cases.feasibility(), cases.HELMS, cases.KUBES)
    assert again.cases == cases.varied().cases
