"""What is known of kinds besides their schemas; the facts stand in ``kinds.yaml``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chartgen import yamlio


@dataclass(frozen=True)
class NameRule:
    """What holds for the names of a kind's objects.

    Attributes:
        form: ``label``, ``host``, ``path`` or ``subdomain``, see `chartgen.harness.checks.names`.
        most: the greatest length; 0 for that of the form.
        because: why it is less than the form allows.
    """

    form: str = "subdomain"
    most: int = 0
    because: str = ""


@dataclass(frozen=True)
class Kinds:
    """Facts on kinds.

    Attributes:
        scopes: (group, kind) -> whether its objects lie in a namespace.
        names: kind -> what holds for the names of its objects; absent where a subdomain will do.
        order: kind -> when Helm creates it.
    """

    scopes: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    names: Mapping[str, NameRule] = field(default_factory=dict)
    order: Mapping[str, int] = field(default_factory=dict)

    def is_namespaced(self, group: str, kind: str) -> bool | None:
        """Whether objects of a kind lie in a namespace; None where it is not known."""
        return self.scopes.get((group, kind))


@functools.cache
def load() -> Kinds:
    """The facts."""
    data: dict[str, Any] = yamlio.load(Path(__file__).with_name("kinds.yaml").read_text(encoding="utf-8"))
    scopes = {
        (group, kind): scope == "namespaced"
        for group, by_scope in data["scopes"].items()
        for scope, kinds in by_scope.items()
        for kind in kinds
    }
    names = {
        kind: NameRule(row.get("form", "subdomain"), row.get("most", 0), row.get("because", ""))
        for row in data["names"]
        for kind in row["kinds"]
    }
    return Kinds(scopes, names, {kind: number for number, kind in enumerate(data["order"])})
