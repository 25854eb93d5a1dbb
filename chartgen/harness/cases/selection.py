"""Which of the cases a person asked for."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from chartgen.errors import ChartgenError, Problem
from chartgen.harness.case import Case


def select(cases: Sequence[Case], wanted: Sequence[str]) -> list[Case]:
    """The cases that a pattern matches: by their name, by its end after the group, or by the profile's name. All without a pattern.

    Raises:
        ChartgenError: there is none.
    """
    found = [case for case in cases if not wanted or any(_matches(case, pattern) for pattern in wanted)]
    if not found:
        groups = ", ".join(dict.fromkeys(f"{case.group.value}/*" for case in cases))
        names = f"a case, such as {cases[0].name}, or a pattern: {groups}" if cases else "at least one case"
        raise ChartgenError([Problem("--case", "", ", ".join(wanted) or "nothing to render", names)])
    return found


def _matches(case: Case, pattern: str) -> bool:
    names = [case.name, case.name.partition("/")[2], *([case.profile.name] if case.profile else [])]
    return any(fnmatch.fnmatchcase(name, pattern) for name in names)
