"""Faults of conditions: what is rendered when it must not be, and the other way round."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from chartgen.harness.mutants import actions, places
from chartgen.harness.mutants.actions import Action
from chartgen.harness.mutants.fault import Edits, Fault
from chartgen.harness.mutants.source import Edit, Source

_JOINS = {"and": "or", "or": "and"}
_COMPARISON = re.compile(r'\b(eq|ne) (\(toString [^"]*?\)) "(true|false)"')
_TWINS = {("eq", "true"): ("ne", "false"), ("ne", "false"): ("eq", "true")}


def removed(source: Source) -> Iterator[Edits]:
    """A block without its ``if``, or one with alternatives that always takes the first."""
    for block in actions.blocks(source.text):
        if block.opening.word != "if":
            continue
        if block.elses:
            yield (_condition(block.opening, "true"),)
        else:
            spans = ((each.start, each.end) for each in (block.opening, block.closing))
            yield tuple(source.without(*span) for span in spans)


def negated(source: Source) -> Iterator[Edits]:
    """The opposite of each condition; that of a ``with`` would have nothing to work with."""
    for guard in actions.guards(source.text):
        if guard.word != "with":
            yield (_condition(guard, f"not ({guard.condition})"),)


def never(source: Source) -> Iterator[Edits]:
    """A block that is never rendered."""
    for guard in actions.guards(source.text):
        yield (_condition(guard, "false"),)


def operand_dropped(source: Source) -> Iterator[Edits]:
    """An ``and`` or ``or`` without one of its operands."""
    for guard in actions.guards(source.text):
        for offset, terms in actions.calls(guard.condition, guard.condition_start):
            if len(terms) < 3 or terms[0].text not in _JOINS:
                continue
            for before, term in itertools.pairwise(terms):
                yield (Edit(offset + before.end, offset + term.end),)


def join_swapped(source: Source) -> Iterator[Edits]:
    """``and`` for ``or``, and the other way round."""
    for guard in actions.guards(source.text):
        for offset, terms in actions.calls(guard.condition, guard.condition_start):
            if len(terms) > 2 and terms[0].text in _JOINS:
                start = offset + terms[0].start
                yield (Edit(start, start + len(terms[0].text), _JOINS[terms[0].text]),)


def default_swapped(source: Source) -> Iterator[Edits]:
    """A switch that is taken for on when it is not set, or for off when that meant on."""
    for guard in actions.guards(source.text):
        for match in _COMPARISON.finditer(guard.condition):
            word, literal = _TWINS.get((match[1], match[3]), ("", ""))
            if word:
                start = guard.condition_start + match.start()
                yield (Edit(start, start + len(match[0]), f'{word} {match[2]} "{literal}"'),)


def else_dropped(source: Source) -> Iterator[Edits]:
    """A block without one of its alternatives."""
    for block in actions.blocks(source.text):
        for alternative, following in zip(block.elses, [*block.elses, block.closing][1:], strict=False):
            yield (_section(source, alternative, following),)


def _section(source: Source, first: Action, following: Action) -> Edit:
    """Takes all away from an action up to another."""
    edit = source.without(first.start, following.start)
    line = source.line_of(following.start)
    begins_line = not source.text[source.starts[line] : following.start].strip()
    own_line = source.starts[source.line_of(first.start)]
    alone = begins_line and not source.text[own_line : first.start].strip()
    return Edit(own_line, source.starts[line]) if alone else edit


def _condition(guard: Action, text: str) -> Edit:
    return Edit(guard.condition_start, guard.condition_start + len(guard.condition), text)


FAULTS = (
    Fault("guard-removed", "What a condition guards is rendered always.", places.is_manifest, removed),
    Fault("guard-negated", "A condition is turned into its opposite.", places.is_manifest, negated),
    Fault("guard-never", "What a condition guards is never rendered.", places.is_manifest, never),
    Fault("operand-dropped", "An operand of a condition's and or or is gone.", places.is_manifest, operand_dropped),
    Fault("join-swapped", "And stands for or in a condition, or or for and.", places.is_manifest, join_swapped),
    Fault("default-swapped", "A switch that is not set counts for the opposite.", places.is_manifest, default_swapped),
    Fault("else-dropped", "An alternative of a condition is gone.", places.is_manifest, else_dropped),
)
