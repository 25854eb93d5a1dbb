"""Loading ``schemas/``: YAML files in, one `Schema` out, or every mistake at once.

A folder holds a file per top-level value, ``types/`` (named types), ``crds/``, ``rules.yaml``, ``keys.yaml`` (keys that
are no values) and ``chart.yaml``. Loading
never stops at the first mistake: each is recorded with file and line, and the reader goes on with what it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem
from chartgen.schema import rules, strays
from chartgen.schema.build import Builder, Source
from chartgen.schema.keywords import STRAY_KEYWORDS
from chartgen.schema.model import Crd, Field, Rule, Schema, Surface
from chartgen.schema.paths import Index

_OTHER = ("rules.yaml", "chart.yaml", strays.FILE)


def load(folder: Path) -> Schema:
    """Read a schema folder.

    Args:
        folder: ``schemas/``, or ``schemas/nfd/``.

    Raises:
        ChartgenError: any mistake; all of them are in it.
    """
    problems: list[Problem] = []
    if not folder.is_dir():
        raise ChartgenError([Problem(str(folder), "", "no such folder", "a folder of schema files")])
    documents = _read(folder, problems)
    builder = Builder(problems)
    for relative, document in documents.items():
        if relative.startswith("types/"):
            builder.add_types(document)
    builder.build_types()
    fields = _fields(builder, documents)
    crds = _crds(builder, documents)
    index = Index(fields)
    found_strays = strays.read(documents, index, problems)
    found_rules: tuple[Rule, ...] = ()
    if "rules.yaml" in documents:
        found_rules = rules.read(documents["rules.yaml"], index, problems)
    chart = documents["chart.yaml"].data if "chart.yaml" in documents else {}
    if problems:
        raise ChartgenError(problems)
    return Schema(fields, builder.types, found_rules, crds, chart, found_strays)


def _read(folder: Path, problems: list[Problem]) -> dict[str, yamlio.Located]:
    """Every YAML file of the folder that belongs to it, by relative path, in name order; nested schema folders are not read."""
    documents: dict[str, yamlio.Located] = {}
    candidates = [*folder.glob("*.yaml"), *folder.glob("types/*.yaml"), *folder.glob("crds/*.yaml")]
    for path in sorted(candidates):
        relative = path.relative_to(folder).as_posix()
        where = (
            f"{folder.name}/{relative}"
            if folder.name == "schemas"
            else f"{folder.parent.name}/{folder.name}/{relative}"
        )
        try:
            document = yamlio.locate(path.read_text(encoding="utf-8"), where)
        except ChartgenError as error:
            problems.extend(error.problems)
            continue
        if isinstance(document.data, dict):
            documents[relative] = document
        else:
            problems.append(Problem(f"{where}:1", "", "no map at the top", "a field record"))
    return documents


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
    order = documents["chart.yaml"].data.get("order", []) if "chart.yaml" in documents else []
    for number, name in enumerate(order):
        if name not in found:
            builder.report(documents["chart.yaml"], ("order", number), f"the value {name}", "the name of a schema file")
    listed = [name for name in order if name in found]
    return {name: found[name] for name in (*listed, *(name for name in found if name not in listed))}


def _crds(builder: Builder, documents: Mapping[str, yamlio.Located]) -> dict[str, Crd]:
    """The CRDs of ``crds/``: the file's own keys make up the header, ``properties`` the root's members."""
    found: dict[str, Crd] = {}
    for relative, document in documents.items():
        if not relative.startswith("crds/"):
            continue
        data = document.data
        surface = data.get("surface")
        if surface is not None and surface not in {member.value for member in Surface}:
            builder.report(
                document, ("surface",), f"the surface {surface!r}", "one of " + ", ".join(s.value for s in Surface)
            )
            continue
        record = {
            "type": "object",
            "description": data.get("description", ""),
            "properties": data.get("properties", {}),
        }
        root = builder.record(Source(document, ()), record, "", "", {})
        header = {
            **data.get("header", {}),
            **{key: data[key] for key in data if key not in ("header", "properties", "surface", "name")},
        }
        if root is not None:
            name = str(data.get("name", ""))
            found[name] = Crd(name, Surface(surface) if surface else None, header, root, document.at(()))
    return found
