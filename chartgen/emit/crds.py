"""The chart's ``crds/`` folder. What is in its files is made in `chartgen.components.definitions`, because templates use them too."""

from __future__ import annotations

from chartgen.components import definitions
from chartgen.files import GeneratedFile
from chartgen.schema.model import Schema


def emit(schema: Schema) -> list[GeneratedFile]:
    """A file for each CRD.

    Raises:
        ChartgenError: see `definitions.files`.
    """
    return definitions.files(schema)
