"""RuntimeClasses: what a pod asks for to be started by the NVIDIA runtime.

With the NRI plugin no pod asks for a runtime, and there are none. A class that ``operator.runtimeClass`` names already is
not made a second time.
"""

from __future__ import annotations

from chartgen.components.operands.workload import NRI, static
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import Document, Manifest, Node, Value

_NAME = "operator.runtimeClass"


def _runtime_class(name: Node, condition: Condition) -> Document:
    tree: dict[str, Node] = {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": name, "labels": {"app.kubernetes.io/component": "gpu-operator"}},
        "handler": name,
    }
    return Document(tree, static(conditions.all_of(conditions.negate(NRI), condition)))


def _of_cdi(name: str) -> Document:
    taken = conditions.Equals(_NAME, name)
    return _runtime_class(name, conditions.all_of(conditions.On("cdi.enabled"), conditions.negate(taken)))


def manifest() -> Manifest:
    """All RuntimeClasses."""
    documents = (
        _runtime_class(Value(_NAME, "nvidia"), conditions.ALWAYS),
        _of_cdi("nvidia-legacy"),
        _of_cdi("nvidia-cdi"),
    )
    return Manifest("components/pre-requisites.yaml", "Runtime classes, where no operator makes them.", documents)
