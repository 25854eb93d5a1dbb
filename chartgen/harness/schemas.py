"""The JSON Schemas that documents are judged by: Kubernetes' own, and those of the chart's CRDs.

Kubernetes' schemas come from the package ``kubernetes-validate``. There each kind refers to one file of all definitions,
which kubeconform reads anew for every kind; written here with just the definitions it needs, a kind is judged eight
times faster. A CRD's schema is closed on the way: the API server drops unknown fields in silence, and we want to know.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from chartgen import files, yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.harness.tools import ToolMissing

FORMAT = "2"  # part of the cache's folder name: raise it whenever the written files change
# Where kubeconform looks. What it calls the group is the version when a kind is of the core group.
_LOCATION = "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
_DEFINITION = "#/$defs/"  # in a kind's own file with /api/_definitions.json before it
_PACKAGE = "kubernetes_validate"
# Groups of the API server itself, those of the past too. Any other group needs a CRD, whatever it is called
# (snapshot.storage.k8s.io), so we can only know it when a chart brings that.
_OF_KUBERNETES = (
    "admission", "admissionregistration", "apiextensions", "apiregistration", "authentication", "authorization", "certificates",
    "coordination", "discovery", "events", "flowcontrol.apiserver", "imagepolicy", "internal.apiserver", "lifecycle",
    "networking", "node", "rbac.authorization", "resource", "scheduling", "settings", "storage", "storagemigration",
)  # fmt: skip
_BUILTIN_GROUPS = frozenset(
    ["", "apps", "autoscaling", "batch", "extensions", "policy", *(f"{name}.k8s.io" for name in _OF_KUBERNETES)]
)


@dataclass(frozen=True, order=True)
class Kind:
    """A kind of a served version.

    Attributes:
        api_version: ``apps/v1``.
        kind: ``Deployment``.
    """

    api_version: str
    kind: str

    @property
    def group(self) -> str:
        """``apps``; empty for the core group."""
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        """``v1``."""
        return self.api_version.rpartition("/")[2]

    @property
    def is_builtin(self) -> bool:
        """Whether the API server has it without any CRD."""
        return self.group in _BUILTIN_GROUPS

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind}"


@dataclass
class Builtins:
    """Schemas of Kubernetes' own kinds, written when first asked for and kept between runs.

    Attributes:
        source: the package's folder of schemas.
        version: of the package, which the cache is keyed by.
        cache: where to write.
    """

    source: Path
    version: str
    cache: Path
    _definitions: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def location(self, kube: str) -> str:
        """Kubeconform's schema location for a Kubernetes minor version."""
        return str(self._folder(kube) / _LOCATION)

    def prepare(self, kube: str, kinds: Iterable[Kind]) -> set[Kind]:
        """Write the schemas of these kinds.

        Args:
            kube: Kubernetes minor version.
            kinds: what is asked for.

        Returns:
            The kinds that this Kubernetes does not have.
        """
        return {kind for kind in sorted(set(kinds)) if self.find(kube, kind) is None}

    def find(self, kube: str, kind: Kind) -> Path | None:
        """The file with the schema of a kind, written now if need be; None when this Kubernetes does not have the kind."""
        file = self._folder(kube) / kind.api_version.partition("/")[0] / f"{kind.kind.lower()}_{kind.version}.json"
        if not file.is_file():
            original = self._original(kube, kind, kind.version)
            if not original.is_file() or not _serves(original, kind):
                return None
            _write(file, self._inlined(kube, json.loads(original.read_bytes())))
        return file

    def versions(self, kube: str, kind: Kind) -> list[Kind]:
        """A kind in each version that a Kubernetes has of it."""
        start, _, end = self._original(kube, kind, "*").name.partition("*")
        found = [
            file.name[len(start) : -len(end)] for file in self._original(kube, kind, "*").parent.glob(f"{start}*{end}")
        ]
        kinds = [Kind("/".join(part for part in (kind.group, version) if part), kind.kind) for version in sorted(found)]
        return [each for each in kinds if self.find(kube, each)]

    def _original(self, kube: str, kind: Kind, version: str) -> Path:
        """Where the package has the schema of a version of a kind."""
        part = f"-{kind.group.split('.')[0].lower()}" if kind.group else ""
        return self.source / f"v{kube}.0-local-strict" / f"{kind.kind.lower()}{part}-{version}.json"

    def minors(self) -> list[str]:
        """The Kubernetes minor versions there are schemas for, oldest first."""
        found = [path.name.removeprefix("v").split(".0-")[0] for path in self.source.glob("v*-local-strict")]
        return sorted(found, key=lambda minor: [int(part) for part in minor.split(".")])

    def _folder(self, kube: str) -> Path:
        return self.cache / f"kubernetes-{FORMAT}-{self.version}" / kube

    def _inlined(self, kube: str, schema: dict[str, Any]) -> dict[str, Any]:
        """A schema that carries the definitions it needs, and no descriptions."""
        if kube not in self._definitions:
            file = self.source / f"v{kube}.0-local-strict" / "_definitions.json"
            self._definitions[kube] = json.loads(file.read_bytes())["$defs"]
        definitions: dict[str, Any] = {}
        top: dict[str, Any] = self._local(schema, kube, definitions)
        top.pop("$id", None)
        return {**top, "$defs": definitions}

    def _local(self, node: Any, kube: str, definitions: dict[str, Any]) -> Any:
        """`node` with its references turned to this file; the definitions are collected on the way."""
        if isinstance(node, list):
            return [self._local(item, kube, definitions) for item in node]
        if not isinstance(node, dict):
            return node
        reference = node.get("$ref")
        if isinstance(reference, str):
            name = reference.partition(_DEFINITION)[2]
            if name not in definitions:
                definitions[name] = {}  # stands in while the definition refers to itself
                definitions[name] = self._local(self._definitions[kube][name], kube, definitions)
            return {"$ref": f"#/$defs/{name}"}
        kept = {key: value for key, value in node.items() if not (key == "description" and isinstance(value, str))}
        return {key: self._local(value, kube, definitions) for key, value in kept.items()}


def find_builtins(cache: Path) -> Builtins:
    """The schemas of the installed package.

    Raises:
        ToolMissing: it is not installed.
    """
    found = importlib.util.find_spec(_PACKAGE)
    places = found.submodule_search_locations if found else None
    source = Path(next(iter(places))) / "kubernetes-json-schema" if places else None
    if source is None or not source.is_dir():
        raise ToolMissing("the Kubernetes schemas are not installed: run `pip install 'chartgen[validate]'`")
    return Builtins(source, importlib.metadata.version(_PACKAGE), cache)


def _serves(file: Path, kind: Kind) -> bool:
    """Whether the file is about the whole object of a kind and not about a part of one that is called alike."""
    marks = json.loads(file.read_bytes()).get("x-kubernetes-group-version-kind") or []
    return any(
        mark["kind"] == kind.kind and mark["version"] == kind.version and mark["group"] == kind.group for mark in marks
    )


@dataclass(frozen=True)
class Custom:
    """Schemas of the kinds that a chart's CRDs define.

    Attributes:
        folder: where they were written.
        schemas: kind -> closed JSON Schema.
        openapi: kind -> the schema as the CRD has it, defaults and all.
        namespaced: (group, kind) -> whether its objects lie in a namespace.
    """

    folder: Path
    schemas: Mapping[Kind, Mapping[str, Any]]
    openapi: Mapping[Kind, Mapping[str, Any]]
    namespaced: Mapping[tuple[str, str], bool] = field(default_factory=dict)

    @property
    def location(self) -> str:
        """Kubeconform's schema location."""
        return str(self.folder / _LOCATION)

    @property
    def groups(self) -> frozenset[str]:
        """The API groups that the chart defines kinds of."""
        return frozenset(kind.group for kind in self.schemas)


def write_custom(chart: Path, folder: Path) -> Custom:
    """Turn the CRDs of a chart and its subcharts into JSON Schemas.

    Args:
        chart: the chart directory.
        folder: where to write.

    Raises:
        ChartgenError: a file is no YAML, or a definition in it lacks what every one has.
    """
    schemas: dict[Kind, Mapping[str, Any]] = {}
    openapi: dict[Kind, Mapping[str, Any]] = {}
    namespaced: dict[tuple[str, str], bool] = {}
    for file in crd_files(chart):
        for spec in _definitions(file):
            try:
                found = _served(spec)
                namespaced[spec["group"], spec["names"]["kind"]] = spec.get("scope") == "Namespaced"
            except (KeyError, TypeError, AttributeError) as cause:
                problem = Problem(str(file), "spec", f"what is no definition ({cause})", "group, names and versions")
                raise ChartgenError([problem]) from cause
            openapi |= found
            schemas |= {kind: of_resource(schema, kind) for kind, schema in found.items()}
    for kind, schema in schemas.items():
        _write(folder / kind.group / f"{kind.kind.lower()}_{kind.version}.json", schema)
    return Custom(folder, schemas, openapi, namespaced)


def _definitions(file: Path) -> list[Any]:
    """The spec of each CRD in a file.

    Raises:
        ChartgenError: it is no YAML.
    """
    try:
        documents = yamlio.load_all(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as cause:
        said = " ".join(str(cause).split())
        raise ChartgenError([Problem(str(file), "", f"not YAML: {said}", "YAML documents")]) from cause
    found = [document for document in documents if isinstance(document, dict)]
    return [document.get("spec") for document in found if document.get("kind") == "CustomResourceDefinition"]


def _served(spec: Mapping[str, Any]) -> dict[Kind, Mapping[str, Any]]:
    """The OpenAPI schema of each version of a kind that the API server serves."""
    served = [version for version in spec["versions"] if version.get("served")]
    name = spec["names"]["kind"]
    return {Kind(f"{spec['group']}/{each['name']}", name): each["schema"]["openAPIV3Schema"] for each in served}


def crd_files(chart: Path) -> list[Path]:
    """The files that helm installs before anything else, of the chart and of those in it."""
    own = sorted(file for pattern in ("*.yaml", "*.yml") for file in (chart / "crds").rglob(pattern))
    return own + [file for nested in sorted((chart / "charts").glob("*/")) for file in crd_files(nested)]


def of_resource(openapi: Mapping[str, Any], kind: Kind) -> dict[str, Any]:
    """The closed JSON Schema of a custom resource; apiVersion, kind and a name must be there as for any object."""
    schema: dict[str, Any] = closed(openapi)
    members = {
        **schema.get("properties", {}),
        "apiVersion": {"enum": [kind.api_version]},
        "kind": {"enum": [kind.kind]},
        "metadata": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
    }
    required = sorted({*schema.get("required", []), "apiVersion", "kind", "metadata"})
    closing = {} if openapi.get("x-kubernetes-preserve-unknown-fields") else {"additionalProperties": False}
    return {**schema, "type": "object", "properties": members, "required": required, **closing}


def closed(node: Any) -> Any:
    """An OpenAPI schema of a CRD as JSON Schema, with no room for members that it does not name."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    schema: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "patternProperties", "definitions"):
            schema[key] = {name: closed(member) for name, member in value.items()}
        elif key in ("default", "enum", "example"):
            schema[key] = value
        elif key != "description" and not key.startswith("x-kubernetes-") and key != "nullable":
            schema[key] = closed(value)
    if node.get("x-kubernetes-int-or-string"):
        schema.pop("anyOf", None)
        schema["type"] = ["integer", "string"]
    is_open = node.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in node
    if node.get("properties") and not is_open:
        schema["additionalProperties"] = False
    if node.get("nullable") and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
    return schema


def _write(file: Path, schema: Mapping[str, Any]) -> None:
    files.write_whole(file, json.dumps(schema, sort_keys=True).encode())
