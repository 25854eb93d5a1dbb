"""The driver's own container: it installs the driver below /run/nvidia/driver and loads its kernel modules."""

from __future__ import annotations

from chartgen.components.operands import driver_files
from chartgen.components.operands import driver_settings as driver
from chartgen.components.operands.driver_sidecars import SHARED_MOUNT, with_toolkit
from chartgen.components.operands.workload import OPENSHIFT, VALIDATION_FILES, from_field, pull_policy, variable
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree.nodes import EnvMerge, Node, Value, When, extend

_NAME = "nvidia-driver-ctr"
_SCRIPT = "/usr/local/bin/startup-probe.sh"
_ENV: tuple[Node, ...] = (
    from_field("NODE_NAME", "spec.nodeName"),
    from_field("NODE_IP", "status.hostIP"),
    driver.HOST_ROOT,
    When(conditions.Set("driver.kernelModuleType"), variable("KERNEL_MODULE_TYPE", Value("driver.kernelModuleType"))),
    When(conditions.Equals("driver.kernelModuleType", "open"), variable("OPEN_KERNEL_MODULES_ENABLED", "true")),
    When(driver.GDRCOPY, variable("GDRCOPY_ENABLED", "true")),
    When(driver.GDS, variable("GDS_ENABLED", "true")),
    *driver.RDMA_ENV,
)


def _on_openshift(name: str, path: str) -> Node:
    """A variable from a fact about OpenShift, for a container that downloads packages."""
    wanted: Condition = conditions.all_of(OPENSHIFT, driver.COMPILED, conditions.Set(path))
    return When(wanted, variable(name, Value(path)))


_CLUSTER_ENV: tuple[Node, ...] = (
    _on_openshift("OPENSHIFT_VERSION", "cluster.openshiftVersion"),
    # Programs disagree on the case of these.
    _on_openshift("HTTPS_PROXY", "cluster.proxy.httpsProxy"),
    _on_openshift("https_proxy", "cluster.proxy.httpsProxy"),
    _on_openshift("HTTP_PROXY", "cluster.proxy.httpProxy"),
    _on_openshift("http_proxy", "cluster.proxy.httpProxy"),
    _on_openshift("NO_PROXY", "cluster.proxy.noProxy"),
    _on_openshift("no_proxy", "cluster.proxy.noProxy"),
    When(driver.TOOLKIT_IMAGE_UNKNOWN, variable("RHCOS_IMAGE_MISSING", "true")),
    When(driver.TOOLKIT_IMAGE_UNKNOWN, variable("RHCOS_VERSION", driver.TOOLKIT_OS)),
    driver.DIGEST,
)


def container() -> Node:
    """The container ``nvidia-driver-ctr``."""
    forget = f"rm -f {VALIDATION_FILES}/.driver-ctr-ready {VALIDATION_FILES}/.driver-daemons-status"
    return {
        "name": _NAME,
        "image": driver.image(),
        "imagePullPolicy": pull_policy("driver.imagePullPolicy"),
        **with_toolkit("nv-ctr-run-with-dtk", ["nvidia-driver"], driver.ARGS),
        "env": EnvMerge("driverEnv", (_ENV, "driver.env", _CLUSTER_ENV)),
        "envFrom": driver.SECRET_ENV,
        "resources": driver.RESOURCES,
        "securityContext": driver.PRIVILEGED,
        "startupProbe": _startup_probe(),
        # Whoever finds these files believes that the driver is there.
        "lifecycle": {"preStop": {"exec": {"command": ["/bin/sh", "-c", forget]}}},
        "volumeMounts": extend(
            [
                {"name": "run-nvidia", "mountPath": "/run/nvidia", "mountPropagation": "Bidirectional"},
                {"name": "run-nvidia-fabricmanager", "mountPath": "/run/nvidia-fabricmanager"},
                {"name": "run-nvidia-topologyd", "mountPath": "/run/nvidia-topologyd"},
                {"name": "var-log", "mountPath": "/var/log"},
                {"name": "dev-log", "mountPath": "/dev/log"},
                {"name": "host-os-release", "mountPath": "/host-etc/os-release", "readOnly": True},
                {
                    "name": "mlnx-ofed-usr-src",
                    "mountPath": "/run/mellanox/drivers/usr/src",
                    "mountPropagation": "HostToContainer",
                },
                {
                    "name": "run-mellanox-drivers",
                    "mountPath": "/run/mellanox/drivers",
                    "mountPropagation": "HostToContainer",
                },
                {"name": "host-sys-devices-system", "mountPath": "/sys/devices/system"},
                {"name": "firmware-search-path", "mountPath": "/sys/module/firmware_class/parameters/path"},
                {"name": "nv-firmware", "mountPath": "/lib/firmware"},
                {"name": "driver-startup-probe-script", "mountPath": _SCRIPT, "subPath": "startup-probe.sh"},
            ],
            *driver_files.mounts(),
            [When(driver.TOOLKIT, SHARED_MOUNT)],
        ),
    }


def _startup_probe() -> Node:
    """Compiling takes minutes, and the probe itself asks every GPU."""

    def timing(name: str, default: int) -> Node:
        return Value(f"driver.startupProbe.{name}", default)

    return {
        "exec": {"command": ["sh", _SCRIPT]},
        "initialDelaySeconds": timing("initialDelaySeconds", 60),
        "periodSeconds": timing("periodSeconds", 10),
        "timeoutSeconds": timing("timeoutSeconds", 60),
        "successThreshold": timing("successThreshold", 1),
        "failureThreshold": timing("failureThreshold", 120),
    }
