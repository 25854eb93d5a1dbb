"""What all objects have in common: namespace, labels, annotations, names; and that a render is the same every time."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
import yaml
from support import charts

EVERYTHING = {
    "platform": {"openshift": True},
    "namespace": {"create": True},
    "userRoles": {"create": True},
    "nfd": {"nodefeaturerules": True},
    "crds": {"install": "templates"},
    "operator": {
        "cleanupCRD": True,
        "podDisruptionBudget": {"enabled": True},
        "networkPolicy": {"enabled": True},
        "metrics": {"create": True},
    },
    "driver": {"nvidiaDriverCRD": {"enabled": True}},
    "devicePlugin": {"config": {"create": True, "name": "plugin", "data": {"one": "version: v1"}}},
    "migManager": {"config": {"create": True, "name": "mig", "data": {"config.yaml": "version: v1"}}},
    "dcgmExporter": {"config": {"create": True, "name": "metrics", "data": "A, gauge, a.\n"}},
}
FOLDER = charts.merged(EVERYTHING, {"crds": {"install": "folder"}})
DRA = charts.merged(FOLDER, {"clusterPolicy": {"deployCR": False}, "gpuCluster": {"deployCR": True}})
RENDERS = {"everything": EVERYTHING, "with hooks": FOLDER, "with a GPUCluster": DRA}
CLUSTER_WIDE = {
    "ClusterPolicy",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "GPUCluster",
    "NVIDIADriver",
    "Namespace",
    "NodeFeatureRule",
    "SecurityContextConstraints",
}
STANDARD = {
    "app.kubernetes.io/name": "gpu-operator",
    "app.kubernetes.io/instance": "gpu-operator",
    "app.kubernetes.io/version": "v26.7.0",
    "app.kubernetes.io/managed-by": "Helm",
}
LONG = "a" + "b" * 51 + "c"
LONG_NAMESPACE = "n" + "o" * 61 + "p"


@pytest.mark.parametrize("render", RENDERS)
def test_nothing_renders_without_a_namespace(gpu_operator: charts.Chart, render: str) -> None:
    """Objects of a namespace name it, so that `kubectl apply` of a render puts them where they belong."""
    for one in gpu_operator.objects(RENDERS[render]):
        expected = None if one["kind"] in CLUSTER_WIDE else "gpu"
        assert one["metadata"].get("namespace") == expected, charts.identity(one)


@pytest.mark.parametrize("render", RENDERS)
def test_every_object_and_pod_has_labels_and_annotations_of_all(gpu_operator: charts.Chart, render: str) -> None:
    """`commonLabels` on objects and pods, `commonAnnotations` on objects; both as texts."""
    common = {"commonLabels": {"team": "gpu", "stage": 1}, "commonAnnotations": {"owner": "us", "n": True}}
    for one in gpu_operator.objects(charts.merged(RENDERS[render], common)):
        labels, annotations = one["metadata"]["labels"], one["metadata"]["annotations"]
        assert (labels["team"], labels["stage"]) == ("gpu", "1"), charts.identity(one)
        assert (annotations["owner"], annotations["n"]) == ("us", "true"), charts.identity(one)
        assert STANDARD.items() <= labels.items()
        if "template" in one.get("spec", {}):
            assert charts.at(one, "spec.template.metadata.labels")["team"] == "gpu"


class _OnceLoader(yaml.CSafeLoader):
    """Refuses a mapping with one key twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), keys
        return super().construct_mapping(node, deep)


@pytest.mark.parametrize("render", RENDERS)
def test_a_key_that_is_given_twice_stands_there_once(gpu_operator: charts.Chart, render: str) -> None:
    """The user's label replaces a standard one; what selectors and Helm go by cannot be replaced."""
    again = {
        "app.kubernetes.io/name": "other",
        "app.kubernetes.io/managed-by": "us",
        "app.kubernetes.io/component": "other",
        "app": "other",
    }
    hooks = {"helm.sh/hook": "post-install", "helm.sh/hook-weight": "9", "helm.sh/resource-policy": "drop"}
    values = charts.merged(
        RENDERS[render], {"operator": {"labels": again}, "commonLabels": again, "commonAnnotations": hooks}
    )
    done = gpu_operator.run(values)
    assert done.status == 0, done.report()
    for one in yaml.load_all(done.stdout, Loader=_OnceLoader):
        if not one or "node-feature-discovery" in one["metadata"]["name"]:
            continue
        labels = one["metadata"]["labels"]
        assert labels["app.kubernetes.io/name"] == "other", charts.identity(one)
        if one["kind"] != "ConfigMap":
            assert labels["app.kubernetes.io/component"] == "gpu-operator", charts.identity(one)
    found = gpu_operator.by_name(values)
    deployment = found["Deployment/gpu-operator"]["spec"]
    assert deployment["selector"]["matchLabels"].items() <= deployment["template"]["metadata"]["labels"].items()
    assert deployment["selector"]["matchLabels"]["app"] == "gpu-operator"
    events = {charts.annotation(one, "helm.sh/hook") for one in found.values() if one["kind"] == "Job"}
    assert events <= {"pre-upgrade", "pre-delete"}
    assert charts.annotation(found["Namespace/gpu"], "helm.sh/resource-policy") == "keep"


@pytest.mark.parametrize("release", ["a", LONG, "gpu-operator-1234567890"])
@pytest.mark.parametrize("namespace", ["n", LONG_NAMESPACE])
def test_long_and_short_names_fit(gpu_operator: charts.Chart, release: str, namespace: str) -> None:
    """Names and label values have at most 63 characters whatever the release is called."""
    for render in RENDERS.values():
        for one in gpu_operator.objects(render, release, namespace):
            assert len(one["metadata"]["name"]) <= 63 or one["kind"] == "CustomResourceDefinition"
            for value in one["metadata"]["labels"].values():
                assert len(value) <= 63
                assert not value or (value[0].isalnum() and value[-1].isalnum())


def test_no_name_depends_on_the_release(gpu_operator: charts.Chart) -> None:
    """The operator and users' tools rely on the names, and on one release in a cluster."""
    ours = {charts.identity(one) for one in gpu_operator.objects(EVERYTHING, "one")}
    assert {charts.identity(one) for one in gpu_operator.objects(EVERYTHING, LONG)} == ours


def test_a_generated_release_name_renders(gpu_operator: charts.Chart) -> None:
    """`--generate-name`, as documentation has users do it."""
    command = [str(gpu_operator.helm.program), "template", "--generate-name", str(charts.CHART)]
    done = subprocess.run([*command, "--kube-version", "1.37.0"], capture_output=True, text=True, check=True)
    names = {one["metadata"]["labels"]["app.kubernetes.io/instance"] for one in yaml.safe_load_all(done.stdout) if one}
    assert len(names) == 1


@pytest.mark.parametrize("render", RENDERS)
def test_two_renders_are_the_same_bytes(gpu_operator: charts.Chart, render: str) -> None:
    """No time, no chance, no order of a map."""
    assert gpu_operator.run(RENDERS[render]).stdout == gpu_operator.run(RENDERS[render]).stdout


def test_a_render_survives_being_rendered(gpu_operator: charts.Chart, tmp_path: Any) -> None:
    """A chart whose one template is the render gives back its objects: no value in it is read as a template."""
    first = gpu_operator.run(EVERYTHING).stdout
    chart = tmp_path / "again"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: again\nversion: 0.1.0\n")
    (chart / "templates" / "all.yaml").write_text(first)
    command = [str(gpu_operator.helm.program), "template", "again", str(chart), "--kube-version", "1.37.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    def objects(text: str) -> list[str]:
        return sorted(yaml.dump(one) for one in yaml.load_all(text, Loader=yaml.CSafeLoader) if one)

    assert objects(done.stdout) == objects(first)


def test_tolerations_for_all_reach_every_pod(gpu_operator: charts.Chart) -> None:
    """`global.tolerations`: pods of the chart, operands by ClusterPolicy, NVIDIADriver and GPUCluster."""
    taint = {"key": "dedicated", "value": "gpu", "effect": "NoExecute"}
    everywhere = {"global": {"tolerations": [taint]}}
    builtin = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
    for render in (FOLDER, DRA):
        objects = gpu_operator.objects(charts.merged(render, everywhere))
        for name, pod in charts.pods(objects):
            assert pod["tolerations"][-1] == taint, name
        found = {charts.identity(one): one for one in objects}
        assert found["NVIDIADriver/default"]["spec"]["tolerations"] == [builtin, taint]
        stack = found.get("ClusterPolicy/cluster-policy") or found["GPUCluster/gpu-cluster"]
        assert stack["spec"]["daemonsets"]["tolerations"] == [builtin, taint]
    bare = charts.merged(everywhere, {"daemonsets": {"tolerations": None}})
    spec = gpu_operator.by_name(bare)["ClusterPolicy/cluster-policy"]["spec"]
    assert spec["daemonsets"]["tolerations"] == [builtin, taint]


def test_helpers_that_extra_objects_may_call(gpu_operator: charts.Chart) -> None:
    """An object written for NVIDIA's chart calls its helpers, each with the dot alone."""
    text = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "gpu-operator.fullname" . }}-extra
  labels:
    {{- include "gpu-operator.labels" . | nindent 4 }}
data:
  name: {{ include "gpu-operator.name" . }}
  chart: {{ include "gpu-operator.chart" . }}
"""
    given = {"extraObjects": [text], "operator": {"labels": {"team": "gpu"}}}
    found = gpu_operator.by_name(given)
    extra = found["ConfigMap/gpu-operator-extra"]
    account = found["ServiceAccount/gpu-operator"]["metadata"]["labels"]
    assert {**extra["metadata"]["labels"], "app.kubernetes.io/component": "gpu-operator"} == account
    assert extra["data"] == {"name": "gpu-operator", "chart": account["helm.sh/chart"]}
