"""Labels, annotations and what selects by them are what the API server takes: names with a prefix or without, strings as values.

A schema says that there are strings, at most: a value such as ``yes`` that a template forgot to quote is found there for
Kubernetes' own kinds alone, and one of 64 characters nowhere. The members are looked for all through an object, since
custom resources have the same ones.

Conditions and tolerations are copied from values as they are. One of the user's that Kubernetes will refuse, such as an
operator without its values, is no fault of the chart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from chartgen.harness import compare
from chartgen.harness.checks import names
from chartgen.harness.given import Doubt
from chartgen.harness.manifests import Document
from chartgen.harness.places import mapping, sequence, text
from chartgen.harness.results import Finding, invalid

_NAME = re.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")
_MOST = 63
_MOST_ANNOTATIONS = 256 * 1024
_OPERATORS = frozenset(("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
_EFFECTS = frozenset(("", "NoSchedule", "PreferNoSchedule", "NoExecute"))
# Kinds whose members are no objects' metadata, although they are called alike: a CRD describes them, and data is free.
_METADATA_ALONE = frozenset(("CustomResourceDefinition", "ConfigMap", "Secret"))
# Groups whose custom resources hold labels and annotations of other objects outside of any metadata.
_HOLDERS = frozenset(("nvidia.com",))


def judge(document: Document) -> Iterator[Finding | Doubt]:
    """Names the path of everything that is wrong; see `chartgen.harness.given.EachDocumentUnlessGiven`."""
    for each in document.objects:
        kind = text(each.get("kind"))
        identity = f"{kind}/{text(mapping(each.get('metadata')).get('name'))}"
        content = {"metadata": each.get("metadata")} if kind in _METADATA_ALONE else each
        in_holder = text(each.get("apiVersion")).partition("/")[0] in _HOLDERS
        for message, subject in wrong(content, in_holder=in_holder):
            yield Doubt(invalid(identity, message), subject, is_name=True) if subject else invalid(identity, message)
        if kind == "Service":
            for message in labels_of(mapping(mapping(each.get("spec")).get("selector")), "spec.selector"):
                yield invalid(identity, message)


def wrong(value: Any, path: str = "", *, in_holder: bool = False) -> Iterator[tuple[str, str]]:
    """What is wrong anywhere in a value.

    Args:
        value: an object or a part of one.
        path: where it is.
        in_holder: whether members called labels and annotations are such, too, outside of metadata.

    Yields:
        (what is wrong, the key of a condition that is no fault when the user gave it; else empty).
    """
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from wrong(item, f"{path}[{number}]", in_holder=in_holder)
        return
    if not isinstance(value, dict):
        return
    is_metadata = path.rpartition(".")[2] == "metadata"
    for name, member in value.items():
        place = compare.join(path, name)
        if name in ("matchLabels", "nodeSelector") or (name == "labels" and (is_metadata or in_holder)):
            yield from _strict(labels_of(mapping(member), place))
        elif name == "annotations" and (is_metadata or in_holder):
            yield from _strict(annotations_of(mapping(member), place))
        elif name == "matchExpressions":
            yield from _expressions(member, place)
        elif name == "tolerations":
            yield from _tolerations(member, place)
        elif name == "topologyKey":
            yield from _strict(key(member, place))
        else:
            yield from wrong(member, place, in_holder=in_holder)


def _strict(messages: Iterator[str]) -> Iterator[tuple[str, str]]:
    for message in messages:
        yield message, ""


def labels_of(found: Mapping[Any, Any], path: str) -> Iterator[str]:
    """What is wrong with labels, or with a selector that has them."""
    for name, content in found.items():
        if isinstance(content, Mapping | list):
            continue  # not what it is called after
        place = compare.join(path, name)
        yield from key(name, place)
        yield from value_of(content, place)


def annotations_of(found: Mapping[Any, Any], path: str) -> Iterator[str]:
    """What is wrong with annotations."""
    size = 0
    for name, content in found.items():
        place = compare.join(path, name)
        yield from key(name, place)
        if not isinstance(content, str):
            yield f"{place} is {compare.show(content)}, and annotations are strings"
        size += len(str(name)) + len(str(content).encode())
    if size > _MOST_ANNOTATIONS:
        yield f"{path} has {size} bytes, and {_MOST_ANNOTATIONS} are the most"


def key(name: Any, path: str) -> Iterator[str]:
    """What is wrong with the key of a label, an annotation or a taint."""
    if not isinstance(name, str):
        yield f"{path} is {compare.show(name)} and no string"
        return
    prefix, slash, last = name.rpartition("/")
    form = names.FORMS["subdomain"]
    if slash and (len(prefix) > form.most or not form.pattern.fullmatch(prefix.lower())):
        yield f"{path}: {prefix!r} before the / must be {form.words}"
    if len(last) > _MOST:
        yield f"{path}: {last!r} has {len(last)} characters, and {_MOST} are the most"
    elif not _NAME.fullmatch(last):
        yield f"{path}: {last!r} must be letters, digits, - _ and ., with a letter or a digit first and last"


def value_of(content: Any, path: str) -> Iterator[str]:
    """What is wrong with the value of a label."""
    if not isinstance(content, str):
        yield f"{path} is {compare.show(content)}, and values of labels are strings"
    elif len(content) > _MOST:
        yield f"{path}: {content!r} has {len(content)} characters, and {_MOST} are the most"
    elif content and not _NAME.fullmatch(content):
        yield f"{path}: {content!r} must be letters, digits, - _ and ., with a letter or a digit first and last"


def _expressions(value: Any, path: str) -> Iterator[tuple[str, str]]:
    for number, each in enumerate(sequence(value)):
        place = f"{path}[{number}]"
        expression = mapping(each)
        if "key" not in expression:
            continue  # of a quota's scopes, which are no labels
        yield from _strict(key(expression["key"], f"{place}.key"))
        for message in _of_operator(expression, place):
            yield message, text(expression["key"])
        for item, content in enumerate(sequence(expression.get("values"))):
            yield from _strict(value_of(content, f"{place}.values[{item}]"))


def _of_operator(expression: Mapping[str, Any], path: str) -> Iterator[str]:
    operator, listed = expression.get("operator"), sequence(expression.get("values"))
    if operator not in _OPERATORS:
        yield f"{path}.operator is {compare.show(operator)}, and must be one of {', '.join(sorted(_OPERATORS))}"
    elif operator in ("In", "NotIn") and not listed:
        yield f"{path}.values is empty, and {operator} needs one"
    elif operator in ("Exists", "DoesNotExist") and listed:
        yield f"{path}.values is not empty, and {operator} takes none"


def _tolerations(value: Any, path: str) -> Iterator[tuple[str, str]]:
    for number, each in enumerate(sequence(value)):
        place = f"{path}[{number}]"
        toleration = mapping(each)
        if toleration.get("key"):
            yield from _strict(key(toleration["key"], f"{place}.key"))
        if text(toleration.get("value")) and toleration.get("operator") != "Exists":
            yield from _strict(value_of(toleration["value"], f"{place}.value"))
        for message in _of_toleration(toleration, place):
            yield message, text(toleration.get("key")) or text(toleration.get("effect"))


def _of_toleration(toleration: Mapping[str, Any], path: str) -> Iterator[str]:
    operator = toleration.get("operator") or "Equal"
    if not toleration.get("key") and operator != "Exists":
        yield f"{path}.key is empty, and {operator} needs one"
    if toleration.get("value") not in (None, "") and operator == "Exists":
        yield f"{path}.value is not empty, and Exists takes none"
    elif not isinstance(toleration.get("value", ""), str):
        yield f"{path}.value is {compare.show(toleration['value'])} and no string"
    if (toleration.get("effect") or "") not in _EFFECTS:
        expected = ", ".join(sorted(_EFFECTS - {""}))
        yield f"{path}.effect is {compare.show(toleration['effect'])}, and must be one of {expected}"
    if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
        yield f"{path}.tolerationSeconds is for the effect NoExecute alone"
