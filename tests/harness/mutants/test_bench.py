"""Mutants of a small chart, judged by the real helm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chartgen.harness.case import Case, Group
from chartgen.harness.mutants import catalogue, score
from chartgen.harness.mutants.bench import Bench
from chartgen.harness.options import Options
from chartgen.harness.session import Brief

SWITCH = """
    {{- if .Values.on }}
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: more, namespace: "{{ .Release.Namespace }}"}
    {{- end }}
    """

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: clusterpolicies.nvidia.com
spec:
  group: nvidia.com
  names: {kind: ClusterPolicy, plural: clusterpolicies}
  scope: Cluster
  versions:
    - name: v1
      served: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                driver:
                  type: object
                  properties:
                    port: {x-kubernetes-int-or-string: true}
                    enabled:
                      type: boolean
                    version:
                      type: string
"""


@pytest.fixture
def brief(small):
    """What judges the small chart."""
    small.write({"templates/more.yaml": SWITCH, "values.yaml": "replicas: 1\non: false\n"})
    return Brief(small.chart, Options(small.root), small.toolbox)


@pytest.fixture
def cases(brief):
    """The defaults, and the switch both ways."""
    helm = brief.toolbox.renderers[0].version
    given = {"default": {}, "on": {"on": True}, "off": {"on": False}}
    return [Case(f"variation/{name}", Group.VARIATION, helm, "1.37", values) for name, values in given.items()]


def mutants(chart: Path, fault: str, file: str):
    """Every mutant of a kind in a file."""
    sources = [source for source in catalogue.sources(chart) if source.file == file]
    return catalogue.all_of(sources, [each for each in catalogue.FAULTS if each.name == fault])


def test_a_mutant_is_found_out_by_the_first_case_that_differs(brief, cases):
    """And says which, and by which check; the cases before came out as they do from the chart."""
    [broken] = mutants(brief.chart_dir, "key-renamed", "templates/more.yaml")[1:2]
    assert broken.before == "kind: ConfigMap"
    trial = Bench(brief, cases).judge(broken)
    assert trial.is_caught
    assert (trial.finding.case, trial.finding.check) == ("variation/on", "renders")
    assert "no kind in a document of small/templates/more.yaml" in trial.finding.message


def test_a_mutant_that_no_case_shows_gets_away(brief, cases):
    """After all cases."""
    [broken] = mutants(brief.chart_dir, "key-renamed", "templates/more.yaml")[1:2]
    trial = Bench(brief, [cases[0], cases[2]]).judge(broken)
    assert (trial.is_caught, trial.cases) == (False, 2)


def test_a_chart_that_cannot_be_read_is_found_out(brief, cases):
    """Before any case."""
    (brief.chart_dir / "crds" / "policies.yaml").write_text(CRD)
    found = mutants(brief.chart_dir, "crd-changed", "crds/policies.yaml")
    [broken] = [each for each in found if each.before == "  scope: Cluster"]
    unreadable = replace(broken, edits=(replace(broken.edits[0], text="[]: []: ["),))
    trial = Bench(brief, cases).judge(unreadable)
    assert (trial.finding.check, trial.cases) == ("chart", 0)
    assert "not YAML" in trial.finding.message


def test_the_next_mutant_is_of_the_sound_chart(brief, cases):
    """What one changed is put back, in the copy; the chart itself was never touched."""
    before = {path: path.read_bytes() for path in brief.chart_dir.rglob("*") if path.is_file()}
    bench = Bench(brief, cases)
    found = [bench.judge(each) for each in mutants(brief.chart_dir, "key-renamed", "templates/account.yaml")]
    assert all(trial.is_caught for trial in found)
    copies = {path: path.read_bytes() for path in brief.toolbox.scratch.glob("mutant/chart/**/*") if path.is_file()}
    assert sorted(copies.values()) == sorted(before.values())
    assert {path: path.read_bytes() for path in brief.chart_dir.rglob("*") if path.is_file()} == before


def test_a_crd_is_judged_by_what_is_rendered(brief, cases):
    """Although no render differs."""
    (brief.chart_dir / "crds" / "policies.yaml").write_text(CRD)
    [_, _, _, _, broken] = mutants(brief.chart_dir, "crd-type-changed", "crds/policies.yaml")
    assert Bench(brief, cases).judge(broken).finding.check == "custom-resources"


def test_processes_come_to_the_same(brief, cases):
    """Each mutant once, whoever judged it."""
    broken = mutants(brief.chart_dir, "key-renamed", "templates/account.yaml")
    broken += mutants(brief.chart_dir, "key-renamed", "templates/more.yaml")
    broken += mutants(brief.chart_dir, "key-renamed", "templates/config.yaml")
    assert len(broken) > 8

    def said(jobs):
        options = Options(brief.options.project, jobs=jobs)
        alone = Brief(brief.chart_dir, options, brief.toolbox)
        found = [trial for trial in score.trials(alone, cases, broken) if trial.finding]
        return {trial.mutant: (trial.finding.case, trial.finding.check, trial.finding.subject) for trial in found}

    assert said(2) == said(1)
