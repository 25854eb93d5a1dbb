"""The fields of Kubernetes' objects that name or choose others, read from ``references.yaml``."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from chartgen import yamlio

# (group, kind)
Type = tuple[str, str]
POD = ("", "Pod")


class Source(Enum):
    """Who provides what is named, see ``references.yaml``."""

    CHART = "chart"
    RUN = "run"
    ANYWHERE = "anywhere"


class Chosen(Enum):
    """What a selector chooses from."""

    TEMPLATE = "template"
    PODS = "pods"
    SERVICES = "services"


@dataclass(frozen=True)
class Row:
    """A field that names an object; the attributes are those of ``references.yaml``."""

    types: frozenset[Type]
    at: str
    to: Type | None = None
    name: str = ""
    namespace: str = ""
    when: Mapping[str, list[Any]] = field(default_factory=dict)
    keys: str = ""
    has: tuple[str, ...] = ()
    optional: str = ""
    ports: str = ""
    assumed: int = 0
    excepted: tuple[str, ...] = ()
    void: str = ""
    needs: tuple[str, ...] = ()
    source: Source = Source.CHART


@dataclass(frozen=True)
class SelectorRow:
    """A field that chooses objects; the attributes are those of ``references.yaml``."""

    types: frozenset[Type]
    at: str
    of: Chosen
    plain: bool = False
    namespaces: str = ""
    ports: str = ""


@dataclass(frozen=True)
class Table:
    """``references.yaml``.

    Attributes:
        references: the fields that name objects.
        everywhere: kind -> patterns of names that are in every cluster.
        declined: kind -> patterns of keys above a `create` that is false when the user has one already.
        words: (kinds, place, words that may stand there).
        selectors: the fields that choose objects.
        late: patterns of labels that pods get while they run.
        operators: (label -> pattern of its value, kinds of which one must be rendered) of pods that operators make.
    """

    references: tuple[Row, ...]
    everywhere: Mapping[Type, tuple[str, ...]]
    declined: Mapping[Type, tuple[str, ...]]
    words: tuple[tuple[frozenset[Type], str, tuple[str, ...]], ...]
    selectors: tuple[SelectorRow, ...]
    late: tuple[str, ...]
    operators: tuple[tuple[Mapping[str, str], frozenset[Type]], ...]


@functools.cache
def table() -> Table:
    """The data."""
    data: dict[str, Any] = yamlio.load(Path(__file__).with_name("references.yaml").read_text(encoding="utf-8"))
    return Table(
        tuple(_row(each) for each in data["references"]),
        {_type(kind): tuple(names) for kind, names in data["everywhere"].items()},
        {_type(kind): tuple(names) for kind, names in data["declined"].items()},
        tuple((_types(each["in"]), each["at"], tuple(each["one"])) for each in data["words"]),
        tuple(_selector_row(each) for each in data["selectors"]),
        tuple(label for each in data["late"] for label in each["labels"]),
        tuple((each["labels"], _types(each.get("kinds", ()))) for each in data["operators"]),
    )


@functools.cache
def rows_of(type_: Type) -> tuple[tuple[Row, ...], tuple[SelectorRow, ...]]:
    """The rows for a kind; of Pod, those for the pods of every kind."""
    found = table()
    return (
        tuple(row for row in found.references if type_ in row.types),
        tuple(row for row in found.selectors if type_ in row.types),
    )


def _row(each: Mapping[str, Any]) -> Row:
    return Row(
        types=_types(each["in"]),
        at=each["at"],
        to=_type(each["to"]) if "to" in each else None,
        name=each.get("name", ""),
        namespace=each.get("namespace", ""),
        when=each.get("when", {}),
        keys=each.get("keys", ""),
        has=tuple(each.get("has", ())),
        optional=each.get("optional", ""),
        ports=each.get("ports", ""),
        assumed=each.get("assumed", 0),
        excepted=tuple(each.get("except", ())),
        void=each.get("void", ""),
        needs=tuple(each.get("needs", ())),
        source=Source(each.get("from", "chart")),
    )


def _selector_row(each: Mapping[str, Any]) -> SelectorRow:
    return SelectorRow(
        types=_types(each["in"]),
        at=each["at"],
        of=Chosen(each["of"]),
        plain=each.get("plain", False),
        namespaces=each.get("namespaces", ""),
        ports=each.get("ports", ""),
    )


def _types(names: Iterable[str]) -> frozenset[Type]:
    return frozenset(_type(name) for name in names)


def _type(name: str) -> Type:
    kind, _, group = name.partition(".")
    return group, kind
