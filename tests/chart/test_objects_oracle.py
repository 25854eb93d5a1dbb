"""What helm renders is what evaluation says, for every object that is not there by default."""

from __future__ import annotations

from typing import Any

import pytest
from support import charts

from chartgen.components import chart as trees
from chartgen.harness import compare, values
from chartgen.schema import loader
from chartgen.tree.context import Context

SCHEMA = loader.load(charts.ROOT / "schemas")
CHART = values.load(charts.CHART)

_SUBCHART = "node-feature-discovery"
EVERYTHING: dict[str, Any] = {
    "commonLabels": {"team": "gpu", "n": 1},
    "commonAnnotations": {"owner": "us"},
    "global": {"imageRegistry": "reg:5000/", "imagePullSecrets": ["a", {"name": "b"}], "tolerations": [{"key": "x"}]},
    "platform": {"openshift": "true"},
    "namespace": {"create": True, "labels": {"y": "n"}, "annotations": {"a": "b"}},
    "userRoles": {"create": True},
    "nfd": {"nodefeaturerules": "true"},
    "crds": {"install": "templates", "keep": "false"},
    "operator": {
        "cleanupCRD": "true",
        "serviceAccount": {"name": "mine", "annotations": {"x": True}},
        "podDisruptionBudget": {"enabled": True, "minAvailable": "50%"},
        "networkPolicy": {"enabled": True, "egress": [{"ports": [{"port": 443}]}]},
        "metrics": {"create": True, "serviceMonitor": {"interval": "5s", "relabelings": [{"targetLabel": "x"}]}},
        "hooks": {"backoffLimit": 1, "podAnnotations": {"x": 1}, "priorityClassName": "p"},
    },
    "driver": {"nvidiaDriverCRD": {"enabled": True}},
    "devicePlugin": {"config": {"create": True, "name": "plugin", "data": {"one": "version: v1\n"}}},
    "migManager": {"config": {"create": True, "name": "mig", "data": {"config.yaml": "a:\n  - b\n"}}},
    "dcgmExporter": {"config": {"create": True, "name": "metrics", "data": "A, gauge, a.\n"}},
    "tests": {"resource": "nvidia.com/mig-1g.10gb", "timeout": "90s"},
}
HOOKS = charts.merged(EVERYTHING, {"crds": {"install": "folder"}})
DRA = charts.merged(HOOKS, {"clusterPolicy": {"deployCR": False}, "gpuCluster": {"deployCR": True}})
_TWO = """\
apiVersion: v1
kind: Secret
metadata:
  name: one
  namespace: {{ .Release.Namespace }}
---
apiVersion: v1
kind: Secret
metadata:
  name: two
"""
BUDGET = {"enabled": True, "maxUnavailable": 2}
CONTEXTS: dict[str, dict[str, Any]] = {
    "default": {},
    "everything": EVERYTHING,
    "hooks": HOOKS,
    "with a GPUCluster": DRA,
    "spared": charts.merged(HOOKS, {"crds": {"clusterPolicies": "false", "nodeFeatures": False}}),
    "a budget by number": {"operator": {"podDisruptionBudget": BUDGET, "metrics": {"create": "true"}}},
    "mixed MIG": {"mig": {"strategy": "mixed"}},
    "without the operator": charts.merged(
        EVERYTHING,
        {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}},
    ),
    "pools without the operator": {
        "operator": {"enabled": False},
        "commonLabels": {"team": "gpu", "n": 1},
        "cdi": {"enabled": False},
        "dcgm": {"enabled": True},
        "cluster": {
            "kernelVersion": "5.15.0-1-aws",
            "nodePools": [
                {"name": "a", "nodeSelector": {"pool": "a", "n": 1}, "os": "ubuntu22.04"},
                {"name": "b", "nodeSelector": {"pool": "b"}, "os": "rhel9.4", "containerRuntime": "crio"},
            ],
        },
    },
    "nulls": dict.fromkeys(
        ("commonLabels", "commonAnnotations", "namespace", "crds", "userRoles", "tests", "global", "extraObjects")
    ),
    "extra objects": {
        "extraObjects": [
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "{{ .Release.Name }}-map", "namespace": "{{ .Release.Namespace }}"},
                "data": {"image": "{{ .Values.operator.image }}", "version": "at {{ .Chart.AppVersion }}", "y": "n"},
            },
            _TWO,
        ]
    },
}


@pytest.mark.parametrize("context", CONTEXTS)
def test_helm_and_evaluation_agree(gpu_operator: charts.Chart, context: str) -> None:
    """The same objects with the same content and types."""
    given = CONTEXTS[context]
    major = int(gpu_operator.helm.version[1])
    computed = trees.objects(
        SCHEMA,
        Context(
            values=values.coalesce(CHART, given, major),
            namespace="gpu",
            chart_version=CHART.version,
            app_version=CHART.app_version,
            api_versions=frozenset({charts.DRA}),
        ),
    )
    # Those of the subchart have tests of their own; they are named after it.
    names = [charts.identity(one) for one in computed if _SUBCHART not in one["metadata"]["name"]]
    assert len(names) == len(set(names))
    expected = {name: one for one in computed if (name := charts.identity(one)) in names}
    found = gpu_operator.by_name(given)
    assert list(compare.differences(found, expected)) == []


def test_extra_objects_that_only_helm_understands_are_told() -> None:
    """An expression with a function leaves its file open; the other objects are computed all the same."""
    given = {"extraObjects": ['{{ printf "kind: %s" "Secret" }}', {"kind": "ConfigMap", "metadata": {"name": "x"}}]}
    context = Context(values=values.coalesce(CHART, given, 4))
    assert trees.open_files(context) == {"extraobjects.yaml"}
    assert "ConfigMap/x" in {charts.identity(one) for one in trees.objects(SCHEMA, context)}
    assert trees.open_files(Context(values=values.coalesce(CHART, {}, 4))) == frozenset()
