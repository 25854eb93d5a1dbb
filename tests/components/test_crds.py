"""Which CRDs the chart cares for, against the schemas that describe them."""

from __future__ import annotations

from pathlib import Path

import pytest

from chartgen.components import crds, definitions
from chartgen.schema import loader
from chartgen.schema.paths import Index

SCHEMA = loader.load(Path(__file__).resolve().parents[2] / "schemas")
INDEX = Index.of(SCHEMA)


def test_every_crd_belongs_to_one_group() -> None:
    """Those of the chart and of Node Feature Discovery; no group names one that nobody describes."""
    described = [name for name, crd in SCHEMA.crds.items() if not crd.in_template]
    for subchart in SCHEMA.subcharts.values():
        described += [name for name, crd in subchart.crds.items() if not crd.in_template]
    assert sorted(name for group in crds.GROUPS for name in group.names) == sorted(described)


@pytest.mark.parametrize("group", crds.GROUPS, ids=lambda group: group.switch)
def test_a_group_has_a_switch_that_is_on(group: crds.Group) -> None:
    """By default the chart cares for everything that it brings."""
    assert INDEX.field(group.switch).default is True
    assert INDEX.field(group.switch).unset is True


@pytest.mark.parametrize(
    "group", [group for group in crds.GROUPS if not group.in_image], ids=lambda group: group.switch
)
def test_a_file_that_the_image_lacks_is_the_charts(group: crds.Group) -> None:
    """Under the name that it has in the chart."""
    (name,) = group.names
    assert definitions.path(SCHEMA.crds[name]) == f"crds/{group.file}"
    assert crds.file_data(SCHEMA).keys() >= {group.file}


def test_files_of_the_image_are_those_of_upstream() -> None:
    """The operator's image is upstream's too, with these names."""
    assert [group.path for group in crds.GROUPS if group.in_image] == [
        "/opt/gpu-operator/nvidia.com_clusterpolicies.yaml",
        "/opt/gpu-operator/nvidia.com_nvidiadrivers.yaml",
        "/opt/gpu-operator/nvidia.com_gpuclusters.yaml",
        "/opt/gpu-operator/nfd-api-crds.yaml",
    ]
