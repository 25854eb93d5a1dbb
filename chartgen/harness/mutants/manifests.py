"""Faults of the manifests in templates, made without any idea of what they mean: a line is gone, or says something else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chartgen.harness.mutants import places
from chartgen.harness.mutants.fault import Edits, Fault
from chartgen.harness.mutants.source import Edit, Source, indent

_KEY = re.compile(r"^(?P<indent> *)(?P<dash>- )?(?P<key>[A-Za-z][\w./-]*):(?P<rest> .*)?$")
_SCALAR = re.compile(r"^(?P<head> *(?:- )?[A-Za-z][\w./-]*: )(?P<value>[^{|>\[&*#\s][^{]*)$")
_ITEM = re.compile(r"^ *- (?P<value>[^{\s].*)$")
_QUOTED = re.compile(r'^ *(?:- )?[\w./-]+: (?P<value>"(?:true|false|[0-9]+|y|n)")$')
_SEPARATOR = "---"


def key_dropped(source: Source) -> Iterator[Edits]:
    """A member is gone with all that is below it."""
    for number, line in enumerate(source.lines):
        match = _KEY.match(line)
        if match and not match["dash"]:
            yield (source.without_lines(number, source.block(number)),)


def key_renamed(source: Source) -> Iterator[Edits]:
    """A member that nobody looks for."""
    for number, line in enumerate(source.lines):
        match = _KEY.match(line)
        if match:
            start = source.starts[number] + match.end("key")
            yield (Edit(start, start, "X"),)


def value_changed(source: Source) -> Iterator[Edits]:
    """A fixed value is another one."""
    for number, line in enumerate(source.lines):
        match = _SCALAR.match(line)
        if match:
            start = source.starts[number]
            yield (Edit(start + match.start("value"), start + match.end("value"), other(match["value"])),)


def item_dropped(source: Source) -> Iterator[Edits]:
    """A list without one of its items."""
    for number, line in enumerate(source.lines):
        if _ITEM.match(line):
            yield (source.without_lines(number, source.block(number)),)


def unquoted(source: Source) -> Iterator[Edits]:
    """A string that looks like a number or a boolean stands there without its quotes."""
    for number, line in enumerate(source.lines):
        match = _QUOTED.match(line)
        if match:
            start = source.starts[number]
            yield (Edit(start + match.start("value"), start + match.end("value"), match["value"].strip('"')),)


def separator_dropped(source: Source) -> Iterator[Edits]:
    """Two documents run into each other."""
    for number, line in enumerate(source.lines):
        if line == _SEPARATOR:
            yield (source.without_lines(number, number),)


def document_doubled(source: Source) -> Iterator[Edits]:
    """The same object stands there twice."""
    for number, line in enumerate(source.lines):
        if line.startswith("apiVersion:"):
            last = _end_of_document(source, number)
            text = source.text[source.starts[number] : source.end(last)]
            at = source.end(last)
            yield (Edit(at, at, f"\n{_SEPARATOR}\n{text}"),)


def member_misplaced(source: Source) -> Iterator[Edits]:
    """A member is moved into the map before it."""
    for number, line in enumerate(source.lines[1:], 1):
        match = _KEY.match(line)
        before = source.lines[number - 1]
        if match and not match["dash"] and indent(before) > indent(line) and not before.lstrip().startswith("{{"):
            last = source.block(number)
            edits = [source.starts[each] for each in range(number, last + 1)]
            yield tuple(Edit(start, start, "  ") for start in edits)


def other(value: str) -> str:
    """A value of the same kind as one that is written in YAML."""
    bare = value.strip('"')
    if bare.lstrip("-").isdigit():
        changed = str(int(bare) + 1)
    else:
        changed = {"true": "false", "false": "true", "": "x"}.get(bare, f"{bare}x")
    return f'"{changed}"' if value.startswith('"') else changed


def _end_of_document(source: Source, first: int) -> int:
    """The last line of a document, without the actions around it."""
    last = first
    for number in range(first + 1, len(source.lines)):
        line = source.lines[number]
        if line == _SEPARATOR or (line.strip() and not line.startswith(" ") and _is_no_member(line)):
            break
        last = number if line.strip() else last
    return last


def _is_no_member(line: str) -> bool:
    return not _KEY.match(line) and not line.startswith("- ")


FAULTS = (
    Fault("key-dropped", "A member of an object is gone.", places.is_manifest, key_dropped),
    Fault("key-renamed", "A member of an object has another name.", places.is_manifest, key_renamed),
    Fault("value-changed", "A fixed value of an object is another one.", places.is_manifest, value_changed),
    Fault("item-dropped", "An item of a list is gone.", places.is_manifest, item_dropped),
    Fault("unquoted", "A string that looks like a number or boolean has no quotes.", places.is_manifest, unquoted),
    Fault("separator-dropped", "Nothing parts two documents.", places.is_manifest, separator_dropped),
    Fault("document-doubled", "An object stands there twice.", places.is_manifest, document_doubled),
    Fault("member-misplaced", "A member is a level too deep.", places.is_manifest, member_misplaced),
)
