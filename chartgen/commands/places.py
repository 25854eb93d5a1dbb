"""Where things lie, unless the command line says otherwise."""

from __future__ import annotations

from pathlib import Path

# The folder that holds schemas/, values/ and charts/.
PROJECT = Path(__file__).resolve().parents[2]
# Our chart, below the project.
CHART = Path("charts/gpu-operator")
