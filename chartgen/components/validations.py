"""What the chart refuses and warns of: rules across fields, and keys in the wrong place.

The template that stops helm, NOTES.txt and the Python side all take their sentences from here, so that a values file is
judged alike wherever it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.schema.model import Schema, Severity
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator


@dataclass(frozen=True)
class Check:
    """A sentence, and when it is told.

    Attributes:
        condition: what must hold.
        text: the sentence.
        of_root: whether a subchart leaves it to its parent, which tells of the same key by its whole path.
    """

    condition: Condition
    text: str
    of_root: bool = False


def refusals(schema: Schema) -> list[Check]:
    """What stops helm: misplaced keys first, since they may explain the rest, then the rules in file order."""
    strays = schema.strays.values()
    misplaced = [Check(conditions.Given(stray.path), stray.text, of_root=True) for stray in strays if not stray.retired]
    return [*misplaced, *_rules(schema, Severity.REFUSE)]


def warnings(schema: Schema) -> list[Check]:
    """What NOTES.txt warns of."""
    return _rules(schema, Severity.WARN)


def refused(schema: Schema, context: Context) -> list[str]:
    """The sentences with which helm refuses a context; none when it renders."""
    return _told(refusals(schema), schema, context)


def warned(schema: Schema, context: Context) -> list[str]:
    """The warnings that NOTES.txt shows for a context."""
    return _told(warnings(schema), schema, context)


def _rules(schema: Schema, severity: Severity) -> list[Check]:
    return [Check(rule.condition, rule.text) for rule in schema.rules if rule.severity is severity]


def _told(checks: list[Check], schema: Schema, context: Context) -> list[str]:
    evaluator = Evaluator(Index.of(schema), context)
    return [check.text for check in checks if evaluator.holds(check.condition)]
