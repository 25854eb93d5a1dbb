"""One registry, one list of credentials, one digest: they reach every image, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support import charts

REGISTRY = "registry.example.com:5000/mirror"
DIGEST = "sha256:" + "0123456789abcdef" * 4
OWN = "mine.example.com/gpu"
DRA = charts.merged(
    charts.nested("clusterPolicy.deployCR", False),
    charts.nested("gpuCluster.deployCR", True),
    charts.nested("driver.nvidiaDriverCRD.enabled", True),
)
STACKS = {
    "ClusterPolicy": charts.nested("operator.cleanupCRD", True),
    "NVIDIADriver": charts.merged({"driver": {"nvidiaDriverCRD": {"enabled": True}}}),
    "GPUCluster": DRA,
}
# Built by the user, so that there is no registry to start from.
PRIVATE = {"vgpuManager"}
KINDS = ("ClusterPolicy", "NVIDIADriver", "GPUCluster")
# Where an image stands in values: path -> the default repository.
COMPONENTS = {
    "operator": "nvcr.io/nvidia",
    "validator": "nvcr.io/nvidia",
    "driver": "nvcr.io/nvidia",
    "driver.manager": "nvcr.io/nvidia/cloud-native",
    "toolkit": "nvcr.io/nvidia/k8s",
    "devicePlugin": "nvcr.io/nvidia",
    "gfd": "nvcr.io/nvidia",
    "migManager": "nvcr.io/nvidia/cloud-native",
    "dcgm": "nvcr.io/nvidia/cloud-native",
    "dcgmExporter": "nvcr.io/nvidia/k8s",
    "nodeStatusExporter": "nvcr.io/nvidia",
    "gds": "nvcr.io/nvidia/cloud-native",
    "gdrcopy": "nvcr.io/nvidia/cloud-native",
    "vgpuManager.driverManager": "nvcr.io/nvidia/cloud-native",
    "vgpuDeviceManager": "nvcr.io/nvidia/cloud-native",
    "vfioManager": "nvcr.io/nvidia/cloud-native",
    "vfioManager.driverManager": "nvcr.io/nvidia/cloud-native",
    "sandboxDevicePlugin": "nvcr.io/nvidia",
    "kataSandboxDevicePlugin": "nvcr.io/nvidia/cloud-native",
    "ccManager": "nvcr.io/nvidia/cloud-native",
    "draDriver": "nvcr.io/nvidia",
    "tests": "registry.k8s.io",
}


def _image_maps(tree: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every place of a custom resource that names an image."""
    if isinstance(tree, dict):
        if "image" in tree:
            yield path, tree
        for key, member in tree.items():
            yield from _image_maps(member, f"{path}.{key}" if path else key)


def _places(objects: list[charts.Object]) -> Iterator[tuple[str, dict[str, Any]]]:
    for one in objects:
        if one["kind"] in KINDS:
            for path, found in _image_maps(one["spec"]):
                yield f"{one['kind']} {path}", found


def _references(objects: list[charts.Object]) -> Iterator[tuple[str, str]]:
    """Every complete image reference: of containers, and in their environment."""
    for name, pod in charts.pods(objects):
        for container in charts.containers(pod):
            yield f"{name} {container['name']}", container["image"]
            for variable in container.get("env", []):
                if variable["name"].endswith("_IMAGE"):
                    yield f"{name} {variable['name']}", variable["value"]


@pytest.mark.parametrize("stack", STACKS)
def test_a_registry_reaches_every_image(gpu_operator: charts.Chart, stack: str) -> None:
    """`global.imageRegistry` takes the place of the registry's host; nothing is pulled from anywhere else."""
    objects = gpu_operator.objects(charts.merged(STACKS[stack], {"global": {"imageRegistry": REGISTRY}}))
    references = dict(_references(objects))
    places = dict(_places(objects))
    assert len(references) >= 5
    assert len(places) >= 3
    assert [name for name, image in references.items() if not image.startswith(f"{REGISTRY}/")] == []
    elsewhere = {
        name for name, place in places.items() if not str(place.get("repository", "")).startswith(f"{REGISTRY}/")
    }
    assert {name.rpartition(" ")[2] for name in elsewhere} <= PRIVATE
    assert not [name for name in references if "nvcr.io" in references[name] or "k8s.io" in references[name]]


def test_a_registry_may_end_with_a_slash(gpu_operator: charts.Chart) -> None:
    """A mirror written like a folder: two slashes in a row are no image reference."""
    with_slash, without = (
        gpu_operator.all_objects({"global": {"imageRegistry": registry}}) for registry in (f"{REGISTRY}/", REGISTRY)
    )
    assert with_slash == without


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_repository_of_ones_own_wins(newest: charts.Chart, component: str) -> None:
    """Whether or not there is a registry for all; the others still move."""
    values = {"global": {"imageRegistry": REGISTRY}}
    ours = charts.nested(f"{component}.repository", OWN)
    objects: list[charts.Object] = []
    for stack in STACKS.values():
        objects += newest.objects(charts.merged(stack, values, ours))
    found = [image for _, image in _references(objects)] + [
        str(place.get("repository")) for _, place in _places(objects)
    ]
    assert [one for one in found if one.startswith(OWN)]
    assert [one for one in found if one.startswith(REGISTRY)]


def test_the_mirror_keeps_the_paths(gpu_operator: charts.Chart) -> None:
    """What stood below the registry's host stands below the mirror."""
    places: dict[str, dict[str, Any]] = {}
    references: dict[str, str] = {}
    for stack in STACKS.values():
        objects = gpu_operator.objects(charts.merged(stack, {"global": {"imageRegistry": REGISTRY}}))
        places |= dict(_places(objects))
        references |= dict(_references(objects))
    for component, default in COMPONENTS.items():
        moved = REGISTRY + default.removeprefix("registry.k8s.io").removeprefix("nvcr.io")
        found = [place["repository"] for name, place in places.items() if name.endswith(f" {component}")]
        assert set(found) <= {moved}, component
        assert found or [image for image in references.values() if image.startswith(f"{moved}/")], component


@pytest.mark.parametrize("stack", STACKS)
def test_credentials_reach_every_pull(gpu_operator: charts.Chart, stack: str) -> None:
    """`global.imagePullSecrets`, in either spelling: references in pods, names in custom resources."""
    given = {"global": {"imagePullSecrets": ["one", {"name": "two"}]}}
    objects = gpu_operator.objects(charts.merged(STACKS[stack], given))
    pods = list(charts.pods(objects))
    assert pods
    for name, pod in pods:
        assert pod["imagePullSecrets"] == [{"name": "one"}, {"name": "two"}], name
    for name, place in _places(objects):
        assert place["imagePullSecrets"] == ["one", "two"], name


@pytest.mark.parametrize("component", COMPONENTS)
def test_credentials_of_a_component_come_first(newest: charts.Chart, component: str) -> None:
    """Its own before those for all, each once, whatever the spelling."""
    given = charts.merged(
        charts.nested(f"{component}.imagePullSecrets", [{"name": "own"}, "all"]),
        {"global": {"imagePullSecrets": [{"name": "all"}, "last"]}},
    )
    lists: list[list[str]] = []
    for stack in STACKS.values():
        objects = newest.objects(charts.merged(stack, given))
        lists += [place["imagePullSecrets"] for _, place in _places(objects)]
        lists += [[secret["name"] for secret in pod["imagePullSecrets"]] for _, pod in charts.pods(objects)]
    assert ["own", "all", "last"] in lists
    assert {tuple(names) for names in lists} == {("own", "all", "last"), ("all", "last")}


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_digest_is_joined_with_an_at_sign(newest: charts.Chart, component: str) -> None:
    """In references; custom resources take it as it is, and the operator joins it."""
    given = charts.nested(f"{component}.version", DIGEST)
    hits = 0
    for stack in STACKS.values():
        objects = newest.objects(charts.merged(stack, given))
        references = [image for _, image in _references(objects) if DIGEST in image]
        assert [image for image in references if f"@{DIGEST}" not in image or image.count(":") != 1] == []
        hits += len(references) + sum(place.get("version") == DIGEST for _, place in _places(objects))
    assert hits


@pytest.mark.parametrize("given", [580, "580", None])
def test_versions_are_texts(gpu_operator: charts.Chart, given: object) -> None:
    """A whole number is read as the text it spells; without one the operator's images have the chart's appVersion."""
    references = dict(_references(gpu_operator.objects({"operator": {"version": given}, "tests": {"version": given}})))
    expected = "580" if given else "v26.7.0"
    assert references["Deployment/gpu-operator gpu-operator"] == f"nvcr.io/nvidia/gpu-operator:{expected}"
    tag = ":580" if given else ""
    assert references["Pod/gpu-operator-test nodes-offer-gpus"] == f"registry.k8s.io/kubectl{tag}"


@pytest.mark.parametrize(
    ("given", "image"),
    [
        ({}, "nvcr.io/nvidia/gpu-operator:v26.7.0"),
        ({"image": None}, "nvcr.io/nvidia/gpu-operator:v26.7.0"),
        ({"repository": "r/x", "image": None}, "r/x/gpu-operator:v26.7.0"),
        ({"repository": None, "image": None}, "nvcr.io/nvidia/gpu-operator:v26.7.0"),
        ({"repository": None, "image": "r/x@sha256:aa"}, "r/x@sha256:aa"),
        ({"repository": "", "image": "r/x:1"}, "r/x:1"),
    ],
)
def test_gaps_of_the_operators_image(newest: charts.Chart, given: dict[str, object], image: str) -> None:
    """What is cleared is the chart's own; a whole reference stays as it is, without the chart's version behind it."""
    deployment = newest.by_name({"operator": given})["Deployment/gpu-operator"]
    assert deployment["spec"]["template"]["spec"]["containers"][0]["image"] == image
