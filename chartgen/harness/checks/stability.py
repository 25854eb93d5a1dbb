"""An upgrade changes what it says, and nothing else: no restart for a new version of the chart, and no change that the cluster refuses.

A chart that writes its version into pod templates restarts every pod with every release, and where pods hold drivers that
drains the nodes. So the case is rendered with a copy of the chart that differs in its version alone, subcharts included,
and has to come out with the same pod templates, the same immutable fields and the same objects.

With a previous version of the chart at hand, the same values are rendered by that one as well, and what an upgrade would
do to the objects of a release is told: what is refused, what loses data, what is started twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.harness import compare, immutable, values
from chartgen.harness.case import Case
from chartgen.harness.checks.pod_security import pod_templates
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.rerender import Rerender, left_out
from chartgen.harness.results import Finding, error, invalid, skipped, verdict
from chartgen.harness.schemas import Custom, Kind

_MAJOR = re.compile(r"\d+")
_HOOK = "helm.sh/hook"
_POLICY = "helm.sh/resource-policy"
_MOST_SHOWN = 4
# What runs all the time; a Job's template is immutable, and a CronJob's counts for the next Job.
_WORKLOADS = frozenset(("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"))
# What is lost with an object of these kinds, and does not come back.
_KEEPERS: Mapping[str, str] = {
    "CustomResourceDefinition": "every object of its kind",
    "Namespace": "everything in it",
    "PersistentVolume": "its data, where the reclaim policy is Delete",
    "PersistentVolumeClaim": "its data, where the volume's reclaim policy is Delete",
    "Secret": "what it holds",
    "StatefulSet": "its identity: pods of another name get other volumes",
}

Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class Stability:
    """Compares renders of two versions of the chart.

    Attributes:
        rerender: renders once more; None when nobody can.
        custom: the kinds that the chart's CRDs define.
        may_restart: whether a new version may restart pods; most charts write their version into every pod's labels.
    """

    rerender: Rerender | None
    custom: Custom
    may_restart: bool = False
    name: str = "stability"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        reason = left_out(self.rerender, case)
        if reason is not None or self.rerender is None:
            return [reason] if reason else []
        findings = self._of_versions(case, rendered, self.rerender)
        if self.rerender.previous is not None:
            findings += self._of_upgrade(case, rendered, self.rerender, self.rerender.previous)
        return verdict(findings)

    def _of_versions(self, case: Case, rendered: Rendered, rerender: Rerender) -> list[Finding]:
        """What another version of the chart changes, when nothing else does."""
        other = rerender.render(case, rerender.copy("next-version", _with_next_versions))
        if other.run.status != 0:
            return [error(f"the chart does not render under another version of it:\n{other.run.report()}")]
        pair = _Pair(_objects(rendered, case), _objects(other, case), self.custom.openapi)
        found = [*([] if self.may_restart else pair.restarts()), *pair.immutables(), *pair.renames()]
        if not found:
            return []
        # A render that is never twice the same says nothing about versions; that it is one is another check's business.
        restless = _Pair(pair.before, _objects(rerender.again(case), case), self.custom.openapi).changed
        return [
            invalid(place.subject, f"with another version of the chart, {place.message}", place.diff)
            for place in found
            if place.key not in restless
        ]

    def _of_upgrade(self, case: Case, rendered: Rendered, rerender: Rerender, previous: Path) -> list[Finding]:
        """What an upgrade from the previous version does."""
        old = rerender.render(case, previous)
        version = values.load(previous).version
        if old.run.status != 0:
            return [skipped(f"version {version} refuses these values, so nobody upgrades with them")]
        pair = _Pair(_objects(old, case), _objects(rendered, case), self.custom.openapi)
        found = [*pair.immutables(), *pair.losses(), *pair.doubles()]
        findings = [invalid(each.subject, f"upgraded from {version}, {each.message}", each.diff) for each in found]
        kept = rerender.copy(
            f"reused-values-{case.helm_major}", lambda folder: _reuse_values(folder, previous, case.helm_major)
        )
        reused = rerender.render(case, kept)
        if reused.run.status != 0:
            findings.append(
                invalid("", f"helm upgrade --reuse-values from {version} is refused:\n{reused.run.report()}")
            )
        return findings


@dataclass(frozen=True)
class _Change:
    """Something that differs between two renders."""

    key: Key
    subject: str
    message: str
    diff: str = ""


@dataclass(frozen=True)
class _Pair:
    """Two renders, by object; hooks are not among them, since Helm deletes those before it creates them anew.

    Attributes:
        before: what is in the cluster.
        after: what is to be there.
        openapi: kinds that the chart's CRDs define -> their schemas.
    """

    before: Mapping[Key, Document]
    after: Mapping[Key, Document]
    openapi: Mapping[Kind, Mapping[str, Any]]

    @cached_property
    def changed(self) -> frozenset[Key]:
        """Objects that are in one only, or differ."""
        both = {*self.before, *self.after}
        return frozenset(key for key in both if _text(self.before.get(key)) != _text(self.after.get(key)))

    def _altered(self) -> Iterator[tuple[Key, Document, Document]]:
        """Objects that are in both, and differ."""
        for key in sorted(self.changed):
            if key in self.before and key in self.after:
                yield key, self.before[key], self.after[key]

    def restarts(self) -> Iterator[_Change]:
        """Pod templates that differ, and custom resources that do, since an operator makes pods of them."""
        for key, left, right in self._altered():
            if Kind(right.api_version, right.kind) in self.openapi:
                yield from self._told(key, left, right, "spec", "and with it what an operator makes of it")
            elif right.kind in _WORKLOADS:
                yield from self._told(key, left, right, "spec.template", "and all its pods restart")

    def _told(self, key: Key, left: Document, right: Document, path: str, effect: str) -> Iterator[_Change]:
        old, new = (_at(document.object, path) for document in (left, right))
        places = list(compare.differences(old, new, path))
        for place, before, after in places[:_MOST_SHOWN]:
            yield _Change(
                key,
                right.identity,
                f"{place} becomes {after} instead of {before}, {effect}",
                compare.diff(old, new, "this version", "another version"),
            )
        if len(places) > _MOST_SHOWN:
            yield _Change(key, right.identity, f"{len(places) - _MOST_SHOWN} more places of {path} change")

    def immutables(self) -> Iterator[_Change]:
        """Changes that the API server refuses."""
        for key, left, right in self._altered():
            schema = self.openapi.get(Kind(right.api_version, right.kind))
            for path, before, after in immutable.changes(left.object, right.object, schema):
                yield _Change(
                    key, right.identity, f"{path} becomes {after} instead of {before}, which the API server refuses"
                )

    def renames(self) -> Iterator[_Change]:
        """Objects that one of the renders has not."""
        for key in sorted({*self.before} - {*self.after}):
            yield _Change(key, self.before[key].identity, "it is gone or has another name")

    def losses(self) -> Iterator[_Change]:
        """Objects that are deleted with what nobody can create anew."""
        for key in sorted({*self.before} - {*self.after}):
            document = self.before[key]
            lost = _KEEPERS.get(document.kind, "")
            if Kind(document.api_version, document.kind) in self.openapi:
                lost = "what an operator has made of it"
            if lost and _annotations(document).get(_POLICY) != "keep":
                yield _Change(
                    key, document.identity, f"it is deleted, and with it {lost}; {_POLICY}: keep would leave it there"
                )

    def doubles(self) -> Iterator[_Change]:
        """Workloads that are there under another name: the old and the new one run at the same time for a while."""
        new = {key: self.after[key] for key in {*self.after} - {*self.before}}
        for key in sorted({*self.before} - {*self.after}):
            old = self.before[key]
            for twin in sorted(new):
                if old.kind in _WORKLOADS and twin[1] == key[1] and _runs(new[twin]) == _runs(old):
                    yield _Change(
                        key,
                        old.identity,
                        f"{new[twin].identity} runs the same containers in its place: all its pods start anew, "
                        "some while the old ones still run",
                    )


def _objects(rendered: Rendered, case: Case) -> dict[Key, Document]:
    return {
        (each.api_version.rpartition("/")[0], each.kind, each.namespace or case.namespace, each.name): each
        for each in rendered.documents
        if _HOOK not in _annotations(each)
    }


def _annotations(document: Document) -> Mapping[str, Any]:
    found = (document.object.get("metadata") or {}).get("annotations")
    return found if isinstance(found, Mapping) else {}


def _text(document: Document | None) -> str:
    return document.text if document else ""


def _at(content: Any, path: str) -> Any:
    for name in path.split("."):
        content = content.get(name) if isinstance(content, Mapping) else None
    return content


def _runs(document: Document) -> tuple[str, ...]:
    """The names of the containers of a workload."""
    return tuple(
        str(container.get("name"))
        for template in pod_templates(document.object)
        for container in (template.get("spec") or {}).get("containers") or []
    )


def _with_next_versions(folder: Path) -> None:
    """Raise the version of a chart and of its subcharts, here and where the chart asks for them."""
    file = folder / "Chart.yaml"
    facts = yamlio.load(file.read_text(encoding="utf-8"))
    facts["version"] = _next(facts["version"])
    below = {path.parent: values.load(path.parent) for path in sorted(folder.glob("charts/*/Chart.yaml"))}
    versions = {chart.name: _next(chart.version) for chart in below.values()}
    for dependency in facts.get("dependencies") or []:
        if dependency["name"] in versions:
            dependency["version"] = versions[dependency["name"]]
    file.write_text(yamlio.dump(facts), encoding="utf-8")
    for path in below:
        _with_next_versions(path)


def _next(version: str) -> str:
    """The next major version, without anything after it."""
    match = _MAJOR.search(version)
    return f"{int(match[0]) + 1 if match else 1}.0.0"


def _reuse_values(folder: Path, previous: Path, helm_major: int) -> None:
    """Put the values of the previous version in place of the chart's own, as ``--reuse-values`` does."""
    kept = values.coalesce(values.load(previous), {}, helm_major)
    (folder / "values.yaml").write_text(yamlio.dump(kept), encoding="utf-8")
