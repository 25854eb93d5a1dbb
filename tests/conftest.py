"""What all tests share: the tools that `make` installed, and how many examples hypothesis tries.

The default profile tries the same examples every time, so that a red run stays red. To look for something new:
``HYPOTHESIS_PROFILE=explore make test``.
"""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
from hypothesis import configuration
from hypothesis.database import DirectoryBasedExampleDatabase

ROOT = Path(__file__).resolve().parents[1]
_CACHE = ROOT / ".cache" / "hypothesis"

# So that `pytest` alone finds the helm and the kubeconform that `make test` finds.
os.environ["PATH"] = os.pathsep.join([str(ROOT / ".tools" / "bin"), os.environ.get("PATH", os.defpath)])

configuration.set_hypothesis_home_dir(_CACHE)
hypothesis.settings.register_profile("default", max_examples=60, derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile(
    "explore", max_examples=1000, deadline=None, database=DirectoryBasedExampleDatabase(_CACHE / "examples")
)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
