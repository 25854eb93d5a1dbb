"""ClusterPolicy, NVIDIADriver and GPUCluster, made from the schema.

Every field that lives on a custom resource is written from its value by its form, in the schema's order; nothing here
lists fields. What is special is few and stands below with its reason.

CRD defaults are written out: a resource that the API server has nothing to add to shows no drift in a GitOps tool, and
says by itself what will happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chartgen.components import crds, metadata
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.schema.model import UNSET, Field, Kind, Schema, Surface
from chartgen.schema.paths import Index
from chartgen.tree import forms, helpers
from chartgen.tree.forms import Form
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value, When, extend
from chartgen.tree.presence import presence

# With NVIDIADriver resources in charge, the ClusterPolicy's driver section holds what the operator still reads there.
_DRIVER_KEPT = ("enabled", "useNvidiaDriverCRD", "kernelModuleType", "upgradePolicy", "hostNetwork")

_GPU_TAINT: Node = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}

_USES_DRIVER_CRD = conditions.On("driver.nvidiaDriverCRD.enabled")


def manifests(schema: Schema) -> list[Manifest]:
    """The template files of the three custom resources."""
    return [_cluster_policy(schema), _nvidia_driver(schema), _gpu_cluster(schema)]


def _cluster_policy(schema: Schema) -> Manifest:
    tree: dict[str, Node] = {
        "apiVersion": "nvidia.com/v1",
        "kind": "ClusterPolicy",
        # The hook that deletes the CRDs deletes the ClusterPolicy too; Helm would find it gone.
        "metadata": metadata.cluster(
            "cluster-policy", annotations=metadata.kept_while(crds.deleted(crds.CLUSTER_POLICIES))
        ),
        "spec": spec(schema, Surface.CLUSTER_POLICY),
    }
    about = "What the operator rolls out on the GPU nodes: every component with its image and settings."
    return Manifest("policy/clusterpolicy.yaml", about, (Document(tree, conditions.On("clusterPolicy.deployCR")),))


def _nvidia_driver(schema: Schema) -> Manifest:
    tree: dict[str, Node] = {
        "apiVersion": "nvidia.com/v1alpha1",
        "kind": "NVIDIADriver",
        "metadata": metadata.cluster("default", annotations=metadata.kept_while(crds.deleted(crds.NVIDIA_DRIVERS))),
        "spec": spec(schema, Surface.NVIDIA_DRIVER),
    }
    condition = conditions.all_of(
        conditions.On("driver.enabled"), _USES_DRIVER_CRD, conditions.On("driver.nvidiaDriverCRD.deployDefaultCR")
    )
    about = "The driver of all GPU nodes that no other NVIDIADriver selects."
    return Manifest("policy/nvidiadriver.yaml", about, (Document(tree, condition),))


def _gpu_cluster(schema: Schema) -> Manifest:
    tree: dict[str, Node] = {
        "apiVersion": "nvidia.com/v1alpha1",
        "kind": "GPUCluster",
        # The CRD allows this one name. A hook deletes the object, so that the operator can finish its finalizer.
        "metadata": metadata.cluster("gpu-cluster", annotations=metadata.kept()),
        "spec": spec(schema, Surface.GPU_CLUSTER),
    }
    about = "The stack for Dynamic Resource Allocation: the DRA driver, DCGM and its exporter."
    return Manifest("policy/gpucluster.yaml", about, (Document(tree, conditions.On("gpuCluster.deployCR")),))


def spec(schema: Schema, surface: Surface) -> dict[str, Node]:
    """The spec of a custom resource as a tree, from the fields that live on its surface."""
    index = Index.of(schema)
    tree: dict[str, Node] = {}
    followers: dict[str, list[tuple[str, Field]]] = {}
    for top in schema.fields.values():
        _place(top, surface, tree, followers)
    for parent, members in followers.items():
        _follow(_branch(tree, parent), members, surface, index)
    if surface is Surface.CLUSTER_POLICY:
        tree["driver"] = _driver(tree["driver"])
    return tree


def _driver(section: Node) -> Node:
    """The ClusterPolicy's driver section: most of it lies idle, and is left out, while NVIDIADriver resources are in charge."""
    if not isinstance(section, Mapping):
        raise TypeError("the driver section is a mapping")
    kept = {name: node for name, node in section.items() if name in _DRIVER_KEPT}
    idle = {name: node for name, node in section.items() if name not in _DRIVER_KEPT}
    return extend(kept, When(conditions.negate(_USES_DRIVER_CRD), idle))


def _place(
    field: Field, surface: Surface, tree: dict[str, Node], followers: dict[str, list[tuple[str, Field]]]
) -> None:
    """Put a field, or the fields below it, where it lives on the surface."""
    if field.type.kind is Kind.OBJECT and not _is_whole(field, surface):
        for child in field.children:
            _place(_with_default(child, field), surface, tree, followers)
        return
    path = field.surfaces.get(surface)
    if not path:
        return
    parent, _, name = path.rpartition(".")
    if _follows(field, surface):
        followers.setdefault(parent, []).append((name, field))
        return
    _branch(tree, parent)[name] = _node(field, surface)


def _with_default(child: Field, parent: Field) -> Field:
    """A member with the default that its object's default has for it."""
    if child.default is UNSET and isinstance(parent.default, Mapping) and child.name in parent.default:
        return replace(child, default=parent.default[child.name])
    return child


def _branch(tree: dict[str, Node], path: str) -> dict[str, Node]:
    """The mapping at a dotted path of a tree, made on the way."""
    for name in path.split(".") if path else ():
        branch = tree.setdefault(name, {})
        if not isinstance(branch, dict):
            raise TypeError(f"{path}: {name} is a value and a parent at once")
        tree = branch
    return tree


def _is_whole(field: Field, surface: Surface) -> bool:
    """Whether an object is copied as it is: a Kubernetes object, in which nothing is read kindly or defaulted."""
    if not field.type.name or next(forms.kindly_members(field.type, ""), None) is not None:
        return False
    return not any(child.crd.get("default", surface) is not None for child in field.walk())


def _default(field: Field, surface: Surface) -> str | int | bool | None:
    default = field.crd.get("default", surface)
    return default if isinstance(default, str | int) else None


def _follows(field: Field, surface: Surface) -> bool:
    """Whether a field is written only because its parent is: it has a default on the CRD, and values leave it open."""
    return field.default is UNSET and field.unset is None and _default(field, surface) is not None


def _follow(parent: dict[str, Node], members: list[tuple[str, Field]], surface: Surface, index: Index) -> None:
    """Add members that the API server would fill in whenever their parent is there."""
    there = [presence(node, index) for node in parent.values()]
    given = [conditions.Set(field.path) for _, field in members]
    condition: Condition = conditions.any_of(*there, *given)
    for name, field in members:
        node = Value(field.path, _default(field, surface))
        parent[name] = When(condition, node) if condition != conditions.ALWAYS else node


def _node(field: Field, surface: Surface) -> Node:
    """The node that writes a field."""
    node = _special(field, surface)
    if node is None:
        default = _default(field, surface)
        node = Value(field.path, None if isinstance(default, bool) else default)
    return _with_fallback(field, node) if field.fallback else node


def _with_fallback(field: Field, node: Node) -> Node:
    """A part of an image that is released with the chart, filled in only beside a repository.

    Without one, the image is a whole reference, or the operator's environment names it: a version alone would be a gap
    that the operator refuses.
    """
    repository = conditions.Set(f"{field.path.rpartition('.')[0]}.repository")
    stand_in = Builtin.APP_VERSION if field.fallback == "appVersion" else str(field.default)
    return When(repository, Value(field.path, stand_in), node)


def _tolerations(path: str) -> Node:
    """The operands' tolerations and those of ``global``, which must not push out the operator's own where a user has none."""
    everywhere = "global.tolerations"
    own = When(conditions.Set(path), Value(path), When(conditions.Set(everywhere), [_GPU_TAINT]))
    return extend(own, Value(everywhere))


def _special(field: Field, surface: Surface) -> Node | None:
    """Fields that are more than their own value."""
    if field.path == "daemonsets.labels" and surface is Surface.CLUSTER_POLICY:
        managed_by: Mapping[str, Value] = {"app.kubernetes.io/managed-by": Value("nameOverride", Builtin.CHART_NAME)}
        return helpers.merged(managed_by, Value(field.path))
    if field.path == "operator.use_ocp_driver_toolkit":
        # Upstream's default is false and is never written, which leaves the toolkit on where OpenShift has it. Copies of
        # that default are in many values files: writing it would switch the toolkit off for all of them.
        return When(conditions.On(field.path), True)
    if field.path == "daemonsets.tolerations":
        return _tolerations(field.path)
    if forms.form(field) is Form.NAMES:
        return helpers.pull_secrets(field.path, of_pod=False)
    if field.name == "repository" and isinstance(field.default, str) and field.default:
        return helpers.repository(field.path, field.default)
    return None
