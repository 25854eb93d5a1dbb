"""A case for every profile, every Helm and every Kubernetes minor version."""

from __future__ import annotations

from collections.abc import Sequence

from chartgen.harness.case import Case, Group
from chartgen.profiles import Profile


def build(profiles: Sequence[Profile], helms: Sequence[str], kubes: Sequence[str]) -> list[Case]:
    """The cases, by profile, then Helm, then Kubernetes.

    Args:
        profiles: what to render.
        helms: Helm versions.
        kubes: Kubernetes minor versions.
    """
    return [case(profile, helm, kube) for profile in profiles for helm in helms for kube in kubes]


def case(profile: Profile, helm: str, kube: str) -> Case:
    """One case: ``profile/default/helm4/kube1.37``."""
    major = helm.removeprefix("v").split(".")[0]
    return Case(
        name=f"{Group.PROFILE.value}/{profile.name}/helm{major}/kube{kube}",
        group=Group.PROFILE,
        helm=helm,
        kube=kube,
        files=(profile.path,),
        profile=profile,
        api_versions=profile.apis,
    )
