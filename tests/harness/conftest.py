"""Small charts on disk, judged by the real helm and kubeconform."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from chartgen.harness import run, schemas, session, tools
from chartgen.harness.case import Case, Group
from chartgen.harness.cases import profiles
from chartgen.harness.manifests import Reader, Rendered
from chartgen.harness.options import Options
from chartgen.harness.report import Report
from chartgen.harness.results import Result, State
from chartgen.profiles import Profile

ROOT = Path(__file__).resolve().parents[2]

GOOD_CHART: Mapping[str, str] = {
    "Chart.yaml": "{apiVersion: v2, name: small, version: 0.1.0, appVersion: v1}",
    "values.yaml": "replicas: 1\n",
    "crds/policies.yaml": """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: clusterpolicies.nvidia.com}
        spec:
          group: nvidia.com
          names: {kind: ClusterPolicy, plural: clusterpolicies, singular: clusterpolicy, listKind: ClusterPolicyList}
          scope: Cluster
          versions:
            - name: v1
              served: true
              storage: true
              schema:
                openAPIV3Schema:
                  type: object
                  properties:
                    apiVersion: {type: string}
                    kind: {type: string}
                    metadata: {type: object}
                    spec:
                      type: object
                      properties:
                        driver:
                          type: object
                          properties:
                            enabled: {type: boolean}
                            version: {type: string}
                            port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
        """,
    "templates/account.yaml": """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: small, namespace: "{{ .Release.Namespace }}"}
        """,
    "templates/config.yaml": """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: small, namespace: "{{ .Release.Namespace }}"}
        data:
          replicas: "{{ .Values.replicas }}"
        """,
    "templates/policy.yaml": """
        apiVersion: nvidia.com/v1
        kind: ClusterPolicy
        metadata: {name: policy}
        spec:
          driver: {enabled: true, version: "580", port: 80}
        """,
}
GOOD_PROFILE = """
    # title: All defaults
    # summary: Nothing set.
    # expect:
    #   objects:
    #     set: [ServiceAccount/small, ConfigMap/small, ClusterPolicy/policy]
    #   clusterPolicy:
    #     driver.enabled: true
    #     driver.version: "580"

    {}
    """


@dataclass(frozen=True)
class Small:
    """A project of its own with one small chart."""

    root: Path
    toolbox: session.Toolbox

    @property
    def chart(self) -> Path:
        """The chart directory."""
        return self.root / "chart"

    def write(self, files: Mapping[str, str]) -> Path:
        """Add or replace files of the chart."""
        return write(self.chart, files)

    def judge(self, profile: str = GOOD_PROFILE, **options: Any) -> Report:
        """Judge the chart with one profile, and nothing else unless other groups are asked for."""
        write(self.root / "values", {"default.yaml": profile})
        chosen = {"kubes": ("1.37",), "groups": (Group.PROFILE,), **options}
        return run.judge(self.chart, Options(self.root, **chosen), self.toolbox)

    def failures(self, check: str) -> list[tuple[State, str, str]]:
        """What a check says against the chart."""
        return [told(result) for result in self.judge().failures if result.check == check]


def told(result: Result) -> tuple[State, str, str]:
    """A result without what is the same for all of a case."""
    return result.state, result.subject, result.message


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files of inline text below a folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def tools_found(tmp_path_factory: pytest.TempPathFactory) -> session.Toolbox:
    """The real programs; a missing one fails the test with its one sentence."""
    scratch = tmp_path_factory.mktemp("tools")
    try:
        return session.Toolbox(
            tools.find_helms(ROOT, scratch / "helm"),
            tools.find_kubeconform(ROOT),
            schemas.find_builtins(scratch / "schemas"),
            scratch,
        )
    except tools.ToolMissing as missing:
        pytest.fail(str(missing), pytrace=False)


@pytest.fixture
def toolbox(tools_found: session.Toolbox, tmp_path: Path) -> run.Toolbox:
    """The real programs with a scratch folder for this test alone."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return replace(tools_found, scratch=scratch)


@pytest.fixture
def small(toolbox: session.Toolbox, tmp_path: Path) -> Small:
    """A good small chart and the newest Helm alone."""
    made = Small(tmp_path, replace(toolbox, renderers=toolbox.renderers[:1]))
    made.write(GOOD_CHART)
    return made


@pytest.fixture
def case() -> Case:
    """Some case."""
    profile = Profile("default", Path("values/default.yaml"), "t", "s", {}, ("ConfigMap/x",))
    return profiles.case(profile, "v4.3.1", "1.37")


@pytest.fixture
def rendered() -> Callable[..., Rendered]:
    """Makes a render out of what helm might print."""

    def make(stdout: str, status: int = 0, stderr: str = "") -> Rendered:
        text = textwrap.dedent(stdout).lstrip("\n")
        return Reader().read(tools.Run("helm template x", status, text, stderr, 0.1))

    return make
