"""Cases of names, upgrades and umbrella charts."""

from __future__ import annotations

from pathlib import Path

from chartgen.harness.case import Group
from chartgen.harness.cases import releases
from chartgen.profiles import Profile

PROFILES = [Profile(name, Path(f"{name}.yaml"), "t", "s", {}, ()) for name in ("default", "everything-on", "k3s")]


def test_names_are_as_long_as_they_may_be():
    """One more and Helm or Kubernetes would refuse them for themselves."""
    assert len(releases.LONGEST) == 53
    assert len(releases.LONGEST_NAMESPACE) == 63


def test_each_setting_has_each_change():
    """Settings that are not there are left out, and a chart without profiles has its defaults."""
    cases = releases.build(PROFILES, ["v4.3.1", "v3.22.0"], ["1.29", "1.37"])
    assert len({case.name for case in cases}) == len(cases)
    assert {case.name.rpartition("/")[2] for case in cases} == {"default", "everything-on"}
    alone = releases.build([], ["v4.3.1"], ["1.37"])
    assert (len(alone) + 1) * 2 == len(cases)
    assert {case.files for case in alone} == {()}


def test_the_chart_in_an_umbrella_is_the_chart(small):
    """With an alias, values below it, and the same objects."""
    report = small.judge(groups=(Group.RELEASE,))
    assert report.failures == ()
    assert "release/in-umbrella/default" in report.cases
    small.write({"templates/config.yaml": "{{ if ne .Chart.Name `small` }}{{ fail `no umbrella` }}{{ end }}"})
    assert {failure.case for failure in small.judge(groups=(Group.RELEASE,)).failures} == {
        "release/in-umbrella/default", "release/in-umbrella-longest-name/default",
    }  # fmt: skip
