"""Builds helm-engine from ``engine/`` into ``.tools/bin``, if there is Go; the harness does without it, only slower.

It is built again when its sources or Go have changed. It uses nothing but the modules that ``engine/go.sum`` vouches for.
An engine on PATH is never taken: what it was built from could not be told.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

import binaries

NAME = "helm-engine"
SOURCES = Path(__file__).resolve().parents[1] / "engine"


def provide(installer: binaries.Installer, sources: Path = SOURCES) -> str:
    """Make sure that the engine in the installer's place is built from these sources, or that there is none.

    Returns:
        One line that says what there is.
    """
    program = installer.place / NAME
    made = installer.place / f".{NAME}.made"
    digest = _digest(sources)
    recorded = made.read_text(encoding="utf-8") if made.is_file() and program.is_file() else ""
    go = shutil.which("go", path=installer.path)
    version = installer.world.run([go, "version"]).stdout.strip() if go else ""
    if recorded == f"{digest}\n{version}\n" or (not go and recorded.startswith(f"{digest}\n")):
        return f"{NAME}: {program}"
    program.unlink(missing_ok=True)
    made.unlink(missing_ok=True)
    trouble = _build(installer, go, sources, program) if go else "there is no Go to build it"
    if trouble:
        return f"{NAME}: {trouble}; the harness will use the helm program, which takes about ten times as long"
    made.write_text(f"{digest}\n{version}\n", encoding="utf-8")
    return f"{NAME}: {program} (built by Go)"


def _digest(sources: Path) -> str:
    """A hash of all that the program is made from."""
    files = [file for file in sorted(sources.iterdir()) if file.name in ("go.mod", "go.sum") or _is_source(file)]
    together = hashlib.sha256()
    for file in files:
        together.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return together.hexdigest()


def _is_source(file: Path) -> bool:
    return file.suffix in (".go", ".s") and not file.name.endswith("_test.go")


def _build(installer: binaries.Installer, go: str, sources: Path, program: Path) -> str:
    """Build, and return why that was not possible, or nothing."""
    binaries.say(f"{NAME}: building it with Go, which takes a few minutes the first time")
    installer.place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=installer.place, prefix=".new-") as folder:
        new = Path(folder) / NAME
        flags = ["-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", "-s -w", "-o", str(new)]
        done = installer.world.run([go, "build", *flags, "."], sources)
        if done.status != 0:
            return f"Go cannot build it ({done.last_words()})"
        new.replace(program)
    return ""


def main(installer: binaries.Installer | None = None) -> int:
    """Build what is missing, and say what there is.

    Args:
        installer: by default one for this machine.

    Returns:
        The exit status, 0: nothing depends on this program.
    """
    binaries.say(provide(installer or binaries.this_machine()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
