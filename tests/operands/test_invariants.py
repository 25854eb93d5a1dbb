"""What must hold for everything that is rendered without an operator, whatever the values.

The objects are those of the evaluation; that helm renders the same is the oracle's test.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from operands import golden

from chartgen import yamlio
from chartgen.components import chart
from chartgen.emit import values as defaults
from chartgen.schema import loader
from chartgen.schema.model import Schema
from chartgen.tree.context import Context, lookup

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
SCHEMA = loader.load(SCHEMAS)
STATIC = {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}}
RESOURCES = {"requests": {"cpu": "10m"}, "limits": {"memory": "1Gi"}}
TAINT = {"key": "dedicated", "operator": "Exists", "effect": "NoExecute"}
OPENSHIFT = {"containerRuntime": "crio", "openshiftVersion": "4.18"}
APIS = frozenset({"monitoring.coreos.com/v1/ServiceMonitor", "monitoring.coreos.com/v1/PrometheusRule"})

Object = Mapping[str, Any]


def _everywhere(schema: Schema, name: str, value: Any) -> dict[str, Any]:
    """A value at every path of the schema that ends with a name."""
    found: dict[str, Any] = {}
    for field in schema.walk():
        *parents, last = field.path.split(".")
        if last != name or not parents or "[" in field.path:
            continue
        level = found
        for parent in parents:
            level = level.setdefault(parent, {})
        level[last] = value
    return found


ALL_ON = golden.merged(
    _everywhere(SCHEMA, "enabled", True),
    {
        "operator": {"enabled": False},
        "nfd": {"enabled": False},
        "sandboxWorkloads": {"enabled": False},
        "driver": {"nvidiaDriverCRD": {"enabled": False}},
    },
)
GIVEN: Mapping[str, Mapping[str, Any]] = {
    "defaults": {},
    "everything": ALL_ON,
    "crio": {"cluster": {"containerRuntime": "crio"}, "cdi": {"enabled": False}},
    "docker": {"cluster": {"containerRuntime": "docker"}},
    "openshift": {"cluster": OPENSHIFT, **_everywhere(SCHEMA, "hostNetwork", True)},
    "pools": {
        "cluster": {
            "nodePools": [
                {"name": "a", "nodeSelector": {"pool": "a"}, "os": "rhel9.4", "containerRuntime": "crio"},
                {"name": "b", "nodeSelector": {"pool": "b"}},
            ]
        }
    },
    "nri": {"cdi": {"nriPluginEnabled": True}},
    "plugin configuration": {"devicePlugin": {"config": {"name": "plugins", "default": "a"}}},
    "host paths": {
        "hostPaths": {"rootFS": "/sysroot", "driverInstallDir": "/opt/driver", "kubeletRootDir": "/data/kubelet"},
        "toolkit": {"installDir": "/opt/toolkit"},
        "devicePlugin": {"mps": {"root": "/var/mps"}},
    },
    "resources": golden.merged(
        _everywhere(SCHEMA, "resources", RESOURCES), {"devicePlugin": {"config": {"name": "plugins"}}}
    ),
    "daemonsets": {
        "daemonsets": {
            "tolerations": [TAINT],
            "priorityClassName": "mine",
            "labels": {"app": "mine", "team": "gpu"},
            "annotations": {"note": "x"},
            "updateStrategy": "OnDelete",
            "podSecurityContext": {"runAsUser": 0},
        }
    },
}


def objects(name: str) -> list[dict[str, Any]]:
    """All objects of a release without an operator."""
    base = yamlio.load(defaults.emit(SCHEMA).text)
    values = golden.merged(golden.merged(base, STATIC), GIVEN[name])
    return chart.objects(SCHEMA, Context(values, namespace="gpus", app_version="v26.7.0", api_versions=APIS))


RENDERED = {name: objects(name) for name in GIVEN}
DAEMONSETS = [
    pytest.param(name, found, id=f"{name}-{found['metadata']['name']}")
    for name, every in RENDERED.items()
    for found in every
    if found["kind"] == "DaemonSet"
]
each_daemonset = pytest.mark.parametrize(("given", "daemonset"), DAEMONSETS)
each_release = pytest.mark.parametrize("given", GIVEN)


def pod(daemonset: Object) -> dict[str, Any]:
    """The pod's spec."""
    found: dict[str, Any] = daemonset["spec"]["template"]["spec"]
    return found


def containers(daemonset: Object) -> list[dict[str, Any]]:
    """Its containers, init ones first."""
    return [*pod(daemonset).get("initContainers", []), *pod(daemonset)["containers"]]


def host_paths(daemonset: Object) -> dict[str, str]:
    """Paths of the host by the names of their volumes."""
    volumes = pod(daemonset).get("volumes", [])
    return {volume["name"]: volume["hostPath"]["path"] for volume in volumes if "hostPath" in volume}


@each_daemonset
def test_mounts_and_volumes_belong_together(given: str, daemonset: Object) -> None:
    """Each mount has its volume and each volume a mount, and no name or place is taken twice."""
    volumes = [volume["name"] for volume in pod(daemonset).get("volumes", [])]
    mounted = {mount["name"] for container in containers(daemonset) for mount in container.get("volumeMounts", [])}
    assert sorted(set(volumes)) == sorted(volumes)
    assert mounted == set(volumes)
    for container in containers(daemonset):
        places = [mount["mountPath"] for mount in container.get("volumeMounts", [])]
        assert sorted(set(places)) == sorted(places)


@each_daemonset
def test_selector_matches_its_pods(given: str, daemonset: Object) -> None:
    """Whatever labels the user adds."""
    labels = daemonset["spec"]["template"]["metadata"]["labels"]
    assert daemonset["spec"]["selector"]["matchLabels"].items() <= labels.items()


@each_daemonset
def test_names_are_given_once(given: str, daemonset: Object) -> None:
    """Of containers, of their variables, and of the pod's ports; a variable has a value or a source."""
    names = [container["name"] for container in containers(daemonset)]
    ports = [port["name"] for container in containers(daemonset) for port in container.get("ports", [])]
    assert sorted(set(names)) == sorted(names)
    assert sorted(set(ports)) == sorted(ports)
    for container in containers(daemonset):
        variables = [variable["name"] for variable in container.get("env", [])]
        assert sorted(set(variables)) == sorted(variables)
        assert all(("value" in variable) != ("valueFrom" in variable) for variable in container.get("env", []))


@each_daemonset
def test_images_are_complete(given: str, daemonset: Object) -> None:
    """A registry, a name, and a tag or digest."""
    for container in containers(daemonset):
        assert re.fullmatch(r"[a-z0-9.-]+(:\d+)?(/[a-z0-9._-]+)+(:[\w.-]+|@sha256:[0-9a-f]{64})", container["image"])


@each_daemonset
def test_pods_go_where_daemonsets_says(given: str, daemonset: Object) -> None:
    """They tolerate, and they are as urgent, as the values say, on nodes that are labelled for them."""
    wanted = lookup(GIVEN[given], "daemonsets") or {}
    gpu = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
    assert pod(daemonset)["tolerations"] == wanted.get("tolerations", [gpu])
    assert pod(daemonset)["priorityClassName"] == wanted.get("priorityClassName", "system-node-critical")
    assert any(re.match(r"nvidia\.com/gpu\.deploy\.", label) for label in pod(daemonset)["nodeSelector"])
    assert pod(daemonset).get("securityContext") == wanted.get("podSecurityContext")
    metadata = daemonset["spec"]["template"]["metadata"]
    assert metadata.get("annotations", {}).get("note") == lookup(wanted, "annotations.note")
    assert metadata["labels"].get("team") == lookup(wanted, "labels.team")
    if wanted:
        assert daemonset["spec"]["updateStrategy"] == {"type": "OnDelete"}


def test_every_container_takes_resources() -> None:
    """Init containers and sidecars too."""
    for found in RENDERED["resources"]:
        if found["kind"] == "DaemonSet":
            without = [one["name"] for one in containers(found) if one.get("resources") != RESOURCES]
            assert not without, found["metadata"]["name"]


@each_release
def test_nothing_is_empty_or_null(given: str) -> None:
    """Neither a list nor a value; a mapping may be empty where that means something."""
    meant = re.compile(r".*\.(emptyDir|podSelector|ingress|egress|data)")
    for found in RENDERED[given]:
        empty = [
            path for path, value in _leaves(found) if value in ([], None) or (value == {} and not meant.match(path))
        ]
        assert not empty, found["metadata"]["name"]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not value or not members:
        yield path, value
    for key, member in members:
        yield from _leaves(member, f"{path}.{key}")


@each_release
def test_objects_are_named_once_and_know_each_other(given: str) -> None:
    """Accounts, roles and ConfigMaps that are referred to exist; what is referred to by the user's name is the user's."""
    there = {(found["kind"], found["metadata"]["name"]) for found in RENDERED[given]}
    assert len(there) == len(RENDERED[given])
    theirs = {("ConfigMap", "plugins")}
    for found in RENDERED[given]:
        missing = set(_references(found)) - there - theirs
        assert not missing, found["metadata"]["name"]
        if found["kind"] not in ("ClusterRole", "ClusterRoleBinding", "RuntimeClass", "NodeFeatureRule"):
            assert "namespace" in found["metadata"] or found["kind"] == "SecurityContextConstraints"


def _references(found: Object) -> Iterator[tuple[str, str]]:
    if "roleRef" in found:
        yield found["roleRef"]["kind"], found["roleRef"]["name"]
        yield from ((one["kind"], one["name"]) for one in found["subjects"] if one["namespace"] == "gpus")
    if found["kind"] == "DaemonSet":
        yield "ServiceAccount", pod(found)["serviceAccountName"]
        for volume in pod(found).get("volumes", []):
            if "configMap" in volume:
                yield "ConfigMap", volume["configMap"]["name"]
        if "runtimeClassName" in pod(found):
            yield "RuntimeClass", pod(found)["runtimeClassName"]


@each_daemonset
def test_a_file_is_read_where_it_is_written(given: str, daemonset: Object) -> None:
    """A place that operands share in their containers is the same directory of the host for all of them."""
    mps = lookup(GIVEN[given], "devicePlugin.mps.root") or "/run/nvidia/mps"
    shared = {
        "/run/nvidia/validations": "/run/nvidia/validations",
        "/run/nvidia/toolkit": "/run/nvidia/toolkit",
        "/driver-root": lookup(GIVEN[given], "hostPaths.driverInstallDir") or "/run/nvidia/driver",
        "/host": lookup(GIVEN[given], "hostPaths.rootFS") or "/",
        "/var/run/cdi": "/var/run/cdi",
        "/mps": mps,
        "/dev/shm": f"{mps}/shm",
    }
    for container in containers(daemonset):
        for place, wanted in shared.items():
            assert on_host(daemonset, container, place) in (None, wanted), (container["name"], place)


def on_host(daemonset: Object, container: Object, place: str) -> str | None:
    """The host's path of a place in a container; None when it is not of the host."""
    covering = [
        mount for mount in container.get("volumeMounts", []) if f"{place}/".startswith(f"{mount['mountPath']}/")
    ]
    if not covering:
        return None
    nearest = max(covering, key=lambda mount: len(mount["mountPath"]))
    folder = host_paths(daemonset).get(nearest["name"])
    rest = place.removeprefix(nearest["mountPath"])
    return None if folder is None else f"{folder}{rest}"


@each_daemonset
def test_a_script_finds_the_files_it_waits_for(given: str, daemonset: Object) -> None:
    """Whoever speaks of the validation files, in arguments or in a mounted script, has the directory they are in."""
    scripts = {found["metadata"]["name"]: found["data"] for found in RENDERED[given] if found["kind"] == "ConfigMap"}
    for container in containers(daemonset):
        texts = [*container.get("command", []), *container.get("args", [])]
        for mount in container.get("volumeMounts", []):
            texts += scripts.get(mount["name"], {}).values()
        if any("/run/nvidia/validations" in text for text in texts):
            assert on_host(daemonset, container, "/run/nvidia/validations"), container["name"]


@each_release
def test_the_cdi_hook_is_where_the_toolkit_puts_it(given: str) -> None:
    """The device plugin names a program that the toolkit installs on the host."""
    daemonsets = [found for found in RENDERED[given] if found["kind"] == "DaemonSet"]
    toolkit = next(found for found in daemonsets if "container-toolkit" in found["metadata"]["name"])
    installed = host_paths(toolkit)["toolkit-install-dir"]
    hooks = [
        variable["value"]
        for found in daemonsets
        for container in containers(found)
        for variable in container.get("env", [])
        if variable["name"] == "NVIDIA_CDI_HOOK_PATH"
    ]
    assert set(hooks) <= {f"{installed}/toolkit/nvidia-cdi-hook"}
    assert bool(hooks) == (given != "crio")


def _without_a_volume(daemonset: dict[str, Any]) -> None:
    pod(daemonset)["volumes"].pop()


def _with_a_mount_twice(daemonset: dict[str, Any]) -> None:
    pod(daemonset)["containers"][0]["volumeMounts"] *= 2


def _with_another_label(daemonset: dict[str, Any]) -> None:
    daemonset["spec"]["template"]["metadata"]["labels"]["app"] = "mine"


def _with_a_variable_twice(daemonset: dict[str, Any]) -> None:
    pod(daemonset)["containers"][0]["env"] *= 2


def _without_a_tag(daemonset: dict[str, Any]) -> None:
    pod(daemonset)["containers"][0]["image"] = "nvcr.io/nvidia/k8s-device-plugin:"


def _without_tolerations(daemonset: dict[str, Any]) -> None:
    del pod(daemonset)["tolerations"][0]


def _with_files_elsewhere(daemonset: dict[str, Any]) -> None:
    for volume in pod(daemonset)["volumes"]:
        if volume["name"] == "run-nvidia-validations":
            volume["hostPath"]["path"] = "/tmp"


def _without_the_files(daemonset: dict[str, Any]) -> None:
    for container in containers(daemonset):
        container["volumeMounts"] = []


@pytest.mark.parametrize(
    ("spoil", "check"),
    [
        (_without_a_volume, test_mounts_and_volumes_belong_together),
        (_with_a_mount_twice, test_mounts_and_volumes_belong_together),
        (_with_another_label, test_selector_matches_its_pods),
        (_with_a_variable_twice, test_names_are_given_once),
        (_without_a_tag, test_images_are_complete),
        (_without_tolerations, test_pods_go_where_daemonsets_says),
        (_with_files_elsewhere, test_a_file_is_read_where_it_is_written),
        (_without_the_files, test_a_script_finds_the_files_it_waits_for),
    ],
    ids=lambda one: one.__name__.strip("_"),
)
def test_a_broken_daemonset_is_noticed(spoil: Callable[[Object], None], check: Callable[[str, Object], None]) -> None:
    """Each check above fails on a DaemonSet that is spoilt for it."""
    named = "nvidia-device-plugin-daemonset"
    whole = next(found for found in RENDERED["defaults"] if found["metadata"]["name"] == named)
    check("defaults", whole)
    spoilt = copy.deepcopy(whole)
    spoil(spoilt)
    with pytest.raises((AssertionError, KeyError)):
        check("defaults", spoilt)
