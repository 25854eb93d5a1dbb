"""Every assignment of the conditions of template files."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

import pytest
from support import cases, judged

from chartgen.harness.case import Case, Group
from chartgen.harness.cases import assignments, exhaustive, patterns, planning, sites, turns
from chartgen.harness.cases.candidates import Candidates
from chartgen.harness.cases.truths import Space, Truths
from chartgen.schema import conditions

FIELDS = {chart.path(field.path): field for chart in cases.trees().charts for field in chart.schema.walk()}


def test_every_possible_assignment_is_in_a_case():
    """Found out by evaluating the conditions for each case, and not by what packing believes."""
    built = cases.exhaustive()
    assert built.uncovered == ()
    assert built.undecided == 0
    assert [number.file for number in built.numbers if number.covered != number.possible] == []
    assert all(number.possible for number in built.numbers)


def test_every_file_has_its_numbers():
    """Those of the chart and of its subchart."""
    built = cases.exhaustive()
    known = {
        f"{chart.part.folder}/templates/{manifest.file}".removeprefix("/")
        for chart in cases.trees().charts
        for manifest in chart.manifests
    }
    assert {number.file for number in built.numbers} == known
    assert [file.name for file in built.files] == [number.file for number in built.numbers]
    assert [number.conditions for number in built.numbers] == [len(file.atoms) for file in built.files]


def test_numbers_add_up():
    """A site in full has two to the power of its conditions."""
    for file, number in zip(cases.exhaustive().files, cases.exhaustive().numbers, strict=True):
        if not number.by_decision:
            assert number.assignments == sum(2 ** len(site.atoms) for site in sites.widest(file.sites))
        assert number.sites == len(sites.widest(file.sites))


def test_there_are_about_as_many_cases_as_the_richest_site_has_assignments():
    """And far fewer than all sites have."""
    built = cases.exhaustive()
    assert exhaustive.LIMIT / 4 < len(built.cases) < 2 * exhaustive.LIMIT
    assert sum(number.possible for number in built.numbers) > 10 * len(built.cases)


def every(number: int) -> Iterator[Case]:
    yield from cases.exhaustive().cases[::number]


def test_no_case_is_refused():
    """Neither by a rule nor by the JSON Schema, those of the subchart included."""
    feasibility = cases.feasibility()
    refused = []
    for case in every(12):
        context = feasibility.of_values(case.values, frozenset(case.api_versions), case.helm_major)
        if feasibility.broken(context) or not feasibility.fits_schema(context):
            refused.append(case.name)
    assert refused == []


def test_conditions_are_what_the_templates_see():
    """What a few values decide is what the whole chart's values, merged as Helm does it, decide."""
    trees, feasibility = cases.trees(), cases.feasibility()
    truths = Truths(trees, cases.chart(), Space())
    atoms = dict.fromkeys(atom for file in cases.exhaustive().files for atom in file.atoms)
    for case in every(60):
        flat = dict(flattened(case.values)) | {f"{assignments.API}{api}": True for api in case.api_versions}
        pins = truths.space.pins(flat)
        context = feasibility.of_values(case.values, frozenset(case.api_versions), case.helm_major)
        evaluators = {part.name: part.evaluator(own) for part, own in trees.contexts(context)}
        for atom in atoms:
            evaluator = evaluators.get(atom.chart or trees.charts[0].part.name)
            if evaluator is not None:
                assert truths.of(atom, pins) is evaluator.holds(atom.condition), (case.name, str(atom))


def flattened(values: Mapping[str, object], path: str = "") -> Iterator[tuple[str, object]]:
    """Values by the paths of their fields."""
    for name, value in values.items():
        here = f"{path}.{name}".removeprefix(".")
        field = FIELDS.get(here)
        if isinstance(value, dict) and field is not None and field.children:
            yield from flattened(value, here)
        else:
            yield here, value


def test_cases_are_the_same_each_time():
    """Names and values, on which what is kept between runs depends."""
    again = exhaustive.build(cases.trees(), cases.feasibility(), cases.HELMS, cases.KUBES)
    assert again.cases == cases.exhaustive().cases


def test_names_helms_and_clusters():
    """Each Helm and each Kubernetes has its part of the cases."""
    made = cases.exhaustive().cases
    assert {case.group for case in made} == {Group.FILE}
    assert made[7].name == "file/0007"
    assert len({case.name for case in made}) == len(made)
    assert {(case.helm, case.kube) for case in made} == {(helm, kube) for helm in cases.HELMS for kube in cases.KUBES}
    assert any(case.api_versions for case in made)


def test_a_case_that_is_missing_is_told():
    """The check of coverage can fail: without the cases in which the operator is off, their assignments are not covered."""
    built = cases.exhaustive()
    truths = Truths(cases.trees(), cases.chart(), Space())
    rows = [dict(flattened(case.values)) for case in built.cases]
    kept = [truths.space.pins(row) for row in rows if row.get("operator.enabled") not in (False, "false")]
    seen = planning.Seen(truths, kept)
    off = sites.atom(cases.trees().charts[0], conditions.On("operator.enabled"))
    assert kept
    assert not seen.has([(off, False)])
    assert seen.has([(off, True)])


def test_rules_that_make_assignments_impossible_are_named():
    """With the number of assignments; those of the file tell of the rule that forbids them."""
    [number] = [one for one in cases.exhaustive().numbers if one.file == "templates/config/device-plugin.yaml"]
    assert set(number.by_rule) <= {rule.name for rule in judged.schema().rules}
    assert {"device-plugin-config-needs-data", "device-plugin-config-needs-name"} <= set(number.by_rule)
    assert number.by_logic == 0


def test_each_condition_turns_out_both_ways():
    """But for those of which the chart takes one value only."""
    truths = Truths(cases.trees(), cases.chart(), Space())
    rows = [
        truths.space.pins(dict(flattened(case.values)) | {f"{assignments.API}{api}": True for api in case.api_versions})
        for case in cases.exhaustive().cases
    ]
    seen = planning.Seen(truths, rows)
    atoms = dict.fromkeys(atom for file in cases.exhaustive().files for atom in file.atoms)
    one_way = [f"{atom} is never {truth}" for atom in atoms for truth in (True, False) if not seen.has([(atom, truth)])]
    assert one_way == []


def test_what_is_impossible_by_logic_contradicts_itself():
    """Two literals at once, a literal and nothing, a member without its parent, a text that matches what the other does not."""
    truths = Truths(cases.trees(), cases.chart(), Space())
    files = cases.exhaustive().files
    atoms = [atom for file in files for site in file.sites for atom, _ in site.given]
    atoms += [atom for file in files for atom in file.atoms]
    known = turns.Turns(truths, Candidates(cases.trees(), truths, atoms))
    groups = {group for file in files for site in sites.widest(file.sites) for group in known.groups(site.atoms)}
    unexplained = []
    for group in groups:
        reached = set(known.all_of(group))
        for turn in itertools.product((True, False), repeat=len(group)):
            holds = [atom.condition for atom, truth in zip(group, turn, strict=True) if truth]
            fails = [atom.condition for atom, truth in zip(group, turn, strict=True) if not truth]
            if turn not in reached and not contradictory(holds, fails):
                unexplained.append((list(map(str, group)), turn))
    assert unexplained == []


def contradictory(holds: list[conditions.Condition], fails: list[conditions.Condition]) -> bool:
    """Whether what holds rules out something else that holds, or implies what does not."""
    pairs = itertools.combinations(holds, 2)
    return any(exclude(*pair) for pair in pairs) or any(implies(one, other) for one in holds for other in fails)


def exclude(one: conditions.Condition, other: conditions.Condition) -> bool:
    match one, other:
        case conditions.Equals(path, literal), conditions.Equals(same, another):
            return path == same and literal != another
        case conditions.Matches(path, pattern), conditions.Matches(same, another):
            return path == same and not any(re.search(another, text) for text in patterns.examples(pattern))
    return False


def implies(one: conditions.Condition, other: conditions.Condition) -> bool:
    match one, other:
        case conditions.Equals(path, literal), conditions.Set(same):
            return path == same and literal != ""
        case conditions.Set(path), conditions.Set(above):
            return path.startswith(f"{above}.")
        case conditions.Variable(path, name, pattern), conditions.Variable(same, also, another):
            texts = patterns.examples(pattern)
            return (path, name) == (same, also) and all(re.search(another, text) for text in texts)
    return False


@pytest.mark.parametrize(
    ("guards", "decisions"),
    [
        (["a"], 2),
        (["a and b"], 3),
        (["a or b"], 3),
        (["a", "b"], 3),
        (["a and b", "c"], 4),
        (["a or b", "a"], 3),
        (["not a", "b"], 3),
    ],
)
def test_decisions(guards, decisions):
    """As a template reads its guards: an inner one only while the outer one holds, and no operand after the one that decides."""
    made = [condition(text) for text in guards]
    found = [*planning.decisions(made)]
    assert len(found) == decisions
    assert len({frozenset(truths.items()) for truths in found}) == decisions


def condition(text: str) -> conditions.Condition:
    if " and " in text or " or " in text:
        word = " and " if " and " in text else " or "
        parts = [conditions.Set(name) for name in text.split(word)]
        return conditions.all_of(*parts) if word == " and " else conditions.any_of(*parts)
    return conditions.negate(conditions.Set(text[4:])) if text.startswith("not ") else conditions.Set(text)
