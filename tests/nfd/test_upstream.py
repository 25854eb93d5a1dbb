"""The subchart renders what NFD's own chart renders, for its default values and for each value changed, one at a time.

What differs stands in one table with a reason, `chartgen/emit/differences-nfd.yaml`. What NFD's chart renders comes from
tables that were written from it, and not from our trees.
"""

from __future__ import annotations

import copy
import fnmatch
from collections.abc import Mapping
from typing import Any

import pytest
from support import nfd, nfd_upstream, upstream

from chartgen import yamlio
from chartgen.emit import differences
from chartgen.schema import default_values
from chartgen.schema.model import UNSET

Change = Mapping[str, Any]

VALUES = nfd_upstream.values()
_TABLE = differences.table(differences.NFD)
_CASES: list[Change] = [{}, *({**value.needs, value.path: tried} for value in VALUES for tried in value.tries)]
# Values that only differ from upstream's together.
_TOGETHER: list[Change] = [
    {"imagePullSecrets": [{"name": "a"}], "global.imagePullSecrets": [{"name": "g"}]},
    {"worker.updateStrategy.type": "OnDelete"},
    {"gc.podDisruptionBudget.enable": True, "gc.podDisruptionBudget.maxUnavailable": 1},
    {"priorityClassName": "high", "worker.priorityClassName": "low"},
    {"master.labels": {"role": "mine"}, "worker.labels": {"role": "mine"}},
    {"master.enable": False, "master.networkPolicy.enabled": True, "master.podDisruptionBudget.enable": True},
    {"worker.rbac.create": False, "worker.ownerRefs": ["node"]},
    {"master.serviceAccount.create": False, "master.serviceAccount.name": "mine"},
    {"fullnameOverride": "nfd", "nameOverride": "labels", "namespaceOverride": "other", "prometheus.enable": True},
]


def _named(change: Change) -> str:
    return ",".join(f"{path}={value}" for path, value in change.items())[:80] or "defaults"


def _ours(change: Change) -> dict[str, Any]:
    given = nfd.defaults()
    for path, value in change.items():
        nfd_upstream.put(given, path, copy.deepcopy(value))
    return nfd.by_name([_plain(one) for one in nfd.evaluate(given)])


def _theirs(change: Change) -> list[dict[str, Any]]:
    given = nfd_upstream.defaults()
    for path, value in change.items():
        nfd_upstream.put(given, path, copy.deepcopy(value))
    return [_plain(one) for one in nfd_upstream.Chart(nfd.RELEASE, nfd.NAMESPACE).objects(given)]


def _plain(one: dict[str, Any]) -> dict[str, Any]:
    """An object with its configuration file read, and with any checksum for the one that NFD's chart makes."""
    one = copy.deepcopy(one)
    if one["kind"] == "ConfigMap":
        files = one["data"].items()
        one["data"] = {name: yamlio.load(text) if isinstance(text, str) else text for name, text in files}
    if one["kind"] in ("Deployment", "DaemonSet"):
        annotations = one["spec"]["template"]["metadata"].get("annotations", {})
        if len(annotations.get("checksum/config", "")) == 64:
            annotations["checksum/config"] = "<sha256>"
    return one


def _differences(change: Change) -> set[upstream.Difference]:
    entries = tuple({"object": one, "in": ["every"]} for one in _theirs(change))
    # test_crds.py looks at the CRD.
    ours = {name: one for name, one in _ours(change).items() if one["kind"] != "CustomResourceDefinition"}
    return upstream.Upstream({}, entries).differences("", ours)


def _told(found: upstream.Difference) -> list[differences.Difference]:
    return [
        line
        for line in _TABLE
        if line.change == found.change
        and any(fnmatch.fnmatchcase(found.object, pattern) for pattern in line.objects)
        and any(upstream.matches(path, found.path) for path in line.paths)
    ]


@pytest.mark.parametrize("change", [*_CASES, *_TOGETHER], ids=_named)
def test_every_difference_is_in_the_table(change: Change) -> None:
    """Objects, names and fields, for the defaults and for each value changed."""
    untold = [one for one in sorted(_differences(change)) if len(_told(one)) != 1]
    assert not untold, "\n".join(map(str, untold))


def test_every_line_of_the_table_tells_of_something() -> None:
    """A reason whose difference is gone goes with it."""
    found: set[upstream.Difference] = set()
    for change in (*_CASES, *_TOGETHER):
        found |= _differences(change)
    idle: list[str] = []
    for line in _TABLE:
        mine = [one for one in found if line in _told(one)]
        idle += [each for each in line.objects if not any(fnmatch.fnmatchcase(one.object, each) for one in mine)]
        idle += [each for each in line.paths if not any(upstream.matches(each, one.path) for one in mine)]
    assert not idle


def test_all_values_are_there_with_their_defaults() -> None:
    """The values of NFD's chart; those that are null there are not set here."""
    ours = nfd.defaults()
    wrong = [value.path for value in VALUES if nfd_upstream.get(ours, value.path) != value.default]
    # Lists that are empty where nothing is shared.
    assert wrong == ["global.imagePullSecrets"]
    assert len(VALUES) == 200


def test_defaults_beyond_those_of_upstream() -> None:
    """What our values.yaml sets and NFD's does not."""
    known = {value.path for value in VALUES}

    def added(tree: Mapping[str, Any], path: str = "") -> list[str]:
        found = []
        for name, member in tree.items():
            here = f"{path}{name}"
            if here in known:
                continue
            found += added(member, f"{here}.") if isinstance(member, dict) and member else [here]
        return found

    assert added(nfd.defaults()) == [
        "gc.securityContext.allowPrivilegeEscalation",
        "gc.securityContext.capabilities.drop",
        "gc.securityContext.readOnlyRootFilesystem",
        "gc.securityContext.runAsNonRoot",
    ]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.path)
def test_every_value_has_an_effect(value: nfd_upstream.Value) -> None:
    """Each value changes some object; all of them but the same default written another way."""
    before = _with_checksums(value.needs)
    assert all(_with_checksums({**value.needs, value.path: tried}) != before for tried in _effective(value))


def _with_checksums(change: Change) -> list[dict[str, Any]]:
    given = nfd.defaults()
    for path, tried in change.items():
        nfd_upstream.put(given, path, copy.deepcopy(tried))
    return nfd.evaluate(given)


def _effective(value: nfd_upstream.Value) -> list[Any]:
    """The tries that say something else than the default does."""
    same = {
        "master.config": [{}],
        "topologyUpdater.updateInterval": [""],
        "topologyUpdater.watchNamespace": [""],
    }
    return [tried for tried in value.tries if tried not in same.get(value.path, []) and tried != value.default]


@pytest.mark.parametrize("case", [{"set": [], "add": [], "remove": []}, *nfd_upstream.SETS["cases"]], ids=str)
def test_the_set_of_objects(case: Mapping[str, Any]) -> None:
    """Which objects there are, switch by switch."""
    given = nfd.defaults()
    for setting in case["set"]:
        path, _, text = setting.partition("=")
        nfd_upstream.put(given, path, yamlio.load(text))
    found = {f"{one['kind']}/{one['metadata']['name']}" for one in nfd.evaluate(given)}
    expected = (set(nfd_upstream.SETS["default"]) | set(case["add"])) - set(case["remove"])
    assert found == {name.replace("<fullname>", "rel-node-feature-discovery") for name in expected}


def test_what_values_yaml_leaves_open_has_no_default() -> None:
    """No null stands in values.yaml."""
    nulls = [field.path for field in nfd.schema().walk() if default_values.of_field(field) is None]
    assert not nulls
    assert default_values.of_field(nfd.schema().fields["master"].type.properties["config"]) is UNSET


def test_the_page_has_a_row_for_each_line() -> None:
    """DIFFERENCES.md is the table."""
    page = (nfd.CHART / "DIFFERENCES.md").read_text()
    assert page == differences.emit(differences.NFD).text
    assert all(line.reason.strip() in page for line in _TABLE)
