"""Each operand has exactly the objects of the golden facts, with the permissions and ports that stand there."""

from __future__ import annotations

from pathlib import Path

import pytest
from operands import golden, objects

from chartgen.schema import loader
from chartgen.schema.model import Schema

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
TABLE = golden.differences()

CASES = [pair for operand in golden.operands() for pair in objects.cases(operand)]


@pytest.fixture(scope="module")
def schema() -> Schema:
    """The schema of the chart."""
    return loader.load(SCHEMAS)


@pytest.mark.parametrize("pair", CASES, ids=lambda pair: pair[0].id)
def test_operand_has_these_objects(pair: tuple[golden.Case, frozenset[str]], schema: Schema) -> None:
    """No object is missing, none is too many, and each holds what the golden says."""
    case, apis = pair
    assert objects.objects(case, apis, schema) == objects.expected(case, TABLE)


@pytest.mark.parametrize("operand", sorted(golden.operands()))
def test_an_operand_has_a_template_of_its_name(operand: str) -> None:
    """Otherwise its goldens would be held against nothing."""
    assert golden.manifests(operand)
