"""The CRDs as the chart handles them: which there are, who owns them, and how they get into a cluster.

Helm's own way is the ``crds/`` folder, which it fills in once and never touches again; a hook does the upgrade, with the
copies in the operator's image. Of ComputeDomains the image has none, so the hook takes the chart's own files for them,
and only with a GPUCluster, because the chart of the DRA driver brings the same CRDs.

Tools that render a chart and apply the result want CRDs as objects. Those templates read the same files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chartgen.components import definitions, metadata
from chartgen.schema import conditions
from chartgen.schema.conditions import ALWAYS, Condition
from chartgen.schema.model import Schema
from chartgen.tree.nodes import ChartFile, Document, Manifest, Node, When, extend

_IMAGE_FOLDER = "/opt/gpu-operator"
# Where hooks find the files of the chart that the image does not have.
MOUNT = "/etc/gpu-operator/crds"

# Neither of the other two; unset means the default.
FOLDER = conditions.all_of(
    conditions.negate(conditions.Equals("crds.install", "templates")),
    conditions.negate(conditions.Equals("crds.install", "none")),
)
_TEMPLATES = conditions.Equals("crds.install", "templates")
_MANAGED = conditions.negate(conditions.Equals("crds.install", "none"))
_GPU_CLUSTER = conditions.On("gpuCluster.deployCR")
_NFD = conditions.On("nfd.enabled")
_OPERATOR = conditions.On("operator.enabled")


@dataclass(frozen=True)
class Group:
    """CRDs that stand in one file and have one switch.

    Attributes:
        switch: path of the value that leaves them to somebody else.
        file: name of the file, in the image or in the chart.
        names: of the CRDs.
        hooked: when hooks care for them, beside the switch.
        in_image: whether the operator's image has the file.
        needed: when anything of this chart needs them.
        subchart: the subchart they come with; "" for this chart.
    """

    switch: str
    file: str
    names: tuple[str, ...]
    hooked: Condition = ALWAYS
    in_image: bool = True
    needed: Condition = _OPERATOR
    subchart: str = ""

    @property
    def owned(self) -> Condition:
        """When they are this chart's to care for."""
        return conditions.On(self.switch)

    @property
    def wanted(self) -> Condition:
        """When a hook cares for them."""
        return conditions.all_of(self.owned, self.hooked)

    @property
    def path(self) -> str:
        """The file, where a hook's container finds it."""
        return f"{_IMAGE_FOLDER if self.in_image else MOUNT}/{self.file}"


CLUSTER_POLICIES = Group("crds.clusterPolicies", "nvidia.com_clusterpolicies.yaml", ("clusterpolicies.nvidia.com",))
NVIDIA_DRIVERS = Group("crds.nvidiaDrivers", "nvidia.com_nvidiadrivers.yaml", ("nvidiadrivers.nvidia.com",))
GPU_CLUSTERS = Group("crds.gpuClusters", "nvidia.com_gpuclusters.yaml", ("gpuclusters.nvidia.com",))
NODE_FEATURES = Group(
    "crds.nodeFeatures",
    "nfd-api-crds.yaml",
    ("nodefeatures.nfd.k8s-sigs.io", "nodefeaturegroups.nfd.k8s-sigs.io", "nodefeaturerules.nfd.k8s-sigs.io"),
    _NFD,
    needed=_NFD,
    subchart="node-feature-discovery",
)
COMPUTE_DOMAINS = Group(
    "crds.computeDomains",
    "resource.nvidia.com_computedomains.yaml",
    ("computedomains.resource.nvidia.com",),
    _GPU_CLUSTER,
    in_image=False,
)
COMPUTE_DOMAIN_CLIQUES = Group(
    "crds.computeDomainCliques",
    "resource.nvidia.com_computedomaincliques.yaml",
    ("computedomaincliques.resource.nvidia.com",),
    _GPU_CLUSTER,
    in_image=False,
)
GROUPS = (CLUSTER_POLICIES, NVIDIA_DRIVERS, GPU_CLUSTERS, NODE_FEATURES, COMPUTE_DOMAINS, COMPUTE_DOMAIN_CLIQUES)

ANY_WANTED = conditions.any_of(*(group.wanted for group in GROUPS))
FILES_WANTED = conditions.any_of(*(group.wanted for group in GROUPS if not group.in_image))
CLEANED = conditions.all_of(conditions.On("operator.cleanupCRD"), _MANAGED)


def deleted(group: Group) -> Condition:
    """When the clean-up hook deletes CRDs, and all objects of their kinds with them: Helm will find these gone."""
    return conditions.all_of(CLEANED, group.wanted)


def arguments(command: str) -> list[Node]:
    """The arguments of the program that applies or deletes CRDs.

    Args:
        command: ``apply`` or ``delete``.
    """
    return [command, *(When(group.wanted, f"--filepath={group.path}") for group in GROUPS)]


def names() -> Node:
    """The names of the CRDs that hooks care for."""
    return extend(*(When(group.wanted, list(group.names)) for group in GROUPS))


def file_data(schema: Schema) -> dict[str, Node]:
    """The files that the image does not have, as the contents of a ConfigMap."""
    return {group.file: When(group.wanted, _file(schema, group)) for group in GROUPS if not group.in_image}


def _file(schema: Schema, group: Group) -> ChartFile:
    (name,) = group.names
    return ChartFile(definitions.path(schema.crds[name]), definitions.text(definitions.document(schema, name)))


def manifest(schema: Schema) -> Manifest:
    """``crds.yaml``: the CRDs as objects of the release."""
    about = (
        "The CRDs as objects of the release, with crds.install=templates. What they say stands in the folder crds/,\n"
        "which Helm itself would create once and never upgrade."
    )
    documents = [document for group in GROUPS for document in _documents(schema, group)]
    return Manifest("crds.yaml", about, tuple(documents))


def _documents(schema: Schema, group: Group) -> Iterable[Document]:
    """The CRDs of a group, each from its file; none where the schema lacks the subchart they come with."""
    source = schema.subcharts.get(group.subchart) if group.subchart else schema
    if source is None:
        return
    for name in group.names:
        spec = definitions.document(source, name)["spec"]
        tree: dict[str, Node] = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": metadata.cluster(name, annotations=metadata.kept_while(conditions.On("crds.keep"))),
            "spec": ChartFile(definitions.path(source.crds[name]), spec, "spec", group.subchart),
        }
        yield Document(tree, conditions.all_of(_TEMPLATES, group.needed, group.owned))
