"""What a real helm makes of the subchart alone is what evaluation says, and the same under each Helm."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest
from support import nfd, nfd_upstream, odd

from chartgen.harness import compare

VALUES = nfd_upstream.values()
_TEXTS = list(odd.STRINGS)
# Helm's toYaml yields nothing at all for a map with this character in it; no label may hold it.
_DELETE = "\x7f"
# Everything that is off by default, so that all templates are written out.
_ALL_ON: dict[str, Any] = {
    "topologyUpdater": {"enable": True, "createCRDs": True, "networkPolicy": {"enabled": True}},
    "master": {"networkPolicy": {"enabled": True}, "podDisruptionBudget": {"enable": True}},
    "worker": {"networkPolicy": {"enabled": True}, "ownerRefs": ["node"]},
    "gc": {"networkPolicy": {"enabled": True}, "podDisruptionBudget": {"enable": True}},
    "prometheus": {"enable": True},
}
_PROGRAMS = ("master", "worker", "topologyUpdater", "gc")


def _batch(number: int) -> dict[str, Any]:
    """Every value at once, each at one of its tries."""
    given = copy.deepcopy(_ALL_ON)
    for value in VALUES:
        if not value.path.endswith(("enable", "enabled", "rollingUpdate", "name")):
            nfd_upstream.put(given, value.path, copy.deepcopy(value.tries[number % len(value.tries)]))
    return given


def _each_program(**members: Any) -> dict[str, Any]:
    return {program: {**_ALL_ON[program], **members} for program in _PROGRAMS}


CASES: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "all on": _ALL_ON,
    "every value": _batch(0),
    "every value another way": _batch(1),
    # But for the image's name, without which there is none: that is refused.
    "each null": {
        **{name: None for name in nfd.defaults() if name != "global"},
        "image": {name: None for name in nfd.defaults()["image"] if name != "repository"},
    },
    "members null": {
        name: dict.fromkeys(members) | ({"enable": True} if name in _PROGRAMS else {})
        for name, members in nfd.defaults().items()
        if isinstance(members, dict) and name not in ("global", "image", "featureGates")
    },
    "words for switches": {
        **{name: {"enable": "true", "hostNetwork": "true", "hostUsers": "false"} for name in _PROGRAMS},
        "postDeleteCleanup": "false",
        "checksumValuesOnly": "true",
        "featureGates": {"NodeFeatureGroupAPI": "true", "Gone": None},
        "prometheus": {"enable": "true"},
    },
    "nulls alone": {
        "featureGates": {"Gone": None},
        "master": {"config": {"leaderElection": {"leaseDuration": None}}},
        "worker": {"config": {"core": {"klog": {"v": None}}}},
    },
    "odd labels and annotations": _each_program(
        labels={f"k{number}": text for number, text in enumerate(_TEXTS) if _DELETE not in text},
        annotations={"a": True, "b": 20260101, "c": None, "checksum/config": "mine"},
    ),
    "odd configuration": {
        "worker": {
            "config": {
                "core": {"labelSources": _TEXTS, "klog": None},
                "sources": {
                    "custom": [
                        {"name": "a", "n": 1, "f": 0.5, "t": True, "z": None, "e": {}, "l": [], "ll": [[1], []]},
                        "x",
                    ],
                    "other": {text: text for text in _TEXTS if text},
                },
            }
        },
        "master": {"config": {"nfdApiParallelism": 20260101, "restrictions": {"allowOverwrite": False}}},
        "topologyUpdater": {"enable": True, "config": {"excludeList": {"*": ["cpu"], "true": ["memory"], "a-b.c": []}}},
    },
    "repeated variables": _each_program(extraEnvs=[{"name": "NODE_NAME", "value": "x"}, {"name": "N", "value": 3}]),
    "a mirror": {
        "global": {
            "imageRegistry": "mirror:5000",
            "imagePullSecrets": ["m", {"name": "a"}],
            "tolerations": [{"operator": "Exists"}],
        },
        "imagePullSecrets": [{"name": "a"}],
    },
    "a digest": {"image": {"tag": "sha256:" + "a" * 64, "repository": "example.com/nfd"}},
    "a number for a tag": {"image": {"tag": 19}},
    "on delete": {"worker": {"updateStrategy": {"type": "OnDelete"}}},
    "surge": {"worker": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": "10%"}}}},
    "shares": _each_program(podDisruptionBudget={"enable": True, "maxUnavailable": "50%"})
    | {"worker": {}, "topologyUpdater": {}},
    "accounts": {
        "master": {"serviceAccount": {"name": "shared", "annotations": {"a": 1}}},
        "worker": {"serviceAccount": {"create": "false", "name": "shared"}},
        "gc": {"serviceAccount": {"create": False}},
    },
}
RELEASES = (
    "rel",
    "node-feature-discovery",
    "my-node-feature-discovery",
    "a" * 53,
    "a-" * 26 + "a",
    "a." * 26 + "a",
    "9",
)


def _compared(chart: nfd.Chart, given: Mapping[str, Any], release: str = nfd.RELEASE) -> None:
    rendered = nfd.by_name(chart.objects(given, release))
    evaluated = nfd.by_name(chart.evaluated(given, release))
    assert set(rendered) == set(evaluated)
    found = [
        f"{name} {path}: helm has {left}, evaluation {right}"
        for name, one in rendered.items()
        for path, left, right in compare.differences(one, evaluated[name])
    ]
    assert not found, "\n".join(found[:10])


@pytest.mark.parametrize("name", CASES)
def test_helm_and_evaluation_agree(chart: nfd.Chart, name: str) -> None:
    """Whatever the values."""
    _compared(chart, CASES[name])


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    "names", [{}, {"nameOverride": "nodes"}, {"fullnameOverride": "-".join(["long"] * 20)}], ids=str
)
def test_helm_and_evaluation_agree_on_names(chart: nfd.Chart, release: str, names: Mapping[str, Any]) -> None:
    """For releases called like the chart, and for long ones that are cut at a dash or a dot."""
    _compared(chart, {**_ALL_ON, **names}, release)


def test_names_fit_whatever_the_release_is_called() -> None:
    """At most 63 characters, and none that Kubernetes refuses, for each length of a release's name."""
    given = nfd.defaults()
    for program, members in _ALL_ON.items():
        for path, value in members.items():
            merged = {**given[program][path], **value} if isinstance(value, dict) else value
            given[program][path] = merged
    for length in range(1, 54):
        for letters in ("a", "a-", "a."):
            release = (letters * length)[:length].rstrip("-.")
            objects = nfd.evaluate(given, release)
            names = [one["metadata"]["name"] for one in objects]
            assert max(map(len, names)) <= 63
            assert not [name for name in names if ".-" in name or "-." in name or not name[-1].isalnum()]
            nfd.by_name(objects)


def test_short_names_are_those_of_the_other_chart() -> None:
    """Names are cut only where they have to be."""
    release = "a" * 20
    names = {one["metadata"]["name"] for one in nfd.evaluate(nfd.defaults(), release)}
    assert f"{release}-node-feature-discovery-worker" in names


def test_no_null_is_rendered() -> None:
    """For all cases: what is not set is left out."""

    def nulls(value: Any, path: str = "") -> list[str]:
        if isinstance(value, dict):
            return [found for key, member in value.items() for found in nulls(member, f"{path}.{key}")]
        if isinstance(value, list):
            return [found for number, item in enumerate(value) for found in nulls(item, f"{path}[{number}]")]
        return [path] if value is None else []

    for number in (0, 1):
        given = nfd.defaults()
        for value in VALUES:
            nfd_upstream.put(given, value.path, value.tries[number % len(value.tries)])
        assert not [found for one in nfd.evaluate(given) for found in nulls(one)]


def test_a_mirror_reaches_every_pod(chart: nfd.Chart) -> None:
    """Image, pull secrets and tolerations from global."""
    for one in chart.objects({**_ALL_ON, **CASES["a mirror"]}):
        if one["kind"] not in ("Deployment", "DaemonSet", "Job"):
            continue
        pod = one["spec"]["template"]["spec"]
        assert [each["image"] for each in pod["containers"]] == ["mirror:5000/nfd/node-feature-discovery:v0.19.0"]
        assert pod["imagePullSecrets"] == [{"name": "a"}, {"name": "m"}]
        assert {"operator": "Exists"} in pod["tolerations"]


def test_a_digest_is_joined_with_an_at_sign(chart: nfd.Chart) -> None:
    """And a repository of one's own is left alone."""
    given = {**CASES["a digest"], "global": {"imageRegistry": "mirror:5000"}}
    worker = nfd.by_name(chart.objects(given))["DaemonSet/rel-node-feature-discovery-worker"]
    assert worker["spec"]["template"]["spec"]["containers"][0]["image"] == "example.com/nfd@sha256:" + "a" * 64


def test_every_container_has_room_for_resources_and_drops_its_rights() -> None:
    """The clean-up too; master, garbage collector and clean-up are restricted as a whole."""
    given = nfd.defaults()
    given["topologyUpdater"]["enable"] = True
    for one in nfd.evaluate(given):
        if one["kind"] not in ("Deployment", "DaemonSet", "Job"):
            continue
        pod = one["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        assert container["resources"]["requests"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        if one["kind"] != "DaemonSet":
            assert container["securityContext"]["runAsNonRoot"] is True
            assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}


def test_a_changed_configuration_restarts_its_program_alone() -> None:
    """The checksum follows the configuration, and with checksumValuesOnly nothing else."""

    def checksums(**given: Any) -> dict[str, str]:
        values = nfd.defaults()
        for path, value in given.items():
            nfd_upstream.put(values, path.replace("_", "."), value)
        objects = nfd.evaluate(values)
        pods = {
            one["metadata"]["labels"].get("role"): one["spec"]["template"]
            for one in objects
            if "template" in one.get("spec", {})
        }
        return {
            role: pod["metadata"]["annotations"]["checksum/config"]
            for role, pod in pods.items()
            if role in ("master", "worker")
        }

    before = checksums()
    after = checksums(worker_config={"core": {"sleepInterval": "5m"}})
    assert (before["master"] == after["master"], before["worker"] == after["worker"]) == (True, False)
    assert checksums(namespaceOverride="other") != before
    assert checksums(checksumValuesOnly=True) == checksums(checksumValuesOnly=True, namespaceOverride="other")


def test_the_configuration_reads_as_yaml(chart: nfd.Chart) -> None:
    """What a person finds in the ConfigMap."""
    given = {
        "worker": {"config": {"sources": {"pci": {"deviceClassWhitelist": ["02", "0300"], "number": 1}}, "core": {}}}
    }
    config = nfd.by_name(chart.objects(given))["ConfigMap/rel-node-feature-discovery-worker-conf"]
    expected = 'core: {}\nsources:\n  pci:\n    deviceClassWhitelist:\n      - "02"\n      - "0300"\n    number: 1'
    assert config["data"] == {"nfd-worker.conf": expected}
