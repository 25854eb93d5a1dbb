"""Permissions: each way in which a chart may grant too little or too much, on a small chart with a small table."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest

from chartgen.harness.checks import permissions
from chartgen.harness.checks.rbac import Rbac
from chartgen.harness.results import State

TABLE = """
    chart: small
    programs:
      - name: reader
        containers: [reader]
        needs:
          - why: reads nodes
            cluster: {nodes: [get, list]}
          - why: keeps its state
            namespace: {"configmaps[state]": [get, update]}
            unless: {argument: --stateless}
          - why: elects a leader
            namespace: {leases.coordination.k8s.io: [get]}
            when: {argument: --elect}
            otherwise: it may change its mind
          - why: asks OpenShift
            cluster: {routes.route.openshift.io: [get]}
            when: {object: Route/*}
        spare:
          - why: out of habit
            cluster: {nodes: [watch]}
          - why: is used by a part that is switched on
            cluster: {nodes: [patch]}
            when: {env: PATCHES=*}
      - name: giver
        containers: [giver]
        grants:
          - role: taken
            cluster: {pods/eviction: [create]}
      - name: any pod of the chart
        pods: [Deployment/*]
        needs:
          - why: is let in only by this
            namespace: {"securitycontextconstraints.security.openshift.io[privileged]": [use]}
            when: {api: security.openshift.io/v1}
    elsewhere: [{containers: [reader], value: reader.rbac}]
    unbound: {ClusterRole/for-people: an administrator binds it}
    theirs: ["*/templates/extra.yaml"]
    """
GOOD = """
    # Source: small/templates/all.yaml
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: small, namespace: here}
    spec:
      template:
        spec:
          serviceAccountName: small
          containers: [{name: reader, args: [run]}]
    ---
    # Source: small/templates/all.yaml
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: small, namespace: here}
    ---
    # Source: small/templates/all.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: small}
    rules:
      - {apiGroups: [""], resources: [nodes], verbs: [get, list, watch]}
    ---
    # Source: small/templates/all.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata: {name: small}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: small}
    subjects: [{kind: ServiceAccount, name: small, namespace: here}]
    ---
    # Source: small/templates/all.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata: {name: small, namespace: here}
    rules:
      - {apiGroups: [""], resources: [configmaps], resourceNames: [state], verbs: [get, update]}
      - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get]}
    ---
    # Source: small/templates/all.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: small, namespace: here}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: small}
    subjects: [{kind: ServiceAccount, name: small}]
    """
NODES = "{apiGroups: [''], resources: [nodes], verbs: [get, list, watch]}"
ANOTHER = """
    ---
    # Source: small/templates/more.yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: more, labels: {LABEL: "true"}}
    rules: [{apiGroups: [""], resources: [pods], verbs: [list]}]
    """


@pytest.fixture
def said(case, rendered):
    """What the check says of a render, as (subject, message)."""

    def ask(text: str, *, table: str = TABLE, **changes: object) -> list[tuple[str, str]]:
        check = Rbac(permissions.load(textwrap.dedent(table)) if table else None)
        findings = check.run(replace(case, files=(), **changes), rendered(text))
        assert findings
        return [(each.subject, each.message) for each in findings if each.state is State.INVALID]

    return ask


def broken(old: str, new: str) -> str:
    """The good chart with one thing changed."""
    assert old in GOOD
    return GOOD.replace(old, new)


def test_a_chart_that_grants_what_is_needed_is_fine(said):
    """Spare permissions and those with a reason of their own included."""
    assert said(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("verbs: [get, list, watch]", "verbs: [list, watch]", "get of nodes in the whole cluster"),
        ("verbs: [get, list, watch]", "verbs: [watch]", "get, list of nodes in the whole cluster"),
        ("resources: [nodes]", "resources: [node]", "get, list of nodes in the whole cluster"),
        ("resourceNames: [state]", "resourceNames: [other]", "get, update of configmaps[state] in namespace here"),
        ("kind: ClusterRole, name: small", "kind: ClusterRole, name: other", "get, list of nodes in the whole cluster"),
        (
            "name: small, namespace: here}]",
            "name: small, namespace: there}]",
            "get, list of nodes in the whole cluster",
        ),
        ("kind: RoleBinding", "kind: Other", "get, update of configmaps[state] in namespace here"),
    ],
)
def test_what_is_missing_is_told_with_what_it_breaks(said, old, new, expected):
    """A verb, a resource, a name, a role and an account that is not the one."""
    found = [message for subject, message in said(broken(old, new)) if subject == "Deployment/small"]
    why = "keeps its state" if "state" in expected else "reads nodes"
    assert found == [f"reader lacks {expected}, as ServiceAccount/small: it {why}"]


@pytest.mark.parametrize(
    ("old", "new", "subject", "expected"),
    [
        ("list, watch]", "list, watch, delete]", "ClusterRole/small", "delete of nodes in the whole cluster"),
        ("[nodes]", "[nodes, pods]", "ClusterRole/small", "get, list, watch of pods in the whole cluster"),
        ("[nodes]", "[nodes, nodes/status]", "ClusterRole/small", "get, list, watch of nodes/status in the whole cluster"),
        ("resourceNames: [state], ", "", "Role/small", "get, update of configmaps in namespace here"),
        ("list, watch]", "list, '*']", "ClusterRole/small", "* of nodes in the whole cluster"),
        ('[""], resources: [nodes]', "['', '*'], resources: [nodes]", "ClusterRole/small", "get, list, watch of nodes.*"),
        ("[leases]", "[leases, '*']", "Role/small", "get of *.coordination.k8s.io in namespace here"),
    ],
)  # fmt: skip
def test_what_nobody_needs_is_told_with_the_rule(said, old, new, subject, expected):
    """A verb, a resource, any name instead of one, and wildcards."""
    [(found, message)] = said(broken(old, new))
    assert found == subject
    assert message.startswith(f"no program that runs as ServiceAccount/small needs {expected}")
    assert 'the rule: {"apiGroups"' in message


def test_a_permission_for_the_namespace_that_holds_everywhere_is_too_much(said):
    """A ClusterRoleBinding in place of a RoleBinding."""
    role = GOOD.replace("kind: Role\n", "kind: ClusterRole\n").replace(
        "metadata: {name: small, namespace: here}\n    rules", "metadata: {name: near}\n    rules"
    )
    text = role.replace("kind: RoleBinding", "kind: ClusterRoleBinding").replace(
        "kind: Role, name: small}\n    subjects: [{kind: ServiceAccount, name: small}]",
        "kind: ClusterRole, name: near}\n    subjects: [{kind: ServiceAccount, name: small, namespace: here}]",
    )
    told = said(text)
    assert [subject for subject, _ in told] == ["ClusterRole/near", "ClusterRole/near"]
    assert "get, update of configmaps[state] in the whole cluster" in told[0][1]


def test_a_cluster_role_may_be_given_in_a_namespace(said):
    """It grants there what it grants, and nothing elsewhere."""
    text = broken(
        "kind: Role\n    metadata: {name: small, namespace: here}", "kind: ClusterRole\n    metadata: {name: near}"
    )
    assert said(text.replace("kind: Role, name: small", "kind: ClusterRole, name: near")) == []


def test_needs_that_depend_on_the_render(said):
    """An argument, an object and an API of the cluster; with a reason, the rule may stay where nothing needs it."""
    stateless = said(broken("args: [run]", "args: [run, --stateless]"))
    assert [subject for subject, _ in stateless] == ["Role/small"]
    assert "get, update of configmaps[state]" in stateless[0][1]
    leases = "      - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get]}\n"
    without = broken(leases, "")
    assert said(without) == []
    [(_, message)] = said(without.replace("args: [run]", "args: [--elect]"))
    assert "leases.coordination.k8s.io in namespace here" in message
    [(_, message)] = said(
        f"{GOOD}---\n    apiVersion: route.openshift.io/v1\n    kind: Route\n    metadata: {{name: r}}\n"
    )
    assert message.startswith("reader lacks get of routes.route.openshift.io")
    [(_, message)] = said(GOOD, api_versions=("security.openshift.io/v1",))
    assert message.startswith("any pod of the chart lacks use of securitycontextconstraints")


def test_spare_permissions_that_depend_on_the_render(said):
    """They are spare only there."""
    patching = broken("list, watch]", "list, watch, patch]")
    assert [subject for subject, _ in said(patching)] == ["ClusterRole/small"]
    assert said(patching.replace("args: [run]", "args: [run], env: [{name: PATCHES, value: x}]")) == []


def test_who_writes_a_role_must_hold_what_is_in_it(said):
    """Or the API server refuses to let it be written."""
    text = broken("{name: reader, args: [run]}", "{name: reader, args: [run]}, {name: giver}")
    [(subject, message)] = said(text)
    assert subject == "Deployment/small"
    assert message.startswith("giver lacks create of pods/eviction in the whole cluster")
    assert "writes the role taken" in message


def test_a_pod_that_asks_needs_a_token(said):
    """The pod's word counts before the account's, and a projected volume brings one, too."""
    expected = (
        "Deployment/small",
        "mounts no token of ServiceAccount/small, and reader asks the API server: it reads nodes",
    )
    pod = broken(
        "serviceAccountName: small", "serviceAccountName: small\n          automountServiceAccountToken: false"
    )
    account = broken("kind: ServiceAccount\n", "kind: ServiceAccount\n    automountServiceAccountToken: false\n")
    assert said(pod) == [expected]
    assert said(account) == [expected]
    assert (
        said(
            account.replace(
                "serviceAccountName: small", "serviceAccountName: small\n          automountServiceAccountToken: true"
            )
        )
        == []
    )
    volume = "volumes: [{name: t, projected: {sources: [{serviceAccountToken: {path: t}}]}}]"
    assert said(pod.replace("containers: [", f"{volume}\n          containers: [")) == []


def test_rules_for_an_account_that_nothing_runs_as(said):
    """As of a component that is switched off, while its RBAC is still there."""
    told = said(broken("serviceAccountName: small", "serviceAccountName: other"))
    unused = [message for subject, message in told if subject in ("ClusterRoleBinding/small", "RoleBinding/small")]
    assert unused == [
        "gives ClusterRole/small to ServiceAccount/small, and no pod runs as that",
        "gives Role/small to ServiceAccount/small, and no pod runs as that",
    ]


def test_a_role_that_nobody_is_given(said):
    """Unless a label adds it to another role, or the table knows why."""
    expected = "no binding gives it to anybody, and no label adds it to another role"
    assert said(GOOD + ANOTHER) == [("ClusterRole/more", expected)]
    assert said(GOOD + ANOTHER.replace("LABEL", "rbac.authorization.k8s.io/aggregate-to-view")) == []
    assert said(GOOD + ANOTHER.replace("name: more", "name: for-people")) == []


def test_objects_of_the_user_are_not_judged(said):
    """Who adds a role knows why."""
    assert said(GOOD + ANOTHER.replace("templates/more", "templates/extra")) == []


def test_values_may_leave_permissions_to_somebody_else(said):
    """Then nothing is missing."""
    text = (
        broken("kind: ClusterRoleBinding", "kind: Other")
        .replace("kind: RoleBinding", "kind: Other")
        .replace("kind: Role\n", "kind: None\n")
        .replace("kind: ClusterRole\n", "kind: None\n")
    )
    assert len(said(text)) == 2
    assert said(text, values={"reader": {"rbac": False}}) == []
    assert said(text, values={"reader": {"rbac": "false"}}, parent="under") == []
    assert said(text, values={"reader": {"rbac": None}}) == []
    assert len(said(text, values={"reader": {"other": False}})) == 2


def test_a_chart_without_a_table(said, case, rendered):
    """Is asked only whether somebody may do everything, and that the rest was skipped is said."""
    assert said(broken("list, watch]", "list, watch, delete]"), table="") == []
    everything = broken('[""], resources: [nodes], verbs: [get, list, watch]', "['*'], resources: ['*'], verbs: ['*']")
    expected = "lets ServiceAccount/small do everything in the whole cluster, by ClusterRole/small"
    assert said(everything, table="") == [("ClusterRoleBinding/small", expected)]
    admin = broken("kind: ClusterRole, name: small", "kind: ClusterRole, name: cluster-admin")
    assert said(admin, table="")[0][1].endswith("by ClusterRole/cluster-admin")
    states = [finding.state for finding in Rbac(None).run(case, rendered(GOOD))]
    assert states == [State.SKIPPED, State.VALID]
