"""Field records into `Field`s: keywords checked, named types resolved, surfaces inherited.

The builder works on a record and its place in a file, so that each problem names the line a person has to change: for
a member of a named type that is a line of the type's file, wherever the type is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chartgen import yamlio
from chartgen.errors import Problem
from chartgen.schema import check, paths
from chartgen.schema.keywords import CRD_KEYWORDS, DEPRECATED_KEYWORDS, KEYWORDS
from chartgen.schema.model import UNSET, CrdKeywords, Deprecation, Field, Kind, Surface, Type

_BUILTIN = {kind.value: kind for kind in Kind}
_SURFACES = {surface.value: surface for surface in Surface}
Surfaces = Mapping[Surface, str]


@dataclass(frozen=True)
class Source:
    """Where a record stands: a file, and the path of keys inside it."""

    document: yamlio.Located
    at: yamlio.Path

    def below(self, *keys: str | int) -> Source:
        """The place of something inside this record."""
        return Source(self.document, (*self.at, *keys))

    @property
    def where(self) -> str:
        """``file:line``."""
        return self.document.at(self.at)

    @property
    def value(self) -> Any:
        """What stands there."""
        value = self.document.data
        for key in self.at:
            value = value[key]
        return value


@dataclass(frozen=True)
class _Shape:
    """A record with its named types folded in.

    Attributes:
        record: the record, without the keywords whose value is of the wrong type.
        keywords: of it and of the named types: keyword -> (value, where it stands).
        made_of: the named types.
    """

    kind: Kind
    name: str
    record: Mapping[str, Any]
    keywords: Mapping[str, tuple[Any, Source]]
    made_of: tuple[str, ...] = ()


class Builder:
    """Builds fields from records and collects what is wrong with them."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.types: dict[str, Type] = {}
        self._named: dict[str, Source] = {}
        self._checked: set[tuple[str, yamlio.Path]] = set()
        # Records of named types are read wherever the type is used, and mean the same each time.
        self._shapes: dict[tuple[str, yamlio.Path], _Shape] = {}
        self._inside: tuple[str, ...] = ()

    def report(self, document: yamlio.Located, at: yamlio.Path, found: str, expected: str, hint: str = "") -> None:
        """Record a problem at a place in a file."""
        path = ".".join(str(key) for key in at)
        self.problems.append(Problem(document.at(at), path, found, expected, hint))

    def _report(self, source: Source, found: str, expected: str, hint: str = "") -> None:
        self.report(source.document, source.at, found, expected, hint)

    def add_types(self, document: yamlio.Located) -> None:
        """Take the named types of a ``types/`` file."""
        for name in check.part(document, ("types",), "a map of name to type", dict, self.problems):
            source = Source(document, ("types", name))
            if name in self._named or name in _BUILTIN:
                other = self._named[name].where if name in self._named else "the builtin type"
                self._report(source, f"a second type {name}", f"one; see {other}")
            else:
                self._named[name] = source
        for key in document.data:
            if key != "types":
                self.report(document, (key,), f"the keyword {key}", "types")

    def build_types(self) -> None:
        """Resolve every named type on its own."""
        for name, source in self._named.items():
            self._inside = (name,)
            field = self.field(source, "", name, {})
            self._inside = ()
            if field is not None:
                self.types[name] = field.type

    def field(self, source: Source, path: str, name: str, inherited: Surfaces) -> Field | None:
        """The field whose record stands at `source`; None, and a problem, when it cannot be read."""
        return self.record(source, source.value, path, name, inherited)

    def record(self, source: Source, record: Any, path: str, name: str, inherited: Surfaces) -> Field | None:
        """As `field`, for a record that does not stand in the file as such."""
        if not isinstance(record, dict):
            self._report(source, check.show(record), "a field record (a map with type and description)")
            return None
        shape = self._shape(source, record, ())
        if shape is None:
            return None
        self._check_keywords(source, record, shape.kind)
        written = record.get("description", "")
        record = shape.record
        surfaces = self._surfaces(source, record, name, inherited)
        again = [name for name in shape.made_of if name in self._inside]
        if again:
            self._report(source.below("type"), f"the type {again[0]}, which contains itself", "a type that ends")
            return None
        outside, self._inside = self._inside, (*self._inside, *shape.made_of)
        type_ = self._type(shape, path, surfaces)
        self._inside = outside
        description = self._get(shape, "description", "").strip()
        if not description and isinstance(written, str):
            self._report(source, "no description", "a description")
        field = Field(
            path=path,
            name=name,
            type=type_,
            description=description,
            default=record.get("default", UNSET),
            example=self._get(shape, "example", UNSET),
            unset=self._get(shape, "unset", None),
            fallback=self._get(shape, "fallback", ""),
            surfaces=surfaces,
            crd=self._crd(shape),
            deprecated=self._deprecated(source, record),
            group=record.get("group", ""),
            where=source.where,
        )
        self._check_values(source, field)
        return field

    def _shape(self, source: Source, record: Mapping[str, Any], seen: tuple[str, ...]) -> _Shape | None:
        """Fold named types into a record; None, and a problem, when that cannot be done."""
        place = (source.document.where, source.at)
        if place not in self._shapes:
            shape = self._folded(source, record, seen)
            if shape is None:
                return None
            self._shapes[place] = shape
        return self._shapes[place]

    def _folded(self, source: Source, record: Mapping[str, Any], seen: tuple[str, ...]) -> _Shape | None:
        type_name = record.get("type")
        sound = _sound(record)
        own = {key: (value, source.below(key)) for key, value in sound.items() if key != "type"}
        if not isinstance(type_name, str):
            found = check.show(type_name) if "type" in record else "no type"
            self._report(source.below("type"), found, "a type: builtin or named")
            return None
        if type_name in _BUILTIN:
            return _Shape(_BUILTIN[type_name], "", sound, own)
        if type_name in seen:
            self._report(source.below("type"), f"the type {type_name}, which is made of itself", "a type that ends")
            return None
        if type_name not in self._named:
            near = paths.near(type_name, [*self._named, *_BUILTIN])
            hint = f"did you mean {near}?" if near else "declare it under schemas/types/"
            self._report(source.below("type"), f"the unknown type {type_name}", "a builtin or named type", hint)
            return None
        base_source = self._named[type_name]
        if not isinstance(base_source.value, dict):
            return None
        base = self._shape(base_source, base_source.value, (*seen, type_name))
        if base is None:
            return None
        if "crd" in own and "crd" in base.keywords:
            own["crd"] = ({**base.keywords["crd"][0], **own["crd"][0]}, source.below("crd"))
        reshaped = any(key in KEYWORDS and KEYWORDS[key].shapes for key in record)
        keywords = {**base.keywords, **own}
        return _Shape(base.kind, "" if reshaped else type_name, sound, keywords, (*base.made_of, type_name))

    def _get(self, shape: _Shape, keyword: str, otherwise: Any) -> Any:
        return shape.keywords[keyword][0] if keyword in shape.keywords else otherwise

    def _check_keywords(self, source: Source, record: Mapping[str, Any], kind: Kind) -> None:
        """Unknown, mistyped and misplaced keywords; each record is checked once, however often it is used."""
        key = (source.document.where, source.at)
        if key in self._checked:
            return
        self._checked.add(key)
        for name, value in record.items():
            keyword = KEYWORDS.get(name)
            if keyword is None:
                near = paths.near(name, KEYWORDS)
                hint = f"did you mean {near}?" if near else "the keywords are: " + ", ".join(KEYWORDS)
                self._report(
                    source.below(name), f"the unknown keyword {name}", "a keyword of the schema language", hint
                )
            elif not keyword.takes(value):
                self._report(source.below(name), check.show(value), keyword.expected)
            elif kind not in keyword.kinds:
                allowed = ", ".join(sorted(member.value for member in keyword.kinds))
                self._report(
                    source.below(name), f"{name} on a field of type {kind.value}", f"{name} only on: {allowed}"
                )
        for name in _sound(record).get("crd", {}):
            if name not in CRD_KEYWORDS:
                self._report(
                    source.below("crd", name),
                    f"the unknown keyword {name}",
                    "one of " + ", ".join(sorted(CRD_KEYWORDS)),
                )
        for member, needed in ((Kind.OBJECT, "properties"), (Kind.MAP, "values"), (Kind.LIST, "items")):
            if (
                kind is member
                and record.get("type") == member.value
                and needed not in record
                and not record.get("open")
            ):
                self._report(source, f"no {needed}", f"{needed} on a field of type {kind.value}")

    def _surfaces(
        self, source: Source, record: Mapping[str, Any], name: str, inherited: Surfaces
    ) -> dict[Surface, str]:
        """The surfaces of a field: its parent's with its own name added, then what the record says."""
        found = {surface: f"{path}.{name}" if path else name for surface, path in inherited.items()}
        for key, path in record.get("surfaces", {}).items():
            if key not in _SURFACES:
                self._report(source.below("surfaces", key), f"the surface {key}", "one of " + ", ".join(_SURFACES))
            elif path is False:
                found.pop(_SURFACES[key], None)
            elif isinstance(path, str):
                found[_SURFACES[key]] = path
            else:
                self._report(source.below("surfaces", key), check.show(path), "a dotted path below spec, or false")
        return found

    def _type(self, shape: _Shape, path: str, surfaces: Surfaces) -> Type:
        """The type of a shape, its members built in place."""
        properties: dict[str, Field] = {}
        members, members_source = shape.keywords.get("properties", ({}, None))
        if members_source is not None:
            for name in members:
                field = self.field(members_source.below(name), f"{path}.{name}" if path else name, name, surfaces)
                if field is not None:
                    properties[name] = field
        return Type(
            kind=shape.kind,
            name=shape.name,
            properties=properties,
            required=tuple(self._required(shape, properties)),
            values=self._element(shape, "values", path + "{}"),
            items=self._element(shape, "items", path + "[]"),
            enum=tuple(self._get(shape, "enum", ())),
            pattern=self._pattern(shape),
            minimum=self._get(shape, "minimum", None),
            maximum=self._get(shape, "maximum", None),
            min_length=self._get(shape, "minLength", None),
            max_length=self._get(shape, "maxLength", None),
            format=self._get(shape, "format", ""),
            reads=tuple(self._reads(shape)),
            strict=self._get(shape, "strict", False),
            empty_is_value=self._get(shape, "empty", "") == "value",
            open=self._get(shape, "open", False),
        )

    def _element(self, shape: _Shape, keyword: str, path: str) -> Field | None:
        if keyword not in shape.keywords:
            return None
        return self.field(shape.keywords[keyword][1], path, "", {})

    def _required(self, shape: _Shape, properties: Mapping[str, Field]) -> list[str]:
        names, source = shape.keywords.get("required", ([], None))
        names = [str(name) for name in names]
        for number, name in enumerate(names):
            if name not in properties and source is not None:
                near = paths.near(name, properties)
                self._report(
                    source.below(number),
                    f"the required member {name}",
                    "a member",
                    f"did you mean {near}?" if near else "",
                )
        return [name for name in names if name in properties]

    def _pattern(self, shape: _Shape) -> str:
        pattern, source = shape.keywords.get("pattern", ("", None))
        try:
            re.compile(str(pattern))
        except re.error as error:
            if source is not None:
                self._report(source, f"a pattern that does not compile: {error}", "a regular expression")
            return ""
        return str(pattern)

    def _reads(self, shape: _Shape) -> list[Kind]:
        names, source = shape.keywords.get("reads", ([], None))
        for number, name in enumerate(names):
            if name not in ("integer", "boolean") and source is not None:
                self._report(source.below(number), f"reads {name}", "integer or boolean")
        return [Kind(name) for name in names if name in ("integer", "boolean")]

    def _crd(self, shape: _Shape) -> CrdKeywords:
        """The CRD's keywords; a field's own win over those of its type, one by one."""
        return CrdKeywords(self._get(shape, "crd", {}))

    def _deprecated(self, source: Source, record: Mapping[str, Any]) -> Deprecation | None:
        value = record.get("deprecated")
        if value is None:
            return None
        for name in value:
            if name not in DEPRECATED_KEYWORDS:
                self._report(source.below("deprecated", name), f"the unknown keyword {name}", "since, use or reason")
        for name in ("since", "use"):
            if name not in value:
                self._report(
                    source.below("deprecated"),
                    f"no {name}",
                    f"{name}: " + ("a release" if name == "since" else "the way out"),
                )
        return Deprecation(str(value.get("since", "")), str(value.get("use", "")), str(value.get("reason", "")))

    def _check_values(self, source: Source, field: Field) -> None:
        """Defaults and examples must be of the field's type."""
        for keyword, value in (("default", field.default), ("example", field.example)):
            if value is UNSET or keyword not in source.value:
                continue
            for path, found, expected in check.mismatches(field.type, value):
                self._report(source.below(keyword), found + (f" at {path}" if path else ""), expected)
        if field.fallback not in ("", "appVersion", "default"):
            self._report(source.below("fallback"), f"the fallback {field.fallback}", "appVersion or default")
        if field.type.kind is Kind.STRING and source.value.get("empty", "value") != "value":
            self._report(source.below("empty"), check.show(source.value["empty"]), "value")


def _sound(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without the keywords whose value is of the wrong type, so that a reader can go on after telling so."""
    return {name: value for name, value in record.items() if name not in KEYWORDS or KEYWORDS[name].takes(value)}
