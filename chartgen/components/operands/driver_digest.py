"""The digest by which operator v26.7.0 tells whether a change reinstalls the driver (``DRIVER_CONFIG_DIGEST``).

The driver manager and the driver container leave an installed driver alone while the digest is the same, and an upgrade of
a node is then a restart without a drain. So that one operator can follow another without draining every node, it is
computed here to the letter: FNV-1a over a text that spells each field with its Go type. The chart without an operator
cannot compute that and has a digest of its own (`driver_settings.DIGEST`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

NAME = "DRIVER_CONFIG_DIGEST"
_OFFSET, _PRIME = 2166136261, 16777619
_DRIVER = "nvidia-driver-ctr"
_MANAGER = "k8s-driver-manager"
_TOOLKIT = "openshift-driver-toolkit-ctr"
# Containers beside the driver: the prefix of their fields, and the name of the switch.
_SIDECARS = {
    "nvidia-peermem-ctr": ("Peermem", "GPUDirectRDMAEnabled"),
    "nvidia-fs-ctr": ("GDS", "GDSEnabled"),
    "nvidia-gdrcopy-ctr": ("GDRCopy", "GDRCopyEnabled"),
    _TOOLKIT: ("DTK", "DTKEnabled"),
}
_WITH_ENV = ("GDS", "GDRCopy")
# A volume that the digest counts and that no container mounts; the driver's pods here do without.
_UNUSED_VOLUME = {"name": "run-nvidia-validations", "hostPath": {"path": "/run/nvidia/validations"}}

Object = Mapping[str, Any]


def stamped(daemonset: Object) -> dict[str, Any]:
    """A driver's DaemonSet with this digest in place of the chart's.

    An operator has to call it for every DaemonSet of a driver before it compares that with the one in the cluster: the
    trees alone give the chart's digest, with which the pods of a node would be drained once for nothing.
    """
    spec = daemonset["spec"]
    pod = spec["template"]["spec"]
    digest = config_digest(pod)
    kinds = ("initContainers", "containers")
    marked = {kind: [_marked(container, digest) for container in pod[kind]] for kind in kinds}
    template = {**spec["template"], "spec": {**pod, **marked}}
    return {**daemonset, "spec": {**spec, "template": template}}


def _marked(container: Object, digest: str) -> Object:
    env = (
        [{**variable, "value": digest} if variable["name"] == NAME else variable for variable in container["env"]]
        if (container.get("env"))
        else None
    )
    return container if env is None else {**container, "env": env}


def config_digest(pod: Object) -> str:
    """The digest of a driver pod's spec, in decimal."""
    text = "".join(f"{name}:{value}" for name, value in sorted(_fields(pod)) if value)
    digest = _OFFSET
    for byte in text.encode():
        digest = (digest ^ byte) * _PRIME % 2**32
    return str(digest)


def _fields(pod: Object) -> Iterator[tuple[str, str]]:
    """The fields and their text; "" for one that does not count."""
    containers = {container["name"]: container for container in (*pod["initContainers"], *pod["containers"])}
    manager, driver = containers[_MANAGER], containers[_DRIVER]
    volumes = sorted([*pod["volumes"], _UNUSED_VOLUME], key=_name)
    yield "DriverManagerImage", _string(manager["image"])
    yield "ManagerEnv", _env(manager)
    yield "DriverImage", _string(driver["image"])
    yield "DriverCommand", _strings(driver["command"])
    yield "DriverArgs", _strings(driver.get("args", []))
    yield "DriverEnv", _env(driver)
    yield "SecretEnvSource", _string(next((one["secretRef"]["name"] for one in driver.get("envFrom", [])), ""))
    mounts = sorted(driver["volumeMounts"], key=lambda mount: (mount["name"], mount["mountPath"]))
    yield "AdditionalVolumeMounts", _list("VolumeMountConfig", [_mount(mount) for mount in mounts])
    yield "AdditionalVolumes", _list("VolumeConfig", [_volume(volume) for volume in volumes])
    yield "HostRoot", _string(next(one["hostPath"]["path"] for one in volumes if one["name"] == "host-root"))
    for name, (prefix, switch) in _SIDECARS.items():
        if name in containers:
            yield f"{prefix}Image", _string(containers[name]["image"])
            yield switch, "(bool)true"
            if prefix in _WITH_ENV:
                yield f"{prefix}Env", _env(containers[name])


def _name(item: Object) -> str:
    return str(item["name"])


def _string(text: str) -> str:
    return f"(string){text}" if text else ""


def _strings(texts: Sequence[str]) -> str:
    return f"([]string)[{' '.join(texts)}]" if texts else ""


def _list(kind: str, items: Sequence[str]) -> str:
    return f"([]config.{kind})[{' '.join(items)}]" if items else ""


def _env(container: Object) -> str:
    """Variables with a value of their own, by name."""
    own = (one for one in container.get("env", []) if "valueFrom" not in one and one["name"] != NAME)
    items = [f"{{Name:(string){one['name']} Value:(string){one.get('value', '')}}}" for one in sorted(own, key=_name)]
    return _list("EnvVar", items)


def _mount(mount: Object) -> str:
    read_only = "true" if mount.get("readOnly") else "false"
    path, part = mount["mountPath"], mount.get("subPath", "")
    return (
        f"{{Name:(string){mount['name']} MountPath:(string){path} SubPath:(string){part} ReadOnly:(bool){read_only}}}"
    )


def _volume(volume: Object) -> str:
    """A volume by where it comes from; sources of other kinds count by name alone."""
    config_map = volume.get("configMap", {}).get("name", "")
    secret = volume.get("secret", {}).get("secretName", "")
    path = volume.get("hostPath", {}).get("path", "")
    return (
        f"{{Name:(string){volume['name']} ConfigMapName:(string){config_map} "
        f"SecretName:(string){secret} HostPath:(string){path}}}"
    )
