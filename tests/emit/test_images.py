"""The list of images, read off a schema."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from chartgen.emit import images
from chartgen.emit.images import Image
from chartgen.schema import model

Small = Callable[..., model.Schema]
FACTS = {"name": "tiny", "appVersion": "v2", "package": {"perSystem": ["top.driver"], "systems": ["a1", "b2"]}}
TYPES = """
    imageRepository: {type: string, description: Where.}
    imageName: {type: string, description: Name.}
    imageVersion: {type: string, description: Tag.}
    pulled:
      type: object
      description: An image.
      properties:
        repository: {type: imageRepository}
        image: {type: imageName}
        version: {type: imageVersion}
    """


def found(small: Small, member: str) -> list[Image]:
    """The images of a schema with one member below its one value."""
    schema = small(f"description: d\ntype: object\nproperties: {{{member}}}\n", TYPES)
    return list(images.images(dataclasses.replace(schema, chart=FACTS)))


def image(version: str = "default: v1", repository: str = "default: r.io/p", more: str = "") -> str:
    """An object that is an image."""
    return (
        f"{{description: d, type: object{more}, properties: {{"
        f"repository: {{type: imageRepository, {repository}}}, image: {{type: imageName, default: i}}, "
        f"version: {{type: imageVersion, {version}}}}}}}"
    )


@pytest.mark.parametrize(
    ("version", "reference"),
    [
        ("default: v1", "r.io/p/i:v1"),
        (f"default: 'sha256:{'0' * 64}'", f"r.io/p/i@sha256:{'0' * 64}"),
        ("fallback: appVersion", "r.io/p/i:v2"),
    ],
)
def test_a_reference_is_joined(small: Small, version: str, reference: str) -> None:
    """Digests by their own sign; an empty version is that of the chart where it falls back on it."""
    assert found(small, f"one: {image(version)}") == [Image("top.one", reference)]


def test_members_may_get_their_defaults_from_the_object(small: Small) -> None:
    """A named type has none of its own."""
    default = "{type: pulled, default: {repository: r, image: i, version: v1}}"
    assert found(small, f"one: {default}") == [Image("top.one", "r/i:v1")]


@pytest.mark.parametrize(
    "member",
    [
        image("description: none"),
        image(repository="description: none"),
        image(more=", deprecated: {since: v1, use: nothing, reason: it is gone}"),
    ],
    ids=["no version", "no repository", "deprecated"],
)
def test_what_cannot_be_pulled_is_left_out(small: Small, member: str) -> None:
    """An image of the user's own, and one that is used no more."""
    assert found(small, f"one: {member}") == []


def test_an_image_for_each_system(small: Small) -> None:
    """Where the operator appends the operating system to the tag."""
    assert found(small, f"driver: {image()}") == [
        Image("top.driver", "r.io/p/i:v1-a1", "a1"),
        Image("top.driver", "r.io/p/i:v1-b2", "b2"),
    ]
