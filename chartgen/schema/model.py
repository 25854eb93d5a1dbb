"""The records that a schema file becomes: fields, their types, the surfaces they live on, and the rules between them.

A `Field` is one value a user can set (or one member of such a value). It knows everything that any output needs:
its type and bounds (values.schema.json, the CRDs), its default and description (values.yaml, the reference), and where
it goes (`surfaces`: the custom resources). Loading resolves named types and inherited surfaces, so that no reader of
these records has to look anything up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from chartgen.schema.conditions import Condition


class Kind(Enum):
    """The builtin types of the schema language.

    A reference is the name of an object in the same namespace, written as a name or as ``{name: x}``; custom resources
    take the bare name, pods the map.
    """

    OBJECT = "object"
    MAP = "map"
    LIST = "list"
    STRING = "string"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    INT_OR_STRING = "intOrString"
    REFERENCE = "reference"
    ANY = "any"


class Surface(Enum):
    """A custom resource that a field can live on; the path is counted from its ``spec``."""

    CLUSTER_POLICY = "clusterPolicy"
    NVIDIA_DRIVER = "nvidiaDriver"
    GPU_CLUSTER = "gpuCluster"


class _Unset(Enum):
    """The marker for "no default was declared", which differs from a default of null."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


UNSET = _Unset.UNSET


@dataclass(frozen=True)
class Deprecation:
    """Why a field still exists although it should no longer be used.

    Attributes:
        since: the release that deprecated it, ``v1.9``.
        use: the path or sentence that names what to do instead.
        reason: why it has no (or a fading) effect.
    """

    since: str
    use: str
    reason: str = ""


@dataclass(frozen=True)
class CrdKeywords:
    """What a CRD says about a field differently from values; every member may differ by surface.

    Attributes:
        keywords: OpenAPI keyword -> value, or keyword -> {surface: value} where surfaces differ.
    """

    keywords: Mapping[str, Any] = field(default_factory=dict)

    def get(self, keyword: str, surface: Surface | None, otherwise: Any = None) -> Any:
        """The keyword's value on a surface, or `otherwise`."""
        if keyword not in self.keywords:
            return otherwise
        value = self.keywords[keyword]
        names = {member.value for member in Surface}
        if isinstance(value, dict) and value and set(value) <= names:
            return value.get(surface.value, otherwise) if surface is not None else otherwise
        return value


@dataclass(frozen=True)
class Type:
    """A resolved type.

    Attributes:
        kind: the builtin type.
        name: the named type it came from, for ``$ref`` in the JSON Schema; empty for an inline type.
        properties: members of an object, in the order of the file.
        required: names of the members that must be there (an object).
        values: type of each value of a map, as a field.
        items: type of each item of a list, as a field.
        reads: other scalar kinds kindly read as the string they spell.
        strict: a boolean that Helm itself reads, so that "false" cannot be taken for false.
        empty_is_value: "" is a value of its own and not the same as absent.
        open: an object that takes keys which are not declared.
    """

    kind: Kind
    name: str = ""
    properties: Mapping[str, Field] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    values: Field | None = None
    items: Field | None = None
    enum: tuple[Any, ...] = ()
    pattern: str = ""
    minimum: int | None = None
    maximum: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    format: str = ""
    reads: tuple[Kind, ...] = ()
    strict: bool = False
    empty_is_value: bool = False
    open: bool = False


@dataclass(frozen=True)
class Field:
    """One value, or one member of a value.

    Attributes:
        path: dotted path in values (``driver.manager.env``); members of list items and map values have ``[]`` and ``{}``.
        name: last segment of the path.
        type: the resolved type.
        description: full sentences, one paragraph.
        default: default in values.yaml; `UNSET` means shown there as a comment only.
        example: shown in that comment.
        unset: what the operator takes when a boolean is absent; None means it is written only when given.
        fallback: what stands in for an empty part of an image that has a repository: ``appVersion``, the chart's application
            version, or ``default``, the field's own.
        surfaces: where it goes: surface -> dotted path below spec ("" is spec itself).
        crd: what the CRDs say differently.
        deprecated: set when the field should no longer be used.
        group: heading above the field in values.yaml.
        where: file and line of the declaration.
    """

    path: str
    name: str
    type: Type
    description: str
    default: Any = UNSET
    example: Any = UNSET
    unset: bool | None = None
    fallback: str = ""
    surfaces: Mapping[Surface, str] = field(default_factory=dict)
    crd: CrdKeywords = field(default_factory=CrdKeywords)
    deprecated: Deprecation | None = None
    group: str = ""
    where: str = ""

    @property
    def children(self) -> tuple[Field, ...]:
        """Members of an object, in file order; empty for every other kind."""
        return tuple(self.type.properties.values())

    def walk(self) -> Iterator[Field]:
        """This field and, for objects, all fields below it, parents first; list items and map values are not entered."""
        yield self
        for child in self.children:
            yield from child.walk()


class Severity(Enum):
    """What happens to values that a rule holds for."""

    REFUSE = "refuse"
    WARN = "warn"


@dataclass(frozen=True)
class Rule:
    """A rule across fields: values for which it holds cannot work, or have a catch.

    Attributes:
        name: kebab-case, unique.
        condition: when it holds, the values are refused, or NOTES warns of them.
        severity: which of the two.
        message: what is wrong, in a sentence without the paths.
        fix: the way out.
        paths: the values paths that the message names; those that matter, where the condition reads more.
    """

    name: str
    condition: Condition
    severity: Severity
    message: str
    fix: str
    paths: tuple[str, ...]
    where: str = ""

    @property
    def text(self) -> str:
        """The whole message, as helm prints it."""
        return f"{', '.join(self.paths)}: {self.message}. Way out: {self.fix}."


@dataclass(frozen=True)
class Stray:
    """A key that is no value, yet known: one that a release once had, or one that users write in the wrong place.

    Attributes:
        path: dotted path in values.
        retired: why it is accepted without effect; None for a misplaced key, which is refused.
        hint: for a misplaced key, the path that was meant, or a sentence that says what to do.
        where: file and line of the declaration.
    """

    path: str
    retired: Deprecation | None = None
    hint: str = ""
    where: str = ""

    @property
    def parent(self) -> str:
        """Path of the object that the key stands in; empty for the top."""
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        """Last segment of the path."""
        return self.path.rpartition(".")[2]

    @property
    def text(self) -> str:
        """The whole message about a misplaced key, as helm prints it."""
        meant = f"{self.hint}." if " " in self.hint else f"did you mean {self.hint}?"
        return f"{self.path} is not a value; {meant}"


@dataclass(frozen=True)
class Crd:
    """A CustomResourceDefinition: its header, and the parts of its schema that values do not carry.

    Attributes:
        surface: the surface whose fields make up ``spec``; None for a CRD that values do not reach.
        header: group, kind, listKind, plural, singular, shortNames, scope, version, printerColumns, annotations, ...
        root: the whole object as a field tree (spec of a surface is filled in by the emitter).
        older: versions that are served beside the stored one, each with its own field tree.
        in_template: whether a template makes it, on a condition, instead of the folder ``crds/``.
    """

    name: str
    surface: Surface | None
    header: Mapping[str, Any]
    root: Field
    older: Mapping[str, Field] = field(default_factory=dict)
    in_template: bool = False
    where: str = ""


@dataclass(frozen=True)
class Schema:
    """Everything under ``schemas/``.

    Attributes:
        fields: top-level value name -> field, in the order values.yaml shows them.
        types: named types, for the JSON Schema's definitions.
        rules: cross-field rules, in file order.
        strays: keys that are no values, yet known, by path.
        crds: CRDs, by name.
        chart: the facts of Chart.yaml.
        subcharts: the charts in ``charts/``, by name.
    """

    fields: Mapping[str, Field]
    types: Mapping[str, Type]
    rules: tuple[Rule, ...]
    crds: Mapping[str, Crd]
    chart: Mapping[str, Any]
    strays: Mapping[str, Stray] = field(default_factory=dict)
    subcharts: Mapping[str, Schema] = field(default_factory=dict)

    def walk(self) -> Iterator[Field]:
        """Every field that has a values path of its own, parents first."""
        for top in self.fields.values():
            yield from top.walk()
