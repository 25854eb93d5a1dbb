"""What template files depend on."""

from __future__ import annotations

from support import cases, trees

from chartgen.components.chart import Part
from chartgen.harness.cases import sites
from chartgen.harness.oracle import Described
from chartgen.schema import conditions
from chartgen.schema.conditions import Equals, On, Set, all_of, any_of, negate
from chartgen.tree import gotext, guards, helper_texts, helpers
from chartgen.tree.nodes import Document, Each, Manifest, Value, When, join

SWITCH, WORD, VERSION = On("top.switch"), Set("top.word"), Set("top.version")


def found(*documents: Document) -> dict[str, sites.Site]:
    """The sites of a file, by their place."""
    part = Part("throwaway", "", trees.INDEX, (Manifest("a/b.yaml", "", documents),), helper_texts.DEFINITIONS)

    class Trees:
        charts = (Described("", trees.SCHEMA, part),)

    [file] = sites.find(Trees())  # type: ignore[arg-type]  # as much of it as is looked at
    assert file.name == "templates/a/b.yaml"
    assert set(file.atoms) == {atom for site in file.sites for atom in site.atoms}
    return {site.place: site for site in file.sites}


def read(site: sites.Site) -> list[object]:
    return [atom.condition for atom in site.atoms]


def test_guards_of_the_object_and_of_parents_are_part_of_a_site():
    """From the outermost to the place's own."""
    tree = {"kind": "X", "spec": {"a": {"b": Value("top.word")}, "c": 1}}
    made = found(Document(tree, SWITCH))
    assert list(made) == ["X", "X: spec.a", "X: spec.a.b"][:2]
    assert made["X: spec.a"].guards == (SWITCH, WORD)
    assert read(made["X: spec.a"]) == [SWITCH, WORD]


def test_what_is_known_to_hold_is_not_asked_again():
    """A member that is there whenever its object is has no guard."""
    assert list(found(Document({"kind": "X", "a": When(SWITCH, 1)}, SWITCH))) == ["X"]


def test_both_branches_of_a_choice_stand_behind_its_condition():
    """The other one behind the opposite."""
    made = found(Document({"kind": "X", "a": When(SWITCH, Value("top.word"), {"b": Value("top.version"), "c": 1})}))
    assert made["X: a.b"].guards[-2:] == (negate(SWITCH), VERSION)
    assert any(WORD in site.guards[-1:] or WORD in read(site) for site in made.values())


def test_defaults_and_choices_of_arguments_are_sites():
    """They decide what is printed as much as a branch does."""
    helper = helpers.merged(When(SWITCH, Value("top.labels")), Value("top.labels"))
    made = found(
        Document({"kind": "X", "a": Value("top.word", "x"), "b": helper, "c": join("d", Value("top.word", "e"))})
    )
    assert read(made["X: a"]) == [WORD]
    assert SWITCH in {atom.condition for site in made.values() if site.place.startswith("X: b") for atom in site.atoms}
    assert [place for place in made if place.startswith("X: c")]


def test_objects_of_a_kind_are_told_apart():
    """By their number."""
    made = found(Document({"kind": "X"}, SWITCH), Document({"kind": "X"}, WORD))
    assert list(made) == ["X", "X/2"]


def test_a_repeated_object_reads_its_values_as_they_stand_only_without_items():
    """Where an item would stand in for what the conditions read; others do not care."""
    tree = {"kind": "X", "a": Value("top.word"), "b": Value("side-car.word")}
    made = found(Document(tree, SWITCH, Each("x", "top.pools", "top")))
    pools = Set("top.pools")
    assert read(made["X (2)"]) == [SWITCH, pools]
    assert [(atom.condition, truth) for atom, truth in made["X: a"].given] == [(pools, False)]


def test_sites_within_wider_ones_are_left_out():
    """The widest have all assignments of the narrower, unless something else has to be given for them."""
    made = [*found(Document({"kind": "X", "a": Value("top.word"), "b": Value("top.version")}, SWITCH)).values()]
    assert [site.place for site in sites.widest(made)] == ["X: a", "X: b"]


def test_atoms_tell_their_paths_as_a_user_writes_them():
    """Those of a subchart below its name, but for globals, which are the parent's."""
    root, subchart = cases.trees().charts
    assert sites.atom(subchart, On("master.enable")).paths == ("node-feature-discovery.master.enable",)
    assert sites.atom(subchart, Set("global.imageRegistry")).paths == ("global.imageRegistry",)
    assert sites.atom(root, conditions.Api("a/v1")).paths == ("@api:a/v1",)
    assert str(sites.atom(root, Equals("mig.strategy", "mixed"))) == "Equals(mig.strategy, mixed)"
    assert sites.atom(root, On("driver.enabled")) is sites.atom(root, On("driver.enabled"))


def test_every_branch_of_the_printed_templates_is_known():
    """What the printer asks in a file is among the conditions of the file, for the chart and its subchart."""
    missing = []
    made = {file.name: file for file in sites.find(cases.trees())}
    for chart in cases.trees().charts:
        for manifest in chart.manifests:
            folder = f"{chart.part.folder}/templates".removeprefix("/")
            known = {atom.condition for atom in made[f"{folder}/{manifest.file}"].atoms}
            for line in gotext.lines(manifest, chart.index, chart.part.name):
                if isinstance(line, guards.Opening):
                    asked = set(conditions.leaves(line.condition))
                    missing += [(manifest.file, line, leaf) for leaf in asked - known]
    assert missing == []


def test_the_files_of_a_subchart_are_behind_its_switch():
    """Helm does not look at them otherwise."""
    given = {site.given[0][0].condition for file in sites.find(cases.trees()) if file.chart for site in file.sites}
    assert given == {On("nfd.enabled")}


def test_conditions_of_a_guard_keep_their_order():
    """As they are read: the outer ones first."""
    made = found(Document({"kind": "X"}, all_of(SWITCH, any_of(WORD, VERSION))))
    assert read(made["X"]) == [SWITCH, WORD, VERSION]
