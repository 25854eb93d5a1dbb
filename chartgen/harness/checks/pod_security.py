"""The Pod Security level of each object that makes pods is the one that its profile says: neither more nor less.

Where there is no profile, it may be anything up to the most that some profile says of an object of that kind from the same
template: the names of objects change with that of the release.

A namespace enforces a level, and a pod that needs more is refused there, long after helm was content. The level of each
pod template is computed here by the rules of the Pod Security Standards, those for Linux pods; what an object needs
beyond "restricted" must be written down in the profile, so that a capability or a host path never slips in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chartgen.harness import places, pods, sources
from chartgen.harness.case import Case
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict
from chartgen.profiles import Level, Profile

_HOST = ("hostNetwork", "hostPID", "hostIPC")
# What restricted pods may mount. hostPath is the one kind that baseline refuses, too.
_VOLUMES = frozenset(
    ("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret")
)
_CAPABILITIES = frozenset(
    (
        "AUDIT_WRITE",
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "FSETID",
        "KILL",
        "MKNOD",
        "NET_BIND_SERVICE",
        "SETFCAP",
        "SETGID",
        "SETPCAP",
        "SETUID",
        "SYS_CHROOT",
    )
)
_SYSCTLS = frozenset(
    (
        "kernel.shm_rmid_forced",
        "net.ipv4.ip_local_port_range",
        "net.ipv4.ip_local_reserved_ports",
        "net.ipv4.ip_unprivileged_port_start",
        "net.ipv4.ping_group_range",
        "net.ipv4.tcp_fin_timeout",
        "net.ipv4.tcp_keepalive_intvl",
        "net.ipv4.tcp_keepalive_probes",
        "net.ipv4.tcp_keepalive_time",
        "net.ipv4.tcp_rmem",
        "net.ipv4.tcp_syncookies",
        "net.ipv4.tcp_wmem",
    )
)
_SELINUX_TYPES = frozenset(("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"))
_SECCOMP = frozenset(("RuntimeDefault", "Localhost"))

_NO_PODS = skipped("no object makes pods")
Pod = Mapping[str, Any]
Declared = Mapping[tuple[str, str], Level]
# The least level that allows something, and what that is.
Reason = tuple[Level, str]


@dataclass(frozen=True)
class PodSecurity:
    """Compares the level of each object with the profile's.

    Attributes:
        declared: template and kind -> the most that any profile says; restricted for all others.
    """

    declared: Declared = field(default_factory=dict)
    name: str = "pod-security"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        found = [(document, template) for document in rendered.documents for template in pod_templates(document.object)]
        if case.profile is None and not self.declared:
            return [skipped("nothing says which Pod Security level its pods may need")]
        if case.profile is None:
            return verdict([each for pair in found for each in self._at_most(case, *pair)]) if found else [_NO_PODS]
        findings = [_judged(case.profile, document, template) for document, template in found]
        named = {document.identity for document, _ in found}
        lost = [invalid(name, "the profile says its level, and it has no pods") for name in case.profile.pod_security]
        wrong = [finding for finding in findings if finding] + [each for each in lost if each.subject not in named]
        if not found and not wrong:
            return [_NO_PODS]
        return verdict(wrong)

    def _at_most(self, case: Case, document: Document, template: Pod) -> Iterator[Finding]:
        allowed = self.declared.get(_place(document, case.parent), Level.RESTRICTED)
        reasons = list(dict.fromkeys(needs(template)))
        actual = level(reasons)
        levels = list(Level)
        if levels.index(actual) > levels.index(allowed):
            told = "; ".join(why for least, why in reasons if least is actual)
            yield invalid(
                document.identity, f"needs {actual.value}, and no profile says more than {allowed.value}: {told}"
            )


def declared(profiles: Sequence[Profile], render: Callable[[Profile], Rendered]) -> Declared:
    """The most that any of the profiles says of the objects of a kind that a template makes.

    Args:
        profiles: what they say, they say of names.
        render: gives the objects of these names; only asked where a profile says something new.
    """
    levels = list(Level)
    most: dict[tuple[str, str], Level] = {}
    told: set[tuple[str, Level]] = set()
    for profile in profiles:
        if set(profile.pod_security.items()) <= told:
            continue
        told |= set(profile.pod_security.items())
        for document in render(profile).documents:
            level = profile.pod_security.get(document.identity)
            if level:
                place = _place(document)
                most[place] = max(most.get(place, Level.RESTRICTED), level, key=levels.index)
    return most


def _place(document: Document, parent: str = "") -> tuple[str, str]:
    return sources.inside(document.source, parent), document.kind


def _judged(profile: Profile, document: Document, template: Pod) -> Finding | None:
    expected = profile.pod_security.get(document.identity, Level.RESTRICTED)
    reasons = list(dict.fromkeys(needs(template)))
    actual = level(reasons)
    if actual is expected:
        return None
    told = "; ".join(why for least, why in reasons if least is actual) or "nothing in it needs more"
    return invalid(document.identity, f"needs {actual.value}, and the profile says {expected.value}: {told}")


def pod_templates(content: Any) -> Iterator[Pod]:
    """Every pod that an object leads to, as metadata and spec."""
    for pod in pods.of(content):
        yield pod.template


def level(reasons: Sequence[Reason]) -> Level:
    """The least level that allows a pod of which these things are said."""
    levels = list(Level)
    return max((least for least, _ in reasons), key=levels.index, default=Level.RESTRICTED)


def needs(template: Pod) -> Iterator[Reason]:
    """What a pod has that not every level allows."""
    pod = places.mapping(template.get("spec"))
    for member in _HOST:
        if pod.get(member):
            yield Level.PRIVILEGED, member
    for volume in pod.get("volumes") or []:
        for kind in sorted(set(volume) - {"name"} - _VOLUMES):
            yield (Level.PRIVILEGED if kind == "hostPath" else Level.BASELINE), f"volume {volume['name']} is a {kind}"
    for key, value in sorted((places.mapping(template.get("metadata")).get("annotations") or {}).items()):
        if key.startswith("container.apparmor.security.beta.kubernetes.io/") and value == "unconfined":
            yield Level.PRIVILEGED, f"annotation {key}"
    context = places.mapping(pod.get("securityContext"))
    for sysctl in context.get("sysctls") or []:
        if sysctl.get("name") not in _SYSCTLS:
            yield Level.PRIVILEGED, f"sysctl {sysctl.get('name')}"
    yield from _of_context(context, "pod")
    for kind in pods.CONTAINERS:
        for container in pod.get(kind) or []:
            yield from _of_container(container, context)


def _of_context(context: Mapping[str, Any], who: str) -> Iterator[Reason]:
    """What a security context may hold of a pod and of a container alike."""
    options = places.mapping(context.get("seLinuxOptions"))
    if options.get("user") or options.get("role") or options.get("type", "") not in _SELINUX_TYPES:
        yield Level.PRIVILEGED, f"{who}: seLinuxOptions"
    if places.mapping(context.get("seccompProfile")).get("type") == "Unconfined":
        yield Level.PRIVILEGED, f"{who}: seccompProfile Unconfined"
    if places.mapping(context.get("appArmorProfile")).get("type") == "Unconfined":
        yield Level.PRIVILEGED, f"{who}: appArmorProfile Unconfined"
    if places.mapping(context.get("windowsOptions")).get("hostProcess"):
        yield Level.PRIVILEGED, f"{who}: hostProcess"
    if context.get("runAsUser") == 0:
        yield Level.BASELINE, f"{who}: runAsUser 0"


def _of_container(container: Mapping[str, Any], of_pod: Mapping[str, Any]) -> Iterator[Reason]:
    who = f"container {container.get('name')}"
    own = places.mapping(container.get("securityContext"))
    capabilities = places.mapping(own.get("capabilities"))
    added = frozenset(capabilities.get("add") or [])
    yield from _of_context(own, who)
    if own.get("privileged"):
        yield Level.PRIVILEGED, f"{who}: privileged"
    if added - _CAPABILITIES:
        yield Level.PRIVILEGED, f"{who}: capabilities {', '.join(sorted(added - _CAPABILITIES))}"
    if own.get("procMount", "Default") != "Default":
        yield Level.PRIVILEGED, f"{who}: procMount {own['procMount']}"
    for port in container.get("ports") or []:
        if port.get("hostPort"):
            yield Level.PRIVILEGED, f"{who}: hostPort {port['hostPort']}"
    for member in ("livenessProbe", "readinessProbe", "startupProbe"):
        if places.mapping(places.mapping(container.get(member)).get("httpGet")).get("host"):
            yield Level.PRIVILEGED, f"{who}: {member} of another host"
    if own.get("allowPrivilegeEscalation") is not False:
        yield Level.BASELINE, f"{who}: allowPrivilegeEscalation is not false"
    if own.get("runAsNonRoot", of_pod.get("runAsNonRoot")) is not True:
        yield Level.BASELINE, f"{who}: runAsNonRoot is not true"
    profile = own.get("seccompProfile") or of_pod.get("seccompProfile")
    if places.mapping(profile).get("type") not in _SECCOMP:
        yield Level.BASELINE, f"{who}: no seccompProfile"
    if "ALL" not in (capabilities.get("drop") or []) or added - {"NET_BIND_SERVICE"}:
        yield Level.BASELINE, f"{who}: capabilities are not dropped"
