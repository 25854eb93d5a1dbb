"""Kubeconform's opinion on documents that were judged in process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from chartgen.harness import manifests, schemas, verdicts
from chartgen.harness.judge import Judge
from chartgen.harness.results import State, error
from chartgen.harness.second_opinion import SecondOpinion
from chartgen.harness.tools import Status, ToolFailed, ValidationRequest, Verdict

KUBES = ("1.29", "1.30", "1.37")
GOOD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\ndata: {a: b}\n"
BAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad}\ndata: {a: 1}\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: pod}\nspec: {containers: [{name: x}]}\n"
OTHER = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: other}\n"


@dataclass
class FakeValidator:
    """Says of each document what its text asks for, by default what is right, and remembers what it was asked."""

    version: str = "v0"
    fingerprint: str = "f"
    asked: list[tuple[str, str]] = field(default_factory=list)
    says: dict[str, Verdict] = field(default_factory=dict)
    crash: bool = False

    def validate(self, request: ValidationRequest) -> Mapping[Path, Verdict]:
        if self.crash:
            raise ToolFailed("killed")
        texts = {file: file.read_text(encoding="utf-8") for file in request.files}
        names = [manifests.document("", text).name for text in texts.values()]
        self.asked += [(request.kube_version, name) for name in sorted(names)]
        right = {text: Verdict(Status.INVALID if text == BAD else Status.VALID) for text in texts.values()}
        return {file: self.says.get(text, right[text]) for file, text in texts.items()}


@pytest.fixture
def opinion(tmp_path: Path) -> SecondOpinion:
    """A fake kubeconform and no CRDs."""
    custom = schemas.Custom(tmp_path, {}, {})
    return SecondOpinion(Judge(schemas.find_builtins(tmp_path / "schemas"), custom), FakeValidator(), tmp_path)


def test_agreement_says_nothing(opinion):
    """Neither on a good document nor on a bad one, of which the checks tell."""
    assert opinion.ask([GOOD, BAD, GOOD, OTHER], ["1.37"]) == {}
    assert opinion.validator.asked == [("1.37", "bad"), ("1.37", "good")]


def test_each_schema_is_asked_for_once(opinion):
    """Of a ConfigMap there are two in these versions of Kubernetes, of a Pod three."""
    opinion.ask([GOOD, POD], KUBES)
    assert opinion.validator.asked == [
        ("1.29", "good"), ("1.29", "pod"), ("1.30", "good"), ("1.30", "pod"), ("1.37", "pod"),
    ]  # fmt: skip


def test_kubeconform_refuses_what_was_taken(opinion):
    """An error that names both opinions."""
    opinion.validator.says[GOOD] = Verdict(Status.INVALID, "at '/data': no")
    expected = "kubeconform refuses it for Kubernetes 1.37, and this harness does not: at '/data': no"
    assert opinion.ask([GOOD, BAD], ["1.37"]) == {GOOD: [error(expected, "ConfigMap/good")]}


def test_kubeconform_takes_what_was_refused(opinion):
    """An error just as well."""
    opinion.validator.says[BAD] = Verdict(Status.VALID)
    expected = (
        "kubeconform takes it for Kubernetes 1.37, and this harness does not: data.a is 1, and a string is expected"
    )
    assert opinion.ask([GOOD, BAD], ["1.37"]) == {BAD: [error(expected, "ConfigMap/bad")]}


@pytest.mark.parametrize("status", [Status.ERROR, Status.SKIPPED, Status.EMPTY])
def test_no_opinion_is_an_error(opinion, status):
    """Whatever keeps kubeconform from judging."""
    opinion.validator.says[GOOD] = Verdict(status, "why")
    [finding] = opinion.ask([GOOD], ["1.37"])[GOOD]
    assert (finding.state, finding.message) == (State.ERROR, "kubeconform cannot judge it for Kubernetes 1.37: why")


def test_what_is_refused_need_not_be_readable(opinion):
    """Kubeconform stumbles over a name that is a list; the mistake has been told already."""
    opinion.validator.says[BAD] = Verdict(Status.ERROR, "cannot unmarshal")
    assert opinion.ask([BAD], ["1.37"]) == {}


def test_many_documents_are_asked_about_in_batches(opinion, monkeypatch):
    """Nothing is lost at the seams."""
    monkeypatch.setattr("chartgen.harness.second_opinion._BATCH", 3)
    texts = [GOOD.replace("good", f"good-{number}") for number in range(7)]
    opinion.validator.says[texts[6]] = Verdict(Status.INVALID, "no")
    assert list(opinion.ask(texts, ["1.37"])) == [texts[6]]
    assert len(opinion.validator.asked) == 7


def test_agreements_are_kept(opinion, tmp_path):
    """The next run need not read these documents; what they did not agree on is asked again."""
    opinion.validator.says[POD] = Verdict(Status.INVALID, "no")
    digests = {manifests.digest(text) for text in (GOOD, BAD, POD, OTHER)}
    with verdicts.opened(tmp_path / "verdicts.sqlite") as kept:
        keeping = replace(opinion, verdicts=kept)
        assert keeping.settled(digests, KUBES) == set()
        keeping.ask([GOOD, BAD, POD, OTHER], KUBES)
        assert keeping.settled(digests, KUBES) == digests - {manifests.digest(POD)}
        assert keeping.settled(digests, (*KUBES, "1.36")) == set()


def test_an_agreement_holds_for_the_same_judges_alone(opinion, tmp_path):
    """Another kubeconform, or another CRD, and all is asked again."""
    digest = manifests.digest(GOOD)
    kind = schemas.Kind("example.com/v1", "Thing")
    with verdicts.opened(tmp_path / "verdicts.sqlite") as kept:
        keeping = replace(opinion, verdicts=kept)
        keeping.ask([GOOD], KUBES)
        assert keeping.settled([digest], KUBES) == {digest}
        custom = replace(opinion.judge.custom, schemas={kind: {"type": "object"}})
        others = [
            replace(keeping, validator=FakeValidator(version="v1")),
            replace(keeping, validator=FakeValidator(fingerprint="g")),
            replace(keeping, judge=replace(opinion.judge, custom=custom)),
        ]
        assert [other.settled([digest], KUBES) for other in others] == [set(), set(), set()]


def test_a_crash_is_kept_by_nobody(opinion, tmp_path):
    """The next run asks again."""
    with verdicts.opened(tmp_path / "verdicts.sqlite") as kept:
        keeping = replace(opinion, verdicts=kept, validator=FakeValidator(crash=True))
        with pytest.raises(ToolFailed):
            keeping.ask([GOOD], ["1.37"])
        assert keeping.settled([manifests.digest(GOOD)], ["1.37"]) == set()
