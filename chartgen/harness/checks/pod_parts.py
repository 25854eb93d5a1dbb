"""The parts of a pod fit together: each mount has a volume and each volume a mount, probes ask ports that are there, nothing has a name twice.

The API server refuses some of these when the pod is made, long after the release, and says nothing of the others: a volume
that nobody mounts was meant for a container that goes without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chartgen.harness import places, pods
from chartgen.harness.given import Doubt
from chartgen.harness.manifests import Document
from chartgen.harness.places import mapping, sequence, text
from chartgen.harness.results import Finding, invalid

_HANDLERS = "livenessProbe|readinessProbe|startupProbe.httpGet|tcpSocket.port"
_HOOKS = "lifecycle.postStart|preStop.httpGet|tcpSocket.port"
_DEFAULT_PROTOCOL = "TCP"


def judge(document: Document) -> Iterator[Finding | Doubt]:
    """Names each part; see `chartgen.harness.given.EachDocumentUnlessGiven`."""
    for each in document.objects:
        identity = f"{text(each.get('kind'))}/{text(mapping(each.get('metadata')).get('name'))}"
        claims = {text(name) for _, name in places.find(each, "spec.volumeClaimTemplates[].metadata.name")}
        for pod in pods.of(each):
            for message, name in wrong(pod, claims):
                yield Doubt(invalid(identity, message), name, is_name=True) if name else invalid(identity, message)


def wrong(pod: pods.Pod, claims: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """What is wrong in a pod.

    Args:
        pod: the pod or its template.
        claims: volumes that it gets from claims of a StatefulSet.

    Yields:
        (what is wrong, the name of what is no fault when the user gave it; else empty).
    """
    containers = list(pod.containers())
    names = [text(container.get("name")) for _, container in containers]
    yield from _twice(names, f"{pod.at('containers')}: the container", "of the pod")
    yield from _volumes(pod, containers, set(claims))
    yield from _claims(pod, containers)
    for path, container in containers:
        yield from _ports(path, container)
        variables = (text(mapping(each).get("name")) for each in sequence(container.get("env")))
        yield from _twice(variables, f"{path}.env: the variable", "there")


def _volumes(
    pod: pods.Pod, containers: list[tuple[str, Mapping[str, Any]]], claims: set[str]
) -> Iterator[tuple[str, str]]:
    volumes = [text(mapping(each).get("name")) for each in sequence(pod.spec.get("volumes"))]
    yield from _twice(volumes, f"{pod.at('volumes')}: the volume", "there")
    mounted: set[str] = set()
    for path, container in containers:
        for place, found in places.find(container, "volumeMounts|volumeDevices[].name", path):
            name = text(found)
            mounted.add(name)
            if name not in volumes and name not in claims:
                yield f"{place}: the pod has no volume {name}", ""
        paths = [text(mapping(each).get("mountPath")) for each in sequence(container.get("volumeMounts"))]
        yield from _twice(paths, f"{path}.volumeMounts: the path", "there")
    for name in volumes:
        if name and name not in mounted:
            yield f"{pod.at('volumes')}: no container mounts the volume {name}", name


def _claims(pod: pods.Pod, containers: list[tuple[str, Mapping[str, Any]]]) -> Iterator[tuple[str, str]]:
    """Claims of devices: what a container asks for is claimed by the pod."""
    claimed = {text(mapping(each).get("name")) for each in sequence(pod.spec.get("resourceClaims"))}
    for path, container in containers:
        for place, name in places.find(container, "resources.claims[].name", path):
            if name not in claimed:
                yield f"{place}: the pod has no resource claim {name}", ""


def _ports(path: str, container: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    ports = [mapping(each) for each in sequence(container.get("ports"))]
    names = [text(port.get("name")) for port in ports]
    yield from _twice(names, f"{path}.ports: the name", "there")
    numbers = ((port.get("containerPort"), port.get("protocol") or _DEFAULT_PROTOCOL) for port in ports)
    for (number, protocol), count in Counter(numbers).items():
        if count > 1:
            yield f"{path}.ports: {number}/{protocol} is there {count} times", ""
    for pattern in (_HANDLERS, _HOOKS):
        for place, port in places.find(container, pattern, path):
            if isinstance(port, str) and not port.isdigit() and port not in names:
                yield f"{place}: the container has no port {port}", ""


def _twice(names: Iterable[str], what: str, where: str) -> Iterator[tuple[str, str]]:
    for name, count in Counter(names).items():
        if name and count > 1:
            yield f"{what} {name} is {where} {count} times", ""
