"""Every image is a whole and valid reference, with a tag or a digest that says which.

References are put together by templates, from a registry, a name and a version that may each be empty: that gives
``repo/name:``, ``//name:1``, ``name:sha256:...`` and a registry before a name that has one. Containers are not the only
ones that hold images: an operator is told of others by variables and flags, and by custom resources.

What the case's values themselves say is believed: a reference of the user's own, and the tag ``latest``. The pods of
``helm test`` may use any valid image: they run once, when somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from chartgen.harness import places, pods
from chartgen.harness.given import Doubt
from chartgen.harness.manifests import Document
from chartgen.harness.places import mapping, sequence, text
from chartgen.harness.results import Finding, invalid
from chartgen.harness.schemas import Kind

_HOST = re.compile(r"(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|[A-Za-z0-9-]+(?=:)|\[[0-9a-fA-F:]+\])(?::[0-9]+)?")
_PART = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}")
_MOST = 255
_LEFTOVER = re.compile(r"<no value>|<nil>|%!|\{\{|map\[")
_VARIABLE = re.compile(r"(?:.*_)?IMAGE|RELATED_IMAGE_.*")
_FLAG = re.compile(r"--?[a-z0-9-]*image=(.*)", re.DOTALL)
# Without any of these, what a variable or a flag holds is some other word.
_MARK = re.compile("[/:@]")
# What stands beside the name of an image that does not hold all of it.
_BESIDE = re.compile("repository|registry|tag|version|sha|digest", re.IGNORECASE)
_TESTS = frozenset(("test", "test-success"))
# Custom resources that name an image by three members; their operator puts them together as `whole` does.
_IN_THREE = frozenset(("nvidia.com",))


def judge(document: Document) -> Iterator[Finding | Doubt]:
    """Names each reference with its place; see `chartgen.harness.given.EachDocumentUnlessGiven`."""
    for each in document.objects:
        identity = f"{text(each.get('kind'))}/{text(mapping(each.get('metadata')).get('name'))}"
        for path, reference in images(each):
            reason = problem(reference)
            if reason:
                yield Doubt(invalid(identity, f"{path}: {reference!r} {reason}"), reference)
                continue
            loose = looseness(reference)
            if loose and not is_test(each):
                asked = "latest" if ":" in reference.rpartition("/")[2] else reference
                yield Doubt(invalid(identity, f"{path}: {reference!r} {loose}"), asked)


def is_test(content: Mapping[str, Any]) -> bool:
    """Whether an object is there for ``helm test`` alone."""
    annotations = mapping(mapping(content.get("metadata")).get("annotations"))
    events = {event.strip() for event in text(annotations.get("helm.sh/hook")).split(",")}
    return bool(events) and events <= _TESTS


def images(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every reference in an object, by its path."""
    found = list(pods.of(content))
    for pod in found:
        for path, container in pod.containers():
            yield f"{path}.image", text(container.get("image"))
            yield from _told(container, path)
        for path, reference in places.find(pod.spec, "volumes[].image.reference", pod.at("").rstrip(".")):
            yield path, text(reference)
    kind = Kind(text(content.get("apiVersion")), text(content.get("kind")))
    if not kind.is_builtin and not found:
        yield from _custom(mapping(content.get("spec")), "spec", in_three=kind.group in _IN_THREE)


def _told(container: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """What a container is told of images that are not its own."""
    for number, each in enumerate(sequence(container.get("env"))):
        variable = mapping(each)
        value = text(variable.get("value"))
        if _MARK.search(value) and _VARIABLE.fullmatch(text(variable.get("name"))):
            yield f"{path}.env[{number}].value", value
    for member in ("command", "args"):
        for number, argument in enumerate(sequence(container.get(member))):
            flag = _FLAG.fullmatch(text(argument))
            if flag and _MARK.search(flag[1]) and "$(" not in flag[1]:
                yield f"{path}.{member}[{number}]", flag[1]


def _custom(value: Any, path: str, *, in_three: bool) -> Iterator[tuple[str, str]]:
    """References in a custom resource."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _custom(item, f"{path}[{number}]", in_three=in_three)
        return
    if not isinstance(value, Mapping):
        return
    if in_three and isinstance(value.get("image"), str) and {"repository", "version"} & set(value):
        reference = whole(value) if value.get("enabled") is not False else ""
        if reference:
            yield f"{path}.image", reference
    elif (
        isinstance(value.get("image"), str)
        and "/" in value["image"]
        and not any(map(_BESIDE.search, set(value) - {"image"}))
    ):
        yield f"{path}.image", value["image"]
    for name, member in value.items():
        yield from _custom(member, f"{path}.{name}", in_three=in_three)


def whole(named: Mapping[str, Any]) -> str:
    """The reference that ``repository``, ``image`` and ``version`` of a custom resource come to; empty when all of them are."""
    repository, image, version = (text(named.get(name)) for name in ("repository", "image", "version"))
    if not repository and not version:
        return image
    joint = "@" if version.startswith("sha256:") else ":"
    return f"{repository}/{image}{joint}{version}"


def problem(reference: str) -> str:
    """Why a reference is not one; empty when it is."""
    if not reference:
        return "is empty"
    if _LEFTOVER.search(reference):
        return "holds what a template left behind"
    if reference != reference.strip() or re.search(r"\s", reference):
        return "holds white space"
    rest, at, digest = reference.partition("@")
    if at and not _DIGEST.fullmatch(digest):
        return f"has {digest!r} for a digest, and that is sha256: with 64 hexadecimal digits"
    head, slash, last = rest.rpartition("/")
    last, colon, tag = last.partition(":")
    if colon and not _TAG.fullmatch(tag):
        if tag.startswith("sha256:"):
            return "joins the digest with a colon, and it takes an @"
        return f"has {tag!r} for a tag" if tag else "ends in a colon and has no tag"
    return _of_name(f"{head}{slash}{last}")


def _of_name(name: str) -> str:
    """Why the part before tag and digest is no name; empty when it is."""
    parts = name.split("/")
    if "" in parts:
        return "has an empty part between its slashes" if name else "has no name"
    host = parts[0] if len(parts) > 1 and _HOST.fullmatch(parts[0]) else ""
    for part in parts[1:] if host else parts:
        if not _PART.fullmatch(part):
            upper = " (capitals are not allowed)" if part != part.lower() else ""
            return f"has {part!r} in its name{upper}"
    if host and host in parts[1:]:
        return f"has the registry {host} twice"
    return f"has a name of more than {_MOST} characters" if len(name) > _MOST else ""


def looseness(reference: str) -> str:
    """Why a valid reference does not say which image is meant; empty when it does."""
    if "@" in reference:
        return ""
    tag = reference.rpartition("/")[2].partition(":")[2]
    if not tag:
        return "has no tag and no digest"
    return "has the tag latest, which is another image every day" if tag == "latest" else ""
