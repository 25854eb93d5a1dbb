"""The pod of ``helm test``: waits until what the values ask for has come true in the cluster.

Each question is a container with one ``kubectl wait``: all ask at the same time, and the one that fails says by its name
what is missing. The image is kubectl's own, which has no shell and needs none. All objects are hooks of the event
``test``, so that an installation creates none of them; before-hook-creation lets a test run again, and the pod stays
after it, so that its logs can be read.
"""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.components import metadata
from chartgen.components.operator import NAME, NODE_SELECTOR, TOLERATIONS
from chartgen.components.rbac import rule
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Helper, Manifest, Node, Value, When, join

_NAME = f"{NAME}-test"
_API = "rbac.authorization.k8s.io"
_WATCH = ("get", "list", "watch")
_OPERATOR = conditions.On("operator.enabled")
_POLICY = conditions.all_of(_OPERATOR, conditions.On("clusterPolicy.deployCR"))
_DRIVER = conditions.all_of(
    _OPERATOR,
    conditions.On("driver.enabled"),
    conditions.On("driver.nvidiaDriverCRD.enabled"),
    conditions.On("driver.nvidiaDriverCRD.deployDefaultCR"),
)
_CLUSTER = conditions.all_of(_OPERATOR, conditions.On("gpuCluster.deployCR"))
_RESOURCE = conditions.Set("tests.resource")
# With mixed MIG each node may offer something else, so that only the user knows what to ask for.
_NODES = conditions.all_of(
    conditions.off("gpuCluster.deployCR"),
    conditions.On("devicePlugin.enabled"),
    conditions.any_of(_RESOURCE, conditions.negate(conditions.Equals("mig.strategy", "mixed"))),
)
_ANY = conditions.any_of(_POLICY, _DRIVER, _CLUSTER, _NODES)
_READY = "--for=jsonpath={.status.state}=ready"


def manifest() -> Manifest:
    """``tests/test.yaml``."""
    # Without a name there is no image to run: helm upgrade --reuse-values knows the old chart's defaults alone.
    wanted = conditions.all_of(conditions.On("tests.enabled"), conditions.Set("tests.image"), _ANY)
    trees: list[dict[str, Node]] = [
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": metadata.namespaced(_NAME, annotations=_hook(0)),
        },
        {
            "apiVersion": f"{_API}/v1",
            "kind": "ClusterRole",
            "metadata": metadata.cluster(_NAME, annotations=_hook(0)),
            "rules": _rules(),
        },
        {
            "apiVersion": f"{_API}/v1",
            "kind": "ClusterRoleBinding",
            "metadata": metadata.cluster(_NAME, annotations=_hook(0)),
            "roleRef": {"apiGroup": _API, "kind": "ClusterRole", "name": _NAME},
            "subjects": [{"kind": "ServiceAccount", "name": _NAME, "namespace": Builtin.NAMESPACE}],
        },
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": metadata.namespaced(_NAME, annotations=_hook(1)),
            "spec": _pod(),
        },
    ]
    about = "helm test: are the custom resources ready, and does every GPU node offer its GPUs?"
    return Manifest("tests/test.yaml", about, tuple(Document(tree, wanted) for tree in trees))


def _hook(weight: int) -> Helper:
    return helpers.hook("test", weight, "before-hook-creation")


def _rules() -> list[Node]:
    return [
        When(_POLICY, rule("nvidia.com", ["clusterpolicies"], *_WATCH)),
        When(_DRIVER, rule("nvidia.com", ["nvidiadrivers"], *_WATCH)),
        When(_CLUSTER, rule("nvidia.com", ["gpuclusters"], *_WATCH)),
        When(_CLUSTER, rule("resource.k8s.io", ["resourceslices"], *_WATCH)),
        When(_NODES, rule("", ["nodes"], *_WATCH)),
    ]


def _pod() -> dict[str, Node]:
    offers = Helper("resourceThere", (Value("tests.resource", "nvidia.com/gpu"),))
    slices = ["resourceslices.resource.k8s.io", "--field-selector=spec.driver=gpu.nvidia.com"]
    return {
        "serviceAccountName": _NAME,
        "restartPolicy": "Never",
        "imagePullSecrets": helpers.pull_secrets("tests.imagePullSecrets", of_pod=True),
        "securityContext": Value("tests.podSecurityContext"),
        "containers": [
            _container("cluster-policy-is-ready", _POLICY, ["clusterpolicies.nvidia.com/cluster-policy", _READY]),
            _container("driver-is-ready", _DRIVER, ["nvidiadrivers.nvidia.com/default", _READY]),
            _container("gpu-cluster-is-ready", _CLUSTER, ["gpuclusters.nvidia.com/gpu-cluster", _READY]),
            _container(
                "nodes-offer-gpus", _NODES, ["nodes", "--selector=nvidia.com/gpu.deploy.device-plugin=true", offers]
            ),
            _container("nodes-publish-gpus", _CLUSTER, [*slices, "--for=jsonpath={.spec.devices[0].name}"]),
        ],
        "nodeSelector": NODE_SELECTOR,
        "tolerations": TOLERATIONS,
    }


def _container(name: str, condition: Condition, args: Sequence[Node]) -> Node:
    return When(
        condition,
        {
            "name": name,
            "image": helpers.image("tests", "registry.k8s.io"),
            "imagePullPolicy": Value("tests.imagePullPolicy"),
            "args": ["wait", *args, join("--timeout=", Value("tests.timeout", "4m"))],
            "resources": Value("tests.resources"),
            "securityContext": Value("tests.securityContext"),
        },
    )
