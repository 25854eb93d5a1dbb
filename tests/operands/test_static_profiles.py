"""Every profile has a twin without an operator: its values, with ``operator.enabled=false`` and the facts of a cluster.

The twins are not files of their own. They are rendered by each Helm, for the oldest Kubernetes and, with the kinds of the
Prometheus operator, for the newest, and have to pass the checks of the harness that need no expectations: most of all,
helm's output equals the evaluation and every object is valid.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support import charts, helms

from chartgen import profiles, yamlio
from chartgen.harness import capabilities, oracle, schemas, tools, values
from chartgen.harness.case import NEWEST, OLDEST
from chartgen.harness.cases import profiles as profile_cases
from chartgen.harness.check import Check
from chartgen.harness.checks import registry
from chartgen.harness.contexts import Contexts
from chartgen.harness.judge import Judge
from chartgen.harness.manifests import Reader
from chartgen.harness.results import State
from chartgen.tree.context import lookup

_CHART = values.load(charts.CHART)
_PROFILES = profiles.load(charts.ROOT / "values")
_MONITORING = ("monitoring.coreos.com/v1",)
# Served where Node Feature Discovery is not the chart's.
_DISCOVERY = ("nfd.k8s-sigs.io/v1alpha1",)
# What an operator would find out about the cluster of a profile.
_FACTS: Mapping[str, Mapping[str, Any]] = {
    "air-gapped": {"configMaps": {"package-mirrors": ["mirror.list"], "mirror-certificates": ["mirror.pem"]}},
    "cri-o": {"containerRuntime": "crio"},
    "proxy": {"configMaps": {"proxy-certificates": ["proxy.pem"]}},
}
_USUAL = {"os": "ubuntu22.04", "kernelVersion": "5.15.0-119-generic"}
_OPENSHIFT = {"containerRuntime": "crio", "os": "rhel9", "openshiftVersion": "4.18"}
# These hold a render against what a profile expects of the chart with an operator.
_OF_PROFILES = ("objects", "expectations", "pod-security", "refuses")


@dataclasses.dataclass(frozen=True)
class Bench:
    """A Helm, and the checks for what it renders."""

    helm: tools.Helm
    checks: tuple[Check, ...]


@pytest.fixture(scope="module", params=helms.MAJORS)
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """One for each Helm."""
    scratch: Path = tmp_path_factory.mktemp("static")
    helm = helms.find(request.param, scratch / "helm")
    custom = schemas.write_custom(charts.CHART, scratch / "crds")
    judge = Judge(schemas.find_builtins(charts.ROOT / ".cache" / "schemas"), custom)
    served = {helm.version: capabilities.api_versions(helm, scratch)}
    setting = registry.Setting(_CHART, judge, oracle.find(charts.ROOT, _CHART), Contexts(_CHART, served), {})
    return Bench(helm, tuple(check for check in registry.build(setting) if check.name not in _OF_PROFILES))


def static(profile: profiles.Profile) -> dict[str, Any]:
    """The values of a profile's twin."""
    openshift = lookup(profile.values, "platform.openshift")
    facts = {**_USUAL, **(_OPENSHIFT if openshift in (True, "true") else {}), **_FACTS.get(profile.name, {})}
    return charts.merged({"cluster": facts}, profile.values, {"operator": {"enabled": False}})


@pytest.mark.parametrize(("kube", "apis"), [(OLDEST, ()), (NEWEST, _MONITORING)], ids=["oldest", "newest-monitored"])
@pytest.mark.parametrize("profile", _PROFILES, ids=lambda profile: profile.name)
def test_a_profile_works_without_an_operator(
    bench: Bench, profile: profiles.Profile, kube: str, apis: tuple[str, ...], tmp_path: Path
) -> None:
    """It renders, equals the evaluation, and Kubernetes takes it."""
    file = tmp_path / "values.yaml"
    file.write_text(yamlio.dump(static(profile)))
    twin = dataclasses.replace(profile, path=file, values=static(profile))
    plain = profile_cases.case(twin, bench.helm.version, kube)
    case = dataclasses.replace(plain, api_versions=(*profile.apis, *_DISCOVERY, *apis))
    request = tools.RenderRequest(
        charts.CHART, (file,), case.release, case.namespace, kube, api_versions=case.api_versions
    )
    rendered = Reader().read(bench.helm.render(request))
    assert rendered.run.status == 0, rendered.run.report()
    said = [(check.name, finding) for check in bench.checks for finding in check.run(case, rendered)]
    wrong = [f"{name}: {finding}" for name, finding in said if finding.state in (State.INVALID, State.ERROR)]
    assert not wrong, "\n".join(wrong)
    # kinds without a schema are told, not judged: those of the Prometheus operator and of OpenShift
    skipped = {
        finding.subject.partition("/")[0] for _, finding in said if finding.state is State.SKIPPED and finding.subject
    }
    assert skipped <= {"PodMonitor", "PrometheusRule", "SecurityContextConstraints", "ServiceMonitor"}
    kinds = [document.kind for document in rendered.documents]
    assert "DaemonSet" in kinds
    assert "ClusterPolicy" not in kinds
