"""The operator's Deployment.

Its selector is part of the interface (a selector cannot be changed on upgrade), its labels keep the driver-upgrade drain
away from it, and two images that no custom resource carries reach it as environment.
"""

from __future__ import annotations

from chartgen.components import metadata
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Document, EnvMerge, Manifest, Node, Value, When, extend, join

NAME = "gpu-operator"
SELECTOR = {**metadata.COMPONENT, "app": "gpu-operator"}
# The drain of a node for a driver upgrade must not evict the pod that leads it.
_SKIP_DRAIN = {"nvidia.com/gpu-driver-upgrade-drain.skip": "true"}
_HEALTH_PORT = 8081
METRICS_PORT = 8080

ACCOUNT = Value("operator.serviceAccount.name", NAME)
# What the hooks share with the operator: they run the same image on the same nodes.
IMAGE = helpers.release_image("operator", "nvcr.io/nvidia", "gpu-operator")
PULL_SECRETS = helpers.pull_secrets("operator.imagePullSecrets", of_pod=True)
NODE_SELECTOR = Value("operator.nodeSelector")
TOLERATIONS = extend(Value("operator.tolerations"), Value("global.tolerations"))


def manifest() -> Manifest:
    """``operator/deployment.yaml``."""
    about = "The operator. It watches the custom resources of templates/policy and rolls out what they say."
    tree: dict[str, Node] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata.namespaced(NAME, helpers.labels({**metadata.COMPONENT, **_SKIP_DRAIN})),
        "spec": {
            "replicas": Value("operator.replicas", 1),
            "selector": {"matchLabels": SELECTOR},
            "template": {"metadata": _pod_metadata(), "spec": _pod_spec()},
        },
    }
    return Manifest("operator/deployment.yaml", about, (Document(tree),))


def _pod_metadata() -> Node:
    return {
        "labels": helpers.pod_labels({**SELECTOR, **_SKIP_DRAIN}, "operator.podLabels"),
        "annotations": helpers.merged(Value("operator.annotations"), Value("operator.podAnnotations")),
    }


def _pod_spec() -> dict[str, Node]:
    return {
        "serviceAccountName": ACCOUNT,
        "imagePullSecrets": PULL_SECRETS,
        "priorityClassName": Value("operator.priorityClassName"),
        "securityContext": Value("operator.podSecurityContext"),
        "dnsPolicy": Value("operator.dnsPolicy"),
        "dnsConfig": Value("operator.dnsConfig"),
        "containers": [_container()],
        "nodeSelector": NODE_SELECTOR,
        "affinity": Value("operator.affinity"),
        "tolerations": TOLERATIONS,
        "topologySpreadConstraints": Value("operator.topologySpreadConstraints"),
    }


def _container() -> dict[str, Node]:
    logging = conditions.negate(conditions.On("operator.logging.develMode"))
    return {
        "name": NAME,
        "image": IMAGE,
        "imagePullPolicy": Value("operator.imagePullPolicy"),
        "command": ["gpu-operator"],
        "args": extend(
            [
                "--leader-elect",
                join("--leader-elect-namespace=", Value("operator.leaderElection.namespace")),
                join("--leader-lease-renew-deadline=", Value("operator.leaderElection.renewDeadline")),
                When(conditions.On("operator.logging.develMode"), "--zap-devel"),
                When(logging, join("--zap-time-encoding=", Value("operator.logging.timeEncoding"))),
                When(logging, join("--zap-log-level=", Value("operator.logging.level"))),
            ],
            Value("operator.args"),
        ),
        "env": EnvMerge(
            "operatorEnv",
            (
                (
                    {"name": "WATCH_NAMESPACE", "value": ""},
                    {"name": "OPERATOR_NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}},
                    {
                        "name": "DRIVER_MANAGER_IMAGE",
                        "value": helpers.image("driver.manager", "nvcr.io/nvidia/cloud-native"),
                    },
                    {
                        "name": "VALIDATOR_IMAGE",
                        "value": helpers.release_image("validator", "nvcr.io/nvidia", "gpu-operator"),
                    },
                ),
                "operator.env",
            ),
        ),
        "ports": [{"name": "metrics", "containerPort": METRICS_PORT}],
        "livenessProbe": _probe("/healthz", "operator.livenessProbe"),
        "readinessProbe": _probe("/readyz", "operator.readinessProbe"),
        "resources": Value("operator.resources"),
        "securityContext": Value("operator.securityContext"),
    }


def _probe(path: str, timings: str) -> Node:
    """A probe of the health port; what the timings leave out is Kubernetes' own."""
    return extend({"httpGet": {"path": path, "port": _HEALTH_PORT}}, Value(timings))
