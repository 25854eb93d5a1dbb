"""Requirements side by side."""

from __future__ import annotations

import pytest
from support import cases

from chartgen.harness.case import Group
from chartgen.harness.cases import packing, rulebook
from chartgen.harness.cases.assignments import UNSET
from chartgen.harness.cases.candidates import Candidates
from chartgen.harness.cases.packing import Packer, Requirement
from chartgen.harness.cases.rulebook import Mender, Rulebook
from chartgen.harness.cases.truths import Space, Truths


class Bench:
    """A packer over the committed chart's rules."""

    def __init__(self, **base: object) -> None:
        self.truths = Truths(cases.trees(), cases.chart(), Space())
        self.space = self.truths.space
        self.rules = Rulebook(cases.trees(), self.truths)
        self.packer = Packer(self.space, self.rules, self.space.pins(base))

    def place(self, values: dict[str, object], mended: dict[str, object] | None = None) -> int | None:
        options = {path: (self.space.number(path, value),) for path, value in values.items()}
        return self.packer.place(Requirement(options, self.space.pins(mended or {})))

    def rows(self) -> list[dict[str, object]]:
        return [self.space.assignment(row.pins) for row in self.packer.rows]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_what_does_not_disagree_shares_a_row(bench):
    """In the first one that has room."""
    assert [bench.place({"driver.version": "1"}), bench.place({"gds.version": "2"})] == [0, 0]
    assert bench.rows() == [{"driver.version": "1", "gds.version": "2"}]


def test_what_disagrees_does_not(bench):
    """Nor do a number and its text."""
    assert [bench.place({"driver.version": value}) for value in ("1", 1, "2", "1")] == [0, 1, 2, 0]


def test_left_out_is_a_value(bench):
    """Of which the default is to be seen."""
    assert [bench.place({"driver.version": value}) for value in (UNSET, "1")] == [0, 1]


def test_a_parent_and_what_is_below_it_stand_apart(bench):
    """In whichever order they come."""
    for path in ("mig", "mig.strategy"):
        bench.space.number(path, UNSET)
    assert [bench.place({"mig": None}), bench.place({"mig.strategy": "mixed"})] == [0, 1]
    assert bench.place({"mig": {}}) == 2


def test_rules_keep_requirements_apart(bench):
    """A row breaks none."""
    assert bench.place({"cdi.nriPluginEnabled": True}) == 0
    assert bench.place({"cdi.enabled": False}) == 1
    assert bench.place({"toolkit.enabled": False}) == 1


def test_what_no_row_can_take_is_told(bench):
    """And leaves no row behind."""
    assert bench.place({"cdi.nriPluginEnabled": True, "cdi.enabled": False}) is None
    assert bench.rows() == []


def test_a_new_row_is_mended(bench):
    """With the values that the requirement brings along; a row that is fine without does not get them."""
    more = {"cluster.os": "ubuntu22.04", "operator.enabled": False}
    assert bench.place({"operator.enabled": False}, more) == 0
    assert bench.rows()[0] == more
    assert bench.place({"operator.enabled": False, "cluster.os": "rhel9"}) == 1


def test_any_of_the_options_will_do(bench):
    """The row that has one of them is taken."""
    numbers = tuple(bench.space.number("driver.version", value) for value in ("1", "2"))
    assert bench.place({"driver.version": "2"}) == 0
    assert bench.packer.place(Requirement({"driver.version": numbers})) == 0


def test_names_that_are_kept_apart():
    """Two objects of one name cannot be; what is left out gives no name."""
    bench = Bench()
    bench.packer = Packer(bench.space, bench.rules, {}, frozenset(("a.name", "b.name")))
    assert [bench.place({path: "x"}) for path in ("a.name", "b.name")] == [0, 1]
    assert [bench.place({path: "y"}) for path in ("b.name", "a.name")] == [0, 1]
    assert [bench.place({path: UNSET}) for path in ("a.name", "b.name")] == [2, 2]


def test_what_every_row_has():
    """Requirements that contradict it find no place."""
    bench = Bench(**{"operator.replicas": 2})
    assert bench.place({"driver.version": "1"}) == 0
    assert bench.place({"operator.replicas": 3}) is None
    assert bench.rows() == [{"driver.version": "1", "operator.replicas": 2}]
    bench.space.number("operator", None)
    assert bench.place({"operator": None}) is None


def test_cases_of_rows():
    """Names with a number; Helm alternates, Kubernetes rotates; what is served is no value."""
    space = Space()
    rows = [space.pins({"a.b": number, "@api:x/v1": bool(number % 2) or UNSET, "c": UNSET}) for number in range(5)]
    made = [*packing.cases(rows, space, "file", Group.FILE, ("v4.3.1", "v3.22.0"), ("1.29", "1.37"))]
    assert [case.name for case in made] == [f"file/000{number}" for number in range(5)]
    assert [case.helm for case in made] == ["v4.3.1", "v3.22.0"] * 2 + ["v4.3.1"]
    assert [case.kube for case in made] == ["1.29", "1.29", "1.37", "1.37", "1.29"]
    assert [dict(case.values) for case in made] == [{"a": {"b": number}} for number in range(5)]
    assert [case.api_versions for case in made] == [(), ("x/v1",)] * 2 + [()]


def test_the_mender_and_the_packer_agree():
    """What is mended can be placed."""
    bench = Bench()
    known = Candidates(cases.trees(), bench.truths, rulebook.atoms(cases.trees()))
    given = {"devicePlugin.config.create": True}
    mended = Mender(bench.rules, known).mend(bench.space.pins(given), {})
    assert mended is not None
    assert bench.place(given, bench.space.assignment(mended)) == 0
