"""The ways in which CRDs get into a cluster."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from support import charts

from chartgen import yamlio

KIND = "CustomResourceDefinition"
NAMES = {
    "clusterpolicies.nvidia.com",
    "nvidiadrivers.nvidia.com",
    "gpuclusters.nvidia.com",
    "computedomains.resource.nvidia.com",
    "computedomaincliques.resource.nvidia.com",
}
NFD = {f"{kind}.nfd.k8s-sigs.io" for kind in ("nodefeatures", "nodefeaturegroups", "nodefeaturerules")}
TEMPLATES = {"crds": {"install": "templates"}}


def _crds(chart: charts.Chart, values: dict[str, Any]) -> dict[str, charts.Object]:
    return {one["metadata"]["name"]: one for one in chart.objects(values) if one["kind"] == KIND}


def _folder() -> dict[str, charts.Object]:
    folders = (charts.CHART, charts.CHART / "charts" / "node-feature-discovery")
    files = [yamlio.load(file.read_text()) for folder in folders for file in (folder / "crds").glob("*.yaml")]
    return {crd["metadata"]["name"]: crd for crd in files}


def test_the_folder_holds_every_crd() -> None:
    """Helm creates these on an installation, unless they are there; those of the subchart too."""
    assert set(_folder()) == NAMES | NFD


@pytest.mark.parametrize("install", ["folder", None, "none"])
def test_by_default_no_crd_is_an_object_of_the_release(gpu_operator: charts.Chart, install: str | None) -> None:
    """Helm would delete it with the release, and every GPU setting with it."""
    assert _crds(gpu_operator, {"crds": {"install": install}}) == {}


def test_as_templates_they_are_those_of_the_folder(gpu_operator: charts.Chart) -> None:
    """The same specs, with labels, and kept when the release goes; no hook upgrades them."""
    found = _crds(gpu_operator, TEMPLATES)
    folder = _folder()
    assert {name: crd["spec"] for name, crd in found.items()} == {name: crd["spec"] for name, crd in folder.items()}
    for crd in found.values():
        assert charts.annotation(crd, "helm.sh/resource-policy") == "keep"
        assert crd["metadata"]["labels"]["app.kubernetes.io/instance"] == "gpu-operator"
    assert not [one for one in gpu_operator.objects(TEMPLATES) if one["kind"] == "Job"]


def test_as_templates_node_features_come_with_their_subchart(gpu_operator: charts.Chart) -> None:
    """Also where no operator runs; not without the subchart, and not where somebody else owns them."""
    assert (
        set(_crds(gpu_operator, charts.merged(TEMPLATES, {"operator": {"enabled": False}, "cluster": {"os": "rhel9"}})))
        == NFD
    )
    for values in ({"nfd": {"enabled": False}}, {"crds": {"nodeFeatures": "false"}}):
        assert set(_crds(gpu_operator, charts.merged(TEMPLATES, values))) == NAMES


def test_as_templates_they_may_go_with_the_release(gpu_operator: charts.Chart) -> None:
    """`crds.keep=false`."""
    found = _crds(gpu_operator, {"crds": {"install": "templates", "keep": "false"}})
    assert {charts.annotation(crd, "helm.sh/resource-policy") for crd in found.values()} == {""}


def test_managed_elsewhere_no_hook_touches_them(gpu_operator: charts.Chart) -> None:
    """`crds.install=none`, whatever the hooks' switches say."""
    values = {"crds": {"install": "none"}, "operator": {"cleanupCRD": "true", "upgradeCRD": "true"}}
    assert not [one for one in gpu_operator.objects(values) if one["kind"] in ("Job", KIND)]


def test_with_all_of_them_spared_there_is_no_hook(gpu_operator: charts.Chart) -> None:
    """A hook that has nothing to do would fail for want of an argument."""
    switches = ("clusterPolicies", "nvidiaDrivers", "gpuClusters", "nodeFeatures")
    values = {"crds": dict.fromkeys(switches, False), "operator": {"cleanupCRD": True}}
    assert not [one for one in gpu_operator.objects(values) if one["kind"] == "Job"]


def test_as_templates_the_namespace_and_crds_come_before_what_needs_them(gpu_operator: charts.Chart) -> None:
    """Helm prints kinds in the order in which they can be applied."""
    kinds = [one["kind"] for one in gpu_operator.objects(charts.merged(TEMPLATES, {"namespace": {"create": True}}))]
    assert kinds[0] == "Namespace"
    assert kinds.index(KIND) < kinds.index("Deployment") < kinds.index("ClusterPolicy")


def test_the_folder_is_a_matter_of_helms_flags(newest: charts.Chart) -> None:
    """What `crds.install` says about `--include-crds` is so."""
    command = [str(newest.helm.program), "template", "gpu-operator", str(charts.CHART), "--kube-version", "1.37.0"]
    with_folder = subprocess.run([*command, "--include-crds"], capture_output=True, text=True, check=True)
    names = {one["metadata"]["name"] for one in yamlio.load_all(with_folder.stdout) if one["kind"] == KIND}
    assert names == NAMES | NFD
    skipped = subprocess.run([*command, "--skip-crds"], capture_output=True, text=True, check=True)
    assert not [one for one in yamlio.load_all(skipped.stdout) if one["kind"] == KIND]
