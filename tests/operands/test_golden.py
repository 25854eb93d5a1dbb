"""Each operand becomes what operator v26.7.0 makes of the same ClusterPolicy, but for the table of differences."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import pytest
from operands import golden, objects

from chartgen.components import validations
from chartgen.emit import jsonschema
from chartgen.schema import loader
from chartgen.schema.model import Schema
from chartgen.tree.context import Context

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"

TABLE = golden.differences()
CASES = [case for operand in golden.operands() for case in golden.cases(operand)]


@pytest.fixture(scope="module")
def schema() -> Schema:
    """The schema of the chart."""
    return loader.load(SCHEMAS)


def refused(case: golden.Case, schema: Schema) -> bool:
    """Whether the chart refuses the values that stand for a case."""
    values = golden.values_for(case, schema)
    if not jsonschema_rs.validator_for(jsonschema.document(schema)).is_valid(values):
        return True
    return bool(validations.refused(schema, Context(values)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_operand_becomes_its_golden(case: golden.Case, schema: Schema) -> None:
    """The trees, evaluated for the ClusterPolicy of a case, equal its golden."""
    expected = golden.adjusted(case, TABLE)
    if expected == golden.ERROR:
        assert refused(case, schema)
        return
    assert isinstance(expected, dict)
    (found,) = golden.daemonsets(case, schema)
    assert golden.tidy(found) == golden.tidy(expected)


@pytest.mark.parametrize("difference", TABLE, ids=lambda one: "-".join([*one.operands, one.case, *one.path]))
def test_each_difference_is_needed(difference: golden.Difference) -> None:
    """An entry of the table that changes no golden is stale."""
    for operand in golden.operands():
        for case in [*golden.cases(operand), *(case for case, _ in objects.cases(operand))]:
            golden.adjusted(case, [difference])
    assert difference.used
