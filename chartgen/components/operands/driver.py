"""The NVIDIA driver: the DaemonSet that installs it on each node, and what that needs.

It differs from other operands: its nodes are of one kind (operating system, kernel, version of CoreOS), so there is a
DaemonSet for each pool of nodes; its pods are replaced by hand or by the upgrade controller, never by a rolling update,
since a node's GPU pods have to go first; and its labels are what that controller and the validator find it by, so they
are never the user's.
"""

from __future__ import annotations

from chartgen.components.operands import (
    access,
    driver_container,
    driver_files,
    driver_manager,
    driver_sidecars,
    driver_startup_probe,
    pools,
)
from chartgen.components.operands import driver_settings as driver
from chartgen.components.operands.workload import LABELS_NODES, NOT_OPTED_OUT, either, host_path, static, tolerations
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value, When, extend

_LABELS: dict[str, Node] = {
    "app": driver.APP,
    "nvidia.com/precompiled": When(driver.PRECOMPILED, "true", "false"),
    **driver.COMPONENT,
    "openshift.driver-toolkit": When(driver.TOOLKIT, "true"),
    "openshift.driver-toolkit.rhcos-image-missing": When(driver.TOOLKIT_IMAGE_UNKNOWN, "true"),
}


def _daemonset() -> Document:
    users = Value("daemonsets.labels")
    versioned: dict[str, Node] = {"openshift.driver-toolkit.rhcos": When(driver.TOOLKIT, driver.TOOLKIT_OS)}
    tree: dict[str, Node] = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {
            "name": driver.OBJECT_NAME,
            "namespace": Builtin.NAMESPACE,
            "labels": helpers.labelled({**_LABELS, **versioned}, users),
            "annotations": helpers.merged({"openshift.io/scc": driver.ACCOUNT}, Value("daemonsets.annotations")),
        },
        "spec": {
            "selector": {"matchLabels": {"app": driver.APP, **pools.LABEL}},
            "updateStrategy": {"type": "OnDelete"},
            "template": {
                "metadata": {
                    "labels": helpers.labelled({**_LABELS, **pools.LABEL}, users, Value("driver.workload.labels")),
                    "annotations": helpers.merged(
                        {"kubectl.kubernetes.io/default-container": "nvidia-driver-ctr"},
                        Value("daemonsets.annotations"),
                        Value("driver.workload.annotations"),
                    ),
                },
                "spec": _pod(),
            },
        },
    }
    return Document(tree, static(driver.ENABLED), pools.each(driver.NAME))


def _pod() -> Node:
    host_network = conditions.On("driver.hostNetwork")
    return {
        "serviceAccountName": Value("driver.workload.serviceAccount.name", driver.ACCOUNT),
        "imagePullSecrets": helpers.pull_secrets(
            "driver.manager.imagePullSecrets",
            "driver.imagePullSecrets",
            of_pod=True,
            also={"gds.imagePullSecrets": driver.GDS, "gdrcopy.imagePullSecrets": driver.GDRCOPY},
        ),
        "priorityClassName": either(
            "driver.workload.priorityClassName", Value("daemonsets.priorityClassName", "system-node-critical")
        ),
        "securityContext": either("driver.workload.podSecurityContext", Value("daemonsets.podSecurityContext")),
        "nodeSelector": helpers.labelled(
            {
                "nvidia.com/gpu.deploy.driver": "true",
                "feature.node.kubernetes.io/kernel-version.full": When(driver.PRECOMPILED, driver.KERNEL),
                "feature.node.kubernetes.io/system-os_release.OSTREE_VERSION": When(driver.TOOLKIT, driver.TOOLKIT_OS),
            },
            pools.NODES,
            helpers.while_(driver.BY_RESOURCE, Value("driver.nvidiaDriverCRD.nodeSelector"), ()),
        ),
        "affinity": extend(
            When(LABELS_NODES, NOT_OPTED_OUT),
            {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [_ONE_DRIVER_PER_NODE]}},
        ),
        "tolerations": tolerations(),
        "hostPID": True,
        "hostNetwork": When(host_network, True),
        "dnsPolicy": When(host_network, "ClusterFirstWithHostNet"),
        "initContainers": [driver_manager.container()],
        "containers": [
            driver_container.container(),
            driver_sidecars.peermem(),
            driver_sidecars.gds(),
            driver_sidecars.gdrcopy(),
            driver_sidecars.toolkit(),
        ],
        "volumes": _volumes(),
    }


def _volumes() -> Node:
    return [
        host_path("run-nvidia", "/run/nvidia", "DirectoryOrCreate"),
        host_path("var-log", "/var/log"),
        host_path("dev-log", "/dev/log"),
        host_path("host-os-release", "/etc/os-release"),
        host_path("run-nvidia-fabricmanager", "/run/nvidia-fabricmanager", "DirectoryOrCreate"),
        host_path("run-nvidia-topologyd", "/run/nvidia-topologyd", "DirectoryOrCreate"),
        host_path(
            "mlnx-ofed-usr-src",
            When(driver.HOST_MOFED, "/usr/src", "/run/mellanox/drivers/usr/src"),
            "DirectoryOrCreate",
        ),
        host_path("run-mellanox-drivers", "/run/mellanox/drivers", "DirectoryOrCreate"),
        host_path("host-root", Value("hostPaths.rootFS", "/")),
        host_path("host-sys", "/sys", "Directory"),
        host_path("firmware-search-path", "/sys/module/firmware_class/parameters/path"),
        host_path("host-sys-devices-system", "/sys/devices/system", "Directory"),
        host_path("nv-firmware", "/run/nvidia/driver/lib/firmware", "DirectoryOrCreate"),
        {
            "name": "driver-startup-probe-script",
            "configMap": {"name": driver_startup_probe.CONFIG_MAP, "defaultMode": 0o755},
        },
        *driver_files.volumes(),
        driver_sidecars.SHARED_VOLUME,
    ]


_ONE_DRIVER_PER_NODE: Node = {
    "labelSelector": {
        "matchExpressions": [
            {"key": key, "operator": "In", "values": [value]} for key, value in driver.COMPONENT.items()
        ]
    },
    "topologyKey": "kubernetes.io/hostname",
}


def _trusted_ca() -> Document:
    """The ConfigMap that OpenShift fills with the certificates it trusts.

    It has no contents of the chart's, which an upgrade would put back.
    """
    name = "gpu-operator-trusted-ca"
    metadata: Node = {
        "name": name,
        "namespace": Builtin.NAMESPACE,
        "labels": {"config.openshift.io/inject-trusted-cabundle": "true"},
    }
    condition = conditions.all_of(static(driver.ENABLED), driver.TRUSTED_CA)
    return Document({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}, condition)


def _access() -> tuple[Document, ...]:
    cluster_role = [
        access.rule("config.openshift.io", ["clusterversions"], ["get", "list"]),
        access.rule("", ["nodes"], ["get", "list", "patch", "update", "watch"]),
        access.rule("", ["pods"], ["get", "list", "watch"]),
        access.rule("", ["pods/eviction"], ["create"]),
        access.rule("resource.k8s.io", ["resourceclaims"], ["get", "list"]),
        access.rule("apps", ["daemonsets"], ["get"]),
    ]
    return access.documents(
        "driver", driver.ACCOUNT, driver.ENABLED, role=[access.USE_PRIVILEGED], cluster_role=cluster_role
    )


def manifest() -> Manifest:
    """All objects of the driver."""
    documents = (
        *_access(),
        access.privileged_scc("driver", driver.ACCOUNT, driver.ENABLED),
        driver_startup_probe.config_map(),
        _trusted_ca(),
        _daemonset(),
    )
    return Manifest("components/driver.yaml", "The driver, where no operator runs it.", documents)
