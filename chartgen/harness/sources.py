"""Which file of the chart a finding is about, as a path that an editor or a code host opens.

Helm names the template of each document after the chart's name, and so do its errors; under an umbrella chart both
begin with the umbrella.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from chartgen.harness.manifests import Rendered

_NAMED_IN_ERROR = re.compile(r"\b([\w.-]+(?:/charts/[\w.-]+)*/templates/[\w./-]+?\.(?:yaml|yml|tpl|txt|json))\b")


def find(rendered: Rendered, subject: str, chart: Path, parent: str = "") -> str:
    """The file that an object came from, or that helm's refusal names; empty when there is none to name.

    Args:
        rendered: the render.
        subject: what a finding is about, see `chartgen.harness.results.Result`.
        chart: the chart's folder.
        parent: see `chartgen.harness.case.Case.parent`.
    """
    if rendered.run.status != 0:
        named = _NAMED_IN_ERROR.findall(rendered.run.stderr)
        # The innermost template is named last: the others include it.
        return path(named[-1], chart, parent) if named else ""
    for document in rendered.documents:
        if subject and document.source and subject in (document.identity, document.source):
            return path(document.source, chart, parent)
    return ""


def path(source: str, chart: Path, parent: str = "") -> str:
    """``gpu-operator/templates/x.yaml`` as a path of the chart's folder, relative to the working directory when below it."""
    file = chart.absolute() / inside(source, parent)
    here = Path.cwd()
    return (file.relative_to(here) if file.is_relative_to(here) else Path(os.path.normpath(file))).as_posix()


def inside(source: str, parent: str = "") -> str:
    """``gpu-operator/templates/x.yaml`` as a path from the chart's folder: ``templates/x.yaml``."""
    below = source.partition("/")[2]
    return below.removeprefix(f"charts/{parent}/") if parent else below
