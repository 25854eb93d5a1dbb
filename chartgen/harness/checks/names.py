"""Names are what the API server takes: of objects by their kind, of containers, ports, volumes and variables, and the keys of data.

A schema calls all of them strings. Objects without a name are told by `chartgen.harness.checks.renders`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness import kinds, places, pods
from chartgen.harness.manifests import Document
from chartgen.harness.places import mapping, text
from chartgen.harness.results import Finding, invalid

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_CONTAINER = "initContainers|containers|ephemeralContainers[]"
_MOST_DATA = 1024 * 1024


@dataclass(frozen=True)
class Form:
    """What a name looks like.

    Attributes:
        pattern: of the whole name.
        most: the greatest length.
        words: the same for a person.
    """

    pattern: re.Pattern[str]
    most: int
    words: str


LABEL = Form(re.compile(_LABEL), 63, "lower case letters, digits and - between them")
FORMS: Mapping[str, Form] = {
    "label": LABEL,
    "host": Form(re.compile("[a-z]([-a-z0-9]*[a-z0-9])?"), 63, f"a letter first, then {LABEL.words}"),
    "subdomain": Form(re.compile(rf"{_LABEL}(\.{_LABEL})*"), 253, f"{LABEL.words}, in parts with a dot between them"),
    "path": Form(re.compile(r"(?!\.\.?\Z)[^/%]+"), 253, "no / and no %"),
    "port": Form(
        re.compile("(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?"), 15, f"{LABEL.words}, one letter at least"
    ),
    "variable": Form(re.compile("[-._a-zA-Z][-._a-zA-Z0-9]*"), 1 << 16, "letters, digits, - _ and ., no digit first"),
    "key": Form(re.compile(r"(?!\.\.?\Z)(?!\.\./)[-._a-zA-Z0-9]+"), 253, "letters, digits, - _ and ."),
    "webhook": Form(re.compile(rf"{_LABEL}(\.{_LABEL}){{2,}}"), 253, "a domain of three parts or more"),
    "domain": Form(re.compile(rf"(\*\.)?{_LABEL}(\.{_LABEL})*"), 253, "a domain, with *. before it or not"),
}
IN_PODS = (
    (f"{_CONTAINER}.name", "label"),
    ("volumes[].name", "label"),
    (f"{_CONTAINER}.ports[].name", "port"),
    (f"{_CONTAINER}.env[].name", "variable"),
)
IN_OBJECTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Service": (("spec.ports[].name", "label"),),
    "Ingress": (("spec.rules[].host", "domain"),),
    "StatefulSet": (("spec.volumeClaimTemplates[].metadata.name", "label"),),
    "MutatingWebhookConfiguration": (("webhooks[].name", "webhook"),),
    "ValidatingWebhookConfiguration": (("webhooks[].name", "webhook"),),
}
DATA: Mapping[str, tuple[str, ...]] = {"ConfigMap": ("data", "binaryData"), "Secret": ("data", "stringData")}


def judge(document: Document) -> Iterator[Finding]:
    """Names each wrong name; see `chartgen.harness.check.EachDocument`."""
    for each in document.objects:
        identity = f"{text(each.get('kind'))}/{text(mapping(each.get('metadata')).get('name'))}"
        for message in wrong(each):
            yield invalid(identity, message)


def wrong(content: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the names in an object."""
    kind = text(content.get("kind"))
    metadata = mapping(content.get("metadata"))
    rule = kinds.load().names.get(kind, kinds.NameRule())
    if text(metadata.get("name")):
        yield from told("metadata.name", metadata["name"], rule.form, rule)
    if text(metadata.get("namespace")):
        yield from told("metadata.namespace", metadata["namespace"], "label")
    if kind == "CustomResourceDefinition":
        yield from _definition(content)
    for pattern, form in IN_OBJECTS.get(kind, ()):
        for path, name in places.find(content, pattern):
            yield from told(path, name, form)
    for pod in pods.of(content):
        for pattern, form in IN_PODS:
            for path, name in places.find(pod.spec, pattern, pod.at("").rstrip(".")):
                yield from told(path, name, form)
    yield from _data(content, DATA.get(kind, ()))


def told(path: str, name: Any, form: str, rule: kinds.NameRule | None = None) -> Iterator[str]:
    """Why a name will not do; nothing when it will."""
    expected = FORMS[form]
    if not isinstance(name, str):
        yield f"{path} is {name!r} and no string"
        return
    most = rule.most if rule and rule.most else expected.most
    if len(name) > most:
        because = f", since {rule.because}" if rule and rule.because else ""
        yield f"{path} {name!r} has {len(name)} characters, and {most} are the most{because}"
    elif not expected.pattern.fullmatch(name):
        yield f"{path} {name!r} must be {expected.words}"


def _definition(content: Mapping[str, Any]) -> Iterator[str]:
    """A CRD is called after what it defines."""
    spec = mapping(content.get("spec"))
    expected = f"{text(mapping(spec.get('names')).get('plural'))}.{text(spec.get('group'))}"
    name = text(mapping(content.get("metadata")).get("name"))
    if name != expected:
        yield f"metadata.name is {name!r}, and the CRD defines {expected}"


def _data(content: Mapping[str, Any], members: tuple[str, ...]) -> Iterator[str]:
    size = 0
    for member in members:
        for key, value in mapping(content.get(member)).items():
            yield from told(f"a key of {member},", key, "key")
            size += len(str(key)) + len(text(value).encode())
    if size > _MOST_DATA:
        yield f"{' and '.join(members)} hold {size} bytes, and {_MOST_DATA} are the most"
