"""Faults of the rules that refuse values, and of what a person is told after an installation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartgen.harness.mutants import actions, guards, places
from chartgen.harness.mutants.fault import Edits, Fault
from chartgen.harness.mutants.source import Edit, Source

_APPENDED = re.compile(r'\{\{- \$\w+ = append \$\w+ "(?P<text>(?:\\.|[^"\\])*)" \}\}')
# A sentence in the notes' own text.
_SENTENCE = re.compile(r"^(?P<first>[A-Z][a-z]+ )[^{]+[.:]$")


def dropped(source: Source) -> Iterator[Edits]:
    """A rule, or something to be told, that is gone with its condition."""
    for block in actions.blocks(source.text):
        inside = source.text[block.opening.end : block.closing.start].strip()
        if block.opening.word == "if" and not block.elses and _APPENDED.fullmatch(inside):
            first, last = (source.line_of(each.start) for each in (block.opening, block.closing))
            yield (source.without_lines(first, last),)


def reworded(source: Source) -> Iterator[Edits]:
    """Another message: its first word is gone, which in a rule is the path."""
    for match in _APPENDED.finditer(source.text):
        word = match["text"].split(" ", 1)[0]
        yield (Edit(match.start("text"), match.start("text") + len(word), "Values"),)


def sentence_dropped(source: Source) -> Iterator[Edits]:
    """A line that everyone is told."""
    for number, line in enumerate(source.lines):
        if _SENTENCE.match(line):
            yield (source.without_lines(number, number),)


FAULTS = (
    Fault("rule-negated", "A rule refuses what it must let through, and the other way round.", places.is_rules, guards.negated),
    Fault("rule-dropped", "A rule is gone.", places.is_rules, dropped),
    Fault("rule-reworded", "A rule does not name the path that it is about.", places.is_rules, reworded),
    Fault("rule-operand-dropped", "A rule lacks an operand.", places.is_rules, guards.operand_dropped),
    Fault("rule-join-swapped", "A rule has and for or, or or for and.", places.is_rules, guards.join_swapped),
    Fault("rule-default-swapped", "A rule takes a switch that is not set for the opposite.", places.is_rules, guards.default_swapped),
    Fault("note-negated", "A person is told what is not so.", places.is_notes, guards.negated),
    Fault("note-dropped", "A person is not told something.", places.is_notes, dropped),
    Fault("note-reworded", "A person is told something in other words.", places.is_notes, reworded),
    Fault("sentence-dropped", "The notes lack a sentence.", places.is_notes, sentence_dropped),
)  # fmt: skip
