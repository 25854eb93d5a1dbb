"""Plans that are kept: made once, and never trusted when they are damaged."""

from __future__ import annotations

import pytest

from chartgen.harness import kept_plans
from chartgen.harness.case import Case, Group
from chartgen.harness.cases.told import Plan
from chartgen.harness.tools import ToolFailed

PLAN = Plan((Case("given/a", Group.GIVEN, "v4.3.1", "1.37", {"a": {"b": [1, None, "é"]}}),))


def _forbidden() -> Plan:
    raise AssertionError("it was made again")


def test_a_plan_is_made_once(tmp_path):
    """The second time it is read."""
    assert kept_plans.recall(tmp_path, "key", lambda: PLAN) == PLAN
    assert kept_plans.recall(tmp_path, "key", _forbidden) == PLAN


def test_a_damaged_plan_is_an_error(tmp_path):
    """With the file to delete."""
    kept_plans.recall(tmp_path, "key", lambda: PLAN)
    (tmp_path / "key.plan").write_bytes(b"x")
    with pytest.raises(ToolFailed, match=r"key\.plan.*Delete the file"):
        kept_plans.recall(tmp_path, "key", _forbidden)


def test_old_plans_are_dropped(tmp_path):
    """A few are enough: each is of one state of the sources."""
    for number in range(12):
        kept_plans.recall(tmp_path, f"key{number}", lambda: PLAN)
    assert len(list(tmp_path.iterdir())) < 12
    assert (tmp_path / "key11.plan").is_file()
