"""The subchart ``node-feature-discovery``: evaluated, and rendered by a real helm on its own."""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import charts

from chartgen import yamlio
from chartgen.components.nfd import chart as nfd
from chartgen.harness import manifests, tools
from chartgen.harness import values as helm_values
from chartgen.schema import default_values, loader, model
from chartgen.tree.context import Context

CHART = charts.CHART / "charts" / nfd.NAME
RELEASE, NAMESPACE = "rel", "ns"

Object = dict[str, Any]


@functools.cache
def schema() -> model.Schema:
    """The schema of the subchart."""
    return loader.load(charts.ROOT / "schemas").subcharts[nfd.NAME]


@functools.cache
def _defaults() -> dict[str, Any]:
    return default_values.of(schema())


def defaults() -> dict[str, Any]:
    """The values.yaml of the subchart, as data of one's own."""
    return copy.deepcopy(_defaults())


@functools.cache
def _trees() -> nfd.Trees:
    return nfd.Trees(schema())


def evaluate(given: Mapping[str, Any], release: str = RELEASE, namespace: str = NAMESPACE) -> list[Object]:
    """The objects for values that hold the defaults already."""
    return _trees().objects(_trees().context(Context({}, release, namespace), given))


@dataclass(frozen=True)
class Chart:
    """The committed subchart under one Helm.

    Attributes:
        helm: the program.
        scratch: a folder of the test.
    """

    helm: tools.Helm
    scratch: Path

    def run(self, given: Mapping[str, Any], release: str = RELEASE) -> tools.Run:
        """``helm template`` with a user's values."""
        file = self.scratch / "values.yaml"
        file.write_text(yamlio.dump(dict(given)))
        return self.helm.render(tools.RenderRequest(CHART, (file,), release, NAMESPACE))

    def objects(self, given: Mapping[str, Any], release: str = RELEASE) -> list[Object]:
        """What it renders for a user's values."""
        done = self.run(given, release)
        assert done.status == 0, done.report()
        documents = manifests.Reader().read(done).documents
        assert not [document.problem for document in documents if document.problem], done.stdout
        return [dict(document.object) for document in documents]

    def evaluated(self, given: Mapping[str, Any], release: str = RELEASE) -> list[Object]:
        """What evaluation says that it renders for a user's values."""
        chart = helm_values.load(CHART)
        return evaluate(helm_values.coalesce(chart, given, int(self.helm.version[1])), release)


def by_name(objects: list[Object]) -> dict[str, Object]:
    """``Kind/name`` -> object; no name stands there twice."""
    found = {charts.identity(one): one for one in objects}
    assert len(found) == len(objects), sorted(charts.identity(one) for one in objects)
    return found
