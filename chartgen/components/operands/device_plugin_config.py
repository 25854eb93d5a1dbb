"""The config manager: beside the device plugin and GPU Feature Discovery it picks the node's plugin configuration.

Both read the ConfigMap ``devicePlugin.config.name``: an init container writes the node's choice (label
``nvidia.com/device-plugin.config``) before the start, a sidecar follows the label and tells the process with SIGHUP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chartgen.components.operands.workload import from_field, variable
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Node, Value, When

CONFIGURED = conditions.Set("devicePlugin.config.name")
_NAME = Value("devicePlugin.config.name")
MOUNTS: tuple[Node, ...] = (
    When(CONFIGURED, {"name": "config", "mountPath": "/config"}),
    When(CONFIGURED, {"name": _NAME, "mountPath": "/available-configs"}),
)
VOLUMES: tuple[Node, ...] = (
    When(CONFIGURED, {"name": _NAME, "configMap": {"name": _NAME}}),
    When(CONFIGURED, {"name": "config", "emptyDir": {}}),
)
CONFIG_FILE: Node = When(CONFIGURED, variable("CONFIG_FILE", "/config/config.yaml"))


def _container(name: str, resources: str, env: Sequence[Node], *, process: str = "") -> dict[str, Node]:
    once = not process
    return {
        "name": name,
        "image": helpers.image("devicePlugin", "nvcr.io/nvidia"),
        "imagePullPolicy": Value("devicePlugin.imagePullPolicy"),
        "command": ["config-manager"],
        "env": [
            variable("ONESHOT", "true" if once else "false"),
            variable("KUBECONFIG", ""),
            from_field("NODE_NAME", "spec.nodeName"),
            variable("NODE_LABEL", "nvidia.com/device-plugin.config"),
            variable("CONFIG_FILE_SRCDIR", "/available-configs"),
            variable("CONFIG_FILE_DST", "/config/config.yaml"),
            variable("DEFAULT_CONFIG", Value("devicePlugin.config.default", "")),
            variable("SEND_SIGNAL", "false" if once else "true"),
            variable("SIGNAL", "" if once else "1"),
            variable("PROCESS_TO_SIGNAL", process),
            *env,
            variable("FALLBACK_STRATEGIES", "empty"),
        ],
        "resources": Value(resources),
        "volumeMounts": MOUNTS,
    }


def init(resources: str, env: Sequence[Node] = ()) -> Node:
    """The init container that writes the configuration.

    Args:
        resources: path of the resources it takes.
        env: environment that all containers of the pod have.
    """
    return When(CONFIGURED, _container("config-manager-init", resources, env))


def sidecar(process: str, resources: str, env: Sequence[Node] = ()) -> Node:
    """The container that follows the node's label and signals a process."""
    privileged: Mapping[str, Node] = {"securityContext": {"privileged": True}}
    return When(CONFIGURED, {**_container("config-manager", resources, env, process=process), **privileged})
