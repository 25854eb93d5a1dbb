"""Faults of what is printed: the wrong value, in the wrong words, or at the wrong indentation."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from chartgen.harness.mutants import actions, places
from chartgen.harness.mutants.actions import Action
from chartgen.harness.mutants.fault import Edits, Fault
from chartgen.harness.mutants.source import Edit, Source

_READ = re.compile(r"\(*\.Values(?:\)?\.\w+)+")
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
_DEFAULT = re.compile(r'\bdefault ("(?:\\.|[^"\\])*"|\d+)|\bternary ("(?:\\.|[^"\\])*"|\d+)')
_QUOTE = re.compile(r" \| (?:quote|toJson)(?=\s*$)")
_INDENTED = re.compile(r"\bnindent (\d+)")
_CONVERSION = re.compile(r" \| (?:int64|toString)\b")
_IMAGE = re.compile(r'include "[\w-]+\.(?:image|driverImage)" \((list .*)\)(?= \| quote\s*$)')
_STEP = re.compile(r""" \| (?:\w+(?: (?:"[^"]*"|\$?\w+|\([^()]*\)))*)(?=\s*$|\)| \|)""")
_CLAUSES = ("if", "with", "else", "end", "range", "define")
# Words of templates, not of what is rendered.
_HELPER = re.compile(r"^[\w-]+\.\w+$")


def path_swapped(source: Source) -> Iterator[Edits]:
    """Another member of the same map is read: the next one, in the order of their names, that the file reads."""
    reads = [
        (action.body_start + match.start(), match[0])
        for action in actions.actions(source.text)
        for match in _READ.finditer(action.body)
    ]
    siblings: dict[str, set[str]] = defaultdict(set)
    for _, text in reads:
        siblings[text.rpartition(".")[0]].add(text)
    for start, text in reads:
        family = sorted(siblings[text.rpartition(".")[0]])
        other = family[(family.index(text) + 1) % len(family)]
        if other != text:
            yield (Edit(start, start + len(text), other),)


def literal_changed(source: Source) -> Iterator[Edits]:
    """Another text or number than the one that is written down; names of helpers would only be a mistake that Helm finds."""
    for action in _printing(source):
        for match in _LITERAL.finditer(action.body):
            start = action.body_start + match.start()
            if match[1] and not _HELPER.match(match[1]) and not _is_default(action, match.start()):
                yield (Edit(start, start + len(match[0]), f'"{_other(match[1])}"'),)


def default_changed(source: Source) -> Iterator[Edits]:
    """Another value takes the place of one that is not set."""
    for action in actions.actions(source.text):
        for match in _DEFAULT.finditer(action.body):
            group = 1 if match[1] else 2
            start = action.body_start + match.start(group)
            text = match[group]
            other = f'"{_other(text[1:-1])}"' if text.startswith('"') else str(int(text) + 1)
            yield (Edit(start, start + len(text), other),)


def quote_removed(source: Source) -> Iterator[Edits]:
    """A value is printed as it is, so that YAML may take it for something else."""
    for action in _printing(source):
        match = _QUOTE.search(action.body)
        if match:
            start = action.body_start + match.start()
            yield (Edit(start, start + len(match[0])),)


def indentation_changed(source: Source) -> Iterator[Edits]:
    """What a helper prints is moved two columns to the left."""
    for action in _printing(source):
        for match in _INDENTED.finditer(action.body):
            start = action.body_start + match.start(1)
            if int(match[1]) >= 2:
                yield (Edit(start, start + len(match[1]), str(int(match[1]) - 2)),)


def conversion_dropped(source: Source) -> Iterator[Edits]:
    """A number is printed as Go sees it, which is 1e+06 for a million that comes from a file."""
    for action in actions.actions(source.text):
        for match in _CONVERSION.finditer(action.body):
            start = action.body_start + match.start()
            yield (Edit(start, start + len(match[0])),)


def step_dropped(source: Source) -> Iterator[Edits]:
    """A pipeline without one of its functions."""
    for action in _printing(source):
        for match in _STEP.finditer(action.body):
            start = action.body_start + match.start()
            yield (Edit(start, start + len(match[0])),)


def image_confused(source: Source) -> Iterator[Edits]:
    """The parts of an image reference: one left empty, or joined by the wrong sign."""
    for action in actions.actions(source.text):
        match = _IMAGE.search(action.body)
        if match:
            start = action.body_start + match.start(1)
            for term in actions.terms(match[1])[2:]:
                yield (Edit(start + term.start, start + term.end, '""'),)
        for sign, other in (('"@"', '":"'), ('":"', '"@"'), ('"%s/%s"', '"%s:%s"'), ('"%s%s%s"', '"%s%s:%s"')):
            at = action.body.find(sign)
            if at >= 0:
                start = action.body_start + at
                yield (Edit(start, start + len(sign), other),)


def _printing(source: Source) -> Iterator[Action]:
    """The actions that print or set something."""
    return (action for action in actions.actions(source.text) if action.word not in _CLAUSES)


def _is_default(action: Action, at: int) -> bool:
    """Whether a literal is one that `default_changed` speaks of."""
    return any(at in (match.start(1), match.start(2)) for match in _DEFAULT.finditer(action.body))


def _other(text: str) -> str:
    """A text of the same kind."""
    if text.lstrip("-").isdigit():
        return str(int(text) + 1)
    return {"true": "false", "false": "true"}.get(text, f"{text}x")


FAULTS = (
    Fault("path-swapped", "Another value of the same map is read.", places.is_manifest, path_swapped),
    Fault("literal-changed", "A fixed text in an action is another one.", places.is_manifest, literal_changed),
    Fault("fallback-changed", "What is printed for a value that is not set is another.", places.is_manifest, default_changed),
    Fault("quote-removed", "A string is printed without quotes.", places.is_manifest, quote_removed),
    Fault("indentation-changed", "A nested text is two columns to the left.", places.is_manifest, indentation_changed),
    Fault("conversion-dropped", "A number is printed in Go's own way.", places.is_manifest, conversion_dropped),
    Fault("image-confused", "An image lacks a part, or its parts are joined wrongly.", places.is_manifest, image_confused),
)  # fmt: skip
