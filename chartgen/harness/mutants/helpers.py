"""Faults of helpers, on which all templates depend."""

from __future__ import annotations

from chartgen.harness.mutants import expressions, guards, places
from chartgen.harness.mutants.fault import Fault

FAULTS = (
    Fault("helper-guard-removed", "A helper does always what it does on a condition.", places.is_helpers, guards.removed),
    Fault("helper-guard-negated", "A helper's condition is turned into its opposite.", places.is_helpers, guards.negated),
    Fault("helper-guard-never", "A helper never does what it does on a condition.", places.is_helpers, guards.never),
    Fault("helper-operand-dropped", "A helper's condition lacks an operand.", places.is_helpers, guards.operand_dropped),
    Fault("helper-join-swapped", "A helper's condition has and for or.", places.is_helpers, guards.join_swapped),
    Fault("helper-else-dropped", "A helper lacks an alternative.", places.is_helpers, guards.else_dropped),
    Fault("helper-literal-changed", "A fixed text of a helper is another one.", places.is_helpers, expressions.literal_changed),
    Fault("helper-fallback-changed", "What a helper takes for an empty value is another.", places.is_helpers, expressions.default_changed),
    Fault("helper-step-dropped", "A helper lacks a step of a pipeline.", places.is_helpers, expressions.step_dropped),
    Fault("helper-image-confused", "An image's parts are joined wrongly.", places.is_helpers, expressions.image_confused),
)  # fmt: skip
