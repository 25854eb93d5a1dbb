"""No object is of an API that the newest Kubernetes does not serve any more, or serves with a warning; no rule of a role is for such alone.

A version that goes is known long before. What is written for older clusters, by a template that asks what is served, is
left alone. A role may name what is gone beside what is not, for clusters of many ages; a rule that grants nothing in any
Kubernetes that is judged for is text without effect.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.harness import compare, places
from chartgen.harness.case import NEWEST, Case
from chartgen.harness.judge import Judge, kind_of
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.results import Finding, invalid, skipped, verdict
from chartgen.harness.schemas import Kind

_ROLES = ("ClusterRole", "Role")
_ANY = "*"
_STABILITY = ("alpha", "beta")


@dataclass(frozen=True)
class Fate:
    """What has become of an API.

    Attributes:
        kube: the Kubernetes in which it came to be so.
        use: what is to be used instead; empty when there is nothing.
        is_served: with a warning; else it is gone.
    """

    kube: str
    use: str
    is_served: bool = False

    def told(self, kind: Kind) -> str:
        """As a sentence."""
        what = (
            f"is deprecated since Kubernetes {self.kube}"
            if self.is_served
            else f"was removed in Kubernetes {self.kube}"
        )
        return f"{kind} {what}; {f'use {self.use}' if self.use else 'nothing has taken its place'}"


@dataclass(frozen=True)
class Table:
    """The facts of ``deprecated_apis.yaml``.

    Attributes:
        kinds: what has become of kinds.
        resources: (group, resource) -> the Kubernetes that has it no more.
    """

    kinds: Mapping[Kind, Fate]
    resources: Mapping[tuple[str, str], str]


@functools.cache
def table() -> Table:
    """The facts."""
    data: dict[str, Any] = yamlio.load(Path(__file__).with_name("deprecated_apis.yaml").read_text(encoding="utf-8"))
    kinds = {
        Kind(api_version, kind): Fate(kube, row["use"], is_served=part == "deprecated")
        for part in ("removed", "deprecated")
        for kube, rows in data[part].items()
        for row in rows
        for api_version in row["of"]
        for kind in row["kinds"]
    }
    resources = {
        (group, name): kube
        for kube, groups in data["resources"].items()
        for group, names in groups.items()
        for name in names
    }
    return Table(kinds, resources)


@dataclass
class DeprecatedApis:
    """Judges each distinct document once.

    Attributes:
        judge: knows which Kubernetes has which kinds.
        kubes: see `chartgen.harness.checks.registry.Setting`.
        guarded: see `chartgen.harness.checks.registry.Setting`.
    """

    judge: Judge
    kubes: tuple[str, ...] = ()
    guarded: frozenset[str] = frozenset()
    name: str = "deprecated-apis"
    _known: dict[tuple[str, str], tuple[Finding, ...]] = field(default_factory=dict)

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        kubes = sorted({*self.kubes, case.kube}, key=_number)
        if NEWEST not in kubes:
            return [skipped(f"nothing is judged for Kubernetes {NEWEST}, the newest")]
        findings: list[Finding] = []
        for document in rendered.documents:
            key = (document.text, kubes[0])
            said = self._known.get(key)
            if said is None:
                said = self._known[key] = tuple(self._judged(document, kubes[0]))
            findings += said
        return verdict(findings)

    def _judged(self, document: Document, oldest: str) -> Iterator[Finding]:
        for path, kind in _named(document.object):
            fate = self._fate(kind)
            if fate and not {kind.api_version, f"{kind.api_version}/{kind.kind}"} & self.guarded:
                yield invalid(document.identity, f"{path}: {fate.told(kind)}" if path else fate.told(kind))
        if document.kind in _ROLES and kind_of(document).group == "rbac.authorization.k8s.io":
            for path, rule in places.find(document.object, "rules[]"):
                gone = _gone(rule, oldest)
                if gone:
                    yield invalid(document.identity, f"{path} grants nothing: {gone}")

    def _fate(self, kind: Kind) -> Fate | None:
        """What has become of a kind; None when all is well, or nobody knows it."""
        if kind in table().kinds:
            return table().kinds[kind]
        if not kind.is_builtin or self.judge.schema(kind, NEWEST):
            return None
        minors = self.judge.builtins.minors()
        had = [number for number, kube in enumerate(minors) if self.judge.schema(kind, kube)]
        if not had:
            return None
        versions = self.judge.builtins.versions(NEWEST, kind)
        return Fate(minors[had[-1] + 1], min(versions, key=_rank).api_version if versions else "")


def _named(value: Any, path: str = "") -> Iterator[tuple[str, Kind]]:
    """The kinds that an object is of and refers to, with their places."""
    if isinstance(value, Mapping):
        api_version, kind = value.get("apiVersion"), value.get("kind")
        if isinstance(api_version, str) and isinstance(kind, str):
            yield path, Kind(api_version, kind)
        for key, member in value.items():
            yield from _named(member, compare.join(path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _named(item, f"{path}[{number}]")


def _gone(rule: Any, oldest: str) -> str:
    """Why a rule is for nothing that the oldest Kubernetes or a newer one serves; empty when it is for something."""
    groups = [places.text(group) for group in places.sequence(places.mapping(rule).get("apiGroups"))]
    names = [places.text(name).partition("/")[0] for name in places.sequence(places.mapping(rule).get("resources"))]
    removed: dict[str, str] = {}
    for group in groups:
        for name in names:
            kube = table().resources.get((group, name)) or table().resources.get((group, _ANY))
            if kube is None or _number(kube) > _number(oldest):
                return ""
            removed[f"{name}.{group}"] = kube
    return ", ".join(f"{name} was removed in Kubernetes {kube}" for name, kube in removed.items())


def _number(kube: str) -> int:
    return int(kube.rpartition(".")[2])


def _rank(kind: Kind) -> tuple[int, Sequence[int]]:
    """Stable versions first, of those the highest."""
    word = next((word for word in _STABILITY if word in kind.version), "")
    numbers = [-int(part) for part in kind.version.removeprefix("v").replace(word or "?", ".").split(".") if part]
    return (2 - _STABILITY.index(word) if word else 0), numbers
