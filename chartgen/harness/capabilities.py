"""What a Helm takes every cluster to serve when it is told nothing: asked of Helm itself, since each version knows another list."""

from __future__ import annotations

from pathlib import Path

from chartgen import yamlio
from chartgen.harness.tools import Renderer, RenderRequest, ToolFailed

_CHART = "apiVersion: v2\nname: capabilities\nversion: 0.1.0\n"
_TEMPLATE = "served: {{ .Capabilities.APIVersions | toJson }}\n"


def api_versions(renderer: Renderer, scratch: Path) -> frozenset[str]:
    """Every ``group/version`` that templates can ask for.

    Args:
        renderer: which Helm.
        scratch: a folder that a small chart may be written to.

    Raises:
        ToolFailed: it does not say.
    """
    chart = scratch / "capabilities"
    (chart / "templates").mkdir(parents=True, exist_ok=True)
    (chart / "Chart.yaml").write_text(_CHART, encoding="utf-8")
    (chart / "templates" / "served.yaml").write_text(_TEMPLATE, encoding="utf-8")
    run = renderer.render(RenderRequest(chart))
    documents = yamlio.load_all(run.stdout) if run.status == 0 else []
    if len(documents) != 1 or not isinstance(documents[0].get("served"), list):
        raise ToolFailed(f"helm does not say what a cluster serves\n{run.report()}")
    return frozenset(documents[0]["served"])
