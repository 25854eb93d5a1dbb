"""Two versions of a chart: what another version alone changes, and what an upgrade from the previous one does."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from chartgen.harness import immutable
from chartgen.harness.results import State

WORKLOAD = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: small, labels: {helm.sh/chart: "{{ .Chart.Version }}"}}
    spec:
      selector: {matchLabels: {app: small}}
      template:
        metadata: {labels: {app: small}}
        spec:
          containers: [{name: small, image: "small:{{ .Chart.AppVersion }}"}]
    """
VERSION = "{{ .Chart.Version | quote }}"
PROFILE = "# title: t\n# summary: s\n# expect: {objects: {set: [A/b]}}\n\n{}\n"
HOOKED = 'metadata: {name: small, annotations: {helm.sh/hook: pre-install}, labels: {v: "{{ .Chart.Version }}"}}'


@dataclass(frozen=True)
class Two:
    """The small chart and its previous version."""

    small: object
    previous: Path

    def before(self, files: dict[str, str]) -> None:
        """Change the previous version alone."""
        self.small.write({f"../previous/{name}": text for name, text in files.items()})

    def said(self) -> list[tuple[str, str]]:
        """What the check says of the upgrade."""
        report = self.small.judge(PROFILE, checks=("stability",), previous=self.previous)
        return [(each.subject, each.message) for each in report.results if each.check == "stability" and each.message]


@pytest.fixture
def said(small):
    """What the check says of the small chart with some files changed."""

    def ask(files: dict[str, str]) -> list[tuple[str, str]]:
        small.write({"templates/workload.yaml": WORKLOAD, **files})
        report = small.judge(PROFILE, checks=("stability",))
        return [(each.subject, each.message) for each in report.results if each.check == "stability" and each.message]

    return ask


@pytest.fixture
def two(small) -> Two:
    """Both the same but for their version."""
    small.write({"templates/workload.yaml": WORKLOAD})
    previous = small.root / "previous"
    shutil.copytree(small.chart, previous)
    made = Two(small, previous)
    made.before({"Chart.yaml": "{apiVersion: v2, name: small, version: 0.0.9, appVersion: v1}"})
    return made


def test_a_version_in_the_metadata_alone_is_fine(said):
    """That is where it belongs; what a hook says does not matter, since it runs anew anyway."""
    job = f"apiVersion: batch/v1\nkind: Job\n{HOOKED}\nspec: {{template: {{metadata: {{labels: {{v: {VERSION}}}}}}}}}\n"
    assert said({"templates/job.yaml": job}) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "labels: {app: small}}\n        spec",
            f"labels: {{app: small, v: {VERSION}}}}}\n        spec",
            'spec.template.metadata.labels.v becomes "1.0.0" instead of "0.1.0", and all its pods restart',
        ),
        (
            "{{ .Chart.AppVersion }}",
            "{{ .Chart.Version }}",
            'spec.template.spec.containers[0].image becomes "small:1.0.0" instead of "small:0.1.0", and all its pods restart',
        ),
        (
            "matchLabels: {app: small}",
            f"matchLabels: {{app: small, v: {VERSION}}}",
            'spec.selector.matchLabels.v becomes "1.0.0" instead of "0.1.0", which the API server refuses',
        ),
        ("metadata: {name: small,", 'metadata: {name: "small-{{ .Chart.Version }}",', "it is gone or has another name"),
    ],
)
def test_a_version_anywhere_else_is_found(said, old, new, expected):
    """In the pod template, in an immutable field and in a name."""
    assert old in WORKLOAD
    [(subject, message)] = said({"templates/workload.yaml": WORKLOAD.replace(old, new)})
    assert subject.startswith("Deployment/small")
    assert message == f"with another version of the chart, {expected}"


def test_what_an_operator_makes_pods_of_counts_as_a_pod(said):
    """A custom resource of the chart's own kinds."""
    policy = (
        "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: policy}\nspec: {driver: {version: VERSION}}\n"
    )
    [(subject, message)] = said({"templates/policy.yaml": policy.replace("VERSION", VERSION)})
    assert subject == "ClusterPolicy/policy"
    assert message.endswith("and with it what an operator makes of it")


def test_the_version_of_a_subchart_counts(said, small):
    """It is raised, too, and the chart still takes it in."""
    small.write(
        {
            "Chart.yaml": "{apiVersion: v2, name: small, version: 0.1.0, dependencies: [{name: sub, version: 2.0.1}]}",
            "charts/sub/Chart.yaml": "{apiVersion: v2, name: sub, version: 2.0.1}",
            "charts/sub/templates/workload.yaml": WORKLOAD.replace("name: small", "name: sub").replace(
                "small:{{ .Chart.AppVersion }}", "{{ .Chart.Version }}"
            ),
        }
    )
    [(subject, message)] = said({})
    assert subject == "Deployment/sub"
    assert '"3.0.0" instead of "2.0.1"' in message


def test_a_chart_that_is_never_twice_the_same_says_nothing_of_versions(said):
    """It is another check that finds the random part."""
    assert said({"templates/workload.yaml": WORKLOAD.replace("{{ .Chart.AppVersion }}", "{{ randAlphaNum 9 }}")}) == []


def test_a_chart_that_refuses_another_version_could_not_be_judged(said, small):
    """That is an error and never a pass."""
    [(_, message)] = said({"templates/refuse.yaml": '{{ if ne .Chart.Version "0.1.0" }}{{ fail "mine" }}{{ end }}'})
    assert message.startswith("the chart does not render under another version of it")
    assert [each.state for each in small.judge(PROFILE, checks=("stability",)).failures] == [State.ERROR]


def test_an_upgrade_that_changes_nothing_is_fine(two):
    """The version alone."""
    assert two.said() == []


def test_an_upgrade_that_the_cluster_refuses(two):
    """A selector, a role that is bound, the handler of a runtime class."""
    binding = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b}\nroleRef: {kind: Role, name: NAME}\n"
    two.small.write({"templates/binding.yaml": binding.replace("NAME", "new")})
    two.before(
        {
            "templates/binding.yaml": binding.replace("NAME", "old"),
            "templates/workload.yaml": WORKLOAD.replace("app: small", "app: other"),
        }
    )
    assert two.said() == [
        (
            "Deployment/small",
            'upgraded from 0.0.9, spec.selector.matchLabels.app becomes "small" instead of "other", which the API server refuses',
        ),
        (
            "RoleBinding/b",
            'upgraded from 0.0.9, roleRef.name becomes "new" instead of "old", which the API server refuses',
        ),
    ]


def test_an_upgrade_that_loses_data(two):
    """What is deleted with a claim, a custom resource or a definition does not come back, unless Helm is told to keep it."""
    claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: NAME}\n"
    keep = claim.replace("{name: NAME}", "{name: kept, annotations: {helm.sh/resource-policy: keep}}")
    two.before({"templates/claims.yaml": f"{claim.replace('NAME', 'lost')}---\n{keep}"})
    (two.small.chart / "templates" / "policy.yaml").unlink()
    assert [subject for subject, _ in two.said()] == ["ClusterPolicy/policy", "PersistentVolumeClaim/lost"]


def test_an_upgrade_that_renames_a_workload(two):
    """Its pods run twice for a while; one that is gone for good is no concern."""
    two.before({"templates/workload.yaml": WORKLOAD.replace("metadata: {name: small,", "metadata: {name: earlier,")})
    [(subject, message)] = two.said()
    assert subject == "Deployment/earlier"
    assert "Deployment/small runs the same containers in its place" in message
    two.small.write({"templates/workload.yaml": "# gone\n"})
    assert two.said() == []


def test_values_of_the_previous_version_are_carried_over(two):
    """As ``helm upgrade --reuse-values`` does; a schema that has forgotten one of them refuses it."""
    two.before({"values.yaml": "replicas: 1\nold: true\n"})
    assert two.said() == []
    two.small.write({"values.schema.json": '{"additionalProperties": false, "properties": {"replicas": {}}}'})
    [(_, message)] = two.said()
    assert message.startswith("helm upgrade --reuse-values from 0.0.9 is refused:")
    assert "old" in message


def test_values_that_the_previous_version_refuses_are_nobodys(two):
    """There is no such release to upgrade."""
    two.before({"templates/refuse.yaml": '{{ fail "no" }}'})
    assert two.said() == [("", "version 0.0.9 refuses these values, so nobody upgrades with them")]


def test_immutable_fields():
    """By kind: all of a spec but what may change, defaults that are spelt out, what the cluster chooses, rules of a CRD."""

    def changed(kind: str, before: dict, after: dict, **more: object) -> list[str]:
        group = {"StatefulSet": "apps/v1", "StorageClass": "storage.k8s.io/v1"}.get(kind, "v1")
        whole = [{"apiVersion": group, "kind": kind, **content} for content in (before, after)]
        return [path for path, _, _ in immutable.changes(*whole, **more)]

    assert changed("StatefulSet", {"spec": {"replicas": 1, "serviceName": "a"}}, {"spec": {"replicas": 2}}) == [
        "spec.serviceName"
    ]
    assert changed("PersistentVolumeClaim", {"spec": {"resources": {}, "storageClassName": "a"}}, {"spec": {}}) == [
        "spec.storageClassName"
    ]
    assert changed("StorageClass", {}, {"reclaimPolicy": "Delete"}) == []
    assert changed("StorageClass", {}, {"reclaimPolicy": "Retain"}) == ["reclaimPolicy"]
    assert changed("Service", {"spec": {"clusterIP": "None"}}, {"spec": {}}) == []
    assert changed("Service", {"spec": {}}, {"spec": {"clusterIP": "None"}}) == ["spec.clusterIP"]
    assert changed("ConfigMap", {"data": {"a": "b"}}, {"data": {}}) == []
    assert changed("ConfigMap", {"immutable": True, "data": {"a": "b"}}, {"immutable": True}) == ["data"]
    rule = {"x-kubernetes-validations": [{"rule": "self == oldSelf"}]}
    schema = {
        "properties": {
            "spec": {"properties": {"type": rule}, "x-kubernetes-validations": [{"rule": "self.a == oldSelf.a"}]}
        }
    }
    before, after = {"spec": {"type": "x", "a": 1, "b": 1}}, {"spec": {"type": "y", "a": 2, "b": 2}}
    assert changed("Own", before, after, openapi=schema) == ["spec.a", "spec.type"]
    assert changed("Own", {"spec": {}}, after, openapi=schema) == []
