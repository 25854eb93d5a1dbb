"""Each program may do what it has to, and nothing else.

Both ways are held against a table of what programs ask the API server for (`chartgen.harness.checks.permissions`): a verb
that is missing breaks an action in the cluster, long after helm was content; a verb too many is one that whoever breaks
into the program has as well. An account that several programs share needs what all of them need. Whoever writes roles,
as the operator does, needs everything that is in them.

A chart without a table is asked only whether somebody may do everything.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from chartgen.harness import values
from chartgen.harness.case import Case
from chartgen.harness.checks import permissions
from chartgen.harness.checks.permissions import ANY, Need, Permission, Program, Table
from chartgen.harness.checks.pod_security import pod_templates
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict

_ROLES = ("Role", "ClusterRole")
_WITHOUT_PODS = ("RoleBinding", "ClusterRoleBinding", "ServiceAccount", "ConfigMap")
_ADMIN = "ClusterRole/cluster-admin"
_AGGREGATED = "rbac.authorization.k8s.io/aggregate-to-"
_NO_TABLE = skipped("there is no table of what the programs of this chart need")

# Namespace and name.
Account = tuple[str, str]


@dataclass(frozen=True)
class Grant:
    """A role given to an account.

    Attributes:
        binding: what gives it.
        role: what is given, ``Kind/name``.
        document: the role itself; None when the chart does not render it.
        namespace: where it holds; empty for the whole cluster.
    """

    binding: Document
    role: str
    document: Document | None
    namespace: str

    @property
    def where(self) -> str:
        """As a part of a sentence."""
        return f"in namespace {self.namespace}" if self.namespace else "in the whole cluster"


@dataclass(frozen=True)
class Pod:
    """A pod, or what makes pods.

    Attributes:
        document: the object.
        spec: of the pod.
        account: as what it runs.
    """

    document: Document
    spec: Mapping[str, Any]
    account: Account

    def containers(self) -> Iterator[Mapping[str, Any]]:
        """All of them."""
        for key in ("initContainers", "containers"):
            yield from self.spec.get(key) or []


@dataclass(frozen=True)
class Scene:
    """The parts of a render that have to do with permissions.

    Attributes:
        case: what was rendered.
        objects: ``Kind/name`` of all of them.
        roles: those of the chart.
        accounts: those of the chart.
        pods: see `Pod`.
        grants: account -> what it is given.
    """

    case: Case
    objects: tuple[str, ...]
    roles: tuple[Document, ...]
    accounts: Mapping[Account, Document]
    pods: tuple[Pod, ...]
    grants: Mapping[Account, tuple[Grant, ...]]


@dataclass
class Rbac:
    """Holds roles and programs against each other.

    Attributes:
        table: what programs need; None when nobody wrote it down.
    """

    table: Table | None = None
    name: str = "rbac"
    _programs: dict[str, tuple[tuple[Program, Mapping[str, Any]], ...]] = field(default_factory=dict)
    _rules: dict[tuple[str, bool], tuple[tuple[Mapping[str, Any], frozenset[Permission]], ...]] = field(
        default_factory=dict
    )

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        theirs = self.table.theirs if self.table else ()
        scene = _scene(case, rendered, theirs)
        findings = list(_boundless(scene))
        if self.table is None:
            return verdict([*findings, _NO_TABLE])
        for account in dict.fromkeys([*(pod.account for pod in scene.pods), *scene.grants]):
            findings += self._judged(scene, account, self.table)
        findings += _unbound(scene, self.table)
        return verdict(findings)

    def _judged(self, scene: Scene, account: Account, table: Table) -> Iterator[Finding]:
        """What is wrong with the permissions of an account."""
        pods = [pod for pod in scene.pods if pod.account == account]
        grants = scene.grants.get(account, ())
        if not pods:
            for grant in grants:
                yield invalid(
                    grant.binding.identity, f"gives {grant.role} to {_called(account)}, and no pod runs as that"
                )
            return
        held = frozenset(
            permission
            for grant in grants
            if grant.document and grant.namespace in ("", account[0])
            for _, found in self._granted(grant.document, everywhere=not grant.namespace)
            for permission in found
        )
        allowed: set[Permission] = set()
        for pod in pods:
            for program, container in self._runs(pod, table):
                active = [need for need in program.needs if _is_active(need, scene, container)]
                for need in (*active, *program.spare):
                    if _is_active(need, scene, container):
                        allowed |= need.permissions
                lacking = [*_missing(pod, program, active, held), *_without_token(pod, program, active, scene)]
                if lacking and not _is_elsewhere(pod, container, table, scene.case):
                    yield from lacking
        yield from self._excess(account, grants, frozenset(allowed))

    def _excess(self, account: Account, grants: Iterable[Grant], allowed: frozenset[Permission]) -> Iterator[Finding]:
        """Rules that grant more than the account's programs need."""
        for grant in grants:
            if grant.document is None:
                continue
            nearby = allowed if grant.namespace in ("", account[0]) else frozenset()
            for rule, found in self._granted(grant.document, everywhere=not grant.namespace):
                extra = permissions.uncovered(found, nearby)
                if extra:
                    yield invalid(
                        grant.document.identity,
                        f"no program that runs as {_called(account)} needs {permissions.told(extra)} {grant.where}; "
                        f"the rule: {json.dumps(rule)}",
                    )

    def _runs(self, pod: Pod, table: Table) -> tuple[tuple[Program, Mapping[str, Any]], ...]:
        """The programs of a pod, each with its container; one that is told by its pod alone once."""
        known = self._programs.get(pod.document.text)
        if known is None:
            known = self._programs[pod.document.text] = tuple(
                (program, container)
                for program in table.programs
                for container in list(pod.containers())[: None if program.runs.containers else 1]
                if program.runs.fits(pod.document.identity, str(container.get("name")))
            )
        return known

    def _granted(
        self, role: Document, *, everywhere: bool
    ) -> tuple[tuple[Mapping[str, Any], frozenset[Permission]], ...]:
        """The rules of a role with what they grant."""
        key = (role.text, everywhere)
        known = self._rules.get(key)
        if known is None:
            rules = [rule for rule in role.object.get("rules") or [] if isinstance(rule, Mapping)]
            known = self._rules[key] = tuple((rule, permissions.granted(rule, everywhere=everywhere)) for rule in rules)
        return known


def _scene(case: Case, rendered: Rendered, theirs: Iterable[str]) -> Scene:
    """Reads a render; objects of the user's own are left out."""
    documents = [
        (document, document.kind)
        for document in rendered.documents
        if not any(fnmatch.fnmatchcase(document.source, pattern) for pattern in theirs)
    ]
    roles = {
        (document.identity, _namespace(document, case) if kind == "Role" else ""): document
        for document, kind in documents
        if kind in _ROLES
    }
    grants: dict[Account, list[Grant]] = {}
    for document, kind in documents:
        if kind not in ("RoleBinding", "ClusterRoleBinding"):
            continue
        namespace = _namespace(document, case) if kind == "RoleBinding" else ""
        reference = document.object.get("roleRef") or {}
        role = f"{reference.get('kind')}/{reference.get('name')}"
        found = roles.get((role, namespace if reference.get("kind") == "Role" else ""))
        for subject in document.object.get("subjects") or []:
            if subject.get("kind") == "ServiceAccount":
                account = (str(subject.get("namespace") or namespace or case.namespace), str(subject.get("name")))
                grants.setdefault(account, []).append(Grant(document, role, found, namespace))
    return Scene(
        case=case,
        objects=tuple(document.identity for document, _ in documents),
        roles=tuple(roles.values()),
        accounts={
            (_namespace(document, case), document.name): document
            for document, kind in documents
            if kind == "ServiceAccount"
        },
        pods=tuple(
            Pod(document, spec, (_namespace(document, case), str(spec.get("serviceAccountName") or "default")))
            for document, kind in documents
            if kind not in (*_ROLES, *_WITHOUT_PODS)
            for template in pod_templates(document.object)
            for spec in [template.get("spec") or {}]
        ),
        grants={account: tuple(found) for account, found in grants.items()},
    )


def _namespace(document: Document, case: Case) -> str:
    return document.namespace or case.namespace


def _called(account: Account) -> str:
    return f"ServiceAccount/{account[1]}"


def _boundless(scene: Scene) -> Iterator[Finding]:
    """Accounts that may do everything."""
    for account, grants in scene.grants.items():
        for grant in grants:
            rules = grant.document.object.get("rules") or [] if grant.document else []
            everything = any(
                all(ANY in (rule.get(key) or []) for key in ("apiGroups", "resources", "verbs")) for rule in rules
            )
            if everything or grant.role == _ADMIN:
                yield invalid(
                    grant.binding.identity, f"lets {_called(account)} do everything {grant.where}, by {grant.role}"
                )


def _is_active(need: Need, scene: Scene, container: Mapping[str, Any]) -> bool:
    apis = scene.case.api_versions
    if need.when is not None and not need.when.holds(scene.objects, container, apis):
        return False
    return need.unless is None or not need.unless.holds(scene.objects, container, apis)


def _missing(pod: Pod, program: Program, needs: Iterable[Need], held: frozenset[Permission]) -> Iterator[Finding]:
    """What breaks, and for want of what."""
    for need in needs:
        lacking = permissions.uncovered(need.permissions, held)
        wide = [each for each in lacking if each.everywhere]
        near = [each for each in lacking if not each.everywhere]
        for found, where in ((wide, "in the whole cluster"), (near, f"in namespace {pod.account[0]}")):
            if found:
                yield invalid(
                    pod.document.identity,
                    f"{program.name} lacks {permissions.told(found)} {where}, as {_called(pod.account)}: it {need.why}",
                )


def _without_token(pod: Pod, program: Program, needs: Iterable[Need], scene: Scene) -> Iterator[Finding]:
    """A pod that asks the API server has to have the token of its account."""
    # Admission asks whether an account may use something; the pod does not.
    asks = [need.why for need in needs if any(permission.verb != "use" for permission in need.permissions)]
    if not asks:
        return
    mounts = pod.spec.get("automountServiceAccountToken")
    if mounts is None and pod.account in scene.accounts:
        mounts = scene.accounts[pod.account].object.get("automountServiceAccountToken")
    if mounts is False and not _projects_token(pod):
        yield invalid(
            pod.document.identity,
            f"mounts no token of {_called(pod.account)}, and {program.name} asks the API server: it {asks[0]}",
        )


def _projects_token(pod: Pod) -> bool:
    projected = [volume.get("projected") or {} for volume in pod.spec.get("volumes") or []]
    return any("serviceAccountToken" in source for volume in projected for source in volume.get("sources") or [])


def _is_elsewhere(pod: Pod, container: Mapping[str, Any], table: Table, case: Case) -> bool:
    """Whether the values leave the pod's permissions to somebody else."""
    name = str(container.get("name"))
    path = next((path for who, path in table.elsewhere if who.fits(pod.document.identity, name)), "")
    if not path:
        return False
    value: Any = values.given(case.files, case.values)
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return False
        value = value[key]
    return value is None or str(value).lower() == "false"


def _unbound(scene: Scene, table: Table) -> Iterator[Finding]:
    """Roles that nobody is given."""
    bound = {grant.role for grants in scene.grants.values() for grant in grants}
    for document in scene.roles:
        if document.identity in bound or document.identity in table.unbound:
            continue
        labels = (document.object.get("metadata") or {}).get("labels") or {}
        if not any(str(label).startswith(_AGGREGATED) for label in labels):
            yield invalid(document.identity, "no binding gives it to anybody, and no label adds it to another role")
