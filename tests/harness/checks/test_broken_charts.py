"""Each check fails on a chart that is broken on purpose, and says what is wrong and where."""

from __future__ import annotations

import textwrap

from chartgen.harness.results import State

INVALID = State.INVALID
SERVICE = """
    apiVersion: v1
    kind: Service
    metadata: {name: small}
    spec: {ports: [{port: 1}], trafficDistribution: PreferClose}
    """
ALONE = {"kubes": ("1.29", "1.30", "1.37"), "checks": ("kubeconform",)}


def test_renders_refuses_a_template_that_fails(small):
    """The command, the case's values file and helm's words are shown."""
    small.write({"templates/config.yaml": "{{ fail `replicas must be odd` }}"})
    [(state, _, message)] = small.failures("renders")
    assert state is INVALID
    assert "template gpu-operator" in message
    assert "values/default.yaml" in message
    assert "replicas must be odd" in message


def test_renders_refuses_a_warning(small):
    """Helm renders on when a value is of the wrong kind, and warns; we do not let that pass."""
    profile = "# title: t\n# summary: s\n# expect: {objects: {set: [A/b]}}\n\nreplicas: {a: 1}\n"
    [said] = [result.message for result in small.judge(profile).failures if result.check == "renders"]
    assert "skipped value for small.replicas: Not a table" in said


def test_renders_refuses_a_document_without_a_name(small):
    """The template that it came from is named."""
    small.write({"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: x}\n"})
    expected = "no metadata.name in a document of small/templates/config.yaml"
    assert small.failures("renders") == [(INVALID, "ConfigMap/", expected)]


def test_renders_looks_into_lists(small):
    """A list has no name; what is in it has."""
    item = "{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: a}}"
    small.write({"templates/config.yaml": f"apiVersion: v1\nkind: List\nitems: [{item}]\n"})
    assert small.failures("renders") == []
    small.write({"templates/config.yaml": f"apiVersion: v1\nkind: List\nitems: [{item.replace('name: x, ', '')}]\n"})
    expected = "no metadata.name in a document of small/templates/config.yaml"
    assert small.failures("renders") == [(INVALID, "List/", expected)]


def test_renders_refuses_an_empty_render(small):
    """A chart that renders nothing has not been judged."""
    for name in ("account", "config", "policy"):
        small.write({f"templates/{name}.yaml": "# nothing\n"})
    assert small.failures("renders") == [(INVALID, "", "nothing was rendered")]


def test_kubeconform_refuses_an_unknown_member(small):
    """Strict: the API server would drop it in silence."""
    small.write(
        {"templates/account.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: small}\nsecret: []\n"}
    )
    expected = "secret is not known here; did you mean secrets?"
    assert small.failures("kubeconform") == [(INVALID, "ServiceAccount/small", expected)]


def test_kubeconform_refuses_a_wrong_type(small):
    """A number where a string belongs."""
    small.write({"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: small}\ndata: {a: 1}\n"})
    assert small.failures("kubeconform") == [(INVALID, "ConfigMap/small", "data.a is 1, and a string is expected")]


def test_kubeconform_refuses_a_kind_that_the_cluster_has_not(small):
    """A removed API is named with the Kubernetes that has it no more."""
    small.write({"templates/config.yaml": "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: x}\n"})
    expected = "Kubernetes 1.37 has no policy/v1beta1 PodSecurityPolicy"
    assert small.failures("kubeconform") == [(INVALID, "PodSecurityPolicy/x", expected)]


def test_kubeconform_judges_for_every_kubernetes(small):
    """A render that is the same for all must be valid for all, also where a case names one of them."""
    small.write({"templates/config.yaml": SERVICE})
    said = {result.message for result in small.judge(**ALONE).failures}
    assert said == {"spec.trafficDistribution is not known here (Kubernetes 1.29)"}


def test_kubeconform_judges_for_the_version_that_a_template_reads(small):
    """What is rendered for another one is another matter."""
    guard = '{{ if semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version }}\n'
    small.write({"templates/config.yaml": guard + textwrap.dedent(SERVICE) + "{{ end }}\n"})
    report = small.judge(**ALONE)
    assert report.failures == ()


def test_kubeconform_judges_a_guarded_api_where_it_is_served(small):
    """A template that asks for an API renders nothing for a cluster without it, and one that does not ask does."""
    text = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: x}\nspec: {}\n"
    guard = '{{ if .Capabilities.APIVersions.Has "resource.k8s.io/v1/DeviceClass" }}\n# nothing\n{{ end }}\n'
    small.write({"templates/config.yaml": text})
    said = {result.message for result in small.judge(**ALONE).failures}
    assert said == {"Kubernetes 1.29, 1.30 has no resource.k8s.io/v1 DeviceClass"}
    small.write({"templates/config.yaml": guard + text})
    assert small.judge(**ALONE).failures == ()


def test_kubeconform_skips_a_kind_of_someone_else(small):
    """There is no schema of it here; that is said and does not count as valid."""
    small.write(
        {"templates/config.yaml": "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: x}\n"}
    )
    said = [
        result for result in small.judge().results if result.check == "kubeconform" and result.state is State.SKIPPED
    ]
    assert [result.subject for result in said] == ["ServiceMonitor/x"]


def test_custom_resources_refuses_an_unknown_member(small):
    """At any depth, although the CRD itself would only drop it."""
    small.write({"templates/policy.yaml": policy("driver: {enable: true}")})
    expected = "spec.driver.enable is not known here; did you mean enabled?"
    assert small.failures("custom-resources") == [(INVALID, "ClusterPolicy/policy", expected)]


def test_custom_resources_refuses_a_wrong_type(small):
    """An unquoted version is a number."""
    small.write({"templates/policy.yaml": policy("driver: {version: 580}")})
    expected = "spec.driver.version is 580, and a string is expected"
    assert small.failures("custom-resources") == [(INVALID, "ClusterPolicy/policy", expected)]


def test_custom_resources_refuses_a_kind_without_a_crd(small):
    """The group is the chart's own, so a CRD for it should be there."""
    small.write({"templates/policy.yaml": policy("driver: {}").replace("kind: ClusterPolicy", "kind: Other")})
    expected = "no CRD of the chart serves nvidia.com/v1 Other"
    assert small.failures("custom-resources") == [(INVALID, "Other/policy", expected)]


def test_drift_refuses_a_default_that_is_not_written(small):
    """A default of the CRD that the chart does not write itself would change the object in the cluster."""
    crd = (small.chart / "crds" / "policies.yaml").read_text(encoding="utf-8")
    small.write(
        {"crds/policies.yaml": crd.replace("enabled: {type: boolean}", "enabled: {type: boolean, default: true}")}
    )
    small.write({"templates/policy.yaml": policy("driver: {}")})
    expected = "spec.driver.enabled: the CRD's default would add true"
    assert small.failures("drift") == [(INVALID, "ClusterPolicy/policy", expected)]


def test_objects_refuses_a_missing_one(small):
    """An object that a condition swallowed."""
    small.write({"templates/account.yaml": "# gone\n"})
    assert small.failures("objects") == [(INVALID, "ServiceAccount/small", "expected by the profile and not rendered")]


def test_objects_refuses_one_too_many(small):
    """An object that nobody asked for."""
    small.write({"templates/more.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n"})
    expected = "rendered by small/templates/more.yaml and not expected by the profile"
    assert small.failures("objects") == [(INVALID, "ConfigMap/more", expected)]


def test_objects_refuses_the_same_twice(small):
    """The second would replace the first; without a namespace it is in the release's."""
    small.write({"templates/again.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: small}\n"})
    assert small.failures("objects") == [(INVALID, "ConfigMap/small", "rendered 2 times")]


def test_nulls_refuses_a_null(small):
    """With its path, list items too."""
    small.write({"templates/policy.yaml": policy("driver: {version: }\n  list: [1, null]")})
    assert small.failures("nulls") == [
        (INVALID, "ClusterPolicy/policy", "spec.driver.version is null"),
        (INVALID, "ClusterPolicy/policy", "spec.list[1] is null"),
    ]


def test_duplicate_keys_refuses_a_second_key(small):
    """Even with the same value: one of the two is text without effect."""
    small.write(
        {"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: small}\ndata:\n  a: b\n  a: b\n"}
    )
    [(state, subject, message)] = small.failures("duplicate-keys")
    assert (state, subject) == (INVALID, "ConfigMap/small")
    assert message.startswith("data.a: a second 'a' (line:")


def test_expectations_refuses_another_value(small):
    """Types count: the string "true" is not true."""
    small.write({"templates/policy.yaml": policy('driver: {enabled: "true", version: "580"}')})
    expected = 'spec.driver.enabled is "true", and true is expected'
    assert small.failures("expectations") == [(INVALID, "ClusterPolicy/policy", expected)]


def test_expectations_refuses_a_missing_policy(small):
    """The profile speaks of a ClusterPolicy that is not there."""
    small.write({"templates/policy.yaml": "# gone\n"})
    assert small.failures("expectations") == [
        (INVALID, "ClusterPolicy", "the profile speaks of one and 0 are rendered")
    ]


def test_expectations_refuses_another_value_of_any_object(small):
    """By the path from its root; an object that is not there is named."""
    head = (
        "# title: t\n# summary: s\n# expect: {fields: {ConfigMap/small: {data.replicas: '2'}, ConfigMap/x: {a: 1}}}\n"
    )
    profile = head.replace("{fields", "{objects: {set: [ConfigMap/small]}, fields")
    said = {
        result.subject: result.message for result in small.judge(profile).failures if result.check == "expectations"
    }
    assert said == {
        "ConfigMap/small": 'data.replicas is "1", and "2" is expected',
        "ConfigMap/x": "the profile speaks of one and 0 are rendered",
    }


def policy(spec: str) -> str:
    """A ClusterPolicy with some spec."""
    return f"apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {{name: policy}}\nspec:\n  {spec}\n"
