"""Start scripts: operands that must know the driver's place before their process starts.

The validation of the driver writes that place as shell assignments to ``driver-ready``. A script waits for the file, takes
them into the environment, and becomes the process.
"""

from __future__ import annotations

from chartgen.components.operands.workload import VALIDATION_FILES, static
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import Builtin, Document, Node

COMMAND: Node = ["/bin/sh", "-c"]
ARGS: Node = ["/bin/entrypoint.sh"]

_AFTER_DRIVER = f"""\
#!/bin/sh
# Waits until the driver is validated, and takes over where it was found.
ready={VALIDATION_FILES}/driver-ready
until [ -f "$ready" ]; do
  echo "waiting for $ready"
  sleep 5
done
set -o allexport
cat "$ready"
. "$ready"
"""


def name_of(operand: str) -> str:
    """The name of an operand's script, as ConfigMap and as volume."""
    return f"{operand}-entrypoint"


def config_map(operand: str, app: str, enabled: Condition, then: str) -> Document:
    """The ConfigMap with the script.

    Args:
        operand: what its name begins with.
        app: label of the operand's pods.
        enabled: when the operand is wanted.
        then: what the script does once it knows the driver.
    """
    tree: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name_of(operand), "namespace": Builtin.NAMESPACE, "labels": {"app": app}},
        "data": {"entrypoint.sh": _AFTER_DRIVER + then},
    }
    return Document(tree, static(enabled))


def mount(operand: str) -> Node:
    """The script in the container."""
    return {
        "name": name_of(operand),
        "mountPath": "/bin/entrypoint.sh",
        "subPath": "entrypoint.sh",
        "readOnly": True,
    }


def volume(operand: str) -> Node:
    """The script in the pod; only its owner may run it."""
    return {"name": name_of(operand), "configMap": {"name": name_of(operand), "defaultMode": 0o700}}
