"""A chart of the size that upstream's chart has, to hold ours against.

Upstream's default render is 28 documents and 39 KB, made without a schema of its values. This chart renders as much, from
templates that read a value on every fourth line and guard a block on every tenth, as charts written by hand do.
"""

from __future__ import annotations

from pathlib import Path

_DOCUMENTS = 28
_LINES = 24
_CHART = "apiVersion: v2\nname: anchor\nversion: 0.1.0\n"


def write(folder: Path) -> Path:
    """Write the chart below `folder`, and return where it is."""
    (folder / "templates").mkdir(parents=True)
    (folder / "Chart.yaml").write_text(_CHART, encoding="utf-8")
    values = [f"component{number}:\n  enabled: true\n  image: nvcr.io/nvidia/component" for number in range(_DOCUMENTS)]
    (folder / "values.yaml").write_text("\n".join(values) + "\n", encoding="utf-8")
    for number in range(_DOCUMENTS):
        (folder / "templates" / f"component{number}.yaml").write_text(_template(number), encoding="utf-8")
    return folder


def _template(number: int) -> str:
    lines = ["apiVersion: v1", "kind: ConfigMap", "metadata:", f"  name: component{number}", "data:"]
    for line in range(_LINES):
        value = f"{{{{ .Values.component{number}.image | quote }}}}" if line % 4 == 0 else f"a-plain-value-{line}"
        entry = f"  a.longer-key-of-the-mapping-{line}: {value}"
        if line % 10 == 0:
            lines += [f"  {{{{- if .Values.component{number}.enabled }}}}", entry, "  {{- end }}"]
        else:
            lines.append(entry)
    return "\n".join(lines) + "\n"
