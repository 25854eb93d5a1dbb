"""Judging documents by schema, each distinct one once."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartgen.harness import judge as judging
from chartgen.harness import manifests, schemas
from chartgen.harness.judge import Judge
from chartgen.harness.schemas import Kind

CONFIG = "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: 1}}"
CUSTOM = Kind("example.com/v1", "Thing")


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """A judge with one CRD."""
    openapi = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "integer"}}}}}
    custom = schemas.Custom(tmp_path, {CUSTOM: schemas.of_resource(openapi, CUSTOM)}, {CUSTOM: openapi})
    return Judge(schemas.find_builtins(tmp_path / "cache"), custom)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the objects that were judged."""
    asked: list[str] = []
    real = judging.violations

    def counting(validator, schema, content):
        asked.append(content["metadata"]["name"])
        return real(validator, schema, content)

    monkeypatch.setattr(judging, "violations", counting)
    return asked


def test_a_mistake_is_told_by_its_path(judge):
    """With what is there and what is expected."""
    assert judge.judge(manifests.document("", CONFIG), "1.37") == ("data.a is 1, and a string is expected",)
    good = manifests.document("", CONFIG.replace("a: 1", "a: b"))
    assert judge.judge(good, "1.37") == ()


def test_a_document_is_judged_once_for_each_schema(judge, counted):
    """Kubernetes versions with the same schema of a kind are one."""
    for kube in ("1.29", "1.30", "1.31", "1.37", "1.30"):
        judge.judge(manifests.document("", CONFIG), kube)
    assert counted == ["x", "x"]


def test_a_custom_resource_is_judged_once(judge, counted):
    """Its CRD is the same everywhere."""
    thing = manifests.document("", "{apiVersion: example.com/v1, kind: Thing, metadata: {name: t}, spec: {a: b}}")
    for kube in ("1.29", "1.37"):
        assert judge.judge(thing, kube) == ('spec.a is "b", and an integer is expected',)
    assert counted == ["t"]


@pytest.mark.parametrize(
    ("kind", "kube"),
    [
        ("v1, kind: Pot", "1.37"),
        ("example.com/v1, kind: Pod", "1.37"),
        ("resource.k8s.io/v1, kind: DeviceClass", "1.29"),
    ],
)
def test_a_kind_without_a_schema_is_not_judged(judge, kind, kube):
    """A builtin one that this Kubernetes does not have, and any that only a CRD could define."""
    assert judge.judge(manifests.document("", f"{{apiVersion: {kind}}}"), kube) is None
