"""Running programs: what is found, what is isolated, and what each kind of failure becomes."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from chartgen.harness import tools
from chartgen.harness.tools import Kubeconform, RenderRequest, Status, ToolFailed, ToolMissing, ValidationRequest


def program(folder: Path, name: str, script: str) -> Path:
    """An executable shell script."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def fake_kubeconform(folder: Path, answer: str, status: int = 0) -> Kubeconform:
    """A kubeconform that always gives one answer."""
    (folder / "answer").write_text(answer, encoding="utf-8")
    return Kubeconform(program(folder, "kubeconform", f"cat {folder}/answer; echo last words >&2; exit {status}"), "v0")


@pytest.fixture
def nothing_on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A PATH with one empty folder."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    return empty


def test_a_missing_helm_is_one_sentence(nothing_on_path, tmp_path):
    """It names the command that helps."""
    with pytest.raises(ToolMissing) as caught:
        tools.find_helms(tmp_path, tmp_path / "home")
    assert str(caught.value) == "helm is neither on PATH nor in .tools/bin: run `make tools`, which installs it there"
    assert caught.value.exit_code == 3


def test_a_missing_kubeconform_is_one_sentence(nothing_on_path, tmp_path):
    """As for helm."""
    with pytest.raises(ToolMissing, match=r"^kubeconform is neither on PATH nor in .*make tools"):
        tools.find_kubeconform(tmp_path)


def test_helm_3_and_4_are_both_found(nothing_on_path, tmp_path):
    """PATH comes before the project's folder; each major version is taken once, the newest first."""
    program(nothing_on_path, "helm", "echo v3.22.0")
    program(tmp_path / ".tools" / "bin", "helm", "echo v4.3.1")
    program(tmp_path / ".tools" / "bin", "helm3", "echo v3.1.0")
    found = tools.find_helms(tmp_path, tmp_path / "home")
    assert [helm.version for helm in found] == ["v4.3.1", "v3.22.0"]


def test_a_broken_helm_is_passed_over(nothing_on_path, tmp_path):
    """A program that does not say its version is none."""
    program(nothing_on_path, "helm", "exit 1")
    program(nothing_on_path, "helm3", "echo v3.22.0")
    assert [helm.version for helm in tools.find_helms(tmp_path, tmp_path / "home")] == ["v3.22.0"]


def test_helm_does_not_see_the_user_s_settings(monkeypatch, tmp_path):
    """Neither Helm's variables nor the cluster of kubectl."""
    monkeypatch.setenv("HELM_NAMESPACE", "mine")
    monkeypatch.setenv("HELM_CACHE_HOME", "/mine")
    monkeypatch.setenv("KUBECONFIG", "/mine")
    environment = tools.helm_environment(tmp_path)
    assert "HELM_NAMESPACE" not in environment
    assert environment["HELM_CACHE_HOME"] == str(tmp_path / "cache")
    assert not Path(environment["KUBECONFIG"]).exists()
    assert environment["PATH"] == os.environ["PATH"]


def test_a_refusal_of_helm_is_no_crash(small):
    """The run says it: status, command and helm's last words."""
    small.write({"templates/config.yaml": "{{ fail `no way` }}"})
    run = small.toolbox.renderers[0].render(RenderRequest(small.chart, kube_version="1.29"))
    assert run.status == 1
    assert run.report().startswith("$ ")
    assert "--kube-version 1.29.0" in run.report()
    assert "no way" in run.report()


def test_all_that_is_asked_reaches_helm(small, tmp_path):
    """Values, release, namespace, APIs."""
    small.write(
        {
            "templates/config.yaml": """
            name: {{ .Release.Name }}
            space: {{ .Release.Namespace }}
            has: {{ .Capabilities.APIVersions.Has "a/v1/B" }}
            value: {{ .Values.replicas }}
            kube: {{ .Capabilities.KubeVersion.Minor }}
            """
        }
    )
    given = tmp_path / "given.yaml"
    given.write_text("replicas: 7\n", encoding="utf-8")
    request = RenderRequest(small.chart, (given,), "name", "space", "1.31", ("a/v1/B",))
    for renderer in small.toolbox.renderers:
        assert "name: name\nspace: space\nhas: true\nvalue: 7\nkube: 31\n" in renderer.render(request).stdout


def test_values_of_an_earlier_run_do_not_stay(small, tmp_path):
    """A case of the same name may have other values now."""
    small.write({"templates/config.yaml": "value: {{ .Values.replicas }}"})
    [helm] = small.toolbox.renderers
    for number in (3, 4):
        request = RenderRequest(small.chart, given={"replicas": number}, given_path=tmp_path / "cases" / "a.yaml")
        assert f"value: {number}" in helm.render(request).stdout


def test_the_values_schema_can_be_left_out(small):
    """For the benchmark, which measures what it costs."""
    small.write({"values.schema.json": '{"properties": {"replicas": {"type": "string"}}}'})
    [helm] = small.toolbox.renderers
    assert helm.render(RenderRequest(small.chart)).status == 1
    assert helm.render(RenderRequest(small.chart, check_schema=False)).status == 0


def test_a_helm_that_is_killed_is_a_crash(small, tmp_path):
    """Never a refusal: nobody has looked at the chart."""
    killed = replace(small.toolbox.renderers[0], program=program(tmp_path, "helm", "kill -9 $$"))
    with pytest.raises(ToolFailed, match="killed by signal 9"):
        killed.render(RenderRequest(small.chart))


def test_a_program_that_cannot_be_started_is_a_crash(tmp_path):
    """The command is shown."""
    with pytest.raises(ToolFailed, match="cannot be started"):
        tools.run([str(tmp_path / "nothing")])


def test_a_program_that_hangs_is_a_crash(monkeypatch, tmp_path):
    """It is stopped and its command shown."""
    monkeypatch.setattr(tools, "TIMEOUT_SECONDS", 0.05)
    with pytest.raises(ToolFailed, match=r"not finished after 0 s\n. .*sleepy"):
        tools.run([str(program(tmp_path, "sleepy", "exec sleep 5"))])


def answer(*resources: tuple[Path, str, str]) -> str:
    """What kubeconform prints."""
    return json.dumps(
        {"resources": [{"filename": str(file), "status": status, "msg": said} for file, status, said in resources]}
    )


def test_kubeconform_s_verdicts_are_read(tmp_path):
    """One for each file."""
    one, two = tmp_path / "1.yaml", tmp_path / "2.yaml"
    validator = fake_kubeconform(tmp_path, answer((one, "statusValid", ""), (two, "statusInvalid", "bad")), 1)
    found = validator.validate(ValidationRequest((one, two), "1.37", ()))
    assert found[one].status is Status.VALID
    assert (found[two].status, found[two].message) == (Status.INVALID, "bad")


def test_of_two_verdicts_on_a_file_the_worse_counts(tmp_path):
    """In either order."""
    file = tmp_path / "1.yaml"
    for order in (("statusValid", "statusInvalid"), ("statusInvalid", "statusValid")):
        validator = fake_kubeconform(tmp_path, answer(*((file, status, "") for status in order)), 1)
        assert validator.validate(ValidationRequest((file,), "1.37", ()))[file].status is Status.INVALID


def test_a_file_without_a_verdict_is_a_crash(tmp_path):
    """Silence is not consent."""
    file = tmp_path / "1.yaml"
    with pytest.raises(ToolFailed, match=r"says nothing about .*1\.yaml"):
        fake_kubeconform(tmp_path, answer()).validate(ValidationRequest((file,), "1.37", ()))


@pytest.mark.parametrize(("said", "status"), [("gibberish", 0), ('{"resources": [{}]}', 0), ('{"resources": []}', 2)])
def test_an_answer_that_cannot_be_read_is_a_crash(tmp_path, said, status):
    """With the command and the last words."""
    with pytest.raises(ToolFailed, match="last words"):
        fake_kubeconform(tmp_path, said, status).validate(ValidationRequest((tmp_path / "1.yaml",), "1.37", ()))


def test_no_files_need_no_program(tmp_path):
    """Kubeconform would wait for standard input."""
    assert Kubeconform(tmp_path / "nothing", "v0").validate(ValidationRequest((), "1.37", ())) == {}
