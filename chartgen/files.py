"""Generated files: compared, written and removed as one set.

Emitters return records and never touch the disk. Only `write_tree` does, after everything was generated, so that a
failure leaves the old chart whole.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class GeneratedFile:
    """A file to be.

    Attributes:
        path: relative to the tree's root, with ``/``.
        text: the content.
    """

    path: str
    text: str


@dataclass(frozen=True)
class Difference:
    """How a tree on disk differs from the files it should hold.

    Attributes:
        missing: to be created.
        changed: to be rewritten.
        stale: to be removed.
    """

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    stale: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.stale)


def compare(root: Path, files: Iterable[GeneratedFile]) -> Difference:
    """What `write_tree` would do; everything below `root` that is not among `files` is stale."""
    wanted = {file.path: file.text for file in files}
    present = {
        str(path.relative_to(root).as_posix()) for path in root.rglob("*") if not path.is_dir() or path.is_symlink()
    }
    changed = [path for path in sorted(present & set(wanted)) if not _holds(root / path, wanted[path])]
    return Difference(tuple(sorted(set(wanted) - present)), tuple(changed), tuple(sorted(present - set(wanted))))


def _holds(path: Path, text: str) -> bool:
    return not path.is_symlink() and path.read_bytes() == text.encode()


def write_tree(root: Path, files: Iterable[GeneratedFile]) -> Difference:
    """Make the tree below `root` hold exactly `files`, and say what was done.

    New content is first written beside the tree. Only when all of it is on disk is it moved into place, and what it takes
    the place of is kept until the last move, so that a full disk, an error or an interrupt leaves the tree as it was.

    Raises:
        OSError: the disk is full or not writable; the tree is as before.
    """
    files = list(files)
    difference = compare(root, files)
    if not difference:
        return difference
    wanted = {file.path: file.text for file in files}
    root.parent.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=f".{root.name}-", dir=root.parent))
    try:
        for path in (*difference.missing, *difference.changed):
            target = stage / "new" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wanted[path].encode())
        _exchange(root, stage, difference)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return difference


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, so that no other process ever reads half of it; its folder is made when it is not there.

    Raises:
        OSError: it cannot be written; what was there before is there still.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}-{secrets.token_hex(6)}")
    try:
        new.write_bytes(content)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _exchange(root: Path, stage: Path, difference: Difference) -> None:
    """Move what is old out of the tree and what is new into it, all or nothing."""
    out: list[str] = []
    into: list[str] = []
    try:
        for path in (*difference.stale, *difference.changed):
            _move(root / path, stage / "old" / path)
            out.append(path)
        # A folder that held only stale files may be in the way of a file of its name.
        _remove_empty(root)
        for path in (*difference.missing, *difference.changed):
            _move(stage / "new" / path, root / path)
            into.append(path)
    except BaseException:
        for path in into:
            (root / path).unlink()
        _remove_empty(root)
        for path in out:
            _move(stage / "old" / path, root / path)
        raise


def _move(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)


def _remove_empty(root: Path) -> None:
    """Remove folders that stale files left behind, deepest first."""
    for path in sorted(root.rglob("*"), key=lambda path: len(path.parts), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
