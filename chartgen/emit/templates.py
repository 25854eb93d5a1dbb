"""The chart's templates: trees printed, the helpers they use, the rules across fields, and NOTES.txt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chartgen.components import extra_objects, validations
from chartgen.components.validations import Check
from chartgen.emit import framing, notes
from chartgen.files import GeneratedFile
from chartgen.schema.model import Schema
from chartgen.schema.paths import Index
from chartgen.tree import expressions, gotext, guards, helper_texts
from chartgen.tree.expressions import Scope
from chartgen.tree.helper_texts import Definition
from chartgen.tree.nodes import Manifest


def emit(
    schema: Schema,
    manifests: Iterable[Manifest],
    index: Index,
    definitions: Mapping[str, Definition] = helper_texts.DEFINITIONS,
    *,
    with_notes: bool = True,
) -> list[GeneratedFile]:
    """Everything below ``templates/``.

    Args:
        schema: of the chart.
        manifests: its template files that are made of trees.
        index: the fields that they read.
        definitions: the helpers that they may call.
        with_notes: whether it has a NOTES.txt; that of a subchart would never be shown.
    """
    chart = str(schema.chart["name"])
    files = [GeneratedFile(f"templates/{one.file}", gotext.manifest(one, index, chart)) for one in manifests]
    checks = validations.refusals(schema)
    scope = Scope(index, chart)
    notes_data = notes.data(schema, scope) if with_notes else {}
    if checks or scope.sheet.definitions:
        text = _validations(checks, scope, may_be_subchart=not with_notes)
        files.append(GeneratedFile("templates/validations.yaml", text))
    if "extraObjects" in schema.fields:
        files.append(GeneratedFile(f"templates/{extra_objects.FILE}", framing.render(extra_objects.FILE, chart=chart)))
    if with_notes:
        files.append(GeneratedFile("templates/NOTES.txt", framing.render("NOTES.txt", chart=chart, **notes_data)))
    called = _helpers([file.text for file in files], chart, definitions)
    return [*files, GeneratedFile("templates/_helpers.tpl", called)]


def _validations(checks: Iterable[Check], scope: Scope, *, may_be_subchart: bool) -> str:
    """What cannot work: all of it, in one message. The scope may hold definitions that NOTES.txt needs, too."""
    printed = []
    for check in checks:
        opening = guards.opening(check.condition, scope, "")
        if check.of_root and may_be_subchart:
            condition = expressions.call("and", ".Chart.IsRoot", expressions.condition(check.condition, scope))
            opening = [f"{{{{- if {condition} }}}}"]
        printed.append({"opening": "\n".join(opening), "message": expressions.literal(check.text)})
    return framing.render("validations.yaml", checks=printed, definitions=scope.sheet.lines())


def _helpers(texts: Iterable[str], chart: str, definitions: Mapping[str, Definition]) -> str:
    """The helpers that the templates call, and those that these call, in the order of their definition."""
    joined = "\n".join(texts)
    used = {name for name in definitions if f'"{chart}.{name}"' in joined}
    while True:
        more = {need for name in used for need in definitions[name].needs} - used
        if not more:
            break
        used |= more
    found = [
        {"name": f"{chart}.{name}", "about": definition.about, "body": definition.go.replace("CHART", chart)}
        for name, definition in definitions.items()
        if name in used
    ]
    return framing.render("_helpers.tpl", helpers=found)
