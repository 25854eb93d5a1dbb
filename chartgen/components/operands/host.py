"""Where operands find things on the host: its root, the driver, and the file that says the driver is ready.

``hostPaths`` moves the first two; what is at its default leaves no trace in a pod, so that setting it spelt out changes
nothing. The driver's own validation is here too, because it looks for the driver in both places.
"""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.components.operands.workload import VALIDATION_FILES, from_field, host_path, variable
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Node, Value, When, join

DRIVER = "/run/nvidia/driver"


def _moved(path: str, default: str) -> Condition:
    return conditions.all_of(conditions.Set(path), conditions.negate(conditions.Equals(path, default)))


_ROOT_MOVED = _moved("hostPaths.rootFS", "/")
_DRIVER_MOVED = _moved("hostPaths.driverInstallDir", DRIVER)
_ROOT = Value("hostPaths.rootFS")
_DRIVER = Value("hostPaths.driverInstallDir", DRIVER)

# Every container of a pod that mounts the host's root learns where that root is.
ROOT_ENV: Node = When(_ROOT_MOVED, variable("HOST_ROOT", _ROOT))
ROOT_MOUNT: Node = {
    "name": "host-root",
    "mountPath": "/host",
    "readOnly": True,
    "mountPropagation": "HostToContainer",
}
ROOT_VOLUME = host_path("host-root", Value("hostPaths.rootFS", "/"))
DEV_CHAR_MOUNT: Node = {"name": "host-dev-char", "mountPath": "/host-dev-char"}
DEV_CHAR_VOLUME = host_path("host-dev-char", When(_ROOT_MOVED, join(_ROOT, "/dev/char"), "/dev/char"))

# Where the driver is looked for by an operand, and where its validation looks: there the path is that of the host.
DRIVER_MOUNT: Node = {
    "name": "driver-install-dir",
    "mountPath": "/driver-root",
    "mountPropagation": "HostToContainer",
}
VALIDATED_DRIVER_MOUNT: Node = {
    "name": "driver-install-dir",
    "mountPath": _DRIVER,
    "mountPropagation": "HostToContainer",
}

# The validation writes into this directory, which its readers see at once.
VALIDATED_MOUNT: Node = {
    "name": "run-nvidia-validations",
    "mountPath": VALIDATION_FILES,
    "mountPropagation": "Bidirectional",
}
VALIDATIONS_MOUNT: Node = {"name": "run-nvidia-validations", "mountPath": VALIDATION_FILES}
VALIDATIONS_VOLUME = host_path("run-nvidia-validations", VALIDATION_FILES, "DirectoryOrCreate")

TOOLKIT = Value("toolkit.installDir", "/usr/local/nvidia")
CDI_HOOK = join(TOOLKIT, "/toolkit/nvidia-cdi-hook")
CDI_MOUNT: Node = {"name": "cdi-root", "mountPath": "/var/run/cdi"}
CDI_VOLUME = host_path("cdi-root", "/var/run/cdi", "DirectoryOrCreate")


def driver_volume(type_: str = "") -> Node:
    """The directory of the driver."""
    return host_path("driver-install-dir", _DRIVER, type_)


def driver_validation(define: str, mounts: Sequence[Node], pull_policy: Node) -> Node:
    """The init container that waits for the driver and writes ``driver-ready``, which entrypoints read.

    Args:
        define: name of the template that holds its environment, unique in the chart.
        mounts: of the driver, the validation files, the host's root and its character devices.
        pull_policy: of the validator's image.
    """
    env = (
        variable("WITH_WAIT", "true"),
        variable("COMPONENT", "driver"),
        from_field("OPERATOR_NAMESPACE", "metadata.namespace"),
        ROOT_ENV,
        When(_DRIVER_MOVED, variable("DRIVER_INSTALL_DIR", _DRIVER)),
        When(_DRIVER_MOVED, variable("DRIVER_INSTALL_DIR_CTR_PATH", _DRIVER)),
    )
    return {
        "name": "driver-validation",
        "image": helpers.release_image("validator", "nvcr.io/nvidia", "gpu-operator"),
        "imagePullPolicy": pull_policy,
        "command": ["sh", "-c"],
        "args": ["nvidia-validator"],
        "env": EnvMerge(define, (env, "validator.driver.env")),
        "resources": Value("validator.resources"),
        "securityContext": {"privileged": True, "seLinuxOptions": {"level": "s0"}, "runAsUser": 0},
        "volumeMounts": mounts,
    }
