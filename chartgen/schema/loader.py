"""Loading ``schemas/``: YAML files in, one `Schema` out, or every mistake at once.

A folder holds a file per top-level value, ``types/`` (named types), ``crds/``, ``rules.yaml``, ``keys.yaml`` (keys that
are no values) and ``chart.yaml``. Loading
never stops at the first mistake: each is recorded with file and line, and the reader goes on with what it has.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.schema import check, rules, strays, subcharts
from chartgen.schema.build import Builder, Source
from chartgen.schema.keywords import STRAY_KEYWORDS
from chartgen.schema.model import Crd, Field, Rule, Schema, Surface
from chartgen.schema.paths import Index

_OF_CRD = ("header", "properties", "required", "surface", "name", "older", "template")
_OTHER = ("rules.yaml", "chart.yaml", strays.FILE)


def load(folder: Path, shared: Path | None = None) -> Schema:
    """Read a schema folder, and those of its subcharts.

    Args:
        folder: ``schemas/``, or ``schemas/nfd/``.
        shared: for a subchart, the folder of its parent, whose named types it uses beside its own.

    Raises:
        ChartgenError: any mistake; all of them are in it.
    """
    problems: list[Problem] = []
    if not folder.is_dir():
        raise ChartgenError([Problem(str(folder), "", "no such folder", "a folder of schema files")])
    documents = _read(folder, ("*.yaml", "types/*.yaml", "crds/*.yaml"), problems)
    problems += [
        Problem(_shown(folder, file), "", "a file that nothing reads", "the ending .yaml")
        for pattern in ("*.yml", "types/*.yml", "crds/*.yml")
        for file in folder.glob(pattern)
    ]
    builder = Builder(problems)
    inherited = _read(shared, ("types/*.yaml",), problems) if shared is not None else {}
    for relative, document in (*inherited.items(), *documents.items()):
        if relative.startswith("types/"):
            builder.add_types(document)
    builder.build_types()
    fields = _fields(builder, documents)
    crds = _crds(builder, documents)
    index = Index(fields, _broken(folder, fields, problems))
    found_strays = strays.read(documents, index, problems)
    found_rules: tuple[Rule, ...] = ()
    if "rules.yaml" in documents:
        found_rules = rules.read(documents["rules.yaml"], index, problems)
    chart = documents["chart.yaml"].data if "chart.yaml" in documents else {}
    if chart and not isinstance(chart.get("name"), str):
        builder.report(documents["chart.yaml"], ("name",), check.show(chart.get("name")), "the name of the chart")
    parts = subcharts.read(folder, documents, fields, problems, load)
    found_strays |= subcharts.strays(parts)
    if problems:
        raise ChartgenError(problems)
    return Schema(fields, builder.types, found_rules, crds, chart, found_strays, parts)


def _read(folder: Path, patterns: Iterable[str], problems: list[Problem]) -> dict[str, yamlio.Located]:
    """The files of a folder that match, by relative path, in name order."""
    documents: dict[str, yamlio.Located] = {}
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        relative = path.relative_to(folder).as_posix()
        where = _shown(folder, path)
        try:
            document = yamlio.locate(path.read_text(encoding="utf-8"), where)
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            problems.append(Problem(f"{where}:{line}", "", "bytes that are no UTF-8", "a text in UTF-8"))
            continue
        except ChartgenError as error:
            problems.extend(error.problems)
            continue
        if isinstance(document.data, dict):
            documents[relative] = document
        else:
            problems.append(Problem(f"{where}:1", "", "no map at the top", "a field record"))
    return documents


def _shown(folder: Path, file: Path) -> str:
    """A file of a schema folder as people name it: ``schemas/driver.yaml``, ``schemas/nfd/worker.yaml``."""
    top = folder if folder.name == "schemas" else folder.parent
    return file.relative_to(top.parent).as_posix()


def _fields(builder: Builder, documents: Mapping[str, yamlio.Located]) -> dict[str, Field]:
    """The top-level values, in the order of ``chart.yaml``'s ``order`` and then by name."""
    found: dict[str, Field] = {}
    for relative, document in documents.items():
        if "/" in relative or relative in _OTHER:
            continue
        name = document.data.get("name")
        if name != relative.removesuffix(".yaml"):
            builder.report(
                document, ("name",), f"the name {name!r}", f"the file's name, {relative.removesuffix('.yaml')}"
            )
            continue
        record = {key: value for key, value in document.data.items() if key not in STRAY_KEYWORDS}
        field = builder.record(Source(document, ()), record, str(name), str(name), {})
        if field is not None:
            found[str(name)] = field
    order: list[Any] = []
    if "chart.yaml" in documents:
        order = check.part(documents["chart.yaml"], ("order",), "a list of values", list, builder.problems)
    misread = _misread(builder.problems)
    for number, name in enumerate(order):
        if name not in found and f"{name}.yaml" not in documents and name not in misread:
            builder.report(documents["chart.yaml"], ("order", number), f"the value {name}", "the name of a schema file")
    listed = [str(name) for name in order if name in found]
    return {name: found[name] for name in (*listed, *(name for name in found if name not in listed))}


def _misread(problems: Iterable[Problem]) -> dict[str, list[str]]:
    """The files that hold mistakes, by their names without folder and ending: the paths of the mistakes inside."""
    found: dict[str, list[str]] = {}
    for problem in problems:
        found.setdefault(Path(problem.where.rpartition(":")[0] or problem.where).stem, []).append(problem.path)
    return found


def _broken(folder: Path, fields: Mapping[str, Field], problems: list[Problem]) -> set[str]:
    """The values paths whose declaration is wrong: rules that name them are no further mistake."""
    if any("types/" in problem.where for problem in problems):
        return {file.stem for file in folder.glob("*.yaml")}
    found: set[str] = set()
    for name, places in _misread(problems).items():
        if not (folder / f"{name}.yaml").is_file():
            continue
        if name not in fields:
            found.add(name)
            continue
        for place in places:
            words = place.split(".")
            members = itertools.takewhile(
                lambda pair: pair[0] == "properties", zip(words[::2], words[1::2], strict=False)
            )
            path = [name, *(member for _, member in members)]
            if len(path) > 1:
                found.add(".".join(path))
    return found


def _crds(builder: Builder, documents: Mapping[str, yamlio.Located]) -> dict[str, Crd]:
    """The CRDs of ``crds/``: the file's own keys make up the header, ``properties`` the root's members."""
    found: dict[str, Crd] = {}
    for relative, document in documents.items():
        if not relative.startswith("crds/"):
            continue
        data = document.data
        part = functools.partial(_map, document, builder.problems)
        surface = data.get("surface")
        if surface is not None and surface not in [member.value for member in Surface]:
            builder.report(
                document, ("surface",), f"the surface {surface!r}", "one of " + ", ".join(s.value for s in Surface)
            )
            continue
        root = builder.record(Source(document, ()), _root(data), "", "", {})
        older: dict[str, Field | None] = {}
        for name in part(("older",)):
            version = part(("older", name))
            # What an older version does not say stands in the file's own keys.
            at = ("older", name) if "properties" in version else ()
            older[name] = builder.record(Source(document, at), _root({**data, **version}), "", "", {})
        header = {**part(("header",)), **{key: data[key] for key in data if key not in _OF_CRD}}
        if root is not None:
            name = str(data.get("name", ""))
            found[name] = Crd(
                name=name,
                surface=Surface(surface) if surface else None,
                header=header,
                root=root,
                older={version: field for version, field in older.items() if field is not None},
                in_template=data.get("template") is True,
                where=document.at(()),
            )
    return found


def _map(document: yamlio.Located, problems: list[Problem], at: yamlio.Path) -> dict[str, Any]:
    return check.part(document, at, "a map", dict, problems)


def _root(data: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a whole object, from a CRD's file."""
    return {
        "type": "object",
        "description": data.get("description", ""),
        "properties": data.get("properties", {}),
        "required": data.get("required", []),
    }
