"""Faults of what a chart promises: its default values, their schema, its CRDs, and its Chart.yaml."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from chartgen.harness.mutants import manifests, places
from chartgen.harness.mutants.fault import Edits, Fault
from chartgen.harness.mutants.source import Edit, Source, indent

_STRING = r'"(?:\\.|[^"\\])*"'
_TYPES = re.compile(r'(?<!\\)"type": (?P<value>"\w+"|\[[^\]]*\])')
_ENUM = re.compile(rf'(?<!\\)"enum": \[(?P<value>(?:{_STRING}|[^\]"])*)\]')
_BOUND = re.compile(
    rf'(?P<before>, )?(?<!\\)"(?P<key>minimum|maximum|exclusiveMinimum|minLength|maxLength|minItems|maxItems|minProperties|'
    rf'uniqueItems|pattern|required|format)": (?P<value>{_STRING}|\[[^\]]*\]|-?[\d.]+|true)(?=(?P<after>, |,$)?)',
    re.MULTILINE,
)
_NUMBERS = re.compile(
    r'"(?P<key>minimum|maximum|minLength|maxLength|minItems|maxItems)": (?P<value>-?\d+)(?P<end>[,}\s])'
)
_CLOSED = re.compile(r'"additionalProperties": (?P<value>false)')
_REF = re.compile(r'"\$ref": "#/definitions/(?P<value>\w+)"')
_LINE = re.compile(r"^ *(?:- )?(?P<key>[\w-]+):(?: (?P<value>.*))?$")
_DEFAULT = re.compile(r"^(?P<indent> *)(?P<key>[A-Za-z][\w-]*): (?P<value>[^\s{\[|>&#].*)$")
_HINTS = '\n "allOf": [{"if": '
_CRD_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
# Deeper lines are text of annotations.
_FACTS = re.compile(r"^ {0,4}(?P<key>condition|kubeVersion|appVersion|version|alias): (?P<value>.+)$")
_SERVED = re.compile(r"^ *(?:scope|served|storage|plural|kind|singular|status|preserveUnknownFields): ?(?P<value>.+)$")


def type_widened(source: Source) -> Iterator[Edits]:
    """A further type is let in; for one that takes everything but objects and lists, objects are."""
    for match in _TYPES.finditer(_asserting(source)):
        listed = match["value"].strip('[]"').replace('"', "").split(", ")
        new = next(kind for kind in ("string", "integer", "boolean", "object") if kind not in listed)
        text = "[" + ", ".join(f'"{kind}"' for kind in [*listed, new]) + "]"
        yield (Edit(match.start("value"), match.end("value"), text),)


def bound_dropped(source: Source) -> Iterator[Edits]:
    """A bound, a pattern or a required member is not asked for any more."""
    for match in _BOUND.finditer(_asserting(source)):
        if match["before"]:
            yield (Edit(match.start(), match.end()),)
        elif match["after"]:
            yield (source.without(match.start(), match.end("after")),)


def bound_moved(source: Source) -> Iterator[Edits]:
    """A bound is off by one, on the side that lets more in."""
    for match in _NUMBERS.finditer(_asserting(source)):
        step = 1 if match["key"].startswith("max") else -1
        yield (Edit(match.start("value"), match.end("value"), str(int(match["value"]) + step)),)


def enum_widened(source: Source) -> Iterator[Edits]:
    """One more word is let in."""
    for match in _ENUM.finditer(_asserting(source)):
        yield (Edit(match.end("value"), match.end("value"), ', "else"'),)


def enum_narrowed(source: Source) -> Iterator[Edits]:
    """A word that works is refused."""
    for match in _ENUM.finditer(_asserting(source)):
        members = json.loads(f"[{match['value']}]")
        text = ", ".join(json.dumps(member) for member in members[1:])
        yield (Edit(match.start("value"), match.end("value"), text),)


def opened(source: Source) -> Iterator[Edits]:
    """A map takes keys that it does not know."""
    for match in _CLOSED.finditer(_asserting(source)):
        yield (Edit(match.start("value"), match.end("value"), "true"),)


def reference_changed(source: Source) -> Iterator[Edits]:
    """A field is of another kind of value."""
    names = sorted({match["value"] for match in _REF.finditer(_asserting(source))})
    for match in _REF.finditer(_asserting(source)):
        following = names[(names.index(match["value"]) + 1) % len(names)]
        yield (Edit(match.start("value"), match.end("value"), following),)


def default_changed(source: Source) -> Iterator[Edits]:
    """A value that nobody sets is another one."""
    for number, line in enumerate(source.lines):
        match = _DEFAULT.match(line)
        if match:
            start = source.starts[number]
            yield (Edit(start + match.start("value"), start + match.end("value"), manifests.other(match["value"])),)


def default_dropped(source: Source) -> Iterator[Edits]:
    """A value that nobody sets is not there."""
    for number, line in enumerate(source.lines):
        if _DEFAULT.match(line):
            yield (source.without_lines(number, number),)


def field_dropped(source: Source) -> Iterator[Edits]:
    """A member that the API server would drop in silence."""
    for number, key in _members(source, "properties"):
        if key not in ("apiVersion", "kind", "metadata"):
            yield (source.without_lines(number, source.block(number)),)


def crd_line_dropped(source: Source, keys: tuple[str, ...]) -> Iterator[Edits]:
    """A part of a CRD's schema is gone with all that is below it."""
    for number, line in enumerate(source.lines):
        match = _LINE.match(line)
        if match and match["key"] in keys and not line.lstrip().startswith("- "):
            yield (source.without_lines(number, source.block(number)),)


def crd_rule_dropped(source: Source) -> Iterator[Edits]:
    """What the API server must not accept, it does."""
    return crd_line_dropped(source, ("x-kubernetes-validations",))


def crd_bound_dropped(source: Source) -> Iterator[Edits]:
    """The API server takes any number, any text, or an object without a member that it needs."""
    return crd_line_dropped(source, (*_CRD_BOUNDS, "required"))


def crd_default_changed(source: Source) -> Iterator[Edits]:
    """The API server fills in something else."""
    for number, line in enumerate(source.lines):
        match = _LINE.match(line)
        if match and match["key"] == "default" and match["value"]:
            start = source.starts[number]
            yield (Edit(start + match.start("value"), start + match.end("value"), manifests.other(match["value"])),)


def crd_default_added(source: Source) -> Iterator[Edits]:
    """The API server fills in what nobody wrote."""
    for number, line in enumerate(source.lines):
        if line.endswith(" type: boolean"):
            yield (Edit(source.end(number), source.end(number), f"\n{' ' * indent(line)}default: false"),)


def crd_type_changed(source: Source) -> Iterator[Edits]:
    """The API server refuses what the chart writes."""
    others = {"string": "integer", "integer": "string", "boolean": "string", "array": "object", "object": "array"}
    for number, line in enumerate(source.lines):
        match = _LINE.match(line)
        if match and match["key"] == "type" and match["value"] in others:
            start = source.starts[number]
            yield (Edit(start + match.start("value"), start + match.end("value"), others[match["value"]]),)


def crd_enum_narrowed(source: Source) -> Iterator[Edits]:
    """The API server refuses a word that works."""
    for number, line in enumerate(source.lines):
        if line.strip() == "enum:":
            yield (source.without_lines(number + 1, number + 1),)


def crd_changed(source: Source) -> Iterator[Edits]:
    """The kind goes by another name, or is not served."""
    return _facts_changed(source, _SERVED)


def chart_changed(source: Source) -> Iterator[Edits]:
    """A version, or what switches a subchart, is another one."""
    return _facts_changed(source, _FACTS)


def _asserting(source: Source) -> str:
    """The schema without the conditions at its end, from which editors get sentences and Helm gets nothing."""
    return source.text.partition(_HINTS)[0]


def _facts_changed(source: Source, pattern: re.Pattern[str]) -> Iterator[Edits]:
    for number, line in enumerate(source.lines):
        match = pattern.match(line)
        if match and match["value"] != "{}":
            start = source.starts[number]
            yield (Edit(start + match.start("value"), start + match.end("value"), manifests.other(match["value"])),)


def _members(source: Source, parent: str) -> Iterator[tuple[int, str]]:
    """The lines of the members of each map of a name, with their keys."""
    for number, line in enumerate(source.lines):
        if line.strip() != f"{parent}:":
            continue
        level = indent(line) + 2
        for below in range(number + 1, source.block(number) + 1):
            match = _LINE.match(source.lines[below])
            if match and indent(source.lines[below]) == level:
                yield below, match["key"]


FAULTS = (
    Fault("default-changed", "A default value is another one.", places.is_defaults, default_changed),
    Fault("default-dropped", "A default value is gone.", places.is_defaults, default_dropped),
    Fault("type-widened", "The schema takes one more type.", places.is_values_schema, type_widened),
    Fault("bound-dropped", "The schema lacks a bound, a pattern or a required member.", places.is_values_schema, bound_dropped),
    Fault("bound-moved", "A bound of the schema is off by one.", places.is_values_schema, bound_moved),
    Fault("enum-widened", "The schema takes one more word.", places.is_values_schema, enum_widened),
    Fault("enum-narrowed", "The schema refuses a word that works.", places.is_values_schema, enum_narrowed),
    Fault("object-opened", "The schema takes keys that are no values.", places.is_values_schema, opened),
    Fault("definition-changed", "A value is held to the rules of another.", places.is_values_schema, reference_changed),
    Fault("crd-field-dropped", "A CRD lacks a field.", places.is_crd, field_dropped),
    Fault("crd-rule-dropped", "A CRD lacks a rule.", places.is_crd, crd_rule_dropped),
    Fault("crd-bound-dropped", "A CRD lacks a bound or a required member.", places.is_crd, crd_bound_dropped),
    Fault("crd-default-changed", "A CRD has another default.", places.is_crd, crd_default_changed),
    Fault("crd-default-added", "A CRD has a default too many.", places.is_crd, crd_default_added),
    Fault("crd-type-changed", "A field of a CRD is of another type.", places.is_crd, crd_type_changed),
    Fault("crd-enum-narrowed", "A CRD refuses a word that works.", places.is_crd, crd_enum_narrowed),
    Fault("crd-changed", "A CRD defines another kind.", places.is_crd, crd_changed),
    Fault("chart-changed", "Chart.yaml says another version or condition.", places.is_chart_file, chart_changed),
)  # fmt: skip
