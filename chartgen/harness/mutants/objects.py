"""Faults that know what a manifest is about: permissions, references, hooks, and the parts of pods."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from chartgen.harness.mutants import manifests, places
from chartgen.harness.mutants.fault import Edits, Fault
from chartgen.harness.mutants.source import Edit, Source, indent

_HOOK = re.compile(r'include "[\w-]+\.hook" \(list \. "(?P<event>[^"]*)" "(?P<weight>[^"]*)" "(?P<policy>[^"]*)"\)')
_ANNOTATION = re.compile(r"^ *helm\.sh/hook(?:-weight|-delete-policy)?: (?P<value>.+)$")
_ROLE_REF = re.compile(r"^roleRef:$")
_SUBJECTS = re.compile(r"^subjects:$")
_EVENTS = {
    "pre-delete": "post-delete",
    "post-delete": "pre-delete",
    "pre-upgrade": "post-upgrade",
    "test": "pre-install",
}
_POLICIES = {"before-hook-creation": "hook-failed", "hook-succeeded": "hook-failed"}
# What refers to an account, or names one.
_ACCOUNT = re.compile(r"^ *serviceAccountName: (?P<value>.+)$")
_NAME = re.compile(r"^ *(?:- )?name: (?P<value>.+)$")
_NAMESPACE = re.compile(r"^ *namespace: .+$")
_REFERENCES = re.compile(r"^ *(?:- )?(?:configMap|configMapRef|configMapKeyRef|secretRef|secretKeyRef|secret):$")
_SECRET_NAME = re.compile(r"^ *secretName: (?P<value>.+)$")
_PORTS = re.compile(r"^ *(?:containerPort|port|targetPort|hostPort): (?P<value>[^{\s].*)$")
_PATHS = re.compile(r"^ *(?:- )?(?:mountPath|path|subPath): (?P<value>[^{\s].*)$")
_SELECTING = re.compile(r"^ *(?:matchLabels|nodeSelector|labels):$")
_LABEL = re.compile(r"^ *[\w./-]+: (?P<value>.+)$")
_API = re.compile(r"^(?:- )?apiVersion: (?P<value>\S+)$")


def verb(source: Source, *, change: str) -> Iterator[Edits]:
    """A verb that is missing, one too many, or another one."""
    for number in _below(source, "verbs"):
        line = source.lines[number]
        start, end = source.starts[number], source.end(number)
        if change == "dropped":
            yield (source.without_lines(number, number),)
        elif change == "added":
            extra = "deletecollection" if "delete" in line else "delete"
            yield (Edit(end, end, f"\n{' ' * indent(line)}- {extra}"),)
        else:
            yield (Edit(start, end, f"{' ' * indent(line)}- {'list' if line.endswith(' get') else 'get'}"),)


def granted(source: Source, *, key: str) -> Iterator[Edits]:
    """Another API group or another kind than the one that is asked for."""
    for number in _below(source, key):
        value = source.lines[number].lstrip(" -")
        start = source.end(number) - len(value)
        yield (Edit(start, source.end(number), '"apps"' if value == '""' else f"{value}x"),)


def hook(source: Source) -> Iterator[Edits]:
    """Another event, weight or policy of deletion."""
    for match in _HOOK.finditer(source.text):
        yield (_span(match, "event", _EVENTS.get(match["event"], "pre-rollback")),)
        yield (_span(match, "weight", str(-int(match["weight"] or 0) + 1)),)
        yield (_span(match, "policy", "hook-failed"),)
    for number, line in enumerate(source.lines):
        found = _ANNOTATION.match(line)
        if found:
            value = found["value"]
            changed = _EVENTS.get(value) or ("hook-failed" if "," in value else manifests.other(value))
            yield (_in_line(source, number, found, changed),)


def role_ref(source: Source) -> Iterator[Edits]:
    """A binding of a role that is not there."""
    return _named_below(source, _ROLE_REF)


def subject(source: Source) -> Iterator[Edits]:
    """A binding for an account that is not there, and one in another namespace."""
    yield from _named_below(source, _SUBJECTS)
    for number in _lines_below(source, _SUBJECTS):
        if _NAMESPACE.match(source.lines[number]):
            start = source.starts[number]
            head = source.lines[number].index(":")
            yield (Edit(start + head, source.end(number), ": elsewhere"),)


def reference(source: Source) -> Iterator[Edits]:
    """A ConfigMap or Secret that is not there."""
    yield from _named_below(source, _REFERENCES)
    yield from _matching(source, _SECRET_NAME)


def name(source: Source) -> Iterator[Edits]:
    """An object of another name."""
    return _named_below(source, re.compile(r"^metadata:$"))


def namespace_dropped(source: Source) -> Iterator[Edits]:
    """An object that is put wherever the user happens to be."""
    for number, line in enumerate(source.lines):
        if _NAMESPACE.match(line) and indent(line) == 2:
            yield (source.without_lines(number, number),)


def selector(source: Source) -> Iterator[Edits]:
    """Labels, or what selects by them, with another value."""
    for number in _lines_below(source, _SELECTING):
        match = _LABEL.match(source.lines[number])
        if match and not match["value"].startswith("{{"):
            yield (_in_line(source, number, match, manifests.other(match["value"])),)


def variable(source: Source) -> Iterator[Edits]:
    """An environment variable of another name."""
    for number, line in enumerate(source.lines):
        match = _NAME.match(line)
        if match and re.fullmatch(r"[A-Z][A-Z0-9_]+", match["value"]):
            yield (_in_line(source, number, match, f"{match['value']}_X"),)


def _matching(source: Source, pattern: re.Pattern[str]) -> Iterator[Edits]:
    """Another value wherever a pattern matches a line."""
    for number, line in enumerate(source.lines):
        match = pattern.match(line)
        if match:
            yield (_in_line(source, number, match, _renamed(match["value"])),)


def _named_below(source: Source, pattern: re.Pattern[str]) -> Iterator[Edits]:
    """Another name in what is below the lines that a pattern matches."""
    for number in _lines_below(source, pattern):
        match = _NAME.match(source.lines[number])
        if match:
            yield (_in_line(source, number, match, _renamed(match["value"])),)


def _renamed(value: str) -> str:
    """A name that nothing has; one that is computed gets an ending."""
    if value.startswith("{{") and value.endswith("| quote }}"):
        return value.removesuffix("| quote }}") + '| printf "%s-x" | quote }}'
    return manifests.other(value)


def _below(source: Source, key: str) -> Iterator[int]:
    """The items below each member of a name."""
    return _lines_below(source, re.compile(rf"^ *(?:- )?{key}:$"))


def _lines_below(source: Source, pattern: re.Pattern[str]) -> Iterator[int]:
    """The lines one level below each that a pattern matches."""
    for number, line in enumerate(source.lines):
        if not pattern.match(line):
            continue
        level = indent(line.replace("- ", "  ", 1)) + 2
        for below in range(number + 1, len(source.lines)):
            text = source.lines[below]
            if text.strip() and indent(text) < level:
                break
            if indent(text.replace("- ", "  ", 1)) in (level, level + 2) and not text.lstrip().startswith("{{"):
                yield below


def _in_line(source: Source, number: int, match: re.Match[str], value: str) -> Edit:
    start = source.starts[number]
    return Edit(start + match.start("value"), start + match.end("value"), value)


def _span(match: re.Match[str], group: str, value: str) -> Edit:
    return Edit(match.start(group), match.end(group), value)


FAULTS = (
    Fault("verb-dropped", "A permission lacks a verb.", places.is_manifest, partial(verb, change="dropped")),
    Fault("verb-added", "A permission has a verb too many.", places.is_manifest, partial(verb, change="added")),
    Fault("verb-changed", "A permission has another verb.", places.is_manifest, partial(verb, change="changed")),
    Fault("api-group-changed", "A permission is for another API group.", places.is_manifest, partial(granted, key="apiGroups")),
    Fault("resource-changed", "A permission is for another resource.", places.is_manifest, partial(granted, key="resources")),
    Fault("hook-changed", "A hook runs at another time, or is deleted at another.", places.is_manifest, hook),
    Fault("role-ref-renamed", "A binding names a role that is not there.", places.is_manifest, role_ref),
    Fault("subject-changed", "A binding is for another account.", places.is_manifest, subject),
    Fault("account-renamed", "A pod runs as an account that is not there.", places.is_manifest, partial(_matching, pattern=_ACCOUNT)),
    Fault("reference-renamed", "A ConfigMap or Secret is named that is not there.", places.is_manifest, reference),
    Fault("name-changed", "An object has another name.", places.is_manifest, name),
    Fault("namespace-dropped", "An object lacks its namespace.", places.is_manifest, namespace_dropped),
    Fault("selector-changed", "A label, or what selects by it, has another value.", places.is_manifest, selector),
    Fault("variable-renamed", "An environment variable has another name.", places.is_manifest, variable),
    Fault("port-changed", "A port has another number or name.", places.is_manifest, partial(_matching, pattern=_PORTS)),
    Fault("path-changed", "A mount, a volume or a probe has another path.", places.is_manifest, partial(_matching, pattern=_PATHS)),
    Fault("api-version-changed", "An object is of another API.", places.is_manifest, partial(_matching, pattern=_API)),
)  # fmt: skip
