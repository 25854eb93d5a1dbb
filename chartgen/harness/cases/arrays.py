"""Cases across the whole chart: every two, or every three, levels of any parameters in one render.

`parameters` says what is varied, `forbidden` what rules leave of it, `covering` makes the rows. They are ours and no library's,
since none makes these arrays. coverwise (Apache-2.0, a program for Linux and Apple silicon) is right, and as fast as long as
there are no constraints; for these seven hundred parameters it makes a fifth more rows. With the boxes that the rules come
down to it takes 7 seconds for 80 of the parameters and more than a minute for all, and it refuses models of more than 16
million triples. These are a thousand million, which takes some 20 seconds here. That is why arrays are kept between
runs, under the hash of everything that they are made from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen import files
from chartgen.harness import oracle
from chartgen.harness.case import Case, Group
from chartgen.harness.cases import assignments, covering, parameters
from chartgen.harness.cases.assignments import HELM, KUBE, NAMESPACE, RELEASE
from chartgen.harness.cases.built import Built
from chartgen.harness.cases.covering import Array
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.cases.forbidden import Forbidden
from chartgen.harness.cases.parameters import Parameter

STRONGEST = 3


@dataclass(frozen=True)
class Settings:
    """What array is wanted.

    Attributes:
        strength: 2 or 3: how many parameters at a time have all combinations of their levels in some row.
        seed: chooses among arrays that are as good.
        cache: a folder that arrays are kept in; None to make them anew each time.
    """

    strength: int = 2
    seed: int = 0
    cache: Path | None = None


def build(
    trees: oracle.Trees, feasibility: Feasibility, settings: Settings, helms: Sequence[str], kubes: Sequence[str]
) -> Built:
    """A case for each row of an array over all parameters.

    Args:
        trees: the chart's description.
        feasibility: says what stands when nothing is said.
        settings: which array.
        helms: the Helm versions to vary over.
        kubes: the Kubernetes minors, likewise.
    """
    varied = parameters.build(trees, feasibility, helms, kubes)
    made = array(Forbidden(trees, varied), settings)
    cases = tuple(_case(varied, row, settings.strength, number) for number, row in enumerate(made.rows, 1))
    numbers = {
        "parameters": len(varied),
        "levels": sum(len(parameter.levels) for parameter in varied),
        "possible": made.possible,
        "covered": made.possible - made.forbidden,
        "forbidden": made.forbidden,
        "rows": len(made.rows),
    }
    return Built(cases, numbers)


def assignment(varied: Sequence[Parameter], row: Sequence[int]) -> dict[str, Any]:
    """A row as values by path, those of the surroundings among them."""
    return {parameter.path: parameter.levels[level] for parameter, level in zip(varied, row, strict=True)}


def _case(varied: Sequence[Parameter], row: Sequence[int], strength: int, number: int) -> Case:
    said = assignment(varied, row)
    return Case(
        name=f"{Group.ARRAY.value}/{strength}/{number:04}",
        group=Group.ARRAY,
        helm=said[HELM],
        kube=said[KUBE],
        values=assignments.nest(said),
        release=said[RELEASE],
        namespace=said[NAMESPACE],
        api_versions=assignments.apis(said),
    )


def array(forbidden: Forbidden, settings: Settings) -> Array:
    """An array, from the cache if it is there and whole."""
    counts = [len(parameter.levels) for parameter in forbidden.parameters]
    made_from = [
        [settings.strength, settings.seed, counts],
        [sorted(box.sides.items()) for box in forbidden.boxes],
        hashlib.sha256(Path(covering.__file__).read_bytes()).hexdigest(),
    ]
    key = hashlib.sha256(json.dumps(made_from).encode()).hexdigest()
    file = settings.cache / f"array-{key}.json" if settings.cache else None
    kept = _read(file) if file is not None and file.is_file() else None
    if kept is not None:
        return kept
    builder = covering.Builder(counts, forbidden, settings.seed)
    made = builder.triples() if settings.strength == STRONGEST else builder.pairs()
    if file is not None:
        _write(file, made)
    return made


def _write(file: Path, array: Array) -> None:
    content = json.dumps([array.rows, array.possible, array.forbidden])
    files.write_whole(file, f"{hashlib.sha256(content.encode()).hexdigest()}\n{content}".encode())


def _read(file: Path) -> Array | None:
    """An array that was kept; None if the file is not what was written."""
    digest, _, content = file.read_text(encoding="utf-8", errors="replace").partition("\n")
    if digest != hashlib.sha256(content.encode()).hexdigest():
        return None
    rows, possible, forbidden = json.loads(content)
    return Array(tuple(map(tuple, rows)), possible, forbidden)
