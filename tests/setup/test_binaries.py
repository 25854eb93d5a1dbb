"""tools/binaries.py: what it takes from PATH, what it installs, and what it refuses to install."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import tarfile
from pathlib import Path

import binaries
import pins
import pytest

PLATFORM = "linux-amd64"


@dataclasses.dataclass
class FakeNetwork(binaries.Machine):
    """Runs programs for real, but has only these pages to download."""

    pages: dict[str, bytes] = dataclasses.field(default_factory=dict)

    def fetch(self, address: str) -> bytes:
        if address not in self.pages:
            raise binaries.Unavailable(f"{address} cannot be reached (no network)")
        return self.pages[address]


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


@pytest.fixture
def network() -> FakeNetwork:
    return FakeNetwork()


@pytest.fixture
def installer(tmp_path: Path, bin_folder: Path, network: FakeNetwork) -> binaries.Installer:
    return binaries.Installer(tmp_path / "project" / ".tools" / "bin", str(bin_folder), PLATFORM, network)


def program(folder: Path, name: str, says: str) -> Path:
    """An executable that prints one line, whatever it is asked."""
    return script(folder / name, f"echo '{says}'")


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def fake_go(folder: Path, tool: pins.Tool, **changes: str) -> Path:
    """A Go that has the tool's source and builds a program that says its version."""
    facts = {"sum": tool.module_hash, "says": f"v{tool.version}", "build": "true"} | changes
    answer = json.dumps({"Dir": str(folder), "Sum": facts["sum"]})
    return script(
        folder / "go",
        f"""if [ "$1" = mod ]; then echo '{answer}'; exit; fi
{facts["build"]} || {{ echo 'go: too old' >&2; exit 1; }}
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho {facts["says"]}\\n' >"$2"
chmod +x "$2" """,
    )


def archive(member: str, says: str) -> bytes:
    """A release archive with one program."""
    content = f"#!/bin/sh\necho '{says}'\n".encode()
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        entry = tarfile.TarInfo(member)
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    return file.getvalue()


def released(network: FakeNetwork, tool: pins.Tool, content: bytes) -> str:
    """Put a release archive on the network."""
    address = tool.archive.format(version=tool.version, platform=PLATFORM)
    network.pages[address] = content
    return address


def pinned(tool: pins.Tool, content: bytes) -> pins.Tool:
    """The tool with this archive's checksum as its pin."""
    return dataclasses.replace(tool, checksums={PLATFORM: hashlib.sha256(content).hexdigest()})


def installed(installer: binaries.Installer) -> list[str]:
    return sorted(path.name for path in installer.place.iterdir()) if installer.place.exists() else []


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v4.3.1+g9db13ee", (4, 3, 1)),
        ("v3.22\n", (3, 22, 0)),
        ("v0.7.0", (0, 7, 0)),
        ("development", None),
        ("", None),
    ],
)
def test_version_is_read(text: str, version: pins.Version | None) -> None:
    """Release, bare module build, and a build that knows no version."""
    assert binaries.parse_version(text) == version


def test_good_program_on_path_is_used(installer: binaries.Installer, bin_folder: Path) -> None:
    """Who has a good helm gets nothing installed."""
    helm = program(bin_folder, "helm", "v4.0.2+gabc")
    assert installer.provide(pins.HELM) == f"helm 4.0.2: {helm}"
    assert installed(installer) == []


def test_other_name_on_path_is_linked(installer: binaries.Installer, bin_folder: Path) -> None:
    """A Helm 3 that is called helm serves as helm3, and is found by that name."""
    helm = program(bin_folder, "helm", "v3.14.0")
    installer.provide(pins.HELM3)
    assert (installer.place / "helm3").resolve() == helm


def test_link_is_used_again(installer: binaries.Installer, bin_folder: Path) -> None:
    """The second run finds what the first one linked."""
    program(bin_folder, "helm", "v3.14.0")
    installer.provide(pins.HELM3)
    assert installer.provide(pins.HELM3) == f"helm3 3.14.0: {installer.place / 'helm3'}"


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        (pins.HELM, "v3.22.0"),
        (pins.HELM, "v5.0.0"),
        (pins.HELM3, "v3.13.9"),
        (pins.KUBECONFORM, "v0.6.7"),
        (pins.KUBECONFORM, "development"),
    ],
)
def test_other_version_on_path_is_passed_over(
    installer: binaries.Installer, bin_folder: Path, tool: pins.Tool, says: str
) -> None:
    """Too old, too new, or of unknown version: the pinned one is built."""
    program(bin_folder, tool.name, says)
    fake_go(bin_folder, tool)
    assert installer.provide(tool).endswith("(built by Go)")
    assert installed(installer) == [tool.name]


def test_installed_program_is_used_again(installer: binaries.Installer, bin_folder: Path) -> None:
    """The second run needs neither Go nor a network."""
    go = fake_go(bin_folder, pins.HELM)
    installer.provide(pins.HELM)
    go.unlink()
    assert installer.provide(pins.HELM) == f"helm {pins.HELM.version}: {installer.place / 'helm'}"


def test_outdated_installed_program_is_replaced(installer: binaries.Installer, bin_folder: Path) -> None:
    """A raised pin reaches those who installed the old one."""
    installer.place.mkdir(parents=True)
    program(installer.place, "helm", "v4.0.0")
    fake_go(bin_folder, pins.HELM)
    assert installer.provide(pins.HELM).endswith("(built by Go)")


def test_own_folder_on_path_is_no_find(installer: binaries.Installer, bin_folder: Path) -> None:
    """`make` puts .tools/bin on PATH; what lies there is judged as installed, not as the user's own."""
    installer.place.mkdir(parents=True)
    program(installer.place, "helm", "v4.0.0")
    both = dataclasses.replace(installer, path=f"{installer.place}:{bin_folder}")
    assert both.on_path(pins.HELM) == []


def test_source_of_wrong_hash_is_refused(installer: binaries.Installer, bin_folder: Path) -> None:
    """A proxy that serves something else is named, and nothing is built from it."""
    fake_go(bin_folder, pins.HELM, sum="h1:other=")
    with pytest.raises(binaries.Refused, match=r"has the hash h1:other= instead of h1:"):
        installer.provide(pins.HELM)
    assert installed(installer) == []


def test_without_go_the_release_is_taken(installer: binaries.Installer, network: FakeNetwork) -> None:
    """The archive's checksum is the pinned one."""
    content = archive("linux-amd64/helm", "v3.22.0")
    released(network, pins.HELM3, content)
    said = installer.provide(pinned(pins.HELM3, content))
    assert said.endswith("(downloaded, checked against the pinned checksum)")
    assert installed(installer) == ["helm3"]


def test_go_that_cannot_build_leads_to_the_release(
    installer: binaries.Installer, bin_folder: Path, network: FakeNetwork, capsys: pytest.CaptureFixture[str]
) -> None:
    """An old Go costs nothing but a line that says so."""
    fake_go(bin_folder, pins.KUBECONFORM, build="false")
    content = archive("kubeconform", "v0.7.0")
    released(network, pins.KUBECONFORM, content)
    installer.provide(pinned(pins.KUBECONFORM, content))
    assert "Go cannot build it (go: too old); downloading" in capsys.readouterr().err
    assert installed(installer) == ["kubeconform"]


def test_wrong_checksum_is_refused(installer: binaries.Installer, network: FakeNetwork) -> None:
    """Found and expected are both said, and nothing is left."""
    content = archive("kubeconform", "v0.7.0")
    released(network, pins.KUBECONFORM, content)
    expected = pins.KUBECONFORM.checksums[PLATFORM]
    with pytest.raises(binaries.Refused, match=rf"{hashlib.sha256(content).hexdigest()} instead of {expected}"):
        installer.provide(pins.KUBECONFORM)
    assert installed(installer) == []


def test_published_checksum_counts_where_none_is_pinned(installer: binaries.Installer, network: FakeNetwork) -> None:
    """And it is said, since it comes from the same place as the archive."""
    content = archive("linux-amd64/helm", f"v{pins.HELM.version}")
    address = released(network, pins.HELM, content)
    network.pages[f"{address}.sha256sum"] = (
        f"{hashlib.sha256(content).hexdigest()}  {address.rpartition('/')[2]}\n".encode()
    )
    assert "none is pinned for linux-amd64" in installer.provide(pins.HELM)


def test_wrong_published_checksum_is_refused(installer: binaries.Installer, network: FakeNetwork) -> None:
    """It is checked, not only fetched."""
    address = released(network, pins.HELM, archive("linux-amd64/helm", "v4.3.1"))
    network.pages[f"{address}.sha256sum"] = f"{'0' * 64}  {address.rpartition('/')[2]}\n".encode()
    with pytest.raises(binaries.Refused, match="so nothing is installed"):
        installer.provide(pins.HELM)


def test_no_checksum_anywhere_is_refused(installer: binaries.Installer, network: FakeNetwork) -> None:
    """Nothing unchecked is installed."""
    released(network, pins.HELM, archive("linux-amd64/helm", "v4.3.1"))
    with pytest.raises(binaries.Refused, match="cannot be installed"):
        installer.provide(pins.HELM)
    assert installed(installer) == []


def test_archive_without_the_program_is_refused(installer: binaries.Installer, network: FakeNetwork) -> None:
    """A release laid out in another way is not guessed at."""
    content = archive("bin/kubeconform", "v0.7.0")
    released(network, pins.KUBECONFORM, content)
    with pytest.raises(binaries.Refused, match="no readable kubeconform"):
        installer.provide(pinned(pins.KUBECONFORM, content))


def test_program_of_another_version_is_refused(installer: binaries.Installer, bin_folder: Path) -> None:
    """What was installed must say that it is what was asked for."""
    fake_go(bin_folder, pins.HELM, says="v4.9.9")
    with pytest.raises(binaries.Refused, match="does not say that version"):
        installer.provide(pins.HELM)
    assert installed(installer) == []


def test_neither_go_nor_network(installer: binaries.Installer, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence for each tool: what is missing, why, and the ways out; exit status 3."""
    assert binaries.main(["helm", "kubeconform"], installer) == 3
    sentences = [line for line in capsys.readouterr().err.splitlines() if "cannot be installed" in line]
    assert [sentence.split()[0] for sentence in sentences] == ["helm", "kubeconform"]
    for part in (
        "there is no Go to build it",
        "cannot be reached",
        "install Go, or go online, or put a helm from 4.0.0",
    ):
        assert part in sentences[0]


def test_all_there_is_success(installer: binaries.Installer, bin_folder: Path) -> None:
    """Exit status 0."""
    program(bin_folder, "helm", "v4.3.1")
    assert binaries.main(["helm"], installer) == 0


@pytest.mark.parametrize("tool", pins.TOOLS.values(), ids=lambda tool: tool.name)
def test_pin_is_whole(tool: pins.Tool) -> None:
    """A pin that is not itself good, or a checksum with a letter lost, would only show on someone's machine."""
    assert tool.accepts(binaries.parse_version(tool.version) or (0, 0, 0))
    assert tool.module_hash.startswith("h1:")
    assert all(len(bytes.fromhex(checksum)) == 32 for checksum in tool.checksums.values())
