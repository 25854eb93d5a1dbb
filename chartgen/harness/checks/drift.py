"""What is in the cluster stays what is in git: the API server neither adds to an object nor drops what it was given.

A tool that compares the two would see a difference for ever. The API server fills in the defaults of a CRD; of its own kinds
it drops lists and maps that are empty, the status, and what belongs to itself. Defaults of its own kinds, which it adds to
every object, are no concern: tools know them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chartgen.harness import compare, places, stored
from chartgen.harness.case import NEWEST
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Document
from chartgen.harness.results import Finding, invalid
from chartgen.harness.schemas import Kind

# Members of the metadata that only the API server writes.
_OWN_METADATA = ("deletionTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid")
# Lists that stay although they are empty, by the type that they are a member of.
_KEPT = frozenset([
    ("ClusterRole", "rules"),
    ("CSINodeDriver", "topologyKeys"),
    ("DeviceClaim", "requests"),
    ("EndpointSlice", "endpoints"),
    ("EndpointSlice", "ports"),
    ("ProjectedVolumeSource", "sources"),
    ("ResourcePolicyRule", "namespaces"),
    ("Role", "rules"),
    ("TokenRequestSpec", "audiences"),
    ("WorkloadSpec", "podGroupTemplates"),
])  # fmt: skip
# To a reader an empty one says that nothing is let through; the API server drops it, and means the same.
_SAID_TO_READERS = frozenset([("NetworkPolicySpec", "ingress"), ("NetworkPolicySpec", "egress")])
# What a CRD loses when it is false, zero or empty, by the type that it is a member of.
_ZEROS = {
    "CustomResourceDefinitionSpec": ("preserveUnknownFields",),
    "CustomResourceDefinitionVersion": ("deprecated",),
    "CustomResourceColumnDefinition": ("description", "format", "priority"),
    "JSONSchemaProps": (
        "$schema", "description", "exclusiveMaximum", "exclusiveMinimum", "format", "id", "nullable", "pattern", "title", "type",
        "uniqueItems", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string",
    ),
}  # fmt: skip
_CRD = Kind("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_ANY_KIND = Kind("v1", "ConfigMap")


@dataclass(frozen=True)
class Drift:
    """Judges a document; see `chartgen.harness.check.EachDocument`.

    Attributes:
        judge: has the schemas of Kubernetes' own kinds and the chart's CRDs.
    """

    judge: Judge

    def judged(self, document: Document) -> Iterator[Finding]:
        """Each member that the stored object would have on top, and each that it would not have."""
        for path, said in self._of_any_kind(document):
            yield invalid(document.identity, f"{path}: {said}")

    def _of_any_kind(self, document: Document) -> Iterator[tuple[str, str]]:
        content, kind = document.object, kind_of(document)
        metadata = places.mapping(content.get("metadata"))
        yield from ((f"metadata.{name}", "only the API server writes it") for name in _OWN_METADATA if name in metadata)
        if kind in self.judge.custom.openapi:
            yield from _defaults(content, self.judge.custom.openapi[kind])
            known = self.judge.schema(_ANY_KIND, NEWEST)
            if known:
                walk = _Walk(known.content, with_zeros=False)
                yield from walk.of_object(metadata, known.content["$defs"][_METADATA], "ObjectMeta", "metadata")
            return
        schema = self.judge.schema(kind, NEWEST) if kind.is_builtin else None
        if schema is None:
            return
        if "status" in content and "status" in schema.content.get("properties", {}):
            yield "status", "the API server drops it: only controllers write it"
        own = {key: value for key, value in content.items() if key != "status"}
        yield from _Walk(schema.content, with_zeros=kind == _CRD).of_object(own, schema.content, kind.kind, "")


def _defaults(content: Mapping[str, Any], openapi: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the defaults of a CRD add to the spec."""
    spec, schema = content.get("spec"), openapi.get("properties", {}).get("spec", {})
    for path, given, value in compare.differences(spec, stored.defaulted(spec, schema), "spec"):
        if given == "absent":
            yield path, f"the CRD's default would add {value}"


@dataclass(frozen=True)
class _Walk:
    """A walk through an object along its schema.

    Attributes:
        schema: of the kind, with all definitions.
        with_zeros: whether members of `_ZEROS` are looked at.
    """

    schema: Mapping[str, Any]
    with_zeros: bool

    def of_object(self, value: Any, schema: Mapping[str, Any], name: str, path: str) -> Iterator[tuple[str, str]]:
        """What is dropped below an object with named members.

        Args:
            value: the object.
            schema: of it.
            name: of its type.
            path: where it is.
        """
        members: Mapping[str, Any] = schema.get("properties", {})
        required: Sequence[str] = schema.get("required", ())
        zeros = _ZEROS.get(name, ()) if self.with_zeros else ()
        for key, member in places.mapping(value).items():
            if key not in members:
                continue
            here = compare.join(path, key)
            of_member, type_name = self._resolved(members[key])
            is_optional = key not in required and (name, key) not in _KEPT | _SAID_TO_READERS
            if is_optional and _is_dropped(member, of_member):
                yield here, f"the API server drops it, since it is empty ({compare.show(member)})"
            elif key in zeros and member in (False, 0, ""):
                yield here, f"the API server drops it, since {compare.show(member)} is what it is without"
            else:
                yield from self._below(member, of_member, type_name, here)

    def _below(self, value: Any, schema: Mapping[str, Any], name: str, path: str) -> Iterator[tuple[str, str]]:
        if "properties" in schema:
            yield from self.of_object(value, schema, name, path)
        elif isinstance(value, list) and isinstance(schema.get("items"), Mapping):
            of_item, of_name = self._resolved(schema["items"])
            for number, item in enumerate(value):
                yield from self._below(item, of_item, of_name, f"{path}[{number}]")
        elif isinstance(value, Mapping) and isinstance(schema.get("additionalProperties"), Mapping):
            of_item, of_name = self._resolved(schema["additionalProperties"])
            for key, item in value.items():
                yield from self._below(item, of_item, of_name, compare.join(path, key))

    def _resolved(self, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
        """A part of the schema that may stand elsewhere, and the name of its type."""
        reference = schema.get("$ref")
        if reference is None:
            return schema, ""
        name = str(reference).rpartition("/")[2]
        return self.schema["$defs"][name], name.rpartition(".")[2]


def _is_dropped(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value is a list or a map without anything in it; an object with named members means something as it is."""
    types = schema.get("type", ())
    if value == [] and isinstance(value, list):
        return "array" in types
    return value == {} and isinstance(value, dict) and isinstance(schema.get("additionalProperties"), Mapping)
