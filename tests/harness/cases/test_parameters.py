"""What covering arrays vary, and over which levels."""

from __future__ import annotations

import itertools
import json
from typing import Any

import jsonschema_rs
import pytest
from support import cases, judged

from chartgen.harness.cases import assignments, parameters, smallest
from chartgen.harness.cases.assignments import UNSET
from chartgen.schema import conditions
from chartgen.tree.context import Context, lookup

BY_PATH = {parameter.path: parameter for parameter in cases.parameters()}


def levels(path: str) -> list[Any]:
    return list(BY_PATH[path].levels)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("driver.enabled", [UNSET, False, "false"]),
        ("driver.usePrecompiled", [UNSET, True, "true"]),
        ("nfd.enabled", [UNSET, False]),
        ("crds.install", [UNSET, "templates", "none"]),
        ("@api:monitoring.coreos.com/v1", [False, True]),
        ("@helm", list(cases.HELMS)),
        ("@kube", list(cases.KUBES)),
        ("driver.maxUnavailable", None),
    ],
)  # fmt: skip
def test_by_type(path, expected):
    """Both sides of a switch and its spelling as a text, every member of an enum, what the cluster serves."""
    assert (levels(path) if path in BY_PATH else None) == expected


def test_every_leaf_of_the_values_is_in_one_parameter():
    """Or below it, where templates write the whole as it was given."""
    missing = []
    for chart in cases.trees().charts:
        for field in chart.schema.walk():
            path = chart.path(field.path)
            above = [path[:end] for end in range(len(path) + 1) if end == len(path) or path[end] == "."]
            if not field.children and path.split(".")[0] not in cases.trees().schema.subcharts and not chart.name:
                missing += [path] if sum(name in BY_PATH for name in above) != 1 else []
    assert missing == []


def test_no_parameter_lies_in_another():
    """Both could not be given values."""
    paths = sorted(path for path in BY_PATH if not path.startswith("@"))
    assert [pair for pair in itertools.pairwise(paths) if assignments.clash(*pair)] == []


def test_the_first_level_is_what_stands():
    """And the others change what templates see."""
    standing = cases.feasibility().context({}).values
    for parameter in cases.parameters():
        assert len(parameter.levels) > 1
        if parameter.levels[0] is UNSET:
            assert parameter.stood[0] == lookup(standing, parameter.path)
    for path in ("driver.version", "driver.env", "commonLabels", "node-feature-discovery.worker.config"):
        for level, stood in zip(BY_PATH[path].levels, BY_PATH[path].stood, strict=True):
            context = cases.feasibility().context({path: level})
            assert (lookup(context.values, path) or None) == (stood or None)


def test_the_schema_takes_every_level():
    """Of the chart and of its subchart."""
    charts = {chart.name: judged.CHART / chart.part.folder for chart in cases.trees().charts}
    schemas = {name: json.loads((folder / "values.schema.json").read_bytes()) for name, folder in charts.items()}
    validators = {name: jsonschema_rs.validator_for(schema) for name, schema in schemas.items()}
    refused = []
    for parameter in cases.parameters():
        name = next((name for name in charts if name and parameter.path.startswith(f"{name}.")), "")
        for level in parameter.levels:
            values = assignments.nest({parameter.path.removeprefix(f"{name}."): level})
            refused += [(parameter.path, level)] if not validators[name].is_valid(values) else []
    assert refused == []


def test_both_sides_of_every_condition_on_one_value():
    """Whether a switch is there is no question where its absence means something."""
    one_sided = []
    for chart in cases.trees().charts:
        fields = {field.path: field for field in chart.schema.walk()}
        for path, asked in parameters.questions(chart).items():
            parameter = BY_PATH.get(chart.path(path))
            for leaf in asked if parameter and path in fields else ():
                if conditions.paths(leaf) == (path,) and not (
                    isinstance(leaf, conditions.Set) and fields[path].unset is not None
                ):
                    seen = (Context(smallest.at(tuple(path.split(".")), stood)) for stood in parameter.stood)
                    sides = {chart.part.evaluator(context).holds(leaf) for context in seen}
                    one_sided += [(leaf, chart.name)] if len(sides) < 2 else []
    assert one_sided == []


def test_every_condition_is_asked_about_a_parameter():
    """About one at its path, above it, or below it."""
    for chart in cases.trees().charts:
        for path in parameters.questions(chart):
            whole = path if path.startswith("@") else chart.path(path)
            near = [known for known in BY_PATH if known == whole or assignments.clash(known, whole)]
            assert near, whole


def test_keys_that_were_values_once_are_parameters():
    """NOTES.txt names them."""
    retired = {stray.path for stray in cases.trees().schema.strays.values() if stray.retired}
    assert retired
    assert retired <= set(BY_PATH)
