"""Helm's hooks."""

from __future__ import annotations

import pytest

from chartgen.harness import graph
from chartgen.harness.checks.hooks import Hooks
from chartgen.harness.memo import Memo
from chartgen.harness.results import State


def annotated(events: str, weight: str = "0", policy: str = "before-hook-creation,hook-succeeded") -> str:
    """The annotations of a hook, on one line."""
    return f'annotations: {{helm.sh/hook: "{events}", helm.sh/hook-weight: "{weight}", helm.sh/hook-delete-policy: "{policy}"}}'


def chart(
    job: str = annotated("pre-install,pre-upgrade", "1"),
    account: str = annotated("pre-install,pre-upgrade"),
    binding: str = annotated("pre-install,pre-upgrade"),
    role: str = annotated("pre-install,pre-upgrade"),
    config: str = annotated("pre-install,pre-upgrade"),
) -> str:
    """A Job with all that it needs."""
    return f"""
    apiVersion: v1
    kind: ServiceAccount
    metadata: {{name: z-account, {account}}}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {{name: z-config, {config}}}
    data: {{a: b}}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {{name: z-role, {role}}}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata: {{name: z-binding, {binding}}}
    roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: z-role}}
    subjects: [{{kind: ServiceAccount, name: z-account, namespace: gpu-operator}}]
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {{name: a-job, {job}}}
    spec:
      template:
        spec:
          serviceAccountName: z-account
          containers: [{{name: c, envFrom: [{{configMapRef: {{name: z-config}}}}]}}]
    """


NONE = "labels: {a: b}"


def said(case, rendered, text: str) -> list[tuple[str, str]]:
    """What the check says against a render."""
    found = Hooks(Memo(graph.nodes)).run(case, rendered(text))
    return [(each.subject, each.message) for each in found if each.state is State.INVALID]


def all_with(events: str) -> str:
    """The chart with all hooks at other events."""
    return chart(annotated(events, "1"), *[annotated(events)] * 4)


@pytest.mark.parametrize(
    "text",
    [
        chart(),
        all_with("post-delete"),
        all_with("test"),
        all_with("Pre-Install, pre-rollback"),
        # Objects of the release are there at these events.
        chart(annotated("post-install,post-upgrade,pre-upgrade,pre-delete,test"), NONE, NONE, NONE, NONE),
        # A hook that stays is there for those of later events.
        chart(annotated("post-install"), *[annotated("pre-install", policy="before-hook-creation")] * 4),
        chart(annotated("post-delete"), *[annotated("pre-delete", policy="before-hook-creation")] * 4),
        # Nothing said is as good: Helm deletes the last one first.
        chart(*['annotations: {helm.sh/hook: "test"}'] * 4, config=NONE).replace("a-job", "zz-job"),
        chart(annotated("pre-install", "1", "hook-succeeded,hook-failed"), *[annotated("pre-install")] * 4),
    ],
)
def test_hooks_that_bring_what_they_need_are_fine(case, rendered, text):
    """At each event."""
    assert said(case, rendered, text) == []


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (annotated("pre-instal"), "helm.sh/hook is pre-instal: Helm knows no such event and leaves the object out"),
        (annotated("test-failure"), "helm.sh/hook is test-failure: Helm knows no such event and leaves the object out"),
        (annotated(""), "helm.sh/hook is empty: Helm knows no such event and leaves the object out"),
        (
            annotated("pre-upgrade", "first"),
            "helm.sh/hook-weight is 'first', which is no whole number: Helm takes it for 0",
        ),
        (
            annotated("pre-upgrade", "1.5"),
            "helm.sh/hook-weight is '1.5', which is no whole number: Helm takes it for 0",
        ),
        (annotated("pre-upgrade", "1", "never"), "helm.sh/hook-delete-policy is never, and must be of"),
        (annotated("pre-upgrade", "1", ""), "helm.sh/hook-delete-policy is empty, and must be of"),
        (annotated("pre-upgrade", "1", "hook-succeeded"), "leaves a hook that failed where it is"),
        (annotated("pre-upgrade", "1", "hook-failed"), "leaves a hook that succeeded where it is"),
        ('annotations: {helm.sh/hook-weight: "1"}', "has helm.sh/hook-weight without helm.sh/hook"),
        ("annotations: {helm.sh/hook: pre-upgrade, helm.sh/hook-weight: 1}", "helm.sh/hook-weight is 1 and no string"),
    ],
)
def test_annotations_that_mean_nothing_are_refused(case, rendered, job, message):
    """What Helm passes over in silence."""
    text = f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a-job, {job}}}\n"
    found = said(case, rendered, text)
    assert found[0][0] == "Job/a-job"
    assert message in found[0][1]


@pytest.mark.parametrize("part", ["account", "binding", "role", "config"])
@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        (NONE, "which is no hook and not there at pre-install"),
        (annotated("pre-upgrade"), "a hook of pre-upgrade and not there at pre-install"),
        (annotated("pre-install,pre-upgrade", "2"), "a hook that Helm creates later at pre-install"),
        (annotated("pre-install,pre-upgrade", "1"), "a hook that Helm creates later at pre-install"),
    ],
)
def test_what_a_hook_needs_comes_before_it(case, rendered, part, annotations, message):
    """Of the same weight, names decide; the kind does not."""
    found = said(case, rendered, chart(**{part: annotations}))
    assert any(subject == "Job/a-job" and message in told for subject, told in found)


@pytest.mark.parametrize(
    ("job", "others", "message"),
    [
        ("post-delete", NONE, "no hook and not there at post-delete"),
        ("post-install", annotated("post-upgrade"), "a hook of post-upgrade and not there at post-install"),
        ("post-install", annotated("pre-install"), "a hook that is deleted when it has succeeded, before post-install"),
        ("test", annotated("pre-upgrade"), "a hook of pre-upgrade and not there at test"),
        ("pre-upgrade", annotated("pre-install"), "a hook that is deleted when it has succeeded, before pre-upgrade"),
    ],
)
def test_what_is_gone_or_not_there_yet_is_missed(case, rendered, job, others, message):
    """By event."""
    found = said(case, rendered, chart(annotated(job), others, others, others, others))
    assert len(found) == 4
    assert all(message in told for _, told in found)


def test_an_object_of_the_release_must_not_use_a_hook_that_goes(case, rendered):
    """It would lose its account after the first success."""
    found = said(case, rendered, chart(job=NONE, config=NONE))
    assert ("Job/a-job", "spec.template.spec.serviceAccountName names ServiceAccount/z-account, a hook that is deleted when it has succeeded") in found  # fmt: skip
