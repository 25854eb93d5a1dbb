"""Cases: profiles, Helms and Kubernetes, and how they are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartgen.harness import cases
from chartgen.profiles import Profile

PROFILES = [Profile(name, Path(f"{name}.yaml"), "t", "s", {}, ()) for name in ("default", "k3s")]


def names(*wanted: str) -> list[str]:
    """Names of the cases that are wanted."""
    return [case.name for case in cases.build(PROFILES, ["v4.3.1", "v3.22.0"], ["1.29", "1.37"], wanted)]


def test_every_combination_is_a_case():
    """And no two have one name."""
    assert len(set(names())) == 8
    assert names()[0] == "default/helm4/kube1.29"


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("default", 4), ("k*", 4), ("*/helm3/*", 4), ("default/helm3/kube1.37", 1), ("nothing", 0)],
)
def test_a_pattern_chooses_by_name_or_profile(pattern, count):
    """As globs."""
    assert len(names(pattern)) == count


def test_a_helm_version_has_a_major():
    """Short versions too."""
    assert cases.Case(PROFILES[0], "v4.3", "1.37").helm_major == 4


def test_a_case_has_the_apis_of_its_profile():
    """They are what its cluster serves beyond what Helm takes for granted."""
    profile = Profile("dra", Path("dra.yaml"), "t", "s", {}, (), apis=("a/v1/B",))
    [case] = cases.build([profile], ["v4.3.1"], ["1.37"])
    assert case.api_versions == ("a/v1/B",)
