"""Rendering a case once more, for checks that hold one render against another: of the same chart, or of one that is a little different.

It costs as much as the first render, so these checks look at the cases that people wrote and at a sample of all others.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from chartgen.harness.case import Case, Group
from chartgen.harness.manifests import Rendered
from chartgen.harness.results import Finding, skipped

# One in so many cases; which ones depends on their names alone, so that they are the same in every run and every worker.
_SAMPLE = 32
_WRITTEN = (Group.PROFILE, Group.GIVEN)

NOT_SAMPLED = skipped("asked of the values that people wrote, and of a sample of all other cases")
NO_RENDERER = skipped("there is nothing here to render the case once more")


@dataclass
class Rerender:
    """Renders cases once more.

    Attributes:
        chart_dir: the chart that is judged.
        scratch: a folder for changed copies of it.
        render: renders a case with a chart directory, and reads what comes of it.
        previous: the folder of the chart's previous version; None for none.
    """

    chart_dir: Path
    scratch: Path
    render: Callable[[Case, Path], Rendered]
    previous: Path | None = None
    _copies: dict[str, Path] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def again(self, case: Case) -> Rendered:
        """The same once more.

        Raises:
            ToolFailed: Helm neither renders nor refuses.
        """
        return self.render(case, self.chart_dir)

    def copy(self, name: str, edit: Callable[[Path], None]) -> Path:
        """A copy of the chart with something changed, made when it is first asked for.

        Args:
            name: what it is called; the same name gets the same copy.
            edit: changes the files of the folder that it is given.
        """
        with self._lock:
            if name not in self._copies:
                folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.scratch)) / self.chart_dir.resolve().name
                shutil.copytree(self.chart_dir, folder)
                edit(folder)
                self._copies[name] = folder
            return self._copies[name]


def left_out(rerender: Rerender | None, case: Case) -> Finding | None:
    """Why a case is not rendered once more; None when it is."""
    if rerender is None:
        return NO_RENDERER
    if case.group in _WRITTEN or zlib.crc32(case.name.encode()) % _SAMPLE == 0:
        return None
    return NOT_SAMPLED
