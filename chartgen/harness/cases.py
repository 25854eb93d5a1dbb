"""Cases: what is rendered, for which cluster, by which Helm."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass

from chartgen.profiles import Profile

OLDEST = "1.29"
NEWEST = "1.37"


@dataclass(frozen=True)
class Case:
    """One render.

    Attributes:
        profile: values and what is expected of them.
        helm: version of the Helm that renders, ``v4.3.1``.
        kube: Kubernetes minor version, ``1.37``.
        release: release name.
        namespace: release namespace.
        api_versions: APIs of the cluster beyond those that every one has.
    """

    profile: Profile
    helm: str
    kube: str
    release: str = "gpu-operator"
    namespace: str = "gpu-operator"
    api_versions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """``default/helm4/kube1.37``; unique within a run."""
        return f"{self.profile.name}/helm{self.helm_major}/kube{self.kube}"

    @property
    def helm_major(self) -> int:
        """3 or 4."""
        return int(self.helm.removeprefix("v").split(".")[0])


def build(
    profiles: Sequence[Profile], helms: Sequence[str], kubes: Sequence[str], wanted: Sequence[str] = ()
) -> list[Case]:
    """Every profile with every Helm and every Kubernetes.

    Args:
        profiles: what to render.
        helms: Helm versions.
        kubes: Kubernetes minor versions.
        wanted: glob patterns; a case is kept when its name or its profile's matches one. All are kept when there is none.
    """
    cases: list[Case] = []
    for profile in profiles:
        for helm in helms:
            for kube in kubes:
                case = Case(profile, helm, kube, api_versions=profile.apis)
                if not wanted or any(_matches(case, pattern) for pattern in wanted):
                    cases.append(case)
    return cases


def _matches(case: Case, pattern: str) -> bool:
    return fnmatch.fnmatchcase(case.name, pattern) or fnmatch.fnmatchcase(case.profile.name, pattern)
