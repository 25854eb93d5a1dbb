"""Every image of the chart with its default reference, read off the schema.

An image is where a field has the members repository, image and version of the types for them; that of a subchart may
be one of repository and tag, as other charts have it. So an image that is added to the schema is in the list too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chartgen.schema import default_values
from chartgen.schema.model import Schema

_DIGEST = "sha256:"


@dataclass(frozen=True)
class Image:
    """An image.

    Attributes:
        path: the values that it comes from, such as ``driver.manager``.
        reference: registry, path, name, and tag or digest.
        variant: the operating system that it is made for; empty when it suits all.
    """

    path: str
    reference: str
    variant: str = ""


def images(schema: Schema) -> tuple[Image, ...]:
    """All of them, in the order of values.yaml, subcharts last; images without a public default are left out."""
    package = schema.chart.get("package", {})
    found: list[Image] = []
    for image in _images(schema):
        if image.path in package.get("perSystem", ()):
            systems: Sequence[str] = package.get("systems", ())
            found += [Image(image.path, f"{image.reference}-{system}", system) for system in systems]
        else:
            found.append(image)
    for name, part in schema.subcharts.items():
        found += [Image(f"{name}.{image.path}", image.reference) for image in _images(part)]
    return tuple(found)


def _images(schema: Schema) -> Iterator[Image]:
    defaults = default_values.by_path(schema)
    for field in schema.walk():
        members = {child.name: child for child in field.children}
        version = members.get("version") or members.get("tag")
        if field.deprecated or "repository" not in members or version is None or version.type.name != "imageVersion":
            continue
        given = {name: str(defaults.get(member.path) or "") for name, member in members.items()}
        tag = given[version.name] or (str(schema.chart["appVersion"]) if version.fallback == "appVersion" else "")
        path = [given[name] for name in ("repository", "image") if name in given]
        if tag and all(path):
            yield Image(field.path, "/".join(path) + ("@" if tag.startswith(_DIGEST) else ":") + tag)
