"""Containers beside the driver that build or load further kernel modules, and OpenShift's Driver Toolkit.

With the toolkit, whoever compiles a module runs the toolkit's entry point instead of its own command: it prepares the
sources in a shared volume, and the toolkit's container compiles them.
"""

from __future__ import annotations

from collections.abc import Mapping

from chartgen.components.operands import driver_files
from chartgen.components.operands import driver_settings as driver
from chartgen.components.operands.workload import pull_policy, variable
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import EnvMerge, Node, When, extend

_SHARED = "shared-nvidia-driver-toolkit"
SHARED_MOUNT = {"name": _SHARED, "mountPath": f"/mnt/{_SHARED}"}
SHARED_VOLUME: Node = When(driver.TOOLKIT, {"name": _SHARED, "emptyDir": {}})

_WAIT_FOR_DRIVER = """\
until [ -d /run/nvidia/driver/usr/src ] && lsmod | grep -q nvidia; do
  echo waiting for the NVIDIA driver
  sleep 10
done
exec {install} install
"""
_WAIT_FOR_SOURCES = f"""\
until [ -f /mnt/{_SHARED}/dir_prepared ]; do
  echo waiting for the driver container to prepare the sources
  sleep 10
done
exec /mnt/{_SHARED}/ocp_dtk_entrypoint dtk-build-driver
"""


def _probe(command: str, *, delay: int = 10, period: int = 10, failures: int = 120) -> Node:
    return {
        "exec": {"command": ["sh", "-c", command]},
        "initialDelaySeconds": delay,
        "periodSeconds": period,
        "timeoutSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": failures,
    }


def with_toolkit(entry: str, command: Node, args: Node) -> dict[str, Node]:
    """Command and arguments of a container that compiles modules; with the toolkit those of its entry point."""
    return {
        "command": When(driver.TOOLKIT, ["ocp_dtk_entrypoint"], command),
        "args": When(driver.TOOLKIT, [entry], args),
    }


def peermem() -> Node:
    """The container that loads nvidia-peermem, for direct transfers between GPUs and network adapters."""
    probe = "nvidia-driver probe_nvidia_peermem"
    container: dict[str, Node] = {
        "name": "nvidia-peermem-ctr",
        "image": driver.image(),
        "imagePullPolicy": pull_policy("driver.imagePullPolicy"),
        "command": ["nvidia-driver"],
        "args": ["reload_nvidia_peermem"],
        "env": [driver.HOST_ROOT, When(driver.HOST_MOFED, variable("USE_HOST_MOFED", "true"))],
        "resources": driver.RESOURCES,
        "securityContext": driver.PRIVILEGED,
        "startupProbe": _probe(probe),
        "livenessProbe": _probe(probe, delay=30, period=30, failures=1),
        "volumeMounts": extend(
            [
                {"name": "run-nvidia", "mountPath": "/run/nvidia", "mountPropagation": "Bidirectional"},
                {"name": "var-log", "mountPath": "/var/log"},
                {"name": "dev-log", "mountPath": "/dev/log", "readOnly": True},
                {
                    "name": "run-mellanox-drivers",
                    "mountPath": "/run/mellanox/drivers",
                    "mountPropagation": "HostToContainer",
                },
            ],
            driver_files.MODULE_MOUNTS,
        ),
    }
    return When(driver.RDMA, container)


def _module(condition: Condition, name: str, values: str, install: str, entry: str, module: str) -> Node:
    """A container that compiles and loads a module from an image of its own."""
    script = _WAIT_FOR_DRIVER.format(install=install)
    container: dict[str, Node] = {
        "name": name,
        "image": driver.module_image(values),
        "imagePullPolicy": pull_policy(f"{values}.imagePullPolicy"),
        **with_toolkit(entry, ["bash", "-xc"], [script]),
        "env": EnvMerge(f"{values}Env", ((driver.HOST_ROOT,), f"{values}.env")),
        "envFrom": driver.SECRET_ENV,
        "resources": driver.RESOURCES,
        "securityContext": driver.PRIVILEGED,
        "startupProbe": _probe(f"lsmod | grep {module}"),
        "volumeMounts": extend(
            [
                {"name": "run-nvidia", "mountPath": "/run/nvidia", "mountPropagation": "HostToContainer"},
                {"name": "var-log", "mountPath": "/var/log"},
                {"name": "dev-log", "mountPath": "/dev/log", "readOnly": True},
            ],
            driver_files.package_mounts(),
            [When(driver.TOOLKIT, SHARED_MOUNT)],
        ),
    }
    return When(condition, container)


def gds() -> Node:
    """The container of GPUDirect Storage."""
    return _module(
        driver.GDS, "nvidia-fs-ctr", "gds", "nvidia-gds-driver", entry="nv-fs-ctr-run-with-dtk", module="nvidia_fs"
    )


def gdrcopy() -> Node:
    """The container of GDRCopy."""
    return _module(
        driver.GDRCOPY,
        "nvidia-gdrcopy-ctr",
        "gdrcopy",
        "nvidia-gdrcopy-driver",
        entry="gdrcopy-ctr-run-with-dtk",
        module="gdrdrv",
    )


def toolkit() -> Node:
    """The container of OpenShift's Driver Toolkit."""
    container: Mapping[str, Node] = {
        "name": "openshift-driver-toolkit-ctr",
        "image": When(driver.TOOLKIT_IMAGE_UNKNOWN, driver.image(), driver.TOOLKIT_IMAGE),
        "imagePullPolicy": "IfNotPresent",
        "command": ["bash", "-xc"],
        "args": [_WAIT_FOR_SOURCES],
        "env": [
            variable("RHCOS_VERSION", driver.TOOLKIT_OS),
            variable("NVIDIA_VISIBLE_DEVICES", "void"),
            driver.HOST_ROOT,
            When(driver.GDS, variable("GDS_ENABLED", "true")),
            When(driver.GDRCOPY, variable("GDRCOPY_ENABLED", "true")),
            When(driver.TOOLKIT_IMAGE_UNKNOWN, variable("RHCOS_IMAGE_MISSING", "true")),
            driver.DIGEST,
        ],
        "resources": driver.RESOURCES,
        "securityContext": driver.PRIVILEGED,
        "volumeMounts": [
            SHARED_MOUNT,
            {"name": "var-log", "mountPath": "/var/log"},
            {
                "name": "mlnx-ofed-usr-src",
                "mountPath": "/run/mellanox/drivers/usr/src",
                "mountPropagation": "HostToContainer",
            },
            {"name": "host-os-release", "mountPath": "/host-etc/os-release", "readOnly": True},
        ],
    }
    return When(driver.TOOLKIT, container)
