"""Judging documents by schema, each distinct one once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chartgen.harness import schemas
from chartgen.harness.judge import Judge
from chartgen.harness.schemas import Kind
from chartgen.harness.tools import Status, ToolFailed, ValidationRequest, Verdict


@dataclass
class FakeValidator:
    """Refuses what has the word "bad" in it, and remembers what it was asked."""

    version: str = "v0"
    asked: list[tuple[str, list[str]]] = field(default_factory=list)
    crash: bool = False

    def validate(self, request: ValidationRequest) -> Mapping[Path, Verdict]:
        if self.crash:
            raise ToolFailed("killed")
        texts = {file: file.read_text(encoding="utf-8") for file in request.files}
        self.asked.append((request.kube_version, sorted(texts.values())))
        return {file: Verdict(Status.INVALID if "bad" in text else Status.VALID) for file, text in texts.items()}


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """A judge with a fake validator and no CRDs."""
    custom = schemas.Custom(tmp_path, {}, {})
    return Judge(FakeValidator(), schemas.find_builtins(tmp_path / "cache"), custom, tmp_path)


def test_a_document_is_judged_once_for_each_kubernetes(judge, rendered):
    """What was judged before is not asked again."""
    first = rendered("---\nkind: A\n---\nkind: bad\n").documents
    second = rendered("---\nkind: bad\n---\nkind: C\n").documents
    assert [verdict.status for verdict in judge.judge(first, "1.37")] == [Status.VALID, Status.INVALID]
    assert [verdict.status for verdict in judge.judge(second, "1.37")] == [Status.INVALID, Status.VALID]
    judge.judge(first, "1.29")
    judge.judge(first, "1.37")
    assert judge.validator.asked == [
        ("1.37", ["kind: A\n", "kind: bad\n"]),
        ("1.37", ["kind: C\n"]),
        ("1.29", ["kind: A\n", "kind: bad\n"]),
    ]


def test_a_crash_is_not_remembered(judge, rendered):
    """The next case asks again."""
    documents = rendered("---\nkind: A\n").documents
    judge.validator.crash = True
    with pytest.raises(ToolFailed):
        judge.judge(documents, "1.37")
    judge.validator.crash = False
    assert [verdict.status for verdict in judge.judge(documents, "1.37")] == [Status.VALID]


def test_unknown_kinds_are_those_without_a_schema(judge, rendered):
    """A builtin one that this Kubernetes has not, and any that only a CRD could define."""
    documents = rendered("""
        ---
        {apiVersion: v1, kind: Pod}
        ---
        {apiVersion: v1, kind: Pot}
        ---
        {apiVersion: example.com/v1, kind: Pod}
        """).documents
    assert judge.unknown(documents, "1.37") == {Kind("v1", "Pot"), Kind("example.com/v1", "Pod")}
