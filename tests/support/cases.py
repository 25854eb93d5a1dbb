"""The cases of the committed chart, each kind made once for all tests."""

from __future__ import annotations

import functools

from support import judged

from chartgen.harness import oracle, values
from chartgen.harness.cases import exhaustive as files
from chartgen.harness.cases import parameters as varied_across
from chartgen.harness.cases import refusals, variations
from chartgen.harness.cases.built import Built
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.cases.forbidden import Forbidden
from chartgen.harness.cases.parameters import Parameter

HELMS = ("v4.3.1", "v3.22.0")
KUBES = ("1.29", "1.37")


@functools.cache
def trees() -> oracle.Trees:
    """The chart's description."""
    return oracle.Trees(judged.schema())


@functools.cache
def chart() -> values.Chart:
    """The chart as it lies there."""
    return values.load(judged.CHART)


@functools.cache
def feasibility() -> Feasibility:
    """What the chart would say."""
    return Feasibility(judged.CHART, chart(), trees())


@functools.cache
def exhaustive() -> files.Built:
    """The cases of all template files."""
    return files.build(trees(), feasibility(), HELMS, KUBES)


@functools.cache
def varied() -> variations.Variations:
    """Every sample of every field."""
    return variations.vary(trees(), feasibility(), HELMS, KUBES)


@functools.cache
def parameters() -> tuple[Parameter, ...]:
    """What covering arrays vary."""
    return varied_across.build(trees(), feasibility(), HELMS, KUBES)


@functools.cache
def forbidden() -> Forbidden:
    """What rules forbid of it."""
    return Forbidden(trees(), parameters())


@functools.cache
def refused() -> Built:
    """Cases that must be refused."""
    return refusals.build(trees(), feasibility(), HELMS, KUBES)
