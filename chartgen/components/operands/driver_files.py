"""Files that a user or the host puts into the driver's containers.

Package repositories, certificates, module parameters, licences, subscriptions: where they go depends on the operating system of the nodes. Those of a ConfigMap are mounted one by one, next to the
files that the image has in the same folder; which ones there are is a fact of the cluster (``cluster.configMaps``).
"""

from __future__ import annotations

from chartgen.components.operands import driver_settings as driver
from chartgen.components.operands.workload import CRIO, OPENSHIFT, host_path
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Node, Value, When, extend

_REPOSITORIES = "driver.repoConfig.configMapName"
_CERTIFICATES = "driver.certConfig.name"
_MODULES = "driver.kernelModuleConfig.name"
_TOPOLOGY = "driver.virtualTopology.config"
_LICENCE_SECRET = "driver.licensingConfig.secretName"  # noqa: S105 - the path of a name
_LICENCE = "driver.licensingConfig.configMapName"
_LICENSED = conditions.any_of(conditions.Set(_LICENCE_SECRET), conditions.Set(_LICENCE))
# The token of the NVIDIA License System.
_TOKEN = conditions.On("driver.licensingConfig.nlsEnabled")
_TOKEN_FILE = "client_configuration_token.tok"  # noqa: S105 - a file name
_SYSTEMS = (
    (driver.DEBIAN, "/etc/apt/sources.list.d", "/usr/local/share/ca-certificates"),
    (driver.RED_HAT, "/etc/yum.repos.d", "/etc/pki/ca-trust/extracted/pem"),
    (driver.SUSE, "/etc/zypp/repos.d", "/etc/pki/trust/anchors"),
)
# What the host's subscription needs: where it is in the container, where on the host, and what it is.
_ENTITLEMENTS = (
    ("/run/secrets/etc-pki-entitlement", "/etc/pki/entitlement", "Directory"),
    ("/run/secrets/redhat.repo", "/etc/yum.repos.d/redhat.repo", "File"),
    ("/run/secrets/rhsm", "/etc/rhsm", "Directory"),
)
_SUSE_SUBSCRIPTION = (
    ("/etc/SUSEConnect", "/etc/SUSEConnect", "FileOrCreate"),
    ("/etc/zypp/credentials.d", "/etc/zypp/credentials.d", "Directory"),
)
# CRI-O mounts the host's entitlements into every container by itself.
_SUBSCRIBED: tuple[tuple[Condition, tuple[tuple[str, str, str], ...]], ...] = (
    (
        conditions.all_of(
            driver.COMPILED,
            driver.runs_on("rhel"),
            conditions.negate(conditions.any_of(OPENSHIFT, CRIO, conditions.Set(_REPOSITORIES))),
        ),
        _ENTITLEMENTS,
    ),
    (conditions.all_of(driver.COMPILED, driver.SUSE), _SUSE_SUBSCRIPTION),
)

MODULE_MOUNTS = helpers.file_mounts(_MODULES, "/drivers", "cluster.configMaps")


def package_mounts() -> Node:
    """Repositories and certificates, where the nodes' distribution looks for them: whatever installs packages needs both."""
    node: Node = []
    for nodes, repositories, certificates in reversed(_SYSTEMS):
        system = conditions.all_of(driver.COMPILED, nodes)
        files = extend(
            helpers.file_mounts(_REPOSITORIES, repositories, "cluster.configMaps"),
            helpers.file_mounts(_CERTIFICATES, certificates, "cluster.configMaps"),
        )
        node = When(system, files, node) if node else When(system, files)
    return node


def _file(volume: str, path: str, key: str) -> Node:
    return {"name": volume, "mountPath": path, "subPath": key, "readOnly": True}


def mounts() -> tuple[Node, ...]:
    """Lists of mounts of the driver container."""
    precompiled_suse = conditions.all_of(driver.PRECOMPILED, driver.SUSE)
    return (
        [
            When(_LICENSED, _file("licensing-config", "/drivers/gridd.conf", "gridd.conf")),
            When(
                conditions.all_of(_LICENSED, _TOKEN),
                _file("licensing-config", f"/drivers/ClientConfigToken/{_TOKEN_FILE}", _TOKEN_FILE),
            ),
            When(
                conditions.Set(_TOPOLOGY),
                _file("topology-config", "/etc/nvidia/nvidia-topologyd.conf", "nvidia-topologyd.conf"),
            ),
        ],
        MODULE_MOUNTS,
        [
            When(
                precompiled_suse,
                {"name": "lib-modules", "mountPath": "/run/host/lib/modules", "readOnly": True},
            )
        ],
        package_mounts(),
        *(
            When(condition, [_subscribed(number, path) for number, (path, _, _) in enumerate(found)])
            for condition, found in _SUBSCRIBED
        ),
        [
            When(
                driver.TRUSTED_CA,
                {"name": "gpu-operator-trusted-ca", "mountPath": "/etc/pki/ca-trust/extracted/pem", "readOnly": True},
            )
        ],
    )


def _subscribed(number: int, path: str) -> Node:
    return {"name": f"subscription-config-{number}", "mountPath": path, "readOnly": True}


def _item(key: str, path: str = "") -> Node:
    return {"key": key, "path": path or key}


def _whole(path: str) -> Node:
    """The volume of a ConfigMap that is mounted file by file; it is named after it."""
    return {"name": Value(path), "configMap": {"name": Value(path)}}


def volumes() -> tuple[Node, ...]:
    """The volumes of all those mounts."""
    licence: list[Node] = [_item("gridd.conf"), When(_TOKEN, _item(_TOKEN_FILE))]
    return (
        When(
            conditions.Set(_LICENCE_SECRET),
            {"name": "licensing-config", "secret": {"secretName": Value(_LICENCE_SECRET), "items": licence}},
            When(
                conditions.Set(_LICENCE),
                {"name": "licensing-config", "configMap": {"name": Value(_LICENCE), "items": licence}},
            ),
        ),
        When(
            conditions.Set(_TOPOLOGY),
            {
                "name": "topology-config",
                "configMap": {"name": Value(_TOPOLOGY), "items": [_item("nvidia-topologyd.conf")]},
            },
        ),
        When(conditions.Set(_MODULES), _whole(_MODULES)),
        When(conditions.all_of(driver.PRECOMPILED, driver.SUSE), host_path("lib-modules", "/lib/modules", "Directory")),
        When(conditions.all_of(driver.COMPILED, conditions.Set(_REPOSITORIES)), _whole(_REPOSITORIES)),
        When(conditions.all_of(driver.COMPILED, conditions.Set(_CERTIFICATES)), _whole(_CERTIFICATES)),
        *(
            When(condition, host_path(f"subscription-config-{number}", path, kind))
            for condition, found in _SUBSCRIBED
            for number, (_, path, kind) in enumerate(found)
        ),
        When(
            driver.TRUSTED_CA,
            {
                "name": "gpu-operator-trusted-ca",
                "configMap": {
                    "name": "gpu-operator-trusted-ca",
                    "items": [_item("ca-bundle.crt", "tls-ca-bundle.pem")],
                },
            },
        ),
    )
