"""The table of permissions, held against the chart: nothing to say of it, something of each break, and no line without use."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support import charts, helms

from chartgen import yamlio
from chartgen.harness import tools
from chartgen.harness.case import Case, Group
from chartgen.harness.checks import permissions
from chartgen.harness.checks.permissions import Permission
from chartgen.harness.checks.rbac import Rbac
from chartgen.harness.manifests import Reader, Rendered
from chartgen.harness.results import State

_STATIC: dict[str, Any] = {"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}}
_OPENSHIFT = {"cluster": {"os": "rhel9", "containerRuntime": "crio", "openshiftVersion": "4.18"}}
_EVERY_OPERAND: dict[str, Any] = {
    "dcgm": {"enabled": True},
    "nodeStatusExporter": {"enabled": True},
    "dcgmExporter": {"enablePodLabels": True, "enablePodUID": True},
    "devicePlugin": {"config": {"create": True, "name": "c", "default": "a", "data": {"a": "version: v1\n"}}},
    "gfd": {"env": [{"name": "USE_NODE_FEATURE_API", "value": "true"}]},
}
_NFD: dict[str, Any] = {
    "master": {"replicaCount": 2},
    "worker": {"ownerRefs": ["node"]},
    "topologyUpdater": {"enable": True},
}
_GPU_CLUSTER: dict[str, Any] = {
    "clusterPolicy": {"deployCR": False},
    "gpuCluster": {"deployCR": True},
    "operator": {"cleanupCRD": True},
    "driver": {"nvidiaDriverCRD": {"enabled": True}},
}
_VALUES: Mapping[str, dict[str, Any]] = {
    "operator": {"node-feature-discovery": _NFD, "operator": {"cleanupCRD": True}, "userRoles": {"create": True}},
    "gpu-cluster": _GPU_CLUSTER,
    "static": charts.merged(_STATIC, {"migManager": {"config": {"name": ""}}, "devicePlugin": {"enabled": False}}),
    "static-everything": charts.merged(_STATIC, _EVERY_OPERAND),
    "static-openshift": charts.merged(_STATIC, _OPENSHIFT, {"dcgmExporter": {"config": {"name": "list"}}}),
}
_TABLE = permissions.of("gpu-operator")


@pytest.fixture(scope="module")
def renders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Case, tools.Run]]:
    """The chart with each of the values."""
    scratch = tmp_path_factory.mktemp("permissions")
    helm = helms.find(helms.MAJORS[0], scratch / "home")
    found: dict[str, tuple[Case, tools.Run]] = {}
    for name, values in _VALUES.items():
        file = scratch / f"{name}.yaml"
        file.write_text(yamlio.dump(values), encoding="utf-8")
        request = tools.RenderRequest(charts.CHART, (file,), api_versions=(charts.DRA,))
        run = helm.render(request)
        assert run.status == 0, run.report()
        found[name] = Case(name, Group.GIVEN, helm.version, "1.37", files=(file,)), run
    return found


def read(run: tools.Run, *changes: tuple[str, str]) -> Rendered:
    """A render with some of its text changed."""
    text = run.stdout
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return Reader().read(tools.Run(run.command, 0, text, "", 0.0))


@pytest.mark.parametrize("name", list(_VALUES))
def test_the_chart_grants_what_its_programs_need(renders: dict[str, tuple[Case, tools.Run]], name: str) -> None:
    """And nothing else."""
    case, run = renders[name]
    findings = Rbac(_TABLE).run(case, read(run))
    assert [finding for finding in findings if finding.state is not State.VALID] == []


def _verb(verb: str, of: str) -> tuple[str, str]:
    """A change that adds a verb after another one of a resource."""
    return f"      - {of}\n    verbs:\n", f"      - {of}\n    verbs:\n      - {verb}\n"


@pytest.mark.parametrize(
    ("name", "old", "new", "subject", "message"),
    [
        (
            "operator",
            "pods/eviction\n",
            "pods/evictions\n",
            "Deployment/gpu-operator",
            "operator lacks create of pods/eviction",
        ),
        (
            "operator",
            *_verb("escalate", "clusterrolebindings"),
            "ClusterRole/gpu-operator",
            "needs escalate of clusterrolebindings",
        ),
        (
            "operator",
            *_verb("impersonate", "leases"),
            "ClusterRole/gpu-operator",
            "needs impersonate of leases.coordination.k8s.io",
        ),
        (
            "operator",
            "      - computedomaincliques\n",
            "",
            "Deployment/gpu-operator",
            "writes the role compute-domain-daemon",
        ),
        (
            "operator",
            "clusterpolicies/finalizers",
            "clusterpolicies/scale",
            "Deployment/gpu-operator",
            "may finalize the owner",
        ),
        (
            "operator",
            "nfd.k8s-sigs.io\n    resources:\n      - nodefeatures\n      - nodefeaturerules",
            "x\n    resources:\n      - nodefeatures\n      - nodefeaturerules",
            "Deployment/gpu-operator-node-feature-discovery-master",
            "NFD master lacks",
        ),
        (
            "gpu-cluster",
            "    resourceNames:\n      - gpu-cluster\n",
            "    resourceNames:\n      - gpu-clusters\n",
            "Job/gpu-operator-cleanup-gpucluster",
            "GPUCluster clean-up lacks delete, get of gpuclusters.nvidia.com[gpu-cluster]",
        ),
        (
            "static",
            "resourceclaims\n",
            "claims\n",
            "DaemonSet/nvidia-driver-daemonset",
            "k8s-driver-manager lacks get of resourceclaims.resource.k8s.io",
        ),
        ("static", "automountServiceAccountToken: false", "automountServiceAccountToken: true", "", ""),
        (
            "static-everything",
            "automountServiceAccountToken: true",
            "automountServiceAccountToken: false",
            "DaemonSet/nvidia-dcgm-exporter",
            "mounts no token",
        ),
        (
            "static-everything",
            "name: nvidia-dcgm-exporter-read-pods\nsubjects",
            "name: another\nsubjects",
            "DaemonSet/nvidia-dcgm-exporter",
            "names the labels of the pods",
        ),
        (
            "static-openshift",
            "      - privileged\n",
            "      - restricted\n",
            "DaemonSet/nvidia-driver-daemonset",
            "lacks use of securitycontextconstraints",
        ),
        (
            "static",
            'serviceAccountName: "nvidia-mig-manager"',
            "serviceAccountName: nvidia-driver",
            "ClusterRoleBinding/nvidia-mig-manager",
            "no pod runs as that",
        ),
    ],
)
def test_a_broken_chart_is_found(
    renders: dict[str, tuple[Case, tools.Run]], name: str, old: str, new: str, subject: str, message: str
) -> None:
    """Where it is broken, with the action that breaks or the rule that is too much; a change that breaks nothing is not."""
    case, run = renders[name]
    found = [each for each in Rbac(_TABLE).run(case, read(run, (old, new))) if each.state is State.INVALID]
    assert bool(found) is bool(message)
    assert not message or [each for each in found if each.subject == subject and message in each.message], found


def test_no_line_of_the_table_is_without_use(renders: dict[str, tuple[Case, tools.Run]]) -> None:
    """Each program runs somewhere, and whatever may be granted without need is granted somewhere: else nobody keeps it up to date."""
    assert _TABLE is not None
    containers: set[tuple[str, str]] = set()
    given: set[Permission] = set()
    for _, run in renders.values():
        for document in read(run).documents:
            template = (document.object.get("spec") or {}).get("template") or document.object
            pod = template.get("spec") or {}
            every = [*(pod.get("initContainers") or []), *(pod.get("containers") or [])]
            containers |= {(document.identity, str(container["name"])) for container in every}
            for rule in document.object.get("rules") or []:
                if document.kind in ("Role", "ClusterRole"):
                    given |= permissions.granted(rule, everywhere=document.kind == "ClusterRole")
    lost = [program.name for program in _TABLE.programs if not any(program.runs.fits(*one) for one in containers)]
    assert lost == []
    idle = {permission for program in _TABLE.programs for need in program.spare for permission in need.permissions}
    assert permissions.uncovered(idle, frozenset(given)) == []


def test_permissions_are_compared_as_the_api_server_does() -> None:
    """A wildcard covers everything of its kind; a name, a namespace and a subresource cover nothing wider than they are."""
    wide = Permission(True, "*", "*", "*")
    pods = Permission(True, "", "pods", "get")
    assert permissions.uncovered([pods, Permission(False, "", "pods/log", "get", "a")], frozenset([wide])) == []
    assert Permission(True, "", "*/scale", "update").covers(Permission(True, "", "deployments/scale", "update"))
    assert pods.covers(Permission(False, "", "pods", "get", "a"))
    for narrow in (
        Permission(False, "", "pods", "get"),
        Permission(True, "", "pods", "get", "a"),
        Permission(True, "", "pods/log", "get"),
        Permission(True, "apps", "pods", "get"),
        Permission(True, "", "pods", "list"),
    ):
        assert permissions.uncovered([pods], frozenset([narrow])) == [pods]


def test_urls_outside_of_the_api_are_permissions() -> None:
    """As of a program that scrapes metrics."""
    rule = {"nonResourceURLs": ["/metrics"], "verbs": ["get"]}
    assert permissions.granted(rule, everywhere=True) == {Permission(True, "", "/metrics", "get")}


@pytest.mark.parametrize(
    "entry",
    [
        "needs: [{why: x}]",
        "needs: [{why: '', cluster: {pods: [get]}}]",
        "needs: [{why: x, clusters: {pods: [get]}}]",
        "needs: [{why: x, cluster: {'pods eviction': [get]}}]",
        "needs: [{why: x, cluster: {pods: [get]}, when: {objects: x}}]",
        "need: [{why: x, cluster: {pods: [get]}}]",
    ],
)
def test_a_mistake_in_the_table_is_refused(entry: str, tmp_path: Path) -> None:
    """A word that nobody reads would be a rule that nobody checks."""
    text = f"""
        chart: small
        programs:
          - name: reader
            containers: [reader]
            {entry}
        """
    with pytest.raises((ValueError, TypeError)):
        permissions.load(textwrap.dedent(text))
