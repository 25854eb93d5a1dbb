"""What the subchart's values take and refuse: the real helm's words, alone and through the parent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest
from support import charts, nfd, nfd_upstream

from chartgen import yamlio
from chartgen.emit import jsonschema as emitted
from chartgen.schema import loader
from chartgen.schema.model import Field, Kind

_DOCUMENT = emitted.document(nfd.schema())
VALIDATOR = jsonschema.Draft7Validator(_DOCUMENT)
_PARENT = "node-feature-discovery"

# Values that cannot be right, and what helm must say about them.
REFUSED: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "a typo at the top": ({"mastr": {}}, "additional properties 'mastr' not allowed"),
    "a typo in a program": (
        {"worker": {"toleration": []}},
        "at '/worker': additional properties 'toleration' not allowed",
    ),
    "a typo in a Kubernetes object": (
        {"worker": {"tolerations": [{"keys": "a"}]}},
        "at '/worker/tolerations/0': additional properties 'keys' not allowed",
    ),
    "a typo in a policy": (
        {"gc": {"networkPolicy": {"enable": True}}},
        "at '/gc/networkPolicy': additional properties 'enable' not allowed",
    ),
    "a typo in a container": (
        {"master": {"initContainers": [{"name": "a", "img": "b"}]}},
        "at '/master/initContainers/0': additional properties 'img' not allowed",
    ),
    "a list that is a string": (
        {"master": {"config": {"extraLabelNs": "[nvidia.com]"}}},
        "at '/master/config/extraLabelNs': got string, want",
    ),
    "a policy that does not exist": (
        {"image": {"pullPolicy": "Sometimes"}},
        "at '/image/pullPolicy': value must be one of",
    ),
    "a DNS policy that does not exist": ({"gc": {"dnsPolicy": "Host"}}, "at '/gc/dnsPolicy': value must be one of"),
    "an owner that does not exist": (
        {"worker": {"ownerRefs": ["pods"]}},
        "at '/worker/ownerRefs/0': value must be one of",
    ),
    "a port that does not exist": ({"master": {"port": 70000}}, "at '/master/port': maximum: got 70,000, want 65,535"),
    "too much at once": (
        {"master": {"nfdApiParallelism": 101}},
        "at '/master/nfdApiParallelism': maximum: got 101, want 100",
    ),
    "a duration without a unit": ({"gc": {"interval": "60"}}, "at '/gc/interval': '60' does not match pattern"),
    "a feature gate that is a word": (
        {"featureGates": {"NodeFeatureGroupAPI": "on"}},
        "at '/featureGates/NodeFeatureGroupAPI': value must be one of",
    ),
    "a key in the wrong place": (
        {"tolerations": [{"operator": "Exists"}]},
        "tolerations is not a value; use master.tolerations",
    ),
    "one account made twice": (
        {
            "worker": {"serviceAccount": {"create": True, "name": "a"}},
            "gc": {"serviceAccount": {"create": True, "name": "a"}},
        },
        "worker.serviceAccount.name, gc.serviceAccount.name: both programs would create the same account",
    ),
    "an update that never ends": (
        {"worker": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": "0%"}}}},
        "worker.updateStrategy.rollingUpdate.maxUnavailable: a rolling update that may take no pod down",
    ),
}
# Keys of older releases of NFD's chart, which old values files still hold.
OLD: Mapping[str, Any] = {
    "enableNodeFeatureApi": True,
    "tls": {"enable": False, "certManager": False},
    "topologyGC": {"enable": True},
    "master": {
        "crdController": None,
        "featureRulesController": None,
        "resourceLabels": [],
        "service": {"type": "ClusterIP", "port": 8080},
        "metricsPort": 8081,
        "healthPort": 8082,
        "config": {"resourceLabels": ["a"], "noPublish": False},
    },
    "worker": {"metricsPort": 8081, "healthPort": 8082},
    "topologyUpdater": {"metricsPort": 8081},
    "gc": {"metricsPort": 8081},
}


@pytest.mark.parametrize("case", REFUSED)
def test_helm_refuses_and_says_where(chart: nfd.Chart, case: str) -> None:
    """Alone: the path and what is wrong with it."""
    given, words = REFUSED[case]
    done = chart.run(given)
    assert done.status != 0
    assert words in done.stderr


@pytest.mark.parametrize("case", REFUSED)
def test_the_parent_refuses_it_too(parent: charts.Chart, case: str) -> None:
    """With the same words, which name the subchart."""
    given, words = REFUSED[case]
    done = parent.run({_PARENT: given})
    assert done.status != 0
    assert words in done.stderr
    assert _PARENT in done.stderr


def test_values_files_of_old_releases_are_taken(chart: nfd.Chart, parent: charts.Chart) -> None:
    """Keys that no release reads any more change nothing."""
    without = {key: value for key, value in OLD.items() if key != "master"}
    assert chart.objects(without) == chart.objects({})
    assert chart.run(OLD).status == 0
    assert parent.run({_PARENT: OLD}).status == 0


def test_upstreams_values_are_taken() -> None:
    """All of them, with each try and with null, by the schema; Kubernetes' own switches are no nulls."""
    for value in nfd_upstream.values():
        strict = ".securityContext." in value.path and isinstance(value.default, bool)
        for tried in (*value.tries, *([] if strict else [None])):
            given = nfd_upstream.put({}, value.path, tried)
            assert not [error.message for error in VALIDATOR.iter_errors(given)], (value.path, tried)


def _objects(field: Field) -> Iterator[tuple[Field, list[str]]]:
    """Each object below a field, list items included, with the path of a value in it."""
    for one in field.walk():
        if one.type.kind is Kind.OBJECT:
            yield one, one.path.split(".")


def test_every_object_is_closed() -> None:
    """A key that nobody knows is refused everywhere, but in configuration files and in global."""
    open_ones: list[str] = []
    for top in nfd.schema().fields.values():
        for one, names in _objects(top):
            given: Any = {"nobody-knows": 1}
            for name in reversed(names):
                given = {name: given}
            if not any("nobody-knows" in error.message for error in VALIDATOR.iter_errors(given)):
                open_ones.append(one.path)
    assert [path for path in open_ones if ".config" not in path] == ["global"]


def test_nothing_is_checked_by_the_parent_too() -> None:
    """The parent's schema leaves the subchart's values to the subchart's: no check costs twice."""
    schema = yamlio.load((charts.CHART / "values.schema.json").read_text())
    assert set(schema["properties"][_PARENT]) == {"description", "type"}


def test_the_parents_notes_name_old_keys(parent: charts.Chart) -> None:
    """NOTES.txt is the parent's alone, so it tells of old keys below the subchart's name."""
    strays = loader.load(charts.ROOT / "schemas").strays
    assert f"{_PARENT}.enableNodeFeatureApi" in strays
    assert f"{_PARENT}.tolerations" in strays
    assert parent.run({_PARENT: OLD}).status == 0
