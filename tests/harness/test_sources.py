"""From helm's names of templates to files."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartgen.harness import sources

DEPLOYMENT = """
    ---
    # Source: small/templates/a/deployment.yaml
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: x}
    """


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    """The chart lies below the working directory, in a folder of another name than its own."""
    monkeypatch.chdir(tmp_path)


def test_an_object_comes_from_its_template(rendered):
    """Relative to the working directory, whatever the chart's folder is called."""
    assert sources.find(rendered(DEPLOYMENT), "Deployment/x", Path("charts/mine")) == (
        "charts/mine/templates/a/deployment.yaml"
    )


def test_a_template_is_found_by_itself(rendered):
    """As checks name it that look at the document and not at what it says."""
    made = rendered(DEPLOYMENT)
    assert sources.find(made, "small/templates/a/deployment.yaml", Path("c")) == "c/templates/a/deployment.yaml"


def test_what_is_not_there_comes_from_nowhere(rendered):
    """An object of another name, and the render as a whole."""
    assert sources.find(rendered(DEPLOYMENT), "Deployment/y", Path("c")) == ""
    assert sources.find(rendered(DEPLOYMENT), "", Path("c")) == ""


def test_an_umbrella_is_left_out(rendered):
    """The chart's own folder has no idea of it."""
    made = rendered("# Source: umbrella/charts/gpus/templates/x.yaml\nkind: A\nmetadata: {name: b}\n")
    assert sources.find(made, "A/b", Path("c"), parent="gpus") == "c/templates/x.yaml"


def test_a_refusal_names_the_innermost_template(rendered):
    """The one that helm names last."""
    error = (
        "Error: execution error at (small/templates/a.yaml:1:3): template: small/templates/a.yaml:2:4: executing "
        '"small/templates/a.yaml" at <include "x" .>: error calling include: template: small/charts/b/templates/_x.tpl:3:8: no'
    )
    made = rendered("", status=1, stderr=error)
    assert sources.find(made, "", Path("c")) == "c/charts/b/templates/_x.tpl"
    assert sources.find(rendered("", status=1, stderr="Error: no such chart"), "", Path("c")) == ""


def test_a_chart_elsewhere_is_named_in_full(rendered, tmp_path):
    """There is no shorter way to it."""
    assert sources.path("small/templates/x.yaml", tmp_path.parent / "c") == f"{tmp_path.parent}/c/templates/x.yaml"
