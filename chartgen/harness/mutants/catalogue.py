"""All kinds of faults, every mutant that they make of a chart, and a fair choice of those."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

import yaml

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.harness import fingerprint
from chartgen.harness.mutants import (
    actions,
    definitions,
    expressions,
    guards,
    helpers,
    manifests,
    objects,
    rules,
)
from chartgen.harness.mutants.fault import Edits, Fault, Mutant
from chartgen.harness.mutants.source import Source

FAULTS: tuple[Fault, ...] = (
    *guards.FAULTS,
    *expressions.FAULTS,
    *helpers.FAULTS,
    *manifests.FAULTS,
    *objects.FAULTS,
    *rules.FAULTS,
    *definitions.FAULTS,
)
# What says nothing to Helm or to the API server.
_SILENT = ("description", "title", "$comment", "deprecationMessage", "examples")


def sources(chart_dir: Path) -> list[Source]:
    """Every file of a chart that some fault concerns.

    Raises:
        ChartgenError: there is none.
    """
    found = [
        Source(path.relative_to(chart_dir).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(chart_dir.rglob("*"))
        if path.is_file() and _concerned(path.relative_to(chart_dir).as_posix())
    ]
    if not found:
        raise ChartgenError([Problem(str(chart_dir), "", "no file that can be changed", "a chart directory")])
    return found


def all_of(files: Iterable[Source], faults: Sequence[Fault] = FAULTS) -> list[Mutant]:
    """Every mutant of some files, in a fixed order; some of them may say just what the file says: see `differs`."""
    return [
        mutant for source in files for fault in faults if fault.concerns(source.file) for mutant in _of(source, fault)
    ]


def choose(files: Sequence[Source], count: int, seed: int = 0, faults: Sequence[Fault] = FAULTS) -> list[Mutant]:
    """A fair part of all mutants: all faults take turns, and for each of them all files.

    A mutant is chosen by what it changes and not by where that stands, so that a change of the chart alters the choice
    only there.

    Args:
        files: what to change.
        count: how many at least; there are more where a file would go without.
        seed: another one, another choice.
        faults: the kinds of mistakes.
    """
    texts = {source.file: source for source in files}
    by_fault: dict[str, list[Mutant]] = defaultdict(list)
    by_file: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in sorted(all_of(files, faults), key=lambda each: _lot(each, seed)):
        by_fault[mutant.fault].append(mutant)
        by_file[mutant.file].append(mutant)
    lines = {name: _real(_by_turns(each), texts) for name, each in sorted(by_fault.items())}
    # Two faults may come to the same change.
    chosen: dict[tuple[str, Edits], Mutant] = {}
    while lines and len(chosen) < count:
        for name in sorted(lines):
            drawn = next((mutant for mutant in lines[name] if (mutant.file, mutant.edits) not in chosen), None)
            if drawn is None:
                del lines[name]
            else:
                chosen[drawn.file, drawn.edits] = drawn
    touched = {file for file, _ in chosen}
    for file in sorted(by_file.keys() - touched):
        chosen.update(((file, mutant.edits), mutant) for mutant in islice(_real(by_file[file], texts), 1))
    return sorted(chosen.values(), key=lambda each: (each.file, each.line, each.fault, each.rank))


def differs(mutant: Mutant, source: Source) -> bool:
    """Whether a mutant says something else to anybody but a reader of the text; a template must still be one.

    Args:
        mutant: what is changed.
        source: the file as it was.
    """
    changed = source.edited(mutant.edits)
    if "/templates/" in f"/{source.file}":
        return actions.is_whole(changed)
    return _content(source.file, changed) != _content(source.file, source.text)


@lru_cache(maxsize=4)
def _content(file: str, text: str) -> object:
    """What a file says, without what explains it; the text itself when it is no YAML."""
    try:
        return _plain(json.loads(text) if file.endswith(".json") else yamlio.load(text))
    except (yaml.YAMLError, ValueError):
        return text


def _real(mutants: Iterable[Mutant], texts: Mapping[str, Source]) -> Iterator[Mutant]:
    return (mutant for mutant in mutants if differs(mutant, texts[mutant.file]))


def _by_turns(mutants: Sequence[Mutant]) -> list[Mutant]:
    """The first of each file, then the second of each."""
    seen: Counter[str] = Counter()
    numbered: list[tuple[int, int, Mutant]] = []
    for place, mutant in enumerate(mutants):
        numbered.append((seen[mutant.file], place, mutant))
        seen[mutant.file] += 1
    return [mutant for _, _, mutant in sorted(numbered, key=lambda each: each[:2])]


def _lot(mutant: Mutant, seed: int) -> str:
    return fingerprint.of_texts(str(seed), mutant.rank)


def _of(source: Source, fault: Fault) -> Iterator[Mutant]:
    twins: Counter[tuple[str, str]] = Counter()
    for edits in fault.plant(source):
        before, after = _lines(source, edits)
        if before == after:
            continue
        number = twins[before, after]
        twins[before, after] += 1
        line = source.line_of(min(edit.start for edit in edits)) + 1
        yield Mutant(fault.name, source.file, line, before, after, number, edits)


def _lines(source: Source, edits: Edits) -> tuple[str, str]:
    """The lines that some edits change, before and after; of edits far from each other, only these lines."""
    before: list[str] = []
    after: list[str] = []
    for edit in edits:
        first, last = source.line_of(edit.start), source.line_of(max(edit.start, edit.end - 1))
        start, end = source.starts[first], source.end(last)
        before.append(source.text[start:end])
        if edit.text or (edit.start, edit.end) != (start, end + 1):
            after.append(source.text[start : edit.start] + edit.text + source.text[min(edit.end, end) : end])
    return "\n".join(before), "\n".join(after)


def _plain(value: object) -> object:
    """A schema without what explains it."""
    if isinstance(value, dict):
        return {
            key: _plain(each) for key, each in value.items() if not (key in _SILENT and isinstance(each, str | list))
        }
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _concerned(file: str) -> bool:
    return any(fault.concerns(file) for fault in FAULTS)
