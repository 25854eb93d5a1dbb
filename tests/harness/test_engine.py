"""The engine: it says what helm says, to the byte, and a request that goes wrong harms no other."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from chartgen.harness import agreement, engine, tools
from chartgen.harness.engine import Engine, Host
from chartgen.harness.tools import RenderRequest, Run, ToolFailed

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "charts" / "gpu-operator"
CHART_YAML = "{apiVersion: v2, name: habits, version: 0.1.0, appVersion: v1}"

# What other people's charts do.
HABITS = {
    "Chart.yaml": """
        apiVersion: v2
        name: habits
        version: 0.1.0
        annotations: {a: b}
        maintainers: [{name: someone}]
        dependencies:
          - {name: part, version: ">=0.1.0", alias: first, condition: first.on}
          - {name: part, version: ">=0.1.0", alias: second, condition: second.on, import-values: [shared]}
          - {name: common, version: "*"}
        """,
    "values.yaml": """
        first: {on: true, gone: null}
        second: {on: false}
        global: {registry: example.org}
        text: "{{ .Release.Name }}-{{ .Values.number }}"
        number: 1e3
        big: 12345678901234567890
        extra: [{kind: ConfigMap, apiVersion: v1, metadata: {name: extra}}]
        """,
    "crds/one.yaml": "{apiVersion: v1, kind: CustomResourceDefinition}",
    "files/some.txt": "some text\n",
    "templates/_names.tpl": '{{ define "habits.name" }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}',
    "templates/all.yaml": """
        kind: ConfigMap
        apiVersion: v1
        metadata: {name: {{ include "habits.name" . }}, annotations: {a: {{ .Chart.Annotations.a }}}}
        data:
          found: {{ lookup "v1" "Secret" "x" "y" | toJson | quote }}
          text: {{ tpl .Values.text . }}
          number: {{ .Values.number }} {{ .Values.big }} {{ .Values.number | int64 }}
          file: {{ .Files.Get "files/some.txt" | quote }}
          capabilities: {{ .Capabilities | toJson | quote }}
          release: {{ .Release | toJson | quote }}
          chart: {{ .Chart.Maintainers | toJson | quote }}
          common: {{ include "common.label" . }}
          values: {{ .Values | toJson | quote }}
          subcharts: {{ keys .Subcharts | sortAlpha | toJson | quote }}
        {{ range .Values.extra }}
        ---
        {{ tpl (toYaml .) $ }}
        {{ end }}
        """,
    "templates/changes.yaml": "{{ $_ := set .Values `number` 7 }}",
    "templates/hooks.yaml": """
        {{ range $weight := list 5 -1 }}
        ---
        kind: Job
        apiVersion: batch/v1
        metadata:
          name: hook{{ $weight }}
          annotations: {helm.sh/hook: "pre-install,test", helm.sh/hook-weight: "{{ $weight }}"}
        {{ end }}
        ---
        {kind: Pod, apiVersion: v1, metadata: {name: odd, annotations: {helm.sh/hook: on-a-whim}}}
        """,
    "templates/odd.yaml": """
        {Kind: Job, apiVersion: v1, metadata: {name: other-case}}
        --- # a comment
        {kind: 5, apiVersion: 1, metadata: {name: 7, annotations: {n: 5}}}
        ---
        {kind: Zebra, apiVersion: v1, Metadata: {annotations: {helm.sh/hook: test}}}
        ---
        {kind: Pod, kind: Service, apiVersion: v1, metadata: {name: twice}}
        ---
        {kind: Secret, apiVersion: v1, metadata: {name: weight, annotations: {helm.sh/hook-weight: "1"}}}
        ---
        {kind: ConfigMap, apiVersion: v1, metadata: {Annotations: {helm.sh/hook: test}}}
        """,
    "templates/plain.yaml": """

        kind: Role
        apiVersion: v1
        metadata: {name: plain, annotations: {a: b}}

        ---
        kind: Namespace
        apiVersion: v1
        text: |+
          kept


        """,
    "templates/empty.yaml": "\n\n{{/* nothing */}}\n",
    "templates/NOTES.txt": "{{ .Release.Name }} in {{ .Release.Namespace }}: {{ .Values.number }}\n",
    "charts/part/Chart.yaml": "{apiVersion: v2, name: part, version: 0.2.0, kubeVersion: '>=1.20.0-0'}",
    "charts/part/values.yaml": "{exports: {shared: {imported: true}}, port: 80, global: {other: 1}}",
    "charts/part/templates/part.yaml": """
        {kind: Service, apiVersion: v1, metadata: {name: {{ .Chart.Name }}}, spec: {ports: [{port: {{ .Values.port }}}]}}
        ---
        {kind: Namespace, apiVersion: v1, metadata: {name: {{ .Values.global.registry }}}}
        """,
    "charts/part/templates/NOTES.txt": "not shown",
    "charts/common/Chart.yaml": "{apiVersion: v2, name: common, version: 1.0.0, type: library}",
    "charts/common/templates/_label.tpl": '{{ define "common.label" }}{{ .Chart.Name }}{{ end }}',
    "charts/common/templates/ignored.yaml": "a library renders nothing",
}
# Charts that are refused, each for a reason of its own.
REFUSED = {
    "parse": {"Chart.yaml": CHART_YAML, "templates/a.yaml": "a: {{ if }}"},
    "function": {"Chart.yaml": CHART_YAML, "templates/a.yaml": "a: {{ nofunction 1 }}"},
    "fail": {"Chart.yaml": CHART_YAML, "templates/a.yaml": "{{ fail `first\nsecond` }}"},
    "required": {"Chart.yaml": CHART_YAML, "templates/a.yaml": "{{ required `is needed` .Values.x }}"},
    "nil": {"Chart.yaml": CHART_YAML, "templates/a.yaml": '{{ define "x" }}{{ .a.b.c }}{{ end }}\n{{ include "x" . }}'},
    "include": {"Chart.yaml": CHART_YAML, "templates/a.yaml": '{{ include "nowhere" . }}'},
    "recursion": {
        "Chart.yaml": CHART_YAML,
        "templates/a.yaml": '{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}',
    },
    "tpl": {"Chart.yaml": CHART_YAML, "templates/a.yaml": "{{ tpl `{{ .a.b.c }}` . }}"},
    "yaml": {"Chart.yaml": CHART_YAML, "templates/a.yaml": "a: [\n", "templates/b.yaml": "kind: Pod\n"},
    "kube": {"Chart.yaml": "{apiVersion: v2, name: habits, version: 0.1.0, kubeVersion: '>=1.99.0'}"},
    "missing": {
        "Chart.yaml": "{apiVersion: v2, name: habits, version: 0.1.0, dependencies: [{name: gone, version: 1.x.x}, {name: too}]}"
    },
    "library": {"Chart.yaml": "{apiVersion: v2, name: habits, version: 0.1.0, type: library}"},
    "chart": {"Chart.yaml": "{apiVersion: v2, name: habits}"},
    "nothing": {"values.yaml": "a: 1"},
    "values": {"Chart.yaml": CHART_YAML, "values.yaml": "a: [\n"},
    "schema": {
        "Chart.yaml": CHART_YAML,
        "values.yaml": "{a: 1}",
        "values.schema.json": '{"properties": {"a": {"type": "string"}}}',
    },
    "own": {"Chart.yaml": CHART_YAML, "values.schema.json": '{"properties": {"a": {"type": 7}}}'},
    "parts": {
        "Chart.yaml": "{apiVersion: v2, name: habits, version: 0.1.0, deprecated: true}",
        "values.yaml": "{part: {a: 1}}",
        "values.schema.json": '{"required": ["b"]}',
        "charts/part/Chart.yaml": "{apiVersion: v2, name: part, version: 0.2.0}",
        "charts/part/values.schema.json": '{"properties": {"a": {"enum": ["x", "y"]}}}',
    },
    "mismatch": {
        "Chart.yaml": CHART_YAML,
        "values.yaml": "{part: 1}",
        "charts/part/Chart.yaml": "{apiVersion: v2, name: part, version: 0.2.0}",
    },
}


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> tuple[Engine, ...]:
    """An engine for each Helm."""
    helms = tools.find_helms(ROOT, tmp_path_factory.mktemp("helm"))
    found = engine.find_engines(ROOT, helms)
    if not found:
        pytest.skip("helm-engine is not in .tools/bin, or of other versions: `make tools-engine` builds it, with Go")
    return found


def assert_same(engines: tuple[Engine, ...], request: RenderRequest) -> list[Run]:
    """The engine's answers, which are those of helm."""
    answers = []
    for each in engines:
        answer, expected = each.render(request), each.helm.render(request)
        assert answer.command == expected.command
        assert agreement.compare(replace(answer, notes=""), expected) == ""
        answers.append(answer)
    return answers


def test_every_profile_is_the_same(engines):
    """Under each Helm."""
    profiles = sorted((ROOT / "values").glob("*.yaml"))
    assert profiles
    with ThreadPoolExecutor(2) as pool:
        for answers in pool.map(lambda file: assert_same(engines, RenderRequest(CHART, (file,))), profiles):
            assert all(bool(answer.notes) == (answer.status == 0) for answer in answers)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"operator": {"enabled": False}, "cluster": {"os": "ubuntu22.04"}}, 0),
        ({"driver": {"enabledd": True}, "toolkit": {"version": 1.1}}, 1),
        ({"operator": {"enabled": False}}, 1),
        ({"driver": None, "nfd": None}, 0),
        ({"nfd": "on"}, 1),
    ],
)
def test_given_values_are_the_same(engines, tmp_path, given, status):
    """Rendered, refused by the schema, by a rule, by a type; helm reads them from a file."""
    answers = assert_same(engines, RenderRequest(CHART, given=given, given_path=tmp_path / "given.yaml"))
    assert [answer.status for answer in answers] == [status, status]


def test_habits_are_the_same(engines, small, tmp_path):
    """Hooks, lookups, aliases, libraries, tpl, lists of objects, templates that change values; and again from memory."""
    chart = small.write(HABITS)
    given = tmp_path / "given.yaml"
    given.write_text(
        "{first: {port: 1}, second: {on: true}, text: '{{ .Values.number | add1 }}', number: null}\n", encoding="utf-8"
    )
    for values in ((), (given,), ()):
        request = RenderRequest(
            chart, values, "some-name", "some-space", "1.30", ("a/v1", "b/v1/C"), upgrade=bool(values)
        )
        answers = assert_same(engines, request)
        assert [answer.status for answer in answers] == [0, 0]
    assert {answer.notes for answer in answers} == {"some-name in some-space: 7\n"}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_the_same(engines, tmp_path, name):
    """Helm's words to the letter, hints and warnings too; and again from memory."""
    for path, text in REFUSED[name].items():
        file = tmp_path / "chart" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for _ in range(2):
        assert {answer.status for answer in assert_same(engines, RenderRequest(tmp_path / "chart"))} == {1}


@pytest.mark.parametrize(
    "changes",
    [
        {"release": "n" * 54},
        {"release": "Upper"},
        {"kube_version": "one"},
        {"values": (Path("/nowhere.yaml"),)},
        {"chart": Path("/nowhere")},
    ],
)
def test_bad_requests_are_the_same(engines, changes):
    """What Helm says before it has read a chart."""
    assert {answer.status for answer in assert_same(engines, replace(RenderRequest(CHART), **changes))} == {1}


def test_warnings_are_the_same(engines, small, tmp_path):
    """They are Helm's logs, and come with each render."""
    chart = small.write(
        {
            "Chart.yaml": "{apiVersion: v2, name: small, version: 1.0.0, deprecated: true}",
            "values.yaml": "a: {b: {c: 1}}",
        }
    )
    (chart / "templates" / "link.yaml").symlink_to(chart / "templates" / "account.yaml")
    given = tmp_path / "given.yaml"
    given.write_text("a: {b: 1}\n", encoding="utf-8")
    for _ in range(2):
        for answer in assert_same(engines, RenderRequest(chart, (given,))):
            assert len(answer.stderr.splitlines()) >= 3


def test_a_changed_chart_is_read_again(engines, small):
    """Charts are kept in memory, but not longer than they last."""
    one, *_ = engines
    for text in ("one", "two", "three"):
        small.write({"templates/config.yaml": f"said: {text}\n"})
        assert f"said: {text}\n" in one.render(RenderRequest(small.chart)).stdout
    (small.chart / "templates" / "config.yaml").unlink()
    assert "said" not in one.render(RenderRequest(small.chart)).stdout


def fake(tmp_path: Path, engines: tuple[Engine, ...], script: str) -> Engine:
    """An engine whose program is a shell script."""
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return Engine(Host(program), engines[0].helm)


def test_a_crash_is_a_failure_of_that_request(engines, tmp_path):
    """The program answers the others and lives on; the command that helm would have been given is shown."""
    crashing = fake(
        tmp_path,
        engines,
        """read -r line; echo '{"id": 1, "stdout": 0, "stderr": 0, "notes": 0, "crash": "panic: x"}'
        read -r line; printf '{"id": 2, "status": 0, "stdout": 2, "stderr": 1, "notes": 0}\\na\\nb'""",
    )
    with pytest.raises(ToolFailed, match=r"^panic: x\n\$ .*helm.* template gpu-operator"):
        crashing.render(RenderRequest(CHART))
    answer = crashing.render(RenderRequest(CHART))
    assert (answer.stdout, answer.stderr) == ("a\n", "b")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo oh >&2; exit 3", r"it ended with status 3\noh\n\$ "),
        ("read -r line; echo gibberish; exec sleep 5", "its answer cannot be read"),
        ("""read -r line; echo '{"id": 1, "stdout": 9, "stderr": 0, "notes": 0}'""", "it ended with status 0"),
    ],
)
def test_a_program_that_ends_is_a_failure(engines, tmp_path, script, said):
    """Whatever it does instead of answering; it is tried twice."""
    with pytest.raises(ToolFailed, match=said):
        fake(tmp_path, engines, script).render(RenderRequest(CHART))


def test_a_program_that_hangs_is_a_failure(engines, tmp_path, monkeypatch):
    """It is stopped."""
    monkeypatch.setattr(tools, "TIMEOUT_SECONDS", 0.05)
    with pytest.raises(ToolFailed, match="not finished after 0 s"):
        fake(tmp_path, engines, "exec sleep 5").render(RenderRequest(CHART))


def test_it_is_started_again_after_its_end(engines):
    """Who asks next finds a new one; a copy for another process has one of its own."""
    first = Engine(Host(engines[0].host.program), engines[0].helm)
    copy = pickle.loads(pickle.dumps(first))
    for each in (first, copy, first):
        assert each.render(RenderRequest(CHART, check_schema=False)).status == 0
        each.host.close()


def test_only_an_engine_of_the_same_version_is_taken(engines, tmp_path):
    """And one that speaks the same protocol; else helm itself does the work."""
    helm = engines[0].helm
    place = tmp_path / tools.LOCAL_TOOLS / engine.PROGRAM
    place.parent.mkdir(parents=True)
    assert engine.find_engines(tmp_path, (helm,)) == ()
    for said, count in (("2 v3.22.0 v4.3.1", 1), ("1 v3.22.0 v4.3.1", 0), ("2 v3.22.0 v4.3.0", 0), ("", 0)):
        place.write_text(f"#!/bin/sh\necho {said}\n", encoding="utf-8")
        place.chmod(0o755)
        assert len(engine.find_engines(tmp_path, (replace(helm, version="v4.3.1"),))) == count
    place.write_bytes(b"not a program")
    assert engine.find_engines(tmp_path, (helm,)) == ()


@pytest.mark.parametrize(("version", "count"), [("v4.3", 1), ("v4.3.1", 1), ("v4.3.2", 0), ("v4", 0), ("v4.30", 0)])
def test_a_helm_that_go_built_knows_no_patch(engines, version, count):
    """Then the minor version counts."""
    found = engine.find_engines(ROOT, (replace(engines[0].helm, version=version),))
    assert len(found) == count
