"""Where operands find things on the host: its root, the driver, and the files that say that something is ready.

``hostPaths`` moves the first two; what is at its default leaves no trace in a pod, so that setting it spelt out changes
nothing. The init containers that write these files or wait for them are here too.
"""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.components.operands.workload import VALIDATION_FILES, from_field, host_path, pull_policy, variable
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Node, Value, When, join

DRIVER = "/run/nvidia/driver"
NODE_NAME = from_field("NODE_NAME", "spec.nodeName")
_PULL_POLICY = pull_policy("validator.imagePullPolicy")
VALIDATOR_IMAGE = helpers.release_image("validator", "nvcr.io/nvidia", "gpu-operator")


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
VALIDATIONS_MOUNT: dict[str, Node] = {"name": "run-nvidia-validations", "mountPath": VALIDATION_FILES}
VALIDATIONS_VOLUME = host_path("run-nvidia-validations", VALIDATION_FILES, "DirectoryOrCreate")
# The same files for those who need nothing else of the host: the directory is there once the driver is.
RUN_MOUNT: Node = {"name": "run-nvidia", "mountPath": "/run/nvidia", "mountPropagation": "HostToContainer"}
RUN_VOLUME = host_path("run-nvidia", "/run/nvidia", "Directory")

TOOLKIT = Value("toolkit.installDir", "/usr/local/nvidia")
_CDI = conditions.On("cdi.enabled")
CDI_ENV: Node = When(_CDI, variable("CDI_ENABLED", "true"))
CDI_HOOK_ENV: Node = When(
    conditions.all_of(_CDI, conditions.On("toolkit.enabled")),
    variable("NVIDIA_CDI_HOOK_PATH", join(TOOLKIT, "/toolkit/nvidia-cdi-hook")),
)
CDI_MOUNT: Node = {"name": "cdi-root", "mountPath": "/var/run/cdi"}
CDI_VOLUME = host_path("cdi-root", "/var/run/cdi", "DirectoryOrCreate")


def driver_volume(type_: str = "") -> Node:
    """The directory of the driver."""
    return host_path("driver-install-dir", _DRIVER, type_)


def driver_validation(define: str, mounts: Sequence[Node], policy: Node = _PULL_POLICY) -> Node:
    """The init container that waits for the driver and writes ``driver-ready``, which entrypoints read.

    Args:
        define: name of the template that holds its environment, unique in the chart.
        mounts: of the driver, the validation files, the host's root and its character devices.
        policy: the pull policy of the validator's image.
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
        "image": VALIDATOR_IMAGE,
        "imagePullPolicy": policy,
        "command": ["sh", "-c"],
        "args": ["nvidia-validator"],
        "env": EnvMerge(define, (env, "validator.driver.env")),
        "resources": Value("validator.resources"),
        "securityContext": {"privileged": True, "seLinuxOptions": {"level": "s0"}, "runAsUser": 0},
        "volumeMounts": mounts,
    }


def toolkit_validation(define: str = "") -> Node:
    """The init container that waits until the container toolkit is ready.

    Args:
        define: name of the template that holds its environment, unique in the chart, for a pod that has the volume of
            the validation files and mounts the host's root; "" for one that has /run/nvidia.
    """
    wait = (
        f"until [ -f {VALIDATION_FILES}/toolkit-ready ]; do "
        "echo waiting for nvidia container stack to be setup; sleep 5; done"
    )
    given = "validator.toolkit.env"
    return {
        "name": "toolkit-validation",
        "image": VALIDATOR_IMAGE,
        "imagePullPolicy": Value("validator.imagePullPolicy"),
        "command": ["sh", "-c"],
        "args": [wait],
        "env": EnvMerge(define, ((ROOT_ENV,), given)) if define else Value(given),
        "resources": Value("validator.resources"),
        "securityContext": {"privileged": True, "runAsUser": 0},
        "volumeMounts": [{**VALIDATIONS_MOUNT, "mountPropagation": "HostToContainer"} if define else RUN_MOUNT],
    }
