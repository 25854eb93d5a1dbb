"""Agreements that are kept between runs, and what becomes of a file that cannot be used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from chartgen.harness import database, verdicts
from chartgen.harness.tools import ToolFailed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with two agreements."""
    path = tmp_path / "cache" / "verdicts.sqlite"
    with verdicts.opened(path) as kept:
        kept.keep(["a", "b", "a"])
    return path


def test_what_was_kept_is_found(file):
    """And nothing else."""
    with verdicts.opened(file) as kept:
        assert kept.find(["a", "c"]) == {"a"}


def test_two_runs_at_a_time(file):
    """Each sees what the other has kept, whichever was first."""
    with verdicts.opened(file) as one, verdicts.opened(file) as other:
        one.keep(["c"])
        other.keep(["c", "d"])
        assert one.find(["b", "c", "d"]) == {"b", "c", "d"}


@pytest.mark.parametrize("damage", [b"no database, but long enough to be taken for one" * 99, b"\0" * 4096])
def test_a_damaged_file_is_an_error(file, damage):
    """It says which file to delete, and is not taken for an empty one."""
    for path in file.parent.iterdir():
        path.unlink()
    file.write_bytes(damage)
    with pytest.raises(ToolFailed, match=r"verdicts\.sqlite.*Delete the file"), verdicts.opened(file) as kept:
        kept.find(["a"])


def test_a_page_that_is_damaged_is_an_error(file):
    """What is in the middle of the file is found out when it is read."""
    with verdicts.opened(file) as kept:
        kept.keep(f"{number:032}" for number in range(2000))
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises(ToolFailed, match="Delete the file"), verdicts.opened(file) as kept:
        kept.find([f"{number:032}" for number in range(2000)])


def test_a_full_disk_is_an_error(file):
    """SQLite is told that there is no room for more pages."""
    with verdicts.opened(file) as kept:
        kept.connection.execute("pragma max_page_count = 4")
        with pytest.raises(ToolFailed, match="the disk is full"):
            kept.keep(f"{number:0128}" for number in range(2000))
    with verdicts.opened(file) as kept:
        assert kept.find(["a", f"{0:0128}"]) == {"a"}


def test_a_file_that_another_run_holds_is_an_error(file, monkeypatch):
    """After some patience."""
    monkeypatch.setattr(database, "_PATIENCE_SECONDS", 0.01)
    holder = sqlite3.connect(file)
    holder.execute("begin exclusive")
    with pytest.raises(ToolFailed, match="another run holds it"), verdicts.opened(file) as kept:
        kept.keep(["c"])
    holder.close()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    """A file stands where it should be."""
    (tmp_path / "cache").write_text("")
    with pytest.raises(ToolFailed, match="cannot be written"), verdicts.opened(tmp_path / "cache" / "verdicts.sqlite"):
        pass


def test_a_file_that_is_too_large_starts_anew(file, monkeypatch):
    """What was in it is judged again."""
    monkeypatch.setattr(verdicts, "_LARGEST_BYTES", 100)
    with verdicts.opened(file) as kept:
        kept.keep(["c"])
        assert kept.find(["a", "b", "c"]) == {"c"}
