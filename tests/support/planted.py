"""The committed chart with a fault in it: what is changed in its files, and what the checks then say of a case."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from support.judged import CHART, ROOT, nested

from chartgen import profiles
from chartgen.harness import capabilities, engine, schemas, session, tools
from chartgen.harness.case import NEWEST, Case, Group, Refusal
from chartgen.harness.checks import pod_security
from chartgen.harness.manifests import Reader
from chartgen.harness.options import Options
from chartgen.harness.results import Result
from chartgen.harness.session import Brief, Session, Shared
from chartgen.harness.tools import RenderRequest

OWN = "templates/"
NFD = "charts/node-feature-discovery/templates/"
# Profiles that together say of every template what level its pods need.
_DECLARING = ("default", "everything-on", "static")


@dataclass(frozen=True)
class Change:
    """A text in place of another, in a file of the chart. The other is a pattern when it is compiled, and is there once."""

    file: str
    old: str | re.Pattern[str]
    new: str

    def make(self, chart: Path) -> None:
        """Changes the file; that the text is not there fails the test."""
        path = chart / self.file
        text = path.read_text(encoding="utf-8")
        pattern = re.compile(re.escape(self.old)) if isinstance(self.old, str) else self.old
        assert len(pattern.findall(text)) == 1, f"{self.old} is not there once"
        path.write_text(pattern.sub(lambda _: self.new, text), encoding="utf-8")


@dataclass(frozen=True)
class Planted:
    """A fault, the values that show it, and who finds it.

    Attributes:
        name: the fault, in a few words.
        changes: how it is made.
        found_by: checks that must find it; others may.
        given: values by dotted path.
        refused: the path that a refusal of these values must name; empty when they must render.
        apis: what the cluster serves besides.
    """

    name: str
    changes: tuple[Change, ...]
    found_by: tuple[str, ...]
    given: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    apis: tuple[str, ...] = ()

    @property
    def case(self) -> Case:
        """The values as a case."""
        refusal = Refusal(self.refused) if self.refused else None
        group = Group.REFUSAL if refusal else Group.GIVEN
        return Case(
            f"{group.value}/planted", group, "", NEWEST, nested(self.given), refusal=refusal, api_versions=self.apis
        )


@dataclass(frozen=True)
class Ground:
    """Where faults are planted: what judging needs, made once for all of them.

    Attributes:
        brief: what sessions for the good chart are made from.
        made: what sessions share.
        sound: judges the good chart.
    """

    brief: Brief
    made: Shared
    sound: Session

    def without(self, planted: Planted) -> list[Result]:
        """What is said against the good chart, rendered with the values of a fault."""
        return self._findings(self.sound, planted)

    def with_fault(self, planted: Planted, folder: Path) -> list[Result]:
        """What is said against a copy of the chart that has the fault."""
        chart = folder / CHART.name
        shutil.copytree(CHART, chart)
        for change in planted.changes:
            change.make(chart)
        brief = replace(self.brief, chart_dir=chart)
        crds = any("crds/" in change.file for change in planted.changes)
        made = replace(self.made, judge=session.judge_of(brief)) if crds else self.made
        return self._findings(Session(brief, made), planted)

    def _findings(self, judging: Session, planted: Planted) -> list[Result]:
        case = replace(planted.case, helm=self.brief.toolbox.renderers[0].version)
        return [result for result in judging.judge(case).results if result.is_bad]


def ground(scratch: Path) -> Ground:
    """Prepares everything, with the engine where it is built."""
    helms = tools.find_helms(ROOT, scratch / "helm")[:1]
    renderers = engine.find_engines(ROOT, helms) or helms
    builtins = schemas.find_builtins(scratch / "schemas")
    toolbox = session.Toolbox(renderers, tools.find_kubeconform(ROOT), builtins, scratch)
    served = {each.version: capabilities.api_versions(each, scratch) for each in renderers}
    declaring = [profile for profile in profiles.load(ROOT / "values") if profile.name in _DECLARING]
    levels = pod_security.declared(
        declaring,
        lambda each: Reader().read(renderers[0].render(RenderRequest(CHART, (each.path,), api_versions=each.apis))),
    )
    brief = Brief(CHART, Options(ROOT), toolbox, served, levels)
    made = session.shared(brief)
    return Ground(brief, made, Session(brief, made))
