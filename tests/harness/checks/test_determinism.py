"""A chart that renders differently each time, and why."""

from __future__ import annotations

import pytest

from chartgen.harness.checks import determinism

PROFILE = "# title: t\n# summary: s\n# expect: {objects: {set: [A/b]}}\n\n{}\n"
SECRET = """
    apiVersion: v1
    kind: Secret
    metadata: {name: small}
    stringData:
      password: PASSWORD
    """


@pytest.fixture
def said(small):
    """What the check says of the small chart with some files changed."""

    def ask(files: dict[str, str]) -> list[tuple[str, str, str]]:
        small.write(files)
        found = [each for each in small.judge(PROFILE, checks=("determinism",)).results if each.check == "determinism"]
        return [(each.state.value, each.subject, each.message) for each in found]

    return ask


def secret(password: str) -> str:
    """A Secret with some expression for a password."""
    return SECRET.replace("PASSWORD", password)


def test_a_chart_that_renders_the_same_each_time(said):
    """Whatever it mentions in comments and texts."""
    text = '{{/* randAlphaNum 8 */}}{{- "now and then" | quote }}'
    assert said({"templates/secret.yaml": secret(text)}) == [("valid", "", "")]


@pytest.mark.parametrize(
    ("expression", "function"),
    [
        ("{{ randAlphaNum 16 | quote }}", "randAlphaNum"),
        ("{{ uuidv4 }}", "uuidv4"),
        ('{{ (genCA "x" 1).Cert | b64enc }}', "genCA"),
        ("{{ now | unixEpoch }}{{ uuidv4 }}", "now, uuidv4"),
        ('{{ htpasswd "a" "b" | quote }}', "htpasswd"),
    ],
)
def test_a_chart_that_does_not(said, small, expression, function):
    """The field, the file and what it calls are named."""
    [(state, subject, message)] = said({"templates/secret.yaml": secret(expression)})
    assert (state, subject) == ("invalid", "Secret/small")
    assert message.startswith("stringData.password differ with each render; ")
    assert message.endswith(f"{small.chart.name}/templates/secret.yaml calls {function}")


def test_a_helper_is_the_reason(said):
    """It is named; helpers that have nothing restless in them are not."""
    helpers = '{{ define "a" }}{{ uuidv4 }}{{ end }}'
    files = {"templates/_a.tpl": helpers, "templates/_b.tpl": '{{ define "b" }}b{{ end }}'}
    [(_, _, message)] = said({**files, "templates/secret.yaml": secret('{{ include "a" . }}')})
    assert message.endswith("/templates/_a.tpl calls uuidv4")


def test_a_chart_that_looks_first_is_not_blamed(said):
    """In a cluster it finds what it made; that it does not where it is only rendered is told."""
    guarded = '{{ with lookup "v1" "Secret" "x" "small" }}{{ .data.password }}{{ else }}{{ uuidv4 }}{{ end }}'
    [valid, (state, _, message)] = said({"templates/secret.yaml": secret(guarded)})
    assert (state, valid[0]) == ("skipped", "valid")
    assert "but for clusters where the template finds the object already" in message


def test_names_that_change(said):
    """Objects pile up with each upgrade."""
    told = said({"templates/secret.yaml": secret("a").replace("name: small", 'name: "x{{ randNumeric 9 }}"')})
    assert [(state, message) for state, _, message in told] == [
        ("invalid", "it is not there each time, or has another name")
    ] * 2


def test_what_a_template_calls():
    """Each once, in the order of the text, of actions alone."""
    text = 'now {{ now }} {{- /* uuidv4 */ -}} {{ printf "%s bcrypt" (randAlpha 3) }} {{ now }} {{ .Values.now }}'
    assert determinism.calls(text).restless == ("now", "randAlpha")
    assert determinism.calls("{{ lookup . }}").looks_up
    assert not determinism.calls("lookup {{ `lookup` }}").looks_up
