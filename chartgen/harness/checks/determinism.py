"""A case that is rendered twice gives the same bytes.

Tools that render a chart and compare the result with the cluster see a change each time otherwise, and restart what did not
change. The usual causes are template functions that draw random numbers, make certificates or ask for the time. Some charts
look up first whether the object is there already, which helps where Helm installs and not where it only renders; that is
told and not held against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chartgen.harness import compare, sources
from chartgen.harness.case import Case
from chartgen.harness.manifests import Document, Rendered
from chartgen.harness.rerender import Rerender, left_out
from chartgen.harness.results import Finding, invalid, skipped, verdict

# Functions of Helm's templates that give something else with each call.
_RESTLESS = re.compile(
    r"\b(rand(?:AlphaNum|Alpha|Ascii|Numeric|Bytes|Int)|uuidv4|now|gen(?:CA|CAWithKey|PrivateKey)|"
    r"gen(?:SelfSigned|Signed)Cert(?:WithKey)?|htpasswd|bcrypt|encryptAES|shuffle|getHostByName)\b"
)
_ACTION = re.compile(r"\{\{-?(?!-?\s*/\*)(.*?)-?\}\}", re.DOTALL)
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')
_LOOKUP = re.compile(r"\blookup\b")
_TEMPLATES = (".yaml", ".yml", ".tpl", ".txt")


@dataclass(frozen=True)
class Calls:
    """What a template file calls.

    Attributes:
        restless: functions that give something else each time, in the order of the text.
        looks_up: whether it looks into the cluster as well.
    """

    restless: tuple[str, ...]
    looks_up: bool


@dataclass
class Determinism:
    """Renders once more and compares.

    Attributes:
        rerender: renders once more; None when nobody can.
    """

    rerender: Rerender | None
    name: str = "determinism"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        reason = left_out(self.rerender, case)
        if reason is not None or self.rerender is None:
            return [reason] if reason else []
        again = self.rerender.again(case)
        if (again.run.status, again.run.stdout, again.run.notes) == (0, rendered.run.stdout, rendered.run.notes):
            return verdict([])
        if again.run.status != 0:
            return [invalid("", f"it renders, and the next time it does not:\n{again.run.report()}")]
        findings = list(self._differing(case, rendered, again))
        if rendered.run.notes != again.run.notes:
            findings.append(invalid("", "NOTES.txt says something else each time"))
        return verdict(findings or [invalid("", "the documents come in another order each time")])

    def _differing(self, case: Case, first: Rendered, second: Rendered) -> Iterator[Finding]:
        """Each document that is another one the second time."""
        left, right = _by_name(first), _by_name(second)
        for name in sorted({*left, *right}):
            before, after = left.get(name), right.get(name)
            if before is None or after is None:
                lone = before or after
                yield invalid(lone.identity if lone else "", "it is not there each time, or has another name")
            elif before.text != after.text:
                yield self._told(case, before, after)

    def _told(self, case: Case, before: Document, after: Document) -> Finding:
        places = [place for place, _, _ in compare.differences(before.object, after.object)]
        where = ", ".join(places[:4]) or "its text"
        causes = self._causes(before.source, case)
        if causes and all(calls.looks_up for calls in causes.values()):
            return skipped(
                f"{before.identity}: {where} differ with each render, but for clusters where the template finds "
                f"the object already ({', '.join(causes)})",
            )
        hint = "; ".join(f"{file} calls {', '.join(calls.restless)}" for file, calls in causes.items())
        diff = compare.diff(before.object, after.object, "one render", "the next")
        return invalid(before.identity, f"{where} differ with each render" + (f"; {hint}" if hint else ""), diff)

    def _causes(self, source: str, case: Case) -> dict[str, Calls]:
        """The files that may be the reason: the template and the helpers of its chart; if it is none of them, all other helpers."""
        if self.rerender is None:
            return {}
        template = sources.path(source, self.rerender.chart_dir, case.parent)
        folder = template.rpartition("/templates/")[0]
        helpers = {file: found for file, found in self._restless.items() if Path(file).name.startswith("_")}
        near = {file: found for file, found in helpers.items() if file.startswith(f"{folder}/templates/")}
        near |= {file: found for file, found in self._restless.items() if file == template}
        return near or helpers

    @cached_property
    def _restless(self) -> dict[str, Calls]:
        """Template files that call something restless, by the path that reports name them by."""
        if self.rerender is None:
            return {}
        root = self.rerender.chart_dir
        found = {
            sources.path(f"chart/{file.relative_to(root).as_posix()}", root): calls(file.read_text(encoding="utf-8"))
            for file in sorted(root.glob("**/templates/**/*"))
            if file.suffix in _TEMPLATES and file.is_file()
        }
        return {file: made for file, made in found.items() if made.restless}


def calls(template: str) -> Calls:
    """What the text of a template calls; comments and quoted text are no calls."""
    code = " ".join(_TEXT.sub('""', action) for action in _ACTION.findall(template))
    return Calls(tuple(dict.fromkeys(_RESTLESS.findall(code))), bool(_LOOKUP.search(code)))


def _by_name(rendered: Rendered) -> dict[str, Document]:
    return {
        f"{document.source} {document.identity} {document.namespace} {number}": document
        for number, document in _numbered(rendered)
    }


def _numbered(rendered: Rendered) -> Iterator[tuple[int, Document]]:
    """Each document with a number among those that are called the same."""
    seen: dict[str, int] = {}
    for document in rendered.documents:
        name = f"{document.source} {document.identity} {document.namespace}"
        seen[name] = seen.get(name, 0) + 1
        yield seen[name], document
