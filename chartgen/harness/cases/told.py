"""What there is to tell of the cases that were made: tables of the report, and the numbers that claims rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chartgen.harness.case import Case
from chartgen.harness.cases import exhaustive
from chartgen.harness.cases.built import Built
from chartgen.harness.cases.variations import Variations
from chartgen.harness.report import Section
from chartgen.harness.share import Share
from chartgen.schema.model import Schema, Severity


@dataclass(frozen=True)
class Plan:
    """Cases, and what they cover.

    Attributes:
        cases: in the order in which they are judged.
        sections: tables of the report.
        numbers: members of `chartgen.harness.report.Numbers` that are known from how the cases were made.
    """

    cases: tuple[Case, ...] = ()
    sections: tuple[Section, ...] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)


def of_files(built: exhaustive.Built) -> Plan:
    """The assignments of the conditions of each template file."""
    rows = tuple(
        (
            each.file,
            each.conditions,
            each.assignments,
            Share(each.covered, each.possible),
            each.by_logic,
            sum(each.by_rule.values()),
            each.by_decision,
        )
        for each in built.numbers
    )
    section = Section(
        "assignments",
        "Assignments of each template's conditions",
        "For each place in a template, every way in which the conditions that it hangs on can turn out. What no value leads to, or "
        "what a rule refuses, is not possible. Places with very many assignments are enumerated as a template decides: what is not "
        "asked any more does not count.",
        ("template", "conditions", "assignments", "covered", "impossible", "refused by rule", "places by decision"),
        rows,
    )
    covered = Share.total(Share(each.covered, each.possible) for each in built.numbers)
    numbers = {"conditions": sum(each.conditions for each in built.numbers), "assignments": covered}
    return Plan(built.cases, (section,), numbers)


def of_variations(made: Variations) -> Plan:
    """The samples of every field."""
    section = Section(
        "variations",
        "Values tried for each field",
        "Each way to write each field: union branches, members of enums, null, empty, the default restated, and strings that YAML "
        "and templates trip over. Those that rules allow in no setting are left out.",
        ("cases", "left out", "which"),
        ((len(made.cases), len(made.left_out), ", ".join(made.left_out)),),
    )
    return Plan(made.cases, (section,))


def of_arrays(built: Built, strength: int) -> Plan:
    """A covering array."""
    numbers = built.numbers
    share = Share(numbers["covered"], numbers["possible"] - numbers["forbidden"])
    name = "pairs" if strength == 2 else "triples"
    section = Section(
        "arrays",
        "Combinations across the chart",
        f"Every {strength} values of different parameters meet in some case: switches, members of enums, branches of unions, values "
        "that are there or not, APIs, versions of Helm and Kubernetes, names. What rules refuse together is not possible.",
        ("strength", "parameters", "values", f"{name} covered", "refused by rule", "cases"),
        ((strength, numbers["parameters"], numbers["levels"], share, numbers["forbidden"], numbers["rows"]),),
    )
    return Plan(built.cases, (section,), {name: share})


def of_refusals(built: Built, schema: Schema) -> Plan:
    """Values that must be refused."""
    rows = tuple((kind, count) for kind, count in sorted(built.numbers.items()))
    section = Section(
        "refusals",
        "Values that must be refused",
        "One mistake each, and the refusal has to name its path and say what is wrong: a rule broken, a key that is no value, a wrong "
        "type, a bound, a pattern, an enum, a member that must be there.",
        ("kind", "cases"),
        (*rows, *((f"rule {name} without a case: {why}", 0) for name, why in built.left_out.items())),
    )
    rules = [
        rule for one in (schema, *schema.subcharts.values()) for rule in one.rules if rule.severity is Severity.REFUSE
    ]
    proven = Share(len(rules) - len(built.left_out), len(rules))
    return Plan(built.cases, (section,), {"rules": proven, "refusals": Share(len(built.cases), len(built.cases))})
