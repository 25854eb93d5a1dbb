"""The committed chart, rendered by a real helm, for tests of what its objects are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.harness import manifests, tools

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "charts" / "gpu-operator"
DRA = "resource.k8s.io/v1/DeviceClass"
_OWN = "gpu-operator/templates/"

Object = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """The chart under one Helm.

    Attributes:
        helm: the program.
        scratch: a folder of the test.
    """

    helm: tools.Helm
    scratch: Path

    def run(
        self, values: Mapping[str, Any] | None = None, release: str = "gpu-operator", namespace: str = "gpu"
    ) -> tools.Run:
        """``helm template``."""
        file = self.scratch / "values.yaml"
        file.write_text(yamlio.dump(dict(values or {})))
        return self.helm.render(tools.RenderRequest(CHART, (file,), release, namespace, api_versions=(DRA,)))

    def objects(
        self, values: Mapping[str, Any] | None = None, release: str = "gpu-operator", namespace: str = "gpu"
    ) -> list[Object]:
        """Every object of the chart's own templates, without those of subcharts."""
        documents = self._documents(self.run(values, release, namespace))
        return [dict(document.object) for document in documents if document.source.startswith(_OWN)]

    def all_objects(self, values: Mapping[str, Any] | None = None) -> list[Object]:
        """Every object, those of subcharts too."""
        return [dict(document.object) for document in self._documents(self.run(values))]

    def _documents(self, done: tools.Run) -> tuple[manifests.Document, ...]:
        assert done.status == 0, done.report()
        documents = manifests.Reader().read(done).documents
        assert not [document.problem for document in documents if document.problem], done.stdout
        return documents

    def by_name(self, values: Mapping[str, Any] | None = None) -> dict[str, Object]:
        """``Kind/name`` -> object; no name stands there twice."""
        found: dict[str, Object] = {}
        for one in self.objects(values):
            assert identity(one) not in found
            found[identity(one)] = one
        return found


def identity(given: Mapping[str, Any]) -> str:
    """``Kind/name``."""
    return f"{given['kind']}/{given['metadata']['name']}"


def nested(path: str, value: Any) -> dict[str, Any]:
    """Values that hold `value` at a dotted path."""
    for key in reversed(path.split(".")):
        value = {key: value}
    found: dict[str, Any] = value
    return found


def merged(*given: Mapping[str, Any]) -> dict[str, Any]:
    """Values on top of each other, maps merged."""
    result: dict[str, Any] = {}
    for one in given:
        for key, value in one.items():
            old = result.get(key)
            result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, Mapping) else value
    return result


def at(tree: Any, path: str) -> Any:
    """The value at a dotted path."""
    for key in path.split("."):
        tree = tree[int(key)] if isinstance(tree, list) else tree[key]
    return tree


def annotation(given: Mapping[str, Any], key: str) -> str:
    """An annotation of an object; "" when it has none of that key."""
    return str((given["metadata"].get("annotations") or {}).get(key, ""))


def pods(objects: list[Object]) -> Iterator[tuple[str, Object]]:
    """Every pod that the objects lead to: who makes it, and its spec."""
    for one in objects:
        if one["kind"] == "Pod":
            yield identity(one), one["spec"]
        elif "template" in (one.get("spec") or {}):
            yield identity(one), one["spec"]["template"]["spec"]


def containers(pod: Object) -> list[Object]:
    """All containers of a pod, init containers first."""
    return [*pod.get("initContainers", []), *pod["containers"]]
