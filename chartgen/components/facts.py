"""What is known of the cluster besides values: the second input of the operands.

The operator reads these from the nodes; the chart without an operator takes them from ``cluster.*``. Trees read them as
the values paths below ``cluster``, so one overlay serves both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class DriverToolkit:
    """The Driver Toolkit of OpenShift.

    The operator leaves it out where the policy switches it off, where the cluster has no image stream of it, or where no
    node names its version of the system.

    Attributes:
        os_version: version of Red Hat CoreOS on the nodes; "" compiles in the driver container.
        image: of the toolkit for that version; "" when the image stream has none.
    """

    os_version: str = ""
    image: str = ""


@dataclass(frozen=True)
class Proxy:
    """The proxy of an OpenShift cluster; "" for what it does not set.

    Attributes:
        http_proxy: for HTTP.
        https_proxy: for HTTPS.
        no_proxy: what is reached without one.
        trusted_ca: name of the ConfigMap with further certificate authorities.
    """

    http_proxy: str = ""
    https_proxy: str = ""
    no_proxy: str = ""
    trusted_ca: str = ""


@dataclass(frozen=True)
class ClusterFacts:
    """Facts of a cluster, or of one pool of like nodes.

    Attributes:
        container_runtime: containerd, crio or docker.
        os: ID and VERSION_ID of the nodes' /etc/os-release in one word, ``ubuntu22.04``; "" when unknown.
        kernel_version: full kernel version, for precompiled drivers; "" when unknown.
        openshift_version: major.minor; "" when the cluster is not OpenShift.
        driver_toolkit: what compiles kernel modules on OpenShift.
        proxy: of OpenShift.
        config_maps: the keys of each ConfigMap that the driver takes files from, sorted.
    """

    container_runtime: str = "containerd"
    os: str = ""
    kernel_version: str = ""
    openshift_version: str = ""
    driver_toolkit: DriverToolkit = DriverToolkit()
    proxy: Proxy = Proxy()
    config_maps: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """The facts as values, to be laid over those of a resource or a user."""
        return {
            "cluster": {
                "containerRuntime": self.container_runtime,
                "os": self.os,
                "kernelVersion": self.kernel_version,
                "openshiftVersion": self.openshift_version,
                "driverToolkit": {"osVersion": self.driver_toolkit.os_version, "image": self.driver_toolkit.image},
                "proxy": {
                    "httpProxy": self.proxy.http_proxy,
                    "httpsProxy": self.proxy.https_proxy,
                    "noProxy": self.proxy.no_proxy,
                    "trustedCA": self.proxy.trusted_ca,
                },
                "configMaps": {name: list(keys) for name, keys in self.config_maps.items()},
            }
        }
