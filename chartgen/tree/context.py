"""What a template sees besides its own text: values, the release, the chart and the cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Context:
    """The input of an evaluation.

    Attributes:
        values: the chart's defaults with the user's values on top, as Helm merges them.
        release_name: name of the release.
        namespace: namespace of the release.
        chart_name: from Chart.yaml, as are the next two.
        chart_version: of the chart.
        app_version: of the operator.
        release_service: always Helm.
        api_versions: what the cluster serves: ``group/version`` and ``group/version/Kind``.
    """

    values: Mapping[str, Any]
    release_name: str = "gpu-operator"
    namespace: str = "gpu-operator"
    chart_name: str = "gpu-operator"
    chart_version: str = "0.1.0"
    app_version: str = ""
    release_service: str = "Helm"
    api_versions: frozenset[str] = field(default_factory=frozenset)


def lookup(values: Any, path: str) -> Any:
    """The value at a dotted path; None when it, or a parent, is missing or null."""
    for name in path.split("."):
        if not isinstance(values, Mapping):
            return None
        values = values.get(name)
    return values
