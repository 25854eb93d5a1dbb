"""What a run is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chartgen.harness.case import Group


@dataclass(frozen=True)
class Shard:
    """One of several equal parts of all cases, for machines that share the work.

    Attributes:
        number: which part, from 1.
        of: how many there are.
    """

    number: int = 1
    of: int = 1


@dataclass(frozen=True)
class Options:
    """What to validate and how.

    Attributes:
        project: the folder with ``schemas/``, ``values/`` and ``.tools/``.
        cases: glob patterns for case or profile names; all when empty.
        components: parts of template paths: only what concerns these files; everything when empty.
        checks: names of checks; all when empty.
        kubes: Kubernetes minor versions; the oldest and the newest supported when empty.
        groups: the kinds of cases; all when empty.
        files: values files to judge the chart with, in place of any other case.
        jobs: how many cases are worked on at a time.
        strength: how many parameters each combination of the covering array has: 2, or 3 for the full run.
        full: every assignment of the conditions of each template file, too.
        seed: of the covering arrays and of random examples.
        examples: how many sets of random values are tried.
        shard: see `Shard`.
        fail_fast: whether to stop at the first failure.
        changed: a git revision: only cases that the files changed since then concern; empty for all.
        previous: the folder of the chart's previous version, to upgrade from; None for none.
        profiles: folder of values files; ``values/`` of the project when None.
        cache: folder for what is kept between runs; ``.cache`` of the project when None.
        fresh: whether to judge everything anew.
        fail_under: the percentage of lines and of branches that must be reached at least; 0 for any.
    """

    project: Path
    cases: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    kubes: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    files: tuple[Path, ...] = ()
    jobs: int = 2
    strength: int = 2
    full: bool = False
    seed: int = 0
    examples: int = 0
    shard: Shard = Shard()
    fail_fast: bool = False
    changed: str = ""
    previous: Path | None = None
    profiles: Path | None = None
    cache: Path | None = None
    fresh: bool = False
    fail_under: int = 0

    def owns(self, chart_dir: Path) -> bool:
        """Whether a chart is the project's own: its profiles speak of it, and it keeps what the project promises."""
        return chart_dir.resolve().is_relative_to(self.project.resolve())

    def concerns(self, template: str) -> bool:
        """Whether a template, by its path in the chart's folder, is among the components that are asked for."""
        return not self.components or any(component in template for component in self.components)

    @property
    def cache_folder(self) -> Path:
        """Where results and schemas are kept."""
        return self.cache or self.project / ".cache"

    @property
    def again(self) -> tuple[str, ...]:
        """The words of a command line that plan the same cases, without those that choose among them."""
        words = [word for kube in self.kubes for word in ("--kube", kube)]
        words += [word for file in self.files for word in ("--values", str(file))]
        words += ["--full"] if self.full else []
        for name in ("strength", "seed", "examples", "previous"):
            value = getattr(self, name)
            if value != getattr(type(self), name):
                words += [f"--{name}", str(value)]
        return tuple(words)

    @property
    def whole(self) -> bool:
        """Whether nothing was left out that a run of this kind has; only such a run speaks for the chart."""
        chosen = (self.cases, self.components, self.checks, self.groups, self.files, self.changed)
        return not any(chosen) and self.shard.of == 1
