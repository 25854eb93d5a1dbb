"""What linters say of a render, and what is accepted of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from chartgen import yamlio
from chartgen.harness.checks import policies
from chartgen.harness.checks.policies import Accepted, Policies
from chartgen.harness.linters import Violation
from chartgen.harness.results import State

PODS = """
    kind: Deployment
    metadata: {name: small}
    ---
    kind: DaemonSet
    metadata: {name: nvidia-driver}
    """
ACCEPTED = Accepted("fake", frozenset(("P1",)), ("DaemonSet/nvidia-*",), "drivers are privileged")


@dataclass
class FakeLinter:
    """Says the same of every file, and remembers what it was given."""

    name: str = "fake"
    version: str = "1"
    policy: str = "P1"
    asked: list[dict[str, str]] = field(default_factory=list)

    def judge(self, folder: Path) -> tuple[Violation, ...]:
        self.asked.append({file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()})
        return tuple(Violation(name, self.policy, "wrong", "mend it") for name in sorted(self.asked[-1]))


@pytest.fixture
def said(case, rendered, tmp_path):
    """What the check says of the two pods."""

    def ask(*linters: FakeLinter, accepted: tuple[Accepted, ...] = (), text: str = PODS) -> list[tuple[str, str]]:
        findings = Policies(linters, accepted, tmp_path).run(case, rendered(text))
        return [(each.subject, each.message) for each in findings if each.state is not State.VALID]

    return ask


def test_each_is_told_with_the_object_and_the_remedy(said):
    """By the linter's own name for it."""
    told = "fake P1: wrong (mend it)"
    assert said(FakeLinter()) == [("Deployment/small", told), ("DaemonSet/nvidia-driver", told)]


def test_what_is_accepted_is_not_told(said):
    """Of these objects, this policy and this linter alone."""
    assert [subject for subject, _ in said(FakeLinter(), accepted=(ACCEPTED,))] == ["Deployment/small"]
    assert len(said(FakeLinter(policy="P2"), accepted=(ACCEPTED,))) == 2
    assert len(said(FakeLinter(name="other"), accepted=(ACCEPTED,))) == 2


def test_without_a_linter_it_is_skipped(said):
    """And says which it looked for."""
    assert said() == [("", "neither kube-linter nor checkov is on PATH or in .tools/bin")]


def test_the_same_render_is_judged_once(case, rendered, tmp_path):
    """Whatever case it is of; each object in a file of its own."""
    linter = FakeLinter()
    check = Policies((linter,), (), tmp_path)
    first = check.run(case, rendered(PODS))
    assert check.run(replace(case, name="another"), rendered(PODS)) == first
    check.run(case, rendered(PODS.replace("small", "other")))
    assert [sorted(files) for files in linter.asked] == [["0000.yaml", "0001.yaml"]] * 2
    assert "nvidia-driver" in linter.asked[0]["0001.yaml"]
    assert list(tmp_path.iterdir()) == []


def test_it_is_asked_only_by_its_name(small):
    """A run of all checks does not wait for it; this chart has nothing accepted."""
    small.write({"templates/more.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n"})
    assert "policies" not in {result.check for result in small.judge().results}
    with_linter = replace(small, toolbox=replace(small.toolbox, linters=(FakeLinter(),)))
    [first, *_] = [each for each in with_linter.judge(checks=("policies",)).failures if each.check == "policies"]
    assert first.message == "fake P1: wrong (mend it)"


def test_what_is_accepted_of_the_chart_has_a_reason():
    """Each policy once for the same objects."""
    found = policies.accepted("gpu-operator")
    assert policies.accepted("another") == ()
    assert all(entry.reason and entry.policies and entry.objects for entry in found)
    each = [
        (entry.linter, policy, pattern) for entry in found for policy in entry.policies for pattern in entry.objects
    ]
    assert len(each) == len(set(each))
    text = Path(policies.__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    assert {key for entry in yamlio.load(text)["accepted"] for key in entry} == {
        "linter",
        "policies",
        "objects",
        "reason",
    }
