"""What OpenShift lets in: pods by their SecurityContextConstraints, which are stricter than Pod Security in places."""

from __future__ import annotations

from support import charts

from chartgen import yamlio

PROFILE = yamlio.load((charts.ROOT / "values" / "openshift.yaml").read_text())


def test_the_constraints_let_the_operator_in(gpu_operator: charts.Chart) -> None:
    """Constraints without seccomp profiles refuse every pod that names one."""
    found = gpu_operator.by_name({"platform": {"openshift": True}})
    constraints = found["SecurityContextConstraints/restricted-readonly"]
    pod = found["Deployment/gpu-operator"]["spec"]["template"]["spec"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert constraints["seccompProfiles"] == ["runtime/default"]
    assert all(one["securityContext"]["readOnlyRootFilesystem"] for one in pod["containers"])


def test_no_pod_of_the_profile_names_a_user(gpu_operator: charts.Chart) -> None:
    """Each namespace has a range of users of its own, and a pod with another is refused."""
    found = gpu_operator.by_name(charts.merged(PROFILE, {"operator": {"cleanupCRD": True}}))
    pods = [one["spec"] for one in found.values() if one["kind"] == "Pod"]
    pods += [one["spec"]["template"]["spec"] for one in found.values() if one["kind"] in ("Deployment", "Job")]
    assert len(pods) == 4
    for pod in pods:
        for context in (pod, *pod["containers"]):
            assert "runAsUser" not in context.get("securityContext", {})
            assert "fsGroup" not in context.get("securityContext", {})
