"""Agreement: a sample goes to helm too, a difference is told, and helm takes over."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from chartgen.harness import agreement
from chartgen.harness.agreement import Agreement
from chartgen.harness.tools import Helm, RenderRequest, Run, ToolFailed

GOOD = Run("helm template x", 0, "a: 1\n", "", 0.0)


@dataclass
class FakeEngine:
    """Answers the same to everything, and counts."""

    helm: FakeHelm
    answer: Run = GOOD
    version: str = "v4.3.1"
    asked: list[RenderRequest] = field(default_factory=list)

    def render(self, request: RenderRequest) -> Run:
        self.asked.append(request)
        return self.answer


@dataclass
class FakeHelm:
    """The same for helm."""

    answer: Run = GOOD
    asked: list[RenderRequest] = field(default_factory=list)

    def render(self, request: RenderRequest) -> Run:
        self.asked.append(request)
        return self.answer


def requests(count: int) -> list[RenderRequest]:
    return [RenderRequest(Path("/nowhere"), given={"number": number}) for number in range(count)]


def sampled(seed: int, order: int = 1) -> set[int]:
    """Which of a thousand requests went to helm as well."""
    helm = FakeHelm()
    trusting = Agreement(FakeEngine(helm), seed)
    for request in [RenderRequest(Path("/first")), *requests(1000)[::order]]:
        trusting.render(request)
    return {request.given["number"] for request in helm.asked if request.given}


def test_the_sample_is_one_in_a_hundred_and_depends_on_the_seed():
    """Not on the order of work, nor on the process."""
    assert 2 <= len(sampled(0)) <= 30
    assert sampled(0) == sampled(0, order=-1) != sampled(1)


def test_the_first_request_is_always_in_the_sample():
    """So that no run goes without."""
    helm = FakeHelm()
    Agreement(FakeEngine(helm), one_in=10**9).render(requests(1)[0])
    assert len(helm.asked) == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"stdout": "a: 2\n"}, "--- helm: stdout\n+++ helm-engine: stdout\n@@ -1 +1 @@\n-a: 2\n+a: 1"),
        ({"stdout": "a: 1"}, "the ends of lines in stdout"),
        ({"stderr": "warning"}, "--- helm: stderr"),
        ({"status": 1, "stderr": "Error: no\n"}, "exit status 0 instead of 1: Error: no"),
        ({"notes": "x"}, "--- helm: notes"),
    ],
)
def test_a_difference_is_a_failure_and_helm_takes_over(changes, told):
    """With the command and the ways out; the engine is not asked again."""
    helm = FakeHelm(replace(GOOD, **changes))
    engine = FakeEngine(helm)
    trusting = Agreement(engine)
    with pytest.raises(ToolFailed) as caught:
        trusting.render(RenderRequest(Path("/nowhere")))
    assert told in str(caught.value)
    assert "remove .tools/bin/helm-engine" in str(caught.value)
    assert str(caught.value).endswith("$ helm template x")
    assert trusting.render(RenderRequest(Path("/nowhere"))) == helm.answer
    assert len(engine.asked) == 1


def test_the_order_of_complaints_is_no_difference():
    """Helm itself goes through values in no order; other words are one."""
    one = replace(GOOD, status=1, stderr="Error: x\n- at '/a': 'c', 'b' not allowed\n- b\n")
    other = replace(GOOD, status=1, stderr="Error: x\n- b\n- at '/a': 'b', 'c' not allowed\n")
    assert agreement.compare(one, other) == ""
    assert agreement.compare(one, replace(other, stderr=other.stderr.replace("'c'", "'d'"))) != ""


def test_a_worker_has_an_agreement_of_its_own():
    """It is sent there."""
    helm = Helm(Path("/helm"), "v4.3.1", Path("/home"))
    there = pickle.loads(pickle.dumps(Agreement(FakeEngine(FakeHelm()), 7)))
    assert (there.seed, there.version) == (7, helm.version)


@pytest.mark.parametrize("notes", ["{{ .Release.Name }}: {{ .Values.replicas }} <&> {{ .Values.none }}\n\n", ""])
def test_helm_tells_the_notes(small, notes):
    """As an object beside the others, which are what they are without it."""
    small.write({"templates/NOTES.txt": notes, "templates/other.yaml": "kind: Unknown\n"})
    request = RenderRequest(small.chart, release="name")
    for helm in small.toolbox.renderers:
        plain, told = helm.render(request), agreement.ask_helm(helm, request, 0)
        assert told.stdout == plain.stdout
        assert told.notes == ("name: 1 <&> \n\n" if notes else "")


def test_a_chart_that_renders_nothing_but_notes(small, tmp_path):
    """Helm prints an empty line then."""
    files = {"Chart.yaml": "{apiVersion: v2, name: x, version: 0.1.0}", "templates/NOTES.txt": "x"}
    for name, text in files.items():
        (tmp_path / "empty" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "empty" / name).write_text(text)
    request = RenderRequest(tmp_path / "empty")
    [helm] = small.toolbox.renderers
    assert agreement.ask_helm(helm, request, 0).stdout == helm.render(request).stdout == "\n"


ODD_KEYS = '---\n# Source: c/templates/a.yaml\na:\n  "0123": 1\n  "0x1f": 2\n'


@pytest.mark.parametrize(
    ("other", "agrees"),
    [
        ('---\n# Source: c/templates/a.yaml\na:\n  "0x1f": 2\n  "0123": 1\n', True),
        ('---\n# Source: c/templates/a.yaml\na:\n  "0x1f": 1\n  "0123": 2\n', False),
        ('---\n# Source: c/templates/a.yaml\n"0123": 1\na:\n  "0x1f": 2\n', False),
        ('---\n# Source: c/templates/b.yaml\na:\n  "0x1f": 2\n  "0123": 1\n', False),
    ],
)
def test_the_order_of_keys_is_no_difference(other, agrees):
    """Helm itself has none for some keys with digits; but the same lines have to say the same."""
    difference = agreement.compare(replace(GOOD, stdout=ODD_KEYS), replace(GOOD, stdout=other))
    assert (difference == "") is agrees
