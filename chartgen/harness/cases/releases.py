"""Cases that change nothing but the release: its name and namespace, an upgrade, the chart as a part of another chart.

Names are as short and as long as Helm and Kubernetes let them be, since a name that is too long fails only in the cluster.
Each is rendered in a few settings that differ most: as it comes, with everything on, and without an operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from chartgen.harness.case import Case, Group
from chartgen.profiles import Profile

SHORTEST = "r"
# Helm takes release names of up to 53 characters, and Kubernetes names of namespaces up to 63.
LONGEST = "a-release-whose-name-is-as-long-as-helm-lets-it-be-53"
LONGEST_NAMESPACE = "a-namespace-whose-name-is-as-long-as-kubernetes-lets-it-be-0063"
DOTTED = "release.with.dots"
ALIAS = "accelerators"
_SETTINGS = ("default", "everything-on", "static")


def build(profiles: Sequence[Profile], helms: Sequence[str], kubes: Sequence[str]) -> list[Case]:
    """The cases; Helm and Kubernetes take turns.

    Args:
        profiles: those of the settings that are there are used; without any, the chart's defaults.
        helms: Helm versions.
        kubes: Kubernetes minor versions.
    """
    found: list[Case] = []
    settings: list[Profile | None] = [profile for profile in profiles if profile.name in _SETTINGS]
    for profile in settings or [None]:
        for change in _changes(dotted=profile is not None):
            number = len(found)
            case = Case(
                name="/".join((Group.RELEASE.value, change.name, profile.name if profile is not None else "default")),
                group=Group.RELEASE,
                helm=helms[number % len(helms)],
                kube=kubes[number % len(kubes)],
                files=(profile.path,) if profile is not None else (),
                api_versions=profile.apis if profile is not None else (),
            )
            found.append(replace(case, **change.members))
    return found


class _Change:
    """What differs from the usual release, under a name."""

    def __init__(self, name: str, **members: Any) -> None:
        self.name = name
        self.members: Mapping[str, Any] = members


def _changes(*, dotted: bool) -> Iterator[_Change]:
    """What is varied; names with dots break most charts' Services, and are for charts that promise more than others."""
    yield _Change("shortest-name", release=SHORTEST)
    yield _Change("longest-name", release=LONGEST)
    yield _Change("longest-names", release=LONGEST, namespace=LONGEST_NAMESPACE)
    if dotted:
        yield _Change("dotted-name", release=DOTTED)
    yield _Change("default-namespace", namespace="default")
    yield _Change("upgrade", upgrade=True)
    yield _Change("in-umbrella", parent=ALIAS)
    yield _Change("in-umbrella-longest-name", parent=ALIAS, release=LONGEST)
