"""Cases of profiles: each with every Helm and Kubernetes, and how cases are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartgen.errors import ChartgenError
from chartgen.harness.cases import profiles, selection
from chartgen.profiles import Profile

PROFILES = [Profile(name, Path(f"{name}.yaml"), "t", "s", {}, ()) for name in ("default", "k3s")]
CASES = profiles.build(PROFILES, ["v4.3.1", "v3.22.0"], ["1.29", "1.37"])


def test_every_combination_is_a_case():
    """And no two have one name."""
    assert len({case.name for case in CASES}) == 8
    assert CASES[0].name == "profile/default/helm4/kube1.29"


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("default", 4),
        ("k*", 4),
        ("*/helm3/*", 4),
        ("profile/default/helm3/kube1.37", 1),
        ("profile/default/helm3/*", 2),
    ],
)
def test_a_pattern_chooses_by_name_or_profile(pattern, count):
    """As globs; the group in front of a name may be left out."""
    assert len(selection.select(CASES, [pattern])) == count


def test_a_pattern_that_matches_nothing_is_told():
    """With what there is."""
    with pytest.raises(ChartgenError, match=r"profile/\*"):
        selection.select(CASES, ["nothing"])


def test_a_helm_version_has_a_major():
    """Short versions too."""
    assert profiles.case(PROFILES[0], "v4.3", "1.37").helm_major == 4


def test_a_case_has_the_apis_of_its_profile():
    """They are what its cluster serves beyond what Helm takes for granted."""
    profile = Profile("dra", Path("dra.yaml"), "t", "s", {}, (), apis=("a/v1/B",))
    [case] = profiles.build([profile], ["v4.3.1"], ["1.37"])
    assert case.api_versions == ("a/v1/B",)
