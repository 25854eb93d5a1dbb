"""``python -m benchmarks.scale``: what a case costs, against a process for each, and how that grows with the number of cases.

The naive way is one ``helm template`` and one ``kubeconform`` for each case, and nothing else is judged. Ours is a whole run of
`chartgen validate` on the same cases, with all of its checks, from the plan to the report.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chartgen.errors import ChartgenError
from chartgen.harness import run, schemas, tools
from chartgen.harness.case import NEWEST, Group
from chartgen.harness.judge import kind_of
from chartgen.harness.manifests import Reader
from chartgen.harness.options import Options, Shard
from chartgen.profiles import load

_PROJECT = Path(__file__).resolve().parent.parent
# About a hundred, a thousand, and all of the default run.
_SHARDS = (80, 8, 1)


@dataclass(frozen=True)
class Line:
    """So many cases took so long."""

    name: str
    cases: int
    seconds: float

    @property
    def each(self) -> float:
        """Milliseconds for a case."""
        return 1000 * self.seconds / self.cases


def main() -> int:
    """Measure and print; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description="Time naive and whole runs.")
    parser.add_argument("--naive", type=int, default=10, help="how many profiles the naive way renders (default 10)")
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
            lines = measure(_PROJECT, Path(name), given.naive)
    except (tools.ToolMissing, tools.ToolFailed, ChartgenError) as failure:
        print(failure, file=sys.stderr)
        return getattr(failure, "exit_code", 2)
    print("\n".join(table(lines)))
    return 0


def measure(project: Path, scratch: Path, naive: int) -> list[Line]:
    """All lines, the naive way first, then the same cases by us, then ever more cases."""
    chart = project / "charts" / "gpu-operator"
    names = [profile.name for profile in load(project / "values")[:naive]]
    lines = [_naive(project, chart, scratch, names)]
    same = Options(project, cases=tuple(f"profile/{name}/helm4/kube{NEWEST}" for name in names), kubes=(NEWEST,))
    lines.append(_ours("validate, the same cases", chart, same, scratch / "same"))
    profiles = Options(project, groups=(Group.PROFILE,))
    lines.append(_ours("validate, all profiles", chart, profiles, scratch / "profiles"))
    for of in _SHARDS:
        options = Options(project, shard=Shard(1, of))
        lines.append(_ours(f"validate, 1/{of} of the default run", chart, options, scratch / f"shard-{of}"))
    return lines


def _naive(project: Path, chart: Path, scratch: Path, names: Sequence[str]) -> Line:
    """A process for each step of each case."""
    helm = tools.find_helms(project, scratch / "helm")[0]
    validator = tools.find_kubeconform(project)
    builtins = schemas.find_builtins(scratch / "schemas")
    custom = schemas.write_custom(chart, scratch / "crds")
    locations = (custom.location, builtins.location(NEWEST))
    seconds = 0.0
    for name in names:
        request = tools.RenderRequest(chart, (project / "values" / f"{name}.yaml",), kube_version=NEWEST)
        documents = Reader().read(helm.render(request)).documents
        builtins.prepare(NEWEST, [kind for kind in map(kind_of, documents) if kind.is_builtin])
        file = scratch / f"{name}.yaml"
        start = time.perf_counter()
        file.write_text(helm.render(request).stdout, encoding="utf-8")
        validator.validate(tools.ValidationRequest((file,), NEWEST, locations))
        seconds += time.perf_counter() - start
    return Line("helm and kubeconform, a process each", len(names), seconds)


def _ours(name: str, chart: Path, options: Options, cache: Path) -> Line:
    start = time.perf_counter()
    report = run.validate(chart, replace(options, cache=cache))
    return Line(name, len(report.cases), time.perf_counter() - start)


def table(lines: Sequence[Line]) -> list[str]:
    """A line for each, with the ratio to the first."""
    width = max(len(line.name) for line in lines)
    rows = [f"{'':{width}}   cases  seconds  ms a case  ratio"]
    for line in lines:
        ratio = lines[0].each / line.each
        rows.append(f"{line.name:{width}} {line.cases:7,} {line.seconds:8.1f} {line.each:10.1f} {ratio:6.1f}")
    return rows


if __name__ == "__main__":
    sys.exit(main())
