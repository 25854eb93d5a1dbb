"""Writing a tree of files: all of it or nothing, and nothing else left in it."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from chartgen import files
from chartgen.files import Difference, GeneratedFile

OLD = {"Chart.yaml": "old\n", "templates/a.yaml": "a\n", "templates/deep/b.yaml": "b\n"}
NEW = {"Chart.yaml": "new\n", "templates/a.yaml": "a\n", "templates/other/c.yaml": "ä\n"}


def _generated(wanted: dict[str, str]) -> list[GeneratedFile]:
    return [GeneratedFile(path, text) for path, text in wanted.items()]


def _found(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with the old files."""
    files.write_tree(tmp_path / "charts" / "chart", _generated(OLD))
    return tmp_path / "charts" / "chart"


def test_a_tree_is_made_with_its_parents(root: Path) -> None:
    """Nothing has to be there before."""
    assert _found(root) == OLD


def test_a_tree_becomes_what_is_wanted(root: Path) -> None:
    """New files come, changed ones change, stale ones go, and it is told."""
    told = files.write_tree(root, _generated(NEW))
    assert told == Difference(("templates/other/c.yaml",), ("Chart.yaml",), ("templates/deep/b.yaml",))
    assert _found(root) == NEW


def test_comparing_says_the_same_and_changes_nothing(root: Path) -> None:
    """What ``--check`` goes by."""
    told = files.compare(root, _generated(NEW))
    assert told == Difference(("templates/other/c.yaml",), ("Chart.yaml",), ("templates/deep/b.yaml",))
    assert _found(root) == OLD


def test_what_is_as_wanted_is_not_touched(root: Path) -> None:
    """Neither the file's time nor its folder's, so that make has nothing to do again."""
    before = {path: path.stat().st_mtime_ns for path in (root, *root.rglob("*"), root.parent)}
    assert not files.write_tree(root, _generated(OLD))
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_an_unchanged_file_keeps_its_time(root: Path) -> None:
    """Also while others change."""
    before = (root / "templates/a.yaml").stat().st_mtime_ns
    files.write_tree(root, _generated(NEW))
    assert (root / "templates/a.yaml").stat().st_mtime_ns == before


def test_folders_of_stale_files_go(root: Path) -> None:
    """An empty folder would be shipped with the chart."""
    files.write_tree(root, _generated(NEW))
    assert not (root / "templates/deep").exists()


def test_files_that_nobody_generated_are_stale(root: Path) -> None:
    """The tree is not the place for notes, hidden ones included."""
    (root / "templates" / ".note").write_text("mine")
    assert files.write_tree(root, _generated(OLD)).stale == ("templates/.note",)
    assert _found(root) == OLD


def test_a_folder_becomes_a_file(root: Path) -> None:
    """And a file a folder."""
    files.write_tree(root, _generated({"templates": "x\n", "Chart.yaml/y": "y\n"}))
    assert _found(root) == {"templates": "x\n", "Chart.yaml/y": "y\n"}


def test_line_ends_and_encoding_are_as_generated(root: Path) -> None:
    """UTF-8 and no translation, on every platform."""
    files.write_tree(root, [GeneratedFile("a", "ä\r\nb\n")])
    assert (root / "a").read_bytes() == b"\xc3\xa4\r\nb\n"


def test_a_link_to_a_file_is_replaced_and_its_target_spared(root: Path, tmp_path: Path) -> None:
    """Writing through a link would change a file outside of the tree."""
    outside = tmp_path / "outside"
    outside.write_text("a\n")
    (root / "templates/a.yaml").unlink()
    (root / "templates/a.yaml").symlink_to(outside)
    assert files.write_tree(root, _generated(OLD)).changed == ("templates/a.yaml",)
    assert not (root / "templates/a.yaml").is_symlink()
    assert outside.read_text() == "a\n"


def test_a_link_to_a_folder_is_stale_and_its_target_spared(root: Path, tmp_path: Path) -> None:
    """Nothing behind it is looked at, let alone removed."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("keep")
    (root / "link").symlink_to(outside)
    assert files.write_tree(root, _generated(OLD)).stale == ("link",)
    assert (outside / "file").read_text() == "keep"


def test_a_dangling_link_is_stale(root: Path) -> None:
    """It is there although nothing is behind it."""
    (root / "link").symlink_to(root / "nowhere")
    assert files.write_tree(root, _generated(OLD)).stale == ("link",)
    assert not (root / "link").is_symlink()


def _failing(method: Callable[..., object], at: int, error: BaseException) -> Callable[..., object]:
    """A method of `Path` that fails when it is called for the `at`-th time."""
    calls = iter(range(1_000))

    def call(self: Path, *arguments: object) -> object:
        if next(calls) == at:
            raise error
        return method(self, *arguments)

    return call


@pytest.mark.parametrize("at", [0, 1])
def test_a_full_disk_leaves_the_old_tree_whole(root: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Whichever file no longer fits."""
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(Path, "write_bytes", _failing(Path.write_bytes, at, full))
    with pytest.raises(OSError, match="No space left"):
        files.write_tree(root, _generated(NEW))
    assert _found(root) == OLD
    assert list(root.parent.iterdir()) == [root]


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("error", [OSError(errno.EACCES, "no"), KeyboardInterrupt()], ids=["error", "interrupt"])
def test_a_failing_move_leaves_the_old_tree_whole(
    root: Path, monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException
) -> None:
    """Two files move out and two move in: whichever fails, all go back."""
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", _failing(Path.replace, at, error))
        with pytest.raises(type(error)):
            files.write_tree(root, _generated(NEW))
    assert _found(root) == OLD
    assert not (root / "templates/other").exists()
    assert list(root.parent.iterdir()) == [root]


def test_the_moves_are_four(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above reaches every one of them."""
    monkeypatch.setattr(Path, "replace", _failing(Path.replace, 4, AssertionError("a fifth move")))
    assert files.write_tree(root, _generated(NEW))
