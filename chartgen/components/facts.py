"""What is known of the cluster besides values: the second input of the operands.

The operator reads these from the nodes; the chart without an operator takes them from ``cluster.*``. Trees read them as
the values paths below ``cluster``, so one overlay serves both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ClusterFacts:
    """Facts of a cluster, or of one pool of like nodes.

    Attributes:
        container_runtime: containerd, crio or docker.
        os: ID and VERSION_ID of the nodes' /etc/os-release in one word, ``ubuntu22.04``; "" when unknown.
        kernel_version: full kernel version, for precompiled drivers; "" when unknown.
        openshift_version: major.minor; "" when the cluster is not OpenShift.
    """

    container_runtime: str = "containerd"
    os: str = ""
    kernel_version: str = ""
    openshift_version: str = ""

    def values(self) -> dict[str, Any]:
        """The facts as values, to be laid over those of a resource or a user."""
        return {
            "cluster": {
                "containerRuntime": self.container_runtime,
                "os": self.os,
                "kernelVersion": self.kernel_version,
                "openshiftVersion": self.openshift_version,
            }
        }
