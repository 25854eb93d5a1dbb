"""The Pod Security level of pods: what each rule of the standards refuses, and a profile that says another level."""

from __future__ import annotations

import copy

import pytest

from chartgen.harness.checks import pod_security
from chartgen.harness.results import State
from chartgen.profiles import Level

RESTRICTED = {
    "metadata": {},
    "spec": {
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "volumes": [{"name": "v", "emptyDir": {}}],
        "containers": [
            {
                "name": "c",
                "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
            }
        ],
    },
}
POD = "spec.securityContext"
OWN = "spec.containers.0.securityContext"
DEPLOYMENT = """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {{name: small}}
    spec:
      selector: {{matchLabels: {{app: small}}}}
      template:
        metadata: {{labels: {{app: small}}}}
        spec:
          securityContext: {{runAsNonRoot: true, seccompProfile: {{type: RuntimeDefault}}}}
          containers:
            - name: small
              image: small:1
              securityContext: {{allowPrivilegeEscalation: false, capabilities: {{drop: [ALL]}}{more}}}
    """
PROFILE = """
    # title: t
    # summary: s
    # expect:
    #   objects:
    #     set: [ServiceAccount/small, ConfigMap/small, ClusterPolicy/policy, Deployment/small]
    #   podSecurity: {levels}
    """


def with_member(path: str, value: object) -> dict:
    """The restricted pod with one member set, or taken away by None."""
    pod = copy.deepcopy(RESTRICTED)
    *way, last = path.split(".")
    place = pod
    for key in way:
        place = place[int(key)] if isinstance(place, list) else place.setdefault(key, {})
    if value is None:
        del place[last]
    else:
        place[last] = value
    return pod


def test_a_pod_with_everything_in_order_is_restricted():
    """Nothing is said of it."""
    assert list(pod_security.needs(RESTRICTED)) == []
    assert pod_security.level([]) is Level.RESTRICTED


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("spec.hostNetwork", True, Level.PRIVILEGED),
        ("spec.hostPID", True, Level.PRIVILEGED),
        ("spec.hostIPC", True, Level.PRIVILEGED),
        ("spec.volumes", [{"name": "v", "hostPath": {"path": "/"}}], Level.PRIVILEGED),
        ("spec.volumes", [{"name": "v", "nfs": {"server": "x", "path": "/"}}], Level.BASELINE),
        ("spec.volumes", [{"name": "v", "projected": {}}, {"name": "w", "secret": {}}], Level.RESTRICTED),
        ("metadata.annotations", {"container.apparmor.security.beta.kubernetes.io/c": "unconfined"}, Level.PRIVILEGED),
        (f"{POD}.sysctls", [{"name": "kernel.msgmax", "value": "1"}], Level.PRIVILEGED),
        (f"{POD}.sysctls", [{"name": "net.ipv4.tcp_syncookies", "value": "1"}], Level.RESTRICTED),
        (f"{POD}.seLinuxOptions", {"type": "spc_t"}, Level.PRIVILEGED),
        (f"{POD}.seLinuxOptions", {"type": "container_t", "level": "s0"}, Level.RESTRICTED),
        (f"{POD}.seccompProfile", {"type": "Unconfined"}, Level.PRIVILEGED),
        (f"{POD}.seccompProfile", None, Level.BASELINE),
        (f"{POD}.runAsNonRoot", None, Level.BASELINE),
        (f"{POD}.runAsUser", 0, Level.BASELINE),
        (f"{POD}.appArmorProfile", {"type": "Unconfined"}, Level.PRIVILEGED),
        (f"{POD}.windowsOptions", {"hostProcess": True}, Level.PRIVILEGED),
        (f"{OWN}.privileged", True, Level.PRIVILEGED),
        (f"{OWN}.capabilities", {"drop": ["ALL"], "add": ["SYS_ADMIN"]}, Level.PRIVILEGED),
        (f"{OWN}.capabilities", {"drop": ["ALL"], "add": ["CHOWN"]}, Level.BASELINE),
        (f"{OWN}.capabilities", {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}, Level.RESTRICTED),
        (f"{OWN}.capabilities", None, Level.BASELINE),
        (f"{OWN}.allowPrivilegeEscalation", None, Level.BASELINE),
        (f"{OWN}.runAsNonRoot", False, Level.BASELINE),
        (f"{OWN}.procMount", "Unmasked", Level.PRIVILEGED),
        ("spec.containers.0.ports", [{"containerPort": 80, "hostPort": 80}], Level.PRIVILEGED),
        ("spec.containers.0.ports", [{"containerPort": 80}], Level.RESTRICTED),
        ("spec.containers.0.livenessProbe", {"httpGet": {"host": "10.0.0.1", "port": 80}}, Level.PRIVILEGED),
        ("spec.initContainers", [{"name": "i"}], Level.BASELINE),
    ],
)
def test_each_rule_of_the_standards(path, value, expected):
    """One member decides, and it is named."""
    reasons = list(pod_security.needs(with_member(path, value)))
    assert pod_security.level(reasons) is expected, reasons
    assert all(why for _, why in reasons)


def test_pods_are_found_where_objects_have_them():
    """Those of a CronJob lie deeper; a custom resource has none."""
    template = {"spec": {"containers": []}}
    job = {"kind": "CronJob", "spec": {"jobTemplate": {"spec": {"template": template}}}}
    assert list(pod_security.pod_templates(job)) == [template]
    assert list(pod_security.pod_templates({"kind": "Pod", "spec": {}})) == [{"kind": "Pod", "spec": {}}]
    assert list(pod_security.pod_templates({"kind": "X", "spec": {"template": {"spec": {"a": 1}}}})) == []


def said(small, levels: str, more: str = "") -> list[tuple[State, str, str]]:
    """What the check says of a chart with a Deployment."""
    small.write({"templates/deployment.yaml": DEPLOYMENT.format(more=more)})
    found = [result for result in small.judge(PROFILE.format(levels=levels)).results if result.check == "pod-security"]
    return [(result.state, result.subject, result.message) for result in found]


def test_a_profile_that_tells_the_level_is_believed(small):
    """Restricted needs no words."""
    assert said(small, "{}") == [(State.VALID, "", "")]
    assert said(small, "{privileged: [Deployment/small]}", ", privileged: true") == [(State.VALID, "", "")]


def test_more_than_the_profile_says_is_refused(small):
    """With the reason, which tells where to look."""
    expected = "needs privileged, and the profile says restricted: container small: privileged"
    assert said(small, "{}", ", privileged: true") == [(State.INVALID, "Deployment/small", expected)]


def test_less_than_the_profile_says_is_refused(small):
    """Or the profile would go on asking for a namespace that allows what nobody needs."""
    expected = "needs restricted, and the profile says privileged: nothing in it needs more"
    assert said(small, "{privileged: [Deployment/small]}") == [(State.INVALID, "Deployment/small", expected)]


def test_a_level_of_something_without_pods_is_refused(small):
    """It says nothing."""
    told = said(small, "{baseline: [ConfigMap/small]}")
    assert told == [(State.INVALID, "ConfigMap/small", "the profile says its level, and it has no pods")]
