"""Container runtimes: the files of each that the container toolkit edits or speaks to.

k3s, RKE2, k0s and MicroK8s keep these files elsewhere and say so in ``toolkit.env``. The container finds each file in a
directory of its own; so the path that a user gives becomes that of a volume, and the variable gets the path in the
container. With the NRI plugin there is nothing to edit, and one socket to speak to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chartgen.components.operands.workload import CRIO, NRI, OPENSHIFT, host_path, variable
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Node, When, join

_ENV = "toolkit.env"
_DOCKER = conditions.Equals("cluster.containerRuntime", "docker")
CONTAINERD = conditions.negate(conditions.any_of(CRIO, _DOCKER))
# Where CRI-O looks for hooks; that of OpenShift reads the other directory too, and cannot write to the first.
HOOKS = When(
    conditions.all_of(conditions.Equals("cluster.containerRuntime", "crio"), conditions.negate(OPENSHIFT)),
    "/usr/share/containers/oci/hooks.d",
    "/run/containers/oci/hooks.d",
)


@dataclass(frozen=True)
class File:
    """A file of the host that the toolkit edits or speaks to.

    Attributes:
        volume: name of the volume, its directory on the host.
        folder: that directory in the container.
        given_by: variables that may give the path on the host, in one string.
        default: the path, when none does.
        variables: those that get the path in the container.
        type_: of the volume.
        host_variable: the one that gets the path on the host; "" for none.
    """

    volume: str
    folder: str
    given_by: str
    default: str
    variables: tuple[str, ...]
    type_: str = "DirectoryOrCreate"
    host_variable: str = ""

    def env(self) -> list[Node]:
        """Its variables."""
        inside = join(self.folder, helpers.host_file(_ENV, self.given_by, self.default, "base"))
        found: list[Node] = [variable(name, inside) for name in self.variables]
        if self.host_variable:
            found.append(variable(self.host_variable, helpers.host_file(_ENV, self.given_by, self.default)))
        return found

    def mounts(self) -> list[Node]:
        """Where the container finds its directory."""
        return [{"name": self.volume, "mountPath": self.folder}]

    def volumes(self) -> list[Node]:
        """Its directory on the host."""
        return [host_path(self.volume, helpers.host_file(_ENV, self.given_by, self.default, "dir"), self.type_)]


def _files(name: str, config: str, drop_in: str = "", socket: str = "") -> tuple[File, ...]:
    """What the toolkit touches of a container runtime."""
    own = f"{name.upper()}_CONFIG"
    found = [File(f"{name}-config", "/runtime/config-dir/", f"{own} RUNTIME_CONFIG", config, ("RUNTIME_CONFIG", own))]
    if drop_in:
        given = "RUNTIME_DROP_IN_CONFIG"
        place = "/runtime/config-dir.d/"
        found.append(
            File(f"{name}-drop-in-config", place, given, drop_in, (given,), host_variable=f"{given}_HOST_PATH")
        )
    if socket:
        given = f"{name.upper()}_SOCKET"
        found.append(File(f"{name}-socket", "/runtime/sock-dir/", given, socket, ("RUNTIME_SOCKET", given), type_=""))
    return tuple(found)


_NRI_FILES = (File("nri-socket", "/runtime/nri-sock-dir/", "NRI_SOCKET", "/var/run/nri/nri.sock", ("NRI_SOCKET",)),)
_CONTAINERD_FILES = _files(
    "containerd",
    "/etc/containerd/config.toml",
    "/etc/containerd/conf.d/99-nvidia.toml",
    "/run/containerd/containerd.sock",
)
_CRIO_FILES = _files("crio", "/etc/crio/config.toml", "/etc/crio/crio.conf.d/99-nvidia.conf")
_DOCKER_FILES = _files("docker", "/etc/docker/daemon.json", socket="/var/run/docker.sock")


def chosen(crio: Node, docker: Node, containerd: Node) -> Node:
    """The one for the container runtime of the cluster."""
    return When(CRIO, crio, When(_DOCKER, docker, containerd))


def touched(made: Callable[[File], list[Node]]) -> Node:
    """What is made of the files that the toolkit touches, in a list."""

    def of(files: tuple[File, ...]) -> list[Node]:
        return [node for file in files for node in made(file)]

    runtimes = chosen(of(_CRIO_FILES), of(_DOCKER_FILES), of(_CONTAINERD_FILES))
    return When(NRI, of(_NRI_FILES), runtimes)
