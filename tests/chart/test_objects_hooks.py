"""Hooks: what they may do, that they depend on nothing but themselves, and that any namespace lets their pods in."""

from __future__ import annotations

import subprocess

import pytest
from support import charts

from chartgen import yamlio
from chartgen.harness.checks import pod_security

DRA = charts.merged(
    charts.nested("clusterPolicy.deployCR", False),
    charts.nested("gpuCluster.deployCR", True),
    charts.nested("driver.nvidiaDriverCRD.enabled", True),
)
CLEANUP = charts.nested("operator.cleanupCRD", True)
ALL = charts.merged(DRA, CLEANUP)
CONTEXTS = {"default": {}, "clean-up": CLEANUP, "with a GPUCluster": ALL}
JOBS = ("upgrade-crd", "cleanup-crd", "cleanup-gpucluster")
CRDS = ["clusterpolicies.nvidia.com", "nvidiadrivers.nvidia.com", "gpuclusters.nvidia.com"]
NFD = [f"{kind}.nfd.k8s-sigs.io" for kind in ("nodefeatures", "nodefeaturegroups", "nodefeaturerules")]
DOMAINS = ["computedomains.resource.nvidia.com", "computedomaincliques.resource.nvidia.com"]
IMAGE_FOLDER = "--filepath=/opt/gpu-operator"
IN_IMAGE = [
    f"{IMAGE_FOLDER}/{name}.yaml"
    for name in ("nvidia.com_clusterpolicies", "nvidia.com_nvidiadrivers", "nvidia.com_gpuclusters", "nfd-api-crds")
]
OWN_FILES = ["resource.nvidia.com_computedomains.yaml", "resource.nvidia.com_computedomaincliques.yaml"]
SECRETS = {"operator": {"imagePullSecrets": ["one", {"name": "two"}]}, "global": {"imagePullSecrets": ["two", "three"]}}


def _hooks(objects: list[charts.Object]) -> list[charts.Object]:
    return [one for one in objects if charts.annotation(one, "helm.sh/hook")]


def _weight(given: charts.Object) -> int:
    return int(charts.annotation(given, "helm.sh/hook-weight"))


def _needs(pod: charts.Object) -> set[str]:
    """The objects that a pod cannot start without."""
    needed = {f"ServiceAccount/{pod['serviceAccountName']}"}
    for volume in pod.get("volumes", []):
        needed |= {f"ConfigMap/{volume['configMap']['name']}"} if "configMap" in volume else set()
    return needed


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_first_sync_finds_all_that_a_hook_needs(gpu_operator: charts.Chart, context: str) -> None:
    """Account, permissions and files of a hook's pod are hooks of the same event, and come before it."""
    hooks = _hooks(gpu_operator.objects(CONTEXTS[context]))
    pods = [one for one in hooks if one["kind"] in ("Job", "Pod")]
    assert pods
    for job in pods:
        earlier = {
            charts.identity(one): one
            for one in hooks
            if charts.annotation(one, "helm.sh/hook") == charts.annotation(job, "helm.sh/hook")
            and _weight(one) < _weight(job)
        }
        (_, pod) = next(charts.pods([job]))
        assert _needs(pod) <= set(earlier), charts.identity(job)
        account = {"kind": "ServiceAccount", "name": pod["serviceAccountName"], "namespace": "gpu"}
        bindings = [one for one in earlier.values() if account in one.get("subjects", [])]
        assert len(bindings) == 1
        assert f"{bindings[0]['roleRef']['kind']}/{bindings[0]['roleRef']['name']}" in earlier


@pytest.mark.parametrize("context", CONTEXTS)
def test_nothing_but_hooks_is_needed_by_hooks_alone(newest: charts.Chart, context: str) -> None:
    """The release's own account belongs to the operator; no hook uses it, no hook grants it anything."""
    for one in _hooks(newest.objects(CONTEXTS[context])):
        assert "gpu-operator" not in {subject["name"] for subject in one.get("subjects", [])}
        for _, pod in charts.pods([one]):
            assert pod["serviceAccountName"] != "gpu-operator"


@pytest.mark.parametrize("context", CONTEXTS)
def test_any_namespace_lets_the_pods_in(gpu_operator: charts.Chart, context: str) -> None:
    """Operator, hooks and test meet the restricted Pod Security Standard."""
    pods = dict(charts.pods(gpu_operator.objects(CONTEXTS[context])))
    assert {"Deployment/gpu-operator", "Job/gpu-operator-upgrade-crd", "Pod/gpu-operator-test"} <= set(pods)
    assert {name: list(pod_security.needs({"spec": pod})) for name, pod in pods.items()} == {name: [] for name in pods}


def test_a_namespace_with_a_quota_lets_the_pods_in(gpu_operator: charts.Chart) -> None:
    """Every container says what it requests and what its limits are."""
    for name, pod in charts.pods(gpu_operator.objects(ALL)):
        for container in charts.containers(pod):
            for bound in ("requests", "limits"):
                assert set(container["resources"][bound]) >= {"cpu", "memory"}, f"{name} {container['name']}"


def test_hooks_run_where_the_operator_may_and_pull_as_it_does(gpu_operator: charts.Chart) -> None:
    """Tolerations, those of `global` too, node selector, pull secrets in both spellings, pull policy, digest."""
    taint = {"key": "dedicated", "operator": "Exists"}
    everywhere = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
    own = {"tolerations": [taint], "nodeSelector": {"pool": "infra"}, "imagePullPolicy": "Always"}
    digest = "sha256:" + "a" * 64
    values = charts.merged(
        ALL, SECRETS, {"operator": {**own, "version": digest}, "global": {"tolerations": [everywhere]}}
    )
    found = gpu_operator.by_name(values)
    for name in ("Deployment/gpu-operator", *(f"Job/gpu-operator-{job}" for job in JOBS)):
        pod = charts.at(found[name], "spec.template.spec")
        assert pod["tolerations"] == [taint, everywhere]
        assert pod["nodeSelector"]["pool"] == "infra"
        assert pod["imagePullSecrets"] == [{"name": "one"}, {"name": "two"}, {"name": "three"}]
        assert [one["image"] for one in pod["containers"]] == [f"nvcr.io/nvidia/gpu-operator@{digest}"]
        assert [one["imagePullPolicy"] for one in pod["containers"]] == ["Always"]


def test_hook_settings_reach_every_hook(gpu_operator: charts.Chart) -> None:
    """`operator.hooks` as a whole."""
    hooks = {
        "resources": {"limits": {"memory": "1Gi"}},
        "podLabels": {"sidecar.istio.io/inject": False},
        "podAnnotations": {"linkerd.io/inject": "disabled"},
        "priorityClassName": "system-cluster-critical",
        "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
        "backoffLimit": 0,
        "activeDeadlineSeconds": 240,
    }
    found = gpu_operator.by_name(charts.merged(ALL, {"operator": {"hooks": hooks}}))
    for job in JOBS:
        spec = found[f"Job/gpu-operator-{job}"]["spec"]
        assert (spec["backoffLimit"], spec["activeDeadlineSeconds"]) == (0, 240)
        metadata, pod = spec["template"]["metadata"], spec["template"]["spec"]
        assert metadata["labels"]["sidecar.istio.io/inject"] == "false"
        assert metadata["annotations"] == {"linkerd.io/inject": "disabled"}
        assert pod["priorityClassName"] == "system-cluster-critical"
        assert pod["affinity"] == hooks["affinity"]
        assert pod["containers"][0]["resources"]["limits"]["memory"] == "1Gi"


def test_the_order_of_an_uninstallation(gpu_operator: charts.Chart) -> None:
    """The GPUCluster goes before the CRDs do."""
    found = gpu_operator.by_name(ALL)
    cluster, crd = (found[f"Job/gpu-operator-{job}"] for job in ("cleanup-gpucluster", "cleanup-crd"))
    assert {charts.annotation(one, "helm.sh/hook") for one in (cluster, crd)} == {"pre-delete"}
    assert _weight(cluster) < _weight(crd)


def test_hooks_do_what_their_names_say(gpu_operator: charts.Chart) -> None:
    """Programs and arguments, as the operator's image knows them."""
    found = gpu_operator.by_name(CLEANUP)
    for job, verb in (("upgrade-crd", "apply"), ("cleanup-crd", "delete")):
        container = charts.at(found[f"Job/gpu-operator-{job}"], "spec.template.spec.containers.0")
        assert container["command"] == ["/usr/bin/manage-crds"]
        assert container["args"] == [verb, *IN_IMAGE]
    container = charts.at(
        gpu_operator.by_name(DRA)["Job/gpu-operator-cleanup-gpucluster"], "spec.template.spec.containers.0"
    )
    assert container["command"] == ["/usr/bin/cleanup-gpuclusters", "--gpucluster-name", "gpu-cluster"]


def _grants(role: charts.Object) -> set[tuple[str, str, str]]:
    """(resource, verb, name) of everything a role allows; "" for any name."""
    return {
        (resource, verb, name)
        for rule in role["rules"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
        for name in rule.get("resourceNames", [""])
    }


def test_hooks_may_do_that_and_nothing_else(gpu_operator: charts.Chart) -> None:
    """The exact permissions of each hook and of the test."""
    found = gpu_operator.by_name(ALL)
    crd = "customresourcedefinitions"
    names = [*CRDS, *NFD, *DOMAINS]
    assert _grants(found["ClusterRole/gpu-operator-upgrade-crd-hook-role"]) == {
        (crd, "create", ""),
        *((crd, verb, name) for verb in ("get", "update") for name in names),
    }
    assert _grants(found["ClusterRole/gpu-operator-cleanup-crd-hook-role"]) == {(crd, "delete", name) for name in names}
    assert _grants(found["ClusterRole/gpu-operator-cleanup-gpucluster-hook-role"]) == {
        ("gpuclusters", "get", "gpu-cluster"),
        ("gpuclusters", "delete", "gpu-cluster"),
    }
    assert {verb for _, verb, _ in _grants(found["ClusterRole/gpu-operator-test"])} == {"get", "list", "watch"}
    operator = _grants(found["ClusterRole/gpu-operator"])
    assert (crd, "delete", "") not in operator


def test_with_a_gpu_cluster_hooks_bring_the_domains_along(gpu_operator: charts.Chart) -> None:
    """The image has no copy of these CRDs: the chart's own files are mounted, and switches spare one."""
    found = gpu_operator.by_name(ALL)
    for job in ("upgrade-crd", "cleanup-crd"):
        pod = charts.at(found[f"Job/gpu-operator-{job}"], "spec.template.spec")
        container = pod["containers"][0]
        folder = container["volumeMounts"][0]["mountPath"]
        assert container["args"][5:] == [f"--filepath={folder}/{file}" for file in OWN_FILES]
        assert container["volumeMounts"][0]["name"] == pod["volumes"][0]["name"]
        files = found[f"ConfigMap/{pod['volumes'][0]['configMap']['name']}"]["data"]
        assert files == {file: (charts.CHART / "crds" / file).read_text() for file in OWN_FILES}
        assert [yamlio.load(text)["metadata"]["name"] for text in files.values()] == DOMAINS
    spared = gpu_operator.by_name(charts.merged(ALL, charts.nested("crds.computeDomains", "false")))
    assert set(spared["ConfigMap/gpu-operator-upgrade-crd-hook-files"]["data"]) == {OWN_FILES[1]}


def test_node_features_are_left_to_their_owner(gpu_operator: charts.Chart) -> None:
    """Without the bundled Node Feature Discovery, or with the switch, its CRDs are not touched."""
    for values in ({"nfd": {"enabled": False}}, {"crds": {"nodeFeatures": "false"}}):
        found = gpu_operator.by_name(charts.merged(CLEANUP, values))
        for job in ("upgrade-crd", "cleanup-crd"):
            assert (
                charts.at(found[f"Job/gpu-operator-{job}"], "spec.template.spec.containers.0.args")[1:] == IN_IMAGE[:3]
            )
            role = found[f"ClusterRole/gpu-operator-{job}-hook-role"]
            assert {name for _, _, name in _grants(role)} - {""} == set(CRDS)


def test_what_a_clean_up_deletes_helm_leaves_alone(gpu_operator: charts.Chart) -> None:
    """Objects whose kind the hook deletes carry the keep policy then, and only then."""
    switches = {
        "ClusterPolicy/cluster-policy": "crds.clusterPolicies",
        "NVIDIADriver/default": "crds.nvidiaDrivers",
        "NodeFeatureRule/nvidia-kernel-modules": "crds.nodeFeatures",
    }
    everything = {"driver": {"nvidiaDriverCRD": {"enabled": True}}, "nfd": {"nodefeaturerules": True}}
    deleted = gpu_operator.by_name(charts.merged(everything, CLEANUP))
    spared = gpu_operator.by_name(charts.merged(everything, CLEANUP, {"crds": {"install": "none"}}))
    for name, switch in switches.items():
        assert charts.annotation(deleted[name], "helm.sh/resource-policy") == "keep"
        assert charts.annotation(spared[name], "helm.sh/resource-policy") == ""
        left = gpu_operator.by_name(charts.merged(everything, CLEANUP, charts.nested(switch, False)))
        assert charts.annotation(left[name], "helm.sh/resource-policy") == ""
    assert charts.annotation(gpu_operator.by_name(DRA)["GPUCluster/gpu-cluster"], "helm.sh/resource-policy") == "keep"


def test_kubectl_apply_of_a_render_needs_no_hook(newest: charts.Chart) -> None:
    """`--no-hooks` leaves every object of the release and none of a hook."""
    command = [str(newest.helm.program), "template", "gpu-operator", str(charts.CHART), "--no-hooks"]
    done = subprocess.run([*command, "--kube-version", "1.37.0"], capture_output=True, text=True, check=True)
    kinds = {one["kind"] for one in yamlio.load_all(done.stdout)}
    assert "Job" not in kinds
    assert {"Deployment", "ClusterPolicy", "ServiceAccount"} <= kinds
