"""The options that NVIDIA's documents name: each arrives, is refused with the reason, or is told to have no effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import charts, helms, judged
from support.judged import DRA, Rendered

from chartgen import yamlio

OPTIONS: list[dict[str, Any]] = yamlio.load((judged.ROOT / "tests" / "data" / "options.yaml").read_text())
# The stack in which an option about it can be seen.
STACKS = {
    "driver": ["driver.nvidiaDriverCRD.enabled=true"],
    "cluster": ["clusterPolicy.deployCR=false", "gpuCluster.deployCR=true", "driver.nvidiaDriverCRD.enabled=true"],
}
KINDS = {"policy": "ClusterPolicy", "driver": "NVIDIADriver", "cluster": "GPUCluster"}


def cases() -> list[dict[str, Any]]:
    """The options, those for several components once for each."""
    found = []
    for option in OPTIONS:
        for name in option.get("each", [""]):
            text = yamlio.dump(option).replace("IT.", f"{name}.") if name else yamlio.dump(option)
            found.append(yamlio.load(text) | {"id": f"{option['option']}{':' if name else ''}{name}"[:60]})
    return found


def flags(option: dict[str, Any]) -> list[str]:
    """As on a command line."""
    stack = [word for key, words in STACKS.items() if key in option for word in words]
    verb = "--set-string" if option.get("string") else "--set"
    given = [word for one in option["set"] for word in (verb, one)]
    return [*given, *(word for one in stack for word in ("--set", one)), "--api-versions", DRA]


def identities(objects: list[dict[str, Any]]) -> set[str]:
    return {charts.identity(one) for one in objects}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chart, with NOTES.txt as an object."""
    return judged.with_notes(tmp_path_factory.mktemp("chart"))


@pytest.fixture
def told(copy: Path, tmp_path: Path) -> Rendered:
    """That copy under the newest Helm."""
    return Rendered(helms.find(helms.MAJORS[0], tmp_path / "home"), tmp_path, copy)


def test_all_are_here() -> None:
    """Each once, with something expected of it."""
    names = [option["option"] for option in OPTIONS]
    assert len(names) == len(set(names)) == 104
    assert all(set(option) - {"option", "set", "each", "string", "same"} for option in OPTIONS)


@pytest.mark.parametrize("option", cases(), ids=lambda option: option["id"])
def test_option(told: Rendered, option: dict[str, Any]) -> None:
    """What is expected of it, and of nothing else."""
    given = flags(option)
    if "refused" in option:
        assert option["refused"] in told.run({}, *given).stderr
        return
    found = told.objects({}, *given)
    names = identities(found)
    for key, kind in KINDS.items():
        for path, value in option.get(key, {}).items():
            (resource,) = (one for one in found if one["kind"] == kind)
            assert charts.at(resource["spec"], path) == value
    standard = told.objects({}, "--api-versions", DRA)
    assert set(option.get("there", ())) <= names - identities(standard)
    assert set(option.get("gone", ())) <= identities(standard) - names
    if option.get("same"):
        assert [one for one in found if one["metadata"]["name"] != "the-notes"] == [
            one for one in standard if one["metadata"]["name"] != "the-notes"
        ]
    if "told" in option:
        (notes,) = (one["data"]["text"] for one in found if one["metadata"]["name"] == "the-notes")
        assert option["told"] in " ".join(notes.split())
    for expected in (option.get("label"), option.get("argument"), option.get("job"), option.get("discovery")):
        assert expected is None or _is_in_a_pod(expected, found)


def _is_in_a_pod(expected: Any, found: list[dict[str, Any]]) -> bool:
    """Whether a label, argument, toleration list or image setting stands in some object."""
    for one in found:
        pod = one.get("spec", {}).get("template", {})
        containers = pod.get("spec", {}).get("containers", [])
        places = [one["metadata"].get("labels", {}), *containers]
        if isinstance(expected, dict) and any(expected.items() <= place.items() for place in map(_flat, places)):
            return True
        if isinstance(expected, str) and any(expected in place.get("args", []) for place in containers):
            return True
        if isinstance(expected, list) and one["kind"] == "Job" and pod["spec"].get("tolerations") == expected:
            return True
    return False


def _flat(place: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in place.items() if isinstance(value, str)}
