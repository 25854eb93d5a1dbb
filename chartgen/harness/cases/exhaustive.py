"""Every assignment of the conditions that each template file depends on.

For each site of a file (`chartgen.harness.cases.sites`) there are as many assignments of truth as its atoms allow. Each is
one of: *impossible by logic* (no value makes the conditions turn out so: a value cannot equal two literals), *impossible by
rule* (the chart refuses it, and nothing that could be given besides changes that), or possible; and then a case has it.
Sites that do not contradict each other stand in one case, so that there are about as many cases as the richest site has
assignments, and not as many as their product.

A site with more than `LIMIT` assignments is enumerated by decision unless everything is asked for: its guards are read from
left to right as a template does, and what is not asked any more may turn out either way. The numbers say of how many
sites that is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chartgen.harness import oracle
from chartgen.harness.case import Case, Group
from chartgen.harness.cases import packing, rulebook, sites
from chartgen.harness.cases.candidates import Candidates
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.cases.packing import Packer
from chartgen.harness.cases.planning import FileNumbers, Planner, Seen
from chartgen.harness.cases.rulebook import Mender, Rulebook
from chartgen.harness.cases.sites import File
from chartgen.harness.cases.truths import Space, Truths
from chartgen.harness.cases.turns import Turns

LIMIT = 2**10


@dataclass(frozen=True)
class Built:
    """The cases, and what they cover.

    Attributes:
        cases: a row each.
        files: the template files, with their sites.
        numbers: for each file, in the same order.
        uncovered: possible assignments that no case has; there must be none.
        undecided: how many assignments were taken for impossible by rule because the search for values was given up; there
            must be none.
    """

    cases: tuple[Case, ...]
    files: tuple[File, ...]
    numbers: tuple[FileNumbers, ...]
    uncovered: tuple[str, ...]
    undecided: int = 0


def build(
    trees: oracle.Trees, feasibility: Feasibility, helms: Sequence[str], kubes: Sequence[str], *, full: bool = False
) -> Built:
    """The cases of all template files.

    Args:
        trees: the chart's description.
        feasibility: judges assignments for the chart.
        helms: Helm versions.
        kubes: Kubernetes minor versions.
        full: enumerate every site in full, however many assignments it has.
    """
    files = sites.find(trees)
    truths = Truths(trees, feasibility.chart, Space())
    rules = Rulebook(trees, truths)
    atoms = [atom for file in files for site in file.sites for atom, _ in site.given]
    atoms += [atom for file in files for atom in file.atoms]
    known = Candidates(trees, truths, [*atoms, *rulebook.atoms(trees)])
    turns = Turns(truths, known)
    mender = Mender(rules, known)
    planner = Planner(turns, rules, mender, LIMIT if not full else None)
    plans = [planner.plan(file) for file in files]
    packer = Packer(truths.space, rules)
    for requirement in sorted(planner.requirements, key=lambda each: -len(each.options)):
        packer.place(requirement)
    rows = [row.pins for row in packer.rows]
    seen = Seen(truths, rows)
    uncovered = [plan.uncovered(seen) for plan in plans]
    return Built(
        tuple(packing.cases(rows, truths.space, Group.FILE.value, Group.FILE, helms, kubes)),
        files,
        tuple(plan.numbers(len(missing)) for plan, missing in zip(plans, uncovered, strict=True)),
        tuple(name for missing in uncovered for name in missing),
        mender.gave_up,
    )
