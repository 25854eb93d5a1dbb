"""The nodes a manifest is made of.

A manifest is a tree of plain Python mappings, lists and scalars (str, int, bool) with the nodes below where something
depends on values or on the release. `chartgen.tree.gotext` prints a tree as a Helm template, `chartgen.tree.evaluate`
computes it; both ask `chartgen.tree.presence` when a part is there at all.

The vocabulary is closed. A new node lands with its Go text, its evaluation, its presence and a case in
``tests/agreement``. There are no loops, variables or functions: this is data, and not a language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from chartgen.schema.conditions import ALWAYS, Condition


class Builtin(Enum):
    """Something Helm knows without values; the value is its template expression from the root."""

    RELEASE_NAME = ".Release.Name"
    RELEASE_SERVICE = ".Release.Service"
    NAMESPACE = ".Release.Namespace"
    CHART_NAME = ".Chart.Name"
    CHART_VERSION = ".Chart.Version"
    APP_VERSION = ".Chart.AppVersion"


@dataclass(frozen=True)
class Value:
    """A value, written by the kind of its field: switches coerced, versions quoted, env values as strings.

    Absent when the value is (`conditions.Set`), unless there is a `default`. A switch with an ``unset`` meaning is
    always there.

    Attributes:
        path: literal dotted path.
        default: stands in for an absent scalar.
    """

    path: str
    default: str | int | bool | Builtin | None = None


@dataclass(frozen=True)
class Join:
    """A string of parts; absent when one of the values in it is."""

    parts: tuple[str | Builtin | Value | Helper, ...]


@dataclass(frozen=True)
class When:
    """`node` while the condition holds, else `otherwise`; absent without one."""

    condition: Condition
    node: Node
    otherwise: Node | None = None


@dataclass(frozen=True)
class Extend:
    """Lists one after the other, or mappings with different keys in one: literal ones, values and helpers."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class EnvMerge:
    """A container's environment in layers: a name that a later layer repeats keeps its place and takes the later value.

    Attributes:
        define: name of the template that holds the container's own lists, unique in the chart.
        layers: literal lists of ``{"name": ..., "value": ...}`` (members may be conditional), paths of users' lists,
            and a helper or an `Extend` that gives such a list.
    """

    define: str
    layers: tuple[tuple[Node, ...] | str | Helper | Extend, ...]


@dataclass(frozen=True)
class Helper:
    """A call of a template in ``_helpers.tpl``; see `chartgen.tree.helpers` for what each does.

    Attributes:
        name: without the chart's prefix.
        arguments: literals, lists of literals, mappings of literals, `Builtin`, `Value` (read as it is, null when absent),
            `When` of two of these, whose second, mostly "" or (), stands while the condition does not hold, and a
            `Helper` that gives a map.
        shape: what comes back.
        presence: when the result is not empty.
        root: whether the first argument is the root context.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    shape: Shape = field(default_factory=lambda: Shape.STRING)
    presence: Condition = ALWAYS
    root: bool = False


class Shape(Enum):
    """What a helper gives back: a string, a text of lines, a scalar written without quotes, or the YAML of a list or map."""

    STRING = "string"
    TEXT = "text"
    PLAIN = "plain"
    YAML = "yaml"


@dataclass(frozen=True)
class ChartFile:
    """A file of the chart: its text, or a member of the mapping that the file holds. Nothing is written twice that way.

    Attributes:
        path: from the chart's root.
        content: what Helm will find there, for evaluation: the text, or what the member holds.
        member: name of a member whose content is wanted; "" for the whole text.
        subchart: the subchart whose file it is; "" for the chart's own.
    """

    path: str
    content: Any
    member: str = ""
    subchart: str = ""


# Characters of a `Digest`: enough that no two pods of a cluster get the same by chance.
DIGEST_LENGTH = 16


@dataclass(frozen=True)
class Digest:
    """A short hash of what a tree yields: it changes when that does, and with nothing else.

    Attributes:
        define: name of the template that holds the tree, unique in the chart.
        tree: what is hashed.
    """

    define: str
    tree: Mapping[str, Node]


Argument = str | Builtin | Value | When | Helper | tuple[str, ...] | Mapping[str, str | Builtin | Value]
Node = (
    str
    | int
    | bool
    | Mapping[str, "Node"]
    | Sequence["Node"]
    | Value
    | Join
    | When
    | Extend
    | EnvMerge
    | Helper
    | Builtin
    | ChartFile
    | Digest
)


@dataclass(frozen=True)
class Each:
    """A document once for each item of a list, and once as it stands while the list is empty.

    While it is made for an item, the item's members stand in place of those of the same name below `over`: the tree
    reads the paths that it always reads, and does not know that it is repeated. The item's ``name`` keeps the objects apart.

    Attributes:
        define: name of the template that holds the document, unique in the chart.
        items: path of the list.
        over: path of the object whose members the items replace.
    """

    define: str
    items: str
    over: str


@dataclass(frozen=True)
class Document:
    """One object of a template file, when it is there, and whether there are several like it."""

    tree: Mapping[str, Node]
    condition: Condition = ALWAYS
    each: Each | None = None


@dataclass(frozen=True)
class Manifest:
    """A template file.

    Attributes:
        file: path below ``templates/``.
        about: one or two lines that open the file: what it is for.
        documents: its objects, in order.
    """

    file: str
    about: str
    documents: tuple[Document, ...]


def join(*parts: str | Builtin | Value | Helper) -> Join:
    """A `Join` of its arguments."""
    return Join(parts)


def extend(*parts: Node) -> Extend:
    """An `Extend` of its arguments."""
    return Extend(parts)
