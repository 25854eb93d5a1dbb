"""A case: what is rendered, for which cluster, by which Helm, and what must come of it.

`chartgen.harness.cases` makes them, one module for each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from chartgen.profiles import Profile

OLDEST = "1.29"
NEWEST = "1.37"


class Group(Enum):
    """What a case is there for; the value opens its name."""

    PROFILE = "profile"  # a values file of a folder, with what it expects
    FILE = "file"  # the assignments of the conditions of template files
    ARRAY = "array"  # a row of a covering array
    VARIATION = "variation"  # samples of each field, many fields at a time
    REFUSAL = "refusal"  # values that must be refused
    RELEASE = "release"  # names, namespaces, aliases, upgrades
    EXAMPLE = "example"  # made at random
    GIVEN = "given"  # values files named on the command line


@dataclass(frozen=True)
class Refusal:
    """How Helm must refuse. A refusal in other words is a failure: it would be one for another reason.

    Attributes:
        path: the values path that the message must name.
        words: what else must stand in it: a rule's message, or what the schema says; may be a part of a sentence.
    """

    path: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """One render.

    Attributes:
        name: unique within a run: ``file/components/driver/007``.
        group: see `Group`.
        helm: version of the Helm that renders, ``v4.3.1``.
        kube: Kubernetes minor version, ``1.37``.
        values: values on top of the files, as a person would write them.
        files: values files, later ones win.
        profile: what a values file expects; None for all other cases.
        refusal: how it must be refused; None when it must render.
        release: release name.
        namespace: release namespace.
        api_versions: APIs of the cluster beyond those that every one has.
        upgrade: whether Helm is told that a release exists already.
        is_foreign: whether it was made without trees, from choices that a chart shows its users.
        parent: the name under which an umbrella chart holds the chart; empty when it is installed by itself.
    """

    name: str
    group: Group
    helm: str
    kube: str
    values: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    profile: Profile | None = None
    refusal: Refusal | None = None
    release: str = "gpu-operator"
    namespace: str = "gpu-operator"
    api_versions: tuple[str, ...] = ()
    upgrade: bool = False
    is_foreign: bool = False
    parent: str = ""

    @property
    def is_odd(self) -> bool:
        """Whether the values are made to try types and templates, and need not make sense in a cluster."""
        return self.group in (Group.EXAMPLE, Group.VARIATION)

    @property
    def is_combination(self) -> bool:
        """Whether the values were put together from the conditions of templates, for the sake of these."""
        return self.group in (Group.ARRAY, Group.FILE) and not self.is_foreign

    def minors(self, kubes: tuple[str, ...]) -> tuple[str, ...]:
        """The Kubernetes minor versions to judge the case for.

        Odd values may hold a member that only the newest Kubernetes knows, and are judged for their own alone.

        Args:
            kubes: those of the run, besides the case's own.
        """
        if self.is_odd:
            return (self.kube,)
        return kubes if self.kube in kubes else (*kubes, self.kube)

    @property
    def helm_major(self) -> int:
        """3 or 4."""
        return int(self.helm.removeprefix("v").split(".")[0])
