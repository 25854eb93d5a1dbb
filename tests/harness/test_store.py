"""What is kept between runs: found again as it was, and never trusted when it is damaged."""

from __future__ import annotations

import pytest

from chartgen.harness import store
from chartgen.harness.results import Result, State
from chartgen.harness.session import Outcome, Printed
from chartgen.harness.tools import ToolFailed

GOOD = Outcome(
    "profile/a",
    "helm template a",
    (Result("profile/a", "renders", State.VALID),),
    ("d1",),
    {"d1": Printed("t", "a: 1\n")},
    0.1,
)
BROKEN = Outcome(
    "profile/b",
    "",
    (Result("profile/b", "renders", State.ERROR, "", "killed"),),
    ("d2",),
    {"d2": Printed("t", "b: é\n")},
)
KEYS = {"profile/a": "k1", "profile/b": "k2"}


@pytest.fixture
def file(tmp_path):
    """A store with an outcome, and the document of one that could not be judged."""
    path = tmp_path / "cache" / "outcomes.sqlite"
    with store.opened(path) as kept:
        kept.keep([GOOD, BROKEN], KEYS)
    return path


def test_an_outcome_is_found_by_its_key(file):
    """All of it but the texts, which are kept once for all outcomes."""
    with store.opened(file) as kept:
        found = kept.find(["k1", "unknown"])
        assert found == {"k1": Outcome(GOOD.case, GOOD.command, GOOD.results, GOOD.documents, {}, GOOD.seconds)}
        assert kept.documents(["d1"]) == GOOD.new


def test_what_could_not_be_judged_is_judged_again(file):
    """But its documents are there for others that have the same."""
    with store.opened(file) as kept:
        assert kept.find(["k2"]) == {}
        assert kept.documents(["d2"]) == BROKEN.new


def test_a_missing_document_is_an_error(file):
    """Nobody could judge it."""
    with store.opened(file) as kept, pytest.raises(ToolFailed, match=r"outcomes\.sqlite.*Delete the file"):
        kept.documents(["d1", "d9"])


@pytest.mark.parametrize("damage", [b"not a database at all, but long enough to be read as one" * 9, b"\0" * 4096])
def test_a_damaged_file_is_an_error(file, damage):
    """It is not taken for an empty one: someone should know."""
    for path in file.parent.iterdir():
        path.unlink()
    file.write_bytes(damage)
    with pytest.raises(ToolFailed, match="Delete the file"), store.opened(file) as kept:
        kept.find(["k1"])


def test_a_damaged_outcome_is_an_error(file):
    """A row that cannot be read."""
    with store.opened(file) as kept:
        kept.connection.execute("update outcomes set content = x'00'")
    with store.opened(file) as kept, pytest.raises(ToolFailed, match="Delete the file"):
        kept.find(["k1"])


def test_what_nobody_uses_is_dropped(file):
    """After a number of runs."""
    for _ in range(25):
        with store.opened(file) as kept:
            kept.keep([GOOD], {"profile/a": "other"})
            kept.tidy()
    with store.opened(file) as kept:
        assert set(kept.find(["k1", "other"])) == {"other"}
