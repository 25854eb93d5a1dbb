"""The objects of a render as a graph: what each one provides, which others it names, and which it chooses by their labels.

Which fields name what is data, see `chartgen.harness.reference_table`; here they are looked up in an object, once for
each distinct document. Whether what is named is there, the checks that use the graph decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartgen.harness import places, pods
from chartgen.harness.manifests import Document
from chartgen.harness.places import mapping, sequence, text
from chartgen.harness.reference_table import POD, Row, SelectorRow, Type, rows_of, table
from chartgen.harness.schemas import Kind

_WORD = re.compile(r"[A-Za-z0-9.-]+")


@dataclass(frozen=True)
class Reference:
    """An object's naming of another.

    Attributes:
        row: the field.
        path: where it is.
        type: the other's group and kind.
        name: the other's name.
        namespace: the other's namespace; empty for the object's own.
        keys: keys that its data must have.
        ports: ports that the Service must have, by name or number.
        lacks: members that the API server wants beside the name.
    """

    row: Row
    path: str
    type: Type
    name: str
    namespace: str = ""
    keys: tuple[str, ...] = ()
    ports: tuple[str | int, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Selector:
    """An object's choice of others.

    Attributes:
        row: the field.
        path: where it is.
        labels: what their labels must be.
        expressions: (key, operator, values).
        ports: (path, name) of ports that one of them must have.
        namespaces: where else than in the object's own namespace it chooses; ``*`` for all.
        pod: which of the object's own pods it stands in; -1 for the object itself.
    """

    row: SelectorRow
    path: str
    labels: Mapping[str, Any]
    expressions: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    ports: tuple[tuple[str, str], ...] = ()
    namespaces: tuple[str, ...] = ()
    pod: int = -1

    @property
    def is_empty(self) -> bool:
        """Whether it chooses everything."""
        return not self.labels and not self.expressions

    def matches(self, labels: Mapping[str, Any], late: tuple[re.Pattern[str], ...] = ()) -> bool:
        """Whether it chooses something with these labels; without the labels of it that come late."""
        for key, value in self.labels.items():
            if labels.get(key) != value and not any(pattern.fullmatch(key) for pattern in late):
                return False
        return all(_holds(expression, labels) for expression in self.expressions)


@dataclass(frozen=True)
class PodNode:
    """Pods that an object makes.

    Attributes:
        labels: their labels.
        ports: names of the ports of their containers.
    """

    labels: Mapping[str, Any]
    ports: frozenset[str]


@dataclass(frozen=True)
class Node:
    """An object of the graph.

    Attributes:
        type: group and kind.
        name: its name.
        namespace: its namespace; empty when it says none.
        labels: its labels.
        annotations: its annotations.
        keys: the keys of its data; None when it is no ConfigMap or Secret.
        ports: names and numbers of a Service's ports.
        pods: the pods that it makes.
        references: whom it names.
        selectors: whom it chooses.
        problems: what is wrong with the fields that name others, whatever is there.
        mentions: every word that a program is told: in flags and variables, annotations, a Role, a custom resource.
    """

    type: Type
    name: str
    namespace: str
    labels: Mapping[str, Any]
    annotations: Mapping[str, Any]
    keys: frozenset[str] | None
    ports: frozenset[str | int]
    pods: tuple[PodNode, ...]
    references: tuple[Reference, ...]
    selectors: tuple[Selector, ...]
    problems: tuple[str, ...]
    mentions: frozenset[str]

    @property
    def identity(self) -> str:
        """``Kind/name``."""
        return f"{self.type[1]}/{self.name}"

    @property
    def is_builtin(self) -> bool:
        """Whether it is of a kind that the API server has without any CRD."""
        return is_builtin(self.type)


def nodes(document: Document) -> Iterator[Node]:
    """The objects of a document, for `chartgen.harness.memo.Memo`."""
    for content in document.objects:
        if content:
            yield _node(content)


def type_of(content: Mapping[str, Any]) -> Type:
    """Group and kind of an object."""
    kind = Kind(text(content.get("apiVersion")), text(content.get("kind")))
    return kind.group, kind.kind


def _node(content: Mapping[str, Any]) -> Node:
    type_ = type_of(content)
    metadata = mapping(content.get("metadata"))
    made = tuple(pods.of(content))
    rows, selector_rows = rows_of(type_) if type_ != POD else ((), ())
    references = [reference for row in rows for reference in _references(row, content, "")]
    selectors = [selector for row in selector_rows for selector in _selectors(row, content, content, "")]
    pod_rows, pod_selector_rows = rows_of(POD)
    for number, pod in enumerate(made):
        base = pod.at("").rstrip(".")
        references += [reference for row in pod_rows for reference in _references(row, pod.spec, base)]
        for selector_row in pod_selector_rows:
            selectors += _selectors(selector_row, pod.spec, pod.spec, base, number)
    return Node(
        type=type_,
        name=text(metadata.get("name")),
        namespace=text(metadata.get("namespace")),
        labels=mapping(metadata.get("labels")),
        annotations=mapping(metadata.get("annotations")),
        keys=_keys(content, type_),
        ports=frozenset(_service_ports(content)) if type_ == ("", "Service") else frozenset(),
        pods=tuple(PodNode(pod.labels, frozenset(_port_names(pod))) for pod in made),
        references=tuple(references),
        selectors=tuple(selectors),
        problems=tuple(_problems(content, type_, references)),
        mentions=frozenset(word for string in _told(content, type_, made) for word in _WORD.findall(string)),
    )


def is_builtin(type_: Type) -> bool:
    """Whether the API server has a kind without any CRD."""
    return Kind(f"{type_[0]}/", type_[1]).is_builtin


def _references(row: Row, start: Any, base: str) -> Iterator[Reference]:
    for path, found in places.find(start, row.at, base):
        place = mapping(found)
        if any(place.get(member) not in values for member, values in row.when.items()):
            continue
        if row.optional and place.get(row.optional) is True:
            continue
        name = text(place.get(row.name)) if row.name else text(found)
        group = text(place.get("apiGroup")) or Kind(text(place.get("apiVersion")), "").group
        keys = tuple(text(key) for _, key in places.find(found, row.keys)) if row.keys else ()
        ports = tuple(port for _, port in places.find(found, row.ports)) if row.ports else ()
        yield Reference(
            row,
            f"{path}.{row.name}" if row.name else path,
            row.to or (group, text(place.get("kind"))),
            name,
            text(place.get(row.namespace)) if row.namespace else "",
            tuple(key for key in keys if key) + row.has,
            ports or ((row.assumed,) if row.assumed else ()),
            tuple(member for member in row.needs if not place.get(member)),
        )


def _selectors(
    row: SelectorRow, start: Any, content: Mapping[str, Any], base: str, pod: int = -1
) -> Iterator[Selector]:
    for path, found in places.find(start, row.at, base):
        place = mapping(found)
        expressions = () if row.plain else sequence(place.get("matchExpressions"))
        yield Selector(
            row,
            path,
            place if row.plain else mapping(place.get("matchLabels")),
            tuple(_expression(mapping(each)) for each in expressions),
            tuple((at, port) for at, port in places.find(content, row.ports) if row.ports and isinstance(port, str)),
            tuple(_namespaces(content, row.namespaces)) if row.namespaces else (),
            pod,
        )


def _expression(each: Mapping[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    return (
        text(each.get("key")),
        text(each.get("operator")),
        tuple(str(value) for value in sequence(each.get("values"))),
    )


def _holds(expression: tuple[str, str, tuple[str, ...]], labels: Mapping[str, Any]) -> bool:
    key, operator, values = expression
    if operator == "In":
        return labels.get(key) in values
    if operator == "NotIn":
        return labels.get(key) not in values
    return (key in labels) is (operator == "Exists")


def _namespaces(content: Mapping[str, Any], pattern: str) -> Iterator[str]:
    for _, found in places.find(content, pattern):
        if mapping(found).get("any") is True:
            yield "*"
        yield from (text(name) for name in sequence(mapping(found).get("matchNames")))


def _problems(content: Mapping[str, Any], type_: Type, references: Sequence[Reference]) -> Iterator[str]:
    for types, pattern, words in table().words:
        if type_ in types:
            for path, word in places.find(content, pattern):
                if word not in words:
                    yield f"{path} is {word!r}, and must be {' or '.join(words)}"
    for reference in references:
        for member in reference.lacks:
            yield f"{reference.path} names {reference.type[1]} {reference.name} without its {member}"


def _keys(content: Mapping[str, Any], type_: Type) -> frozenset[str] | None:
    if type_ not in (("", "ConfigMap"), ("", "Secret")):
        return None
    return frozenset(key for member in ("data", "binaryData", "stringData") for key in mapping(content.get(member)))


def _service_ports(content: Mapping[str, Any]) -> Iterator[str | int]:
    for _, port in places.find(content, "spec.ports[].name|port"):
        if isinstance(port, str | int):
            yield port


def _port_names(pod: pods.Pod) -> Iterator[str]:
    for _, container in pod.containers():
        for port in sequence(container.get("ports")):
            yield text(mapping(port).get("name"))


def _told(content: Mapping[str, Any], type_: Type, made: tuple[pods.Pod, ...]) -> Iterator[str]:
    """The strings that a program of the release is told."""
    for pod in made:
        for _, container in pod.containers():
            for _, string in places.find(container, "command|args[]"):
                yield text(string)
            for _, string in places.find(container, "env[].value"):
                yield text(string)
    for _, string in places.find(content, "metadata.annotations.*"):
        yield text(string)
    for _, name in places.find(content, "rules[].resourceNames[]"):
        yield text(name)
    if not is_builtin(type_):
        for _, string in places.strings(content.get("spec")):
            yield string
