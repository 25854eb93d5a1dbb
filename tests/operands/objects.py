"""The objects beside an operand's DaemonSet: which there are and what is in them, held against the golden facts.

``objects`` in ``tests/data/operands/<operand>.yaml`` names them with when each is there; every operand is asked on a
plain cluster and on OpenShift with Prometheus, and for the ``objectCases`` of its own. Differences on purpose stand in the
same table as those of the DaemonSets; the names of these cases begin with ``objects``.

The notation: permissions as ``group/resources[names]: verbs``, a binding's role and subjects as text, a ConfigMap by its
keys, alerts without their annotations. Free text is not part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from operands import golden

from chartgen import yamlio
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree.context import Context, lookup
from chartgen.tree.evaluate import Evaluator

_MONITORING = [
    "monitoring.coreos.com/v1",
    "monitoring.coreos.com/v1/ServiceMonitor",
    "monitoring.coreos.com/v1/PrometheusRule",
]
_OPENSHIFT = {"containerRuntime": "crio", "openshiftVersion": "4.18"}
_EVERYWHERE: list[dict[str, Any]] = [
    {"name": "objects", "then": []},
    {"name": "objects-openshift", "cluster": _OPENSHIFT, "apis": _MONITORING, "then": ["openshift", "monitoring"]},
]


def cases(operand: str) -> list[tuple[golden.Case, frozenset[str]]]:
    """The cases of an operand's objects, each with the APIs of its cluster."""
    data = yamlio.load((golden.DATA / f"{operand}.yaml").read_text())
    found: list[tuple[golden.Case, frozenset[str]]] = []
    for case in [*_EVERYWHERE, *data.get("objectCases", [])]:
        holds = set(case["then"])
        expected = {name: entry for name, entry in data["objects"].items() if _is_there(entry, holds)}
        spec = golden.merged(data["spec"], case.get("spec", {}))
        there = golden.Case(operand, case["name"], spec, case.get("cluster", {}), expected)
        found.append((there, frozenset(case.get("apis", []))))
    return found


def _is_there(entry: Mapping[str, Any], holds: set[str]) -> bool:
    return holds.issuperset(entry.get("when", [])) and holds.isdisjoint(entry.get("unless", []))


def expected(case: golden.Case, table: list[golden.Difference]) -> golden.Summary:
    """What is expected of this project: the golden, changed by the table alone."""
    result = golden.adjusted(case, table)
    assert isinstance(result, dict)
    entries = {name: entry for name, entry in result.items() if entry != golden.REMOVED}
    return {name: {k: v for k, v in e.items() if k not in ("when", "unless")} for name, e in entries.items()}


def objects(case: golden.Case, apis: frozenset[str], schema: Schema) -> golden.Summary:
    """The objects that this project makes of a case, but for DaemonSets, summarised."""
    context = Context(
        golden.values_for(case, schema), app_version="v26.7.0", api_versions=apis, namespace="<namespace>"
    )
    evaluator = Evaluator(Index.of(schema), context)
    every = [found for manifest in golden.manifests(case.operand) for found in evaluator.objects(manifest)]
    others = [found for found in every if found["kind"] != "DaemonSet"]
    named = [f"{found['kind']} {found['metadata']['name']}" for found in others]
    assert len(named) == len(set(named)), "two objects of one kind and name"
    return dict(zip(named, map(summary, others), strict=True))


def summary(found: Mapping[str, Any]) -> golden.Summary:
    """An object in the notation of the goldens; what the notation does not know stands as it is."""
    metadata = found["metadata"]
    annotations = metadata.get("annotations", {})
    result: golden.Summary = {
        "namespaced": "namespace" in metadata,
        "labels": metadata.get("labels", {}),
        "annotations": {key: text for key, text in annotations.items() if key != "kubernetes.io/description"},
        **{key: value for key, value in found.items() if key not in ("kind", "metadata")},
    }
    if "rules" in result:
        result["rules"] = [_rule(rule) for rule in result["rules"]]
    if "roleRef" in result:
        result["role"] = f"{result['roleRef']['kind']} {result.pop('roleRef')['name']}"
        result["subjects"] = [f"{one['kind']} {one['namespace']}/{one['name']}" for one in result["subjects"]]
    if "data" in result:
        result["keys"] = list(result.pop("data"))
    for group in lookup(result, "spec.groups") or []:
        for alert in group["rules"]:
            alert.pop("annotations", None)
    return {key: value for key, value in result.items() if value not in (False, {})} | _false(found)


def _false(found: Mapping[str, Any]) -> dict[str, bool]:
    """Members that say no, and mean it."""
    return {key: value for key, value in found.items() if value is False}


def _rule(rule: Mapping[str, Any]) -> str:
    group = ",".join(rule["apiGroups"])
    names = f"[{','.join(rule['resourceNames'])}]" if "resourceNames" in rule else ""
    return f"{group + '/' if group else ''}{','.join(rule['resources'])}{names}: {','.join(rule['verbs'])}"
