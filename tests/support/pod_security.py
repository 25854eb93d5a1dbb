"""The restricted Pod Security Standard, as far as a manifest shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
_PROFILES = ("RuntimeDefault", "Localhost")


def violations(pod: dict[str, Any]) -> list[str]:
    """What a namespace of level restricted would refuse the pod for; empty when it lets it in."""
    return [*_of_pod(pod), *(found for container in _containers(pod) for found in _of_container(container, pod))]


def _containers(pod: dict[str, Any]) -> list[dict[str, Any]]:
    kinds = ("initContainers", "containers", "ephemeralContainers")
    return [container for kind in kinds for container in pod.get(kind, [])]


def _of_pod(pod: dict[str, Any]) -> Iterator[str]:
    for member in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(member):
            yield f"pod: {member}"
    for volume in pod.get("volumes", []):
        if not set(volume) - {"name"} <= _VOLUMES:
            yield f"volume {volume['name']}: {sorted(set(volume) - {'name'})}"
    context = pod.get("securityContext") or {}
    if context.get("runAsUser") == 0:
        yield "pod: runAsUser 0"
    if context.get("sysctls"):
        yield "pod: sysctls"


def _of_container(container: dict[str, Any], pod: dict[str, Any]) -> Iterator[str]:
    name = container["name"]
    of_pod = pod.get("securityContext") or {}
    own = container.get("securityContext") or {}
    capabilities = own.get("capabilities") or {}
    if own.get("privileged"):
        yield f"{name}: privileged"
    if own.get("allowPrivilegeEscalation") is not False:
        yield f"{name}: allowPrivilegeEscalation is not false"
    if "ALL" not in capabilities.get("drop", []) or not set(capabilities.get("add", [])) <= {"NET_BIND_SERVICE"}:
        yield f"{name}: capabilities {capabilities}"
    if own.get("runAsNonRoot", of_pod.get("runAsNonRoot")) is not True or own.get("runAsUser") == 0:
        yield f"{name}: may run as root"
    profile = own.get("seccompProfile") or of_pod.get("seccompProfile") or {}
    if profile.get("type") not in _PROFILES:
        yield f"{name}: seccompProfile {profile}"
    if own.get("procMount", "Default") != "Default":
        yield f"{name}: procMount"
    for port in container.get("ports", []):
        if port.get("hostPort"):
            yield f"{name}: hostPort"
