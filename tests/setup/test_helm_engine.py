"""tools/helm_engine.py: when it builds, from what, and that nothing depends on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import binaries
import helm_engine
import pins
import pytest


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def go(tmp_path: Path) -> Path:
    """A Go whose builds print how often it has built."""
    (tmp_path / "bin").mkdir()
    builds = tmp_path / "builds"
    return script(
        tmp_path / "bin" / "go",
        f"""if [ "$1" = version ]; then echo "go version go1.26.0 linux/amd64"; exit; fi
test -f main.go || {{ echo "no Go files in $PWD" >&2; exit 1; }}
echo one >>{builds}
while [ "$1" != -o ]; do shift; done
cp {builds} "$2" """,
    )


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "engine"
    folder.mkdir()
    for name in ("main.go", "main_test.go", "go.mod", "go.sum"):
        (folder / name).write_text(name)
    return folder


@pytest.fixture
def installer(tmp_path: Path, go: Path) -> binaries.Installer:
    return binaries.Installer(tmp_path / ".tools" / "bin", str(go.parent), "linux-amd64", binaries.Machine())


def builds(installer: binaries.Installer) -> int:
    """How often Go had built when it made the program that is there."""
    return len((installer.place / helm_engine.NAME).read_text().splitlines())


def test_it_is_built_once(installer: binaries.Installer, sources: Path) -> None:
    """The second time it is there."""
    assert helm_engine.provide(installer, sources).endswith("(built by Go)")
    assert helm_engine.provide(installer, sources) == f"helm-engine: {installer.place / 'helm-engine'}"
    assert builds(installer) == 1


@pytest.mark.parametrize("name", ["main.go", "go.mod", "go.sum", "new.go"])
def test_it_is_built_again_after_a_change(installer: binaries.Installer, sources: Path, name: str) -> None:
    """Of a source, of a pinned module, or by a new file."""
    helm_engine.provide(installer, sources)
    (sources / name).write_text("changed")
    helm_engine.provide(installer, sources)
    assert builds(installer) == 2


def test_its_tests_are_no_part_of_it(installer: binaries.Installer, sources: Path) -> None:
    """A changed test builds nothing."""
    helm_engine.provide(installer, sources)
    (sources / "main_test.go").write_text("changed")
    helm_engine.provide(installer, sources)
    assert builds(installer) == 1


def test_another_go_builds_it_again(installer: binaries.Installer, sources: Path, go: Path) -> None:
    """Helm's words come from Go's template library too."""
    helm_engine.provide(installer, sources)
    go.write_text(go.read_text().replace("go1.26.0", "go1.26.1"))
    helm_engine.provide(installer, sources)
    assert builds(installer) == 2


def test_without_go_one_line_says_so(installer: binaries.Installer, sources: Path, go: Path) -> None:
    """And what is there is kept as long as it is built from these sources."""
    helm_engine.provide(installer, sources)
    go.unlink()
    assert helm_engine.provide(installer, sources) == f"helm-engine: {installer.place / 'helm-engine'}"
    (sources / "main.go").write_text("changed")
    assert "there is no Go to build it; the harness will use" in helm_engine.provide(installer, sources)
    assert list(installer.place.iterdir()) == []


def test_a_go_that_cannot_build_is_no_failure(installer: binaries.Installer, sources: Path) -> None:
    """Its last words are told, and an engine of other sources is not left behind."""
    helm_engine.provide(installer, sources)
    shutil.move(sources / "main.go", sources / "other.go")
    said = helm_engine.provide(installer, sources)
    assert said.startswith(f"helm-engine: Go cannot build it (no Go files in {sources});")
    assert list(installer.place.iterdir()) == []


@pytest.mark.parametrize("tool", [pins.HELM, pins.HELM3], ids=lambda tool: tool.name)
def test_it_is_built_from_the_pinned_helm(tool: pins.Tool) -> None:
    """Of another version it would stand in for none that is installed here; the source is the one whose hash is pinned."""
    assert f"\t{tool.module} v{tool.version}\n" in (helm_engine.SOURCES / "go.mod").read_text()
    assert f"{tool.module} v{tool.version} {tool.module_hash}\n" in (helm_engine.SOURCES / "go.sum").read_text()
