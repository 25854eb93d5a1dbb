"""kube-linter and checkov: found where they are, run, and read; by programs that answer as those do."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from chartgen.harness import linters
from chartgen.harness.linters import Checkov, KubeLinter, Violation
from chartgen.harness.tools import ToolFailed

KUBE_LINTER = {
    "Checks": [],
    "Reports": [
        {
            "Diagnostic": {"Message": 'container "a" does not have a read-only root file system'},
            "Check": "no-read-only-root-fs",
            "Remediation": "Set readOnlyRootFilesystem to true.",
            "Object": {"Metadata": {"FilePath": "/some/where/0000.yaml"}, "K8sObject": {"Name": "a"}},
        }
    ],
    "Summary": {"ChecksStatus": "Failed"},
}
CHECKOV = {
    "check_type": "kubernetes",
    "results": {
        "failed_checks": [
            {"check_id": "CKV_K8S_16", "check_name": "not privileged", "file_path": "/0000.yaml", "guideline": None},
            {"check_id": "CKV_K8S_16", "check_name": "not privileged", "file_path": "/0000.yaml", "guideline": None},
            {"check_id": "CKV_K8S_8", "check_name": "liveness", "file_path": "/0001.yaml", "guideline": "https://x"},
        ]
    },
}


@pytest.fixture
def program(tmp_path: Path):
    """Makes a program that prints something and ends with some status."""

    def make(name: str, answer: object, status: int = 1, version: str = "v1") -> Path:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        file = tmp_path / "bin" / name
        file.parent.mkdir(exist_ok=True)
        script = f"""\
            #!/bin/sh
            case "$1" in version|--version) echo {version}; exit 0;; esac
            echo "$*" > {tmp_path}/{name}.asked
            cat <<'END'
            """
        file.write_text(textwrap.dedent(script) + f"{text}\nEND\nexit {status}\n", encoding="utf-8")
        file.chmod(0o755)
        return file

    return make


def test_kube_linter_is_read(program, tmp_path):
    """Its message and what it advises."""
    linter = KubeLinter(program("kube-linter", KUBE_LINTER), "v1")
    [said] = linter.judge(tmp_path)
    message = 'container "a" does not have a read-only root file system'
    assert said == Violation("0000.yaml", "no-read-only-root-fs", message, "Set readOnlyRootFilesystem to true.")
    assert (tmp_path / "kube-linter.asked").read_text().split() == ["lint", "--format", "json", str(tmp_path)]


def test_checkov_is_read(program, tmp_path):
    """Each once; of one framework or of a list of them."""
    expected = (
        Violation("0000.yaml", "CKV_K8S_16", "not privileged"),
        Violation("0001.yaml", "CKV_K8S_8", "liveness", "https://x"),
    )
    assert Checkov(program("checkov", CHECKOV), "3").judge(tmp_path) == expected
    assert Checkov(program("checkov", [CHECKOV]), "3").judge(tmp_path) == expected


def test_nothing_to_say(program, tmp_path):
    """Each in its own way."""
    assert KubeLinter(program("kube-linter", {**KUBE_LINTER, "Reports": None}, 0), "v1").judge(tmp_path) == ()
    assert KubeLinter(program("kube-linter", "", 0), "v1").judge(tmp_path) == ()
    assert Checkov(program("checkov", {"passed": 0, "failed": 0}, 0), "3").judge(tmp_path) == ()


@pytest.mark.parametrize(("answer", "status"), [("gibberish", 1), ({"Reports": [{}]}, 1), ("", 1), (KUBE_LINTER, 2)])
def test_a_linter_that_breaks_is_no_pass(program, tmp_path, answer, status):
    """Its last words and the command are shown."""
    with pytest.raises(ToolFailed, match=r"kube-linter lint --format json"):
        KubeLinter(program("kube-linter", answer, status), "v1").judge(tmp_path)


def test_linters_are_found(program, tmp_path, monkeypatch):
    """On PATH, else in the project; one that does not say its version is none."""
    program("checkov", CHECKOV, version="3.3.30")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert [(each.name, each.version) for each in linters.find(tmp_path)] == [("checkov", "3.3.30")]
    local = tmp_path / ".tools" / "bin"
    local.mkdir(parents=True)
    program("kube-linter", KUBE_LINTER, version="v0.7").rename(local / "kube-linter")
    assert [each.name for each in linters.find(tmp_path)] == ["kube-linter", "checkov"]
    (tmp_path / "bin" / "checkov").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    assert [each.name for each in linters.find(tmp_path)] == ["kube-linter"]
