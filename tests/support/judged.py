"""The chart as it is committed: rendered by a real helm, and judged in Python."""

from __future__ import annotations

import functools
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.harness import tools, values
from chartgen.schema import loader, model
from chartgen.tree.context import Context

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "charts" / "gpu-operator"
DRA = "resource.k8s.io/v1/DeviceClass"
_NOTES_DOCUMENT = """
---
apiVersion: v1
kind: ConfigMap
metadata: {name: the-notes}
data: {text: {{ include "the.notes" . | quote }}}
"""


@functools.cache
def schema() -> model.Schema:
    """The schema that the chart is made from."""
    return loader.load(ROOT / "schemas")


@functools.cache
def _chart() -> values.Chart:
    return values.load(CHART)


def coalesced(given: Mapping[str, Any], major: int = 4) -> dict[str, Any]:
    """What templates see of a user's values."""
    return values.coalesce(_chart(), given, major)


def context(given: Mapping[str, Any], *apis: str) -> Context:
    """The chart's context for a user's values."""
    return Context(coalesced(given), app_version=_chart().app_version, api_versions=frozenset(apis))


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Values by dotted path as values; a backslash keeps a dot in a key."""
    found: dict[str, Any] = {}
    for path, value in flat.items():
        *parents, last = (name.replace("\\.", ".") for name in re.split(r"(?<!\\)\.", path))
        at = found
        for name in parents:
            at = at.setdefault(name, {})
        at[last] = value
    return found


@dataclass(frozen=True)
class Rendered:
    """The chart, or one that has it as a dependency, under one helm.

    Attributes:
        helm: the program.
        folder: for values files.
        chart: what is rendered.
    """

    helm: tools.Helm
    folder: Path
    chart: Path = CHART

    def run(self, given: Mapping[str, Any], *flags: str) -> tools.Run:
        """``helm template`` for a user's values."""
        file = self.folder / "values.yaml"
        file.write_text(yamlio.dump(dict(given)))
        command = [str(self.helm.program), "template", "gpu-operator", str(self.chart), "--namespace", "gpu-operator"]
        command += ["--kube-version", "1.37.0", "--values", str(file), *flags]
        return tools.run(command, tools.helm_environment(self.helm.home))

    def objects(self, given: Mapping[str, Any], *flags: str) -> list[dict[str, Any]]:
        """What it renders."""
        done = self.run(given, *flags)
        assert done.status == 0, done.report()
        return yamlio.load_all(done.stdout)

    def refusals(self, given: Mapping[str, Any], *flags: str) -> list[str]:
        """The sentences with which helm refuses; none when it renders, and the whole text when it says something else."""
        done = self.run(given, *flags)
        if done.status == 0:
            return []
        _, found, text = done.stderr.partition("These values cannot work:")
        return (
            [line.removeprefix("* ") for line in text.splitlines() if line.startswith("* ")] if found else [done.stderr]
        )


def with_notes(folder: Path) -> Path:
    """A copy of the chart that renders NOTES.txt as an object, since ``helm template`` does not show it."""
    copy = folder / "with-notes"
    shutil.copytree(CHART, copy)
    notes = copy / "templates" / "NOTES.txt"
    body = notes.read_text()
    (copy / "templates" / "zz-notes.yaml").write_text('{{ define "the.notes" }}' + body + "{{ end }}" + _NOTES_DOCUMENT)
    notes.unlink()
    return copy


def notes(rendered: Rendered, given: Mapping[str, Any], *flags: str) -> str:
    """What NOTES.txt says; the chart has to be one `with_notes`."""
    texts = [
        found["data"]["text"]
        for found in rendered.objects(given, *flags)
        if found["kind"] == "ConfigMap" and found["metadata"]["name"] == "the-notes"
    ]
    assert len(texts) == 1
    return str(texts[0])
