"""Golden results of operands: what a ClusterPolicy must become, in a short notation that a person can check.

``tests/data/operands/<operand>.yaml`` holds facts about operator v26.7.0, found by running it: a spec with the DaemonSet
that it becomes, and cases that lay something over that spec and say what changes. They were not derived from the trees
of this project, and so can prove them wrong. Where the project differs on purpose, ``differences.yaml`` says how and
why; nothing else adjusts a golden.

The notation: ``NAME=value``, ``NAME <- fieldRef path`` (environment), ``volume -> /path ro HostToContainer`` (mounts),
``volume: hostPath /path (Directory)`` (volumes), ``name: 8080`` (ports), ``<script>`` for a shell script in arguments.
Lifecycle hooks and the commands of exec probes are not part of it.
"""

from __future__ import annotations

import copy
import fnmatch
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.components import facts, view
from chartgen.components.chart import OF_OPERATOR, OPERANDS
from chartgen.schema.model import Schema, Surface
from chartgen.schema.paths import Index
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import Document, Manifest

DATA = Path(__file__).resolve().parents[1] / "data" / "operands"
DIFFERENCES = DATA / "differences.yaml"
REMOVED = "<removed>"
ERROR = "error"

Summary = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A ClusterPolicy and what must become of it.

    Attributes:
        operand: name of its file.
        name: unique in that file.
        spec: of the ClusterPolicy.
        cluster: facts of the cluster, by their names below ``cluster`` in values.
        expected: the summary of the DaemonSet, or ``error`` where such a spec is refused.
    """

    operand: str
    name: str
    spec: dict[str, Any]
    cluster: dict[str, Any]
    expected: Summary | str

    @property
    def id(self) -> str:
        """For pytest."""
        return f"{self.operand}-{self.name}"


def operands() -> list[str]:
    """All operands with golden facts."""
    return sorted(path.stem for path in DATA.glob("*.yaml") if path != DIFFERENCES)


def cases(operand: str) -> list[Case]:
    """The baseline and all cases of an operand, differences on purpose not applied; none for one without a DaemonSet."""
    data = yamlio.load((DATA / f"{operand}.yaml").read_text())
    if "baseline" not in data:
        return []
    found = [Case(operand, "baseline", data["spec"], {}, data["baseline"])]
    for case in data["cases"]:
        result = case.get("result", ERROR)
        expected: Summary | str = data["baseline"] if result == "as the baseline" else ERROR
        if "differs" in case:
            expected = _overlaid(data["baseline"], case["differs"])
        spec = merged(data["spec"], case.get("spec", {}))
        found.append(Case(operand, case["name"], spec, case.get("cluster", {}), expected))
    return found


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping laid over another, at every depth."""
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else value
    return result


def _overlaid(baseline: Summary, differs: Summary) -> Summary:
    """The baseline with what a case says is different: labels and container members one by one, lists as a whole."""
    result = copy.deepcopy(baseline)
    volumes = result["volumes"]
    for gone in differs.get("volumesRemoved", []):
        if _volume_name(gone) not in map(_volume_name, differs.get("volumesAdded", [])):
            volumes.remove(gone)
    for added in differs.get("volumesAdded", []):
        same = [number for number, volume in enumerate(volumes) if _volume_name(volume) == _volume_name(added)]
        if same:
            volumes[same[0]] = added
        else:
            volumes.append(added)
    for key, value in differs.items():
        if key.startswith("volumes") and key != "volumes":
            continue
        if isinstance(value, dict) and key not in ("updateStrategy", "securityContext"):
            result[key] = {**result.get(key, {}), **value}
        else:
            result[key] = value
    return result


def _volume_name(volume: str) -> str:
    return volume.partition(":")[0]


def tidy(summary: Summary) -> Summary:
    """A summary without what is empty or removed, so that absent and empty read the same."""
    found: Summary = {}
    for key, value in summary.items():
        inner = tidy(value) if isinstance(value, dict) else value
        if inner not in ({}, [], REMOVED, None):
            found[key] = inner
    return found


# ---- differences on purpose -----------------------------------------------------------------------------------------


@dataclass
class Difference:
    """A place where this project does not do what the golden says.

    Attributes:
        operands: names or patterns of operands.
        case: name or pattern of the cases.
        path: keys of the member, patterns allowed; empty for the whole result.
        golden: the value, or the item of a list, that the golden has there; absent where it has none.
        ours: what stands there instead; absent where nothing does.
        after: for an item that is added to a list: the item in front of it.
        reason: why.
        used: whether it changed anything, so that no stale entry stays.
    """

    operands: list[str]
    case: str
    path: list[str]
    reason: str
    golden: Any = None
    ours: Any = None
    after: str | None = None
    used: bool = field(default=False, compare=False)

    def concerns(self, case: Case) -> bool:
        """Whether it is about that case."""
        named = any(fnmatch.fnmatchcase(case.operand, operand) for operand in self.operands)
        return named and fnmatch.fnmatchcase(case.name, self.case)


def differences() -> list[Difference]:
    """The table."""
    entries = yamlio.load(DIFFERENCES.read_text())["differences"]
    return [Difference(**{"case": "*", "path": [], **entry}) for entry in entries]


def adjusted(case: Case, table: list[Difference]) -> Summary | str:
    """What is expected of this project: the golden, changed by the table alone."""
    result = copy.deepcopy(case.expected)
    for difference in table:
        if not difference.concerns(case):
            continue
        if not difference.path:
            result = copy.deepcopy(difference.ours)
            difference.used = True
        elif isinstance(result, dict) and _adjust(result, difference.path, difference):
            difference.used = True
    return result


def _adjust(level: Summary, path: list[str], difference: Difference) -> bool:
    """Changes what matches the path below `level`; whether anything did."""
    pattern, *rest = path
    matching = [key for key in level if fnmatch.fnmatchcase(key, pattern)]
    if rest:
        inner = [_adjust(level[key], rest, difference) for key in matching if isinstance(level[key], dict)]
        return any(inner)
    if not matching and difference.golden is None and "*" not in pattern:
        level[pattern] = copy.deepcopy(difference.ours)
        return True
    changed = [_change(level, key, difference) for key in matching]
    return any(changed)


def _change(level: Summary, key: str, difference: Difference) -> bool:
    value = level[key]
    if isinstance(value, list) and difference.after is not None:
        if difference.after not in value:
            return False
        value.insert(value.index(difference.after) + 1, difference.ours)
        return True
    if isinstance(value, list) and isinstance(difference.golden, str):
        if difference.golden not in value:
            return False
        place = value.index(difference.golden)
        value[place : place + 1] = [] if difference.ours is None else [difference.ours]
        return True
    if difference.golden is not None and value != difference.golden:
        return False
    if value == difference.ours:
        return False
    level[key] = REMOVED if difference.ours is None else copy.deepcopy(difference.ours)
    return True


# ---- this project's side --------------------------------------------------------------------------------------------


def values_for(case: Case, schema: Schema) -> dict[str, Any]:
    """The values that the trees see for a case."""
    cluster = merged(facts.ClusterFacts(os="ubuntu22.04").values(), {"cluster": case.cluster})
    values = merged(view.values_of(case.spec, schema, Surface.CLUSTER_POLICY), cluster)
    return merged(values, {"operator": {"enabled": False}})


def manifests(operand: str) -> list[Manifest]:
    """The template files of an operand: those named after it, or its folder."""
    own = (f"components/{operand}.yaml", f"components/{operand}/")
    return [manifest for manifest in (*OPERANDS, *OF_OPERATOR) if manifest.file.startswith(own)]


def documents(operand: str) -> list[Document]:
    """The DaemonSets that this project has for an operand."""
    every = (document for manifest in manifests(operand) for document in manifest.documents)
    return [document for document in every if document.tree["kind"] == "DaemonSet"]


def daemonsets(case: Case, schema: Schema) -> list[Summary]:
    """The DaemonSets that this project makes of a case, summarised."""
    evaluator = Evaluator(Index.of(schema), Context(values_for(case, schema), app_version="v26.7.0"))
    found = (evaluator.document(document) for document in documents(case.operand))
    return [summary(daemonset) for daemonset in found if daemonset is not None]


def summary(daemonset: Mapping[str, Any]) -> Summary:
    """A DaemonSet in the notation of the goldens; members that the notation does not know stand as they are."""
    metadata, spec = daemonset["metadata"], daemonset["spec"]
    template, pod = spec["template"]["metadata"], dict(spec["template"]["spec"])
    found: Summary = {
        "name": metadata["name"],
        "labels": metadata.get("labels", {}),
        "annotations": metadata.get("annotations", {}),
        "selector": spec["selector"]["matchLabels"],
        "updateStrategy": spec.get("updateStrategy", {}),
        "podLabels": template.get("labels", {}),
        "podAnnotations": template.get("annotations", {}),
        "volumes": [_volume(volume) for volume in pod.pop("volumes", [])],
        "imagePullSecrets": [secret["name"] for secret in pod.pop("imagePullSecrets", [])],
    }
    for kind in ("initContainers", "containers"):
        containers = pod.pop(kind, [])
        found[f"{kind}Order"] = [container["name"] for container in containers]
        found.update({f"container:{container['name']}": _container(container) for container in containers})
    return {**found, **pod}


def _container(container: Mapping[str, Any]) -> Summary:
    found = {key: value for key, value in container.items() if key not in ("name", "lifecycle")}
    found["env"] = [_variable(variable) for variable in found.get("env", [])]
    found["volumeMounts"] = [_mount(mount) for mount in found.get("volumeMounts", [])]
    found["ports"] = [f"{port['name']}: {port['containerPort']}" for port in found.get("ports", [])]
    found["args"] = ["<script>" if re.search(r"\s", argument) else argument for argument in found.get("args", [])]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        found[probe] = {key: value for key, value in found.get(probe, {}).items() if key != "exec"}
    return found


def _variable(variable: Mapping[str, Any]) -> str:
    name = variable["name"]
    source = variable.get("valueFrom")
    if source is None:
        value = "<digest>" if name == "DRIVER_CONFIG_DIGEST" else variable.get("value", "")
        return f"{name}={value}"
    ((kind, reference),) = source.items()
    text = reference["fieldPath"] if kind == "fieldRef" else f"{reference['name']} {reference['key']}"
    both = f" AND value {variable['value']}" if "value" in variable else ""
    return f"{name} <- {kind} {text}{both}"


def _mount(mount: Mapping[str, Any]) -> str:
    words = [f"{mount['name']} -> {mount['mountPath']}"]
    if "subPath" in mount:
        words.append(f"subPath={mount['subPath']}")
    if mount.get("readOnly"):
        words.append("ro")
    if "mountPropagation" in mount:
        words.append(mount["mountPropagation"])
    return " ".join(words)


def _volume(volume: Mapping[str, Any]) -> str:
    members = {key: value for key, value in volume.items() if key != "name"}
    ((kind, source),) = members.items()
    if kind == "hostPath":
        text = f"hostPath {source['path']}" + (f" ({source['type']})" if source.get("type") else "")
        return f"{volume['name']}: {text}"
    if kind == "emptyDir":
        return f"{volume['name']}: emptyDir"
    words = [kind, source["name"] if kind == "configMap" else source["secretName"]]
    if "defaultMode" in source:
        words.append(f"mode {source['defaultMode']:04o}")
    if "items" in source:
        words.append("items " + ", ".join(f"{item['key']}:{item['path']}" for item in source["items"]))
    return f"{volume['name']}: {' '.join(words)}"
