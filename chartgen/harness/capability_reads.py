"""What of a render depends on the cluster: read from the texts of the templates, without rendering them.

A chart that never asks for the version of Kubernetes renders the same for all of them, so that one render can be judged
for all. Comments do not count; what cannot be told from the text counts as a question.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

_COMMENT = re.compile(r"\{\{-?\s*/\*.*?\*/\s*-?\}\}", re.DOTALL)
# `.Capabilities` of which not just the APIs are read: the version, or the whole of it, which may be handed on.
_VERSION = re.compile(r"\bKubeVersion\b|\.Capabilities\b(?!\.(?:APIVersions|HelmVersion)\b)")
_API = re.compile(r"""\bAPIVersions\.Has\s+["`]([^"`\s]+)["`]""")


def reads_kube_version(chart_dir: Path) -> bool:
    """Whether any template of a chart, or of a chart in it, may render something else for another Kubernetes."""
    return any(_VERSION.search(text) for text in _templates(chart_dir))


def guarded_apis(chart_dir: Path) -> frozenset[str]:
    """The APIs that templates ask for by name, as they name them: ``monitoring.coreos.com/v1``."""
    return frozenset(api for text in _templates(chart_dir) for api in _API.findall(text))


def _templates(chart_dir: Path) -> Iterator[str]:
    """The texts of all templates, without their comments; those of packaged subcharts too."""
    for folder in sorted(chart_dir.rglob("templates")):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            yield _COMMENT.sub("", file.read_text(encoding="utf-8", errors="replace"))
    for package in sorted(chart_dir.rglob("charts/*.tgz")):
        with tarfile.open(package) as archive:
            for member in archive:
                stream = archive.extractfile(member) if "/templates/" in member.name else None
                if stream:
                    yield _COMMENT.sub("", stream.read().decode(errors="replace"))
