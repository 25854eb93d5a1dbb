"""Whether a chart renders something else for another Kubernetes."""

from __future__ import annotations

import tarfile

import pytest

from chartgen.harness import capability_reads


@pytest.mark.parametrize(
    "text",
    [
        '{{ if semverCompare ">=1.30" .Capabilities.KubeVersion.Version }}a: b{{ end }}',
        "{{ $.Capabilities.KubeVersion.Minor }}",
        '{{ include "x" .Capabilities }}',
        "{{ $all := $.Capabilities }}",
        "{{ with .Capabilities }}{{ .KubeVersion }}{{ end }}",
    ],
)
def test_the_version_is_read(small, text):
    """In a template, a helper, the notes, a subchart."""
    assert not capability_reads.reads_kube_version(small.chart)
    for name in ("templates/a.yaml", "templates/_helpers.tpl", "charts/sub/templates/NOTES.txt"):
        small.write({name: text})
        assert capability_reads.reads_kube_version(small.chart)
        (small.chart / name).unlink()


@pytest.mark.parametrize(
    "text",
    [
        '{{ if .Capabilities.APIVersions.Has "a/v1" }}a: b{{ end }}',
        "{{ .Capabilities.HelmVersion.Version }}",
        "{{- /* not .Capabilities.KubeVersion,\n which would differ */ -}}",
    ],
)
def test_the_version_is_not_read(small, text):
    """Other capabilities are the same for every Kubernetes, and a comment is none."""
    small.write({"templates/a.yaml": text})
    assert not capability_reads.reads_kube_version(small.chart)


def test_a_packaged_subchart_is_looked_into(small):
    """Charts of other people bring them so."""
    small.write(
        {
            "sub/templates/a.yaml": '{{ if .Capabilities.APIVersions.Has "a/v1" }}{{ .Capabilities.KubeVersion }}{{ end }}'
        }
    )
    (small.chart / "charts").mkdir()
    with tarfile.open(small.chart / "charts" / "sub-1.0.0.tgz", "w:gz") as archive:
        archive.add(small.chart / "sub" / "templates" / "a.yaml", "sub/templates/a.yaml")
    (small.chart / "sub" / "templates" / "a.yaml").unlink()
    assert capability_reads.reads_kube_version(small.chart)
    assert capability_reads.guarded_apis(small.chart) == {"a/v1"}


def test_the_apis_that_are_asked_for(small):
    """With or without a kind, each once."""
    small.write({
        "templates/a.yaml": '{{ if or (.Capabilities.APIVersions.Has "a/v1/B") ($.Capabilities.APIVersions.Has `c/v1`) }}{{ end }}'
    })  # fmt: skip
    assert capability_reads.guarded_apis(small.chart) == {"a/v1/B", "c/v1"}
