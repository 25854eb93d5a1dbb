"""Takes helm and kubeconform from PATH where they are good, else puts the pinned ones into ``.tools/bin``.

Built by Go or, where Go cannot, taken from the vendor's release; what is good and what is pinned is in `pins`. Nothing
unchecked is installed. A build starts from a module whose hash is pinned; that module's own go.sum, which the hash
covers, vouches for everything it is built with. A release archive has to match the pinned SHA-256, or, for a platform
that has none pinned, the checksum that the vendor publishes beside it, which is then said.

Uses nothing but the standard library. Exit status: 0 all there, 2 bad usage, 3 one cannot be had.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Protocol

import pins

PLACE = Path(__file__).resolve().parents[1] / ".tools" / "bin"
_FETCH_SECONDS = 60
_ARCHITECTURES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


class Unavailable(Exception):
    """One way to get a tool is closed; the message is a clause that says why."""


class Refused(Exception):
    """A tool cannot be had, or is not what it should be; the message is one sentence that says what to do."""


@dataclass(frozen=True)
class Done:
    """A finished program: its exit status and what it printed."""

    status: int
    stdout: str
    stderr: str

    def last_words(self) -> str:
        """The last line of its complaint, for a sentence."""
        lines = [line.strip() for line in (self.stderr or self.stdout).splitlines() if line.strip()]
        return lines[-1] if lines else f"exit status {self.status}"


class World(Protocol):
    """What is outside this process."""

    def run(self, command: Sequence[str], folder: Path | None = None) -> Done:
        """Run a program to its end."""
        ...

    def fetch(self, address: str) -> bytes:
        """Download.

        Raises:
            Unavailable: it cannot be reached or is not there.
        """
        ...


class Machine:
    """The real `World`."""

    def run(self, command: Sequence[str], folder: Path | None = None) -> Done:
        """See `World`. Go's settings that change what is built are fixed, those that say where it comes from are not."""
        environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "", "GOWORK": "off"}
        try:
            done = subprocess.run(  # noqa: S603 - a program from PATH, or the one just installed
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as cause:
            return Done(127, "", str(cause))
        return Done(done.returncode, done.stdout, done.stderr)

    def fetch(self, address: str) -> bytes:
        """See `World`."""
        try:
            with urllib.request.urlopen(address, timeout=_FETCH_SECONDS) as answer:  # noqa: S310 - https, written above
                content: bytes = answer.read()
        except OSError as cause:
            raise Unavailable(f"{address} cannot be reached ({getattr(cause, 'reason', cause)})") from cause
        return content


@dataclass(frozen=True)
class Installer:
    """Finds or installs tools.

    Attributes:
        place: the folder for what is installed.
        path: where to look first, in the form of PATH.
        platform: ``linux-amd64``.
        world: see `World`.
    """

    place: Path
    path: str
    platform: str
    world: World

    def provide(self, tool: pins.Tool) -> str:
        """Make sure that ``tool.name`` is to be found, and say where it is.

        Raises:
            Refused: it is not.
        """
        local = self.place / tool.name
        version = self.version(tool, local)
        if version and (tool.accepts(version) if local.is_symlink() else pins.spell(version) == tool.version):
            return f"{tool.name} {pins.spell(version)}: {local}"
        for program in self.on_path(tool):
            version = self.version(tool, program)
            if version and tool.accepts(version):
                self._adopt(tool, program)
                return f"{tool.name} {pins.spell(version)}: {program}"
        return self._install(tool)

    def on_path(self, tool: pins.Tool) -> list[Path]:
        """The programs on PATH that may be this tool, without those installed here."""
        folders = [folder for folder in self.path.split(os.pathsep) if Path(folder).resolve() != self.place.resolve()]
        found = [shutil.which(name, path=os.pathsep.join(folders)) for name in tool.names]
        return [Path(program).absolute() for program in found if program]

    def version(self, tool: pins.Tool, program: Path) -> pins.Version | None:
        """What a program says its version is; None when it is not there or does not say."""
        if not program.is_file():
            return None
        done = self.world.run([str(program), *tool.ask])
        return parse_version(done.stdout) if done.status == 0 else None

    def _adopt(self, tool: pins.Tool, program: Path) -> None:
        """Let a program from PATH be found by the tool's name, and remove what was installed before."""
        local = self.place / tool.name
        local.unlink(missing_ok=True)
        if program.name != tool.name:
            self.place.mkdir(parents=True, exist_ok=True)
            local.symlink_to(program)

    def _install(self, tool: pins.Tool) -> str:
        self.place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.place, prefix=".new-") as folder:
            program = Path(folder) / tool.name
            try:
                how = self._build(tool, program)
            except Unavailable as no_build:
                how = self._download(tool, program, no_build)
            version = self.version(tool, program)
            if version is None or pins.spell(version) != tool.version:
                raise Refused(f"{tool.describe()} was {how} but does not say that version: report this as a bug.")
            program.replace(self.place / tool.name)
        return f"{tool.name} {tool.version}: {self.place / tool.name} ({how})"

    def _build(self, tool: pins.Tool, program: Path) -> str:
        go = shutil.which("go", path=self.path)
        if not go:
            raise Unavailable("there is no Go to build it")
        say(f"{tool.describe()} is not on PATH: building it with Go, which takes a few minutes the first time")
        done = self.world.run([go, "mod", "download", "-json", f"{tool.module}@v{tool.version}"], program.parent)
        try:
            module: dict[str, str] = json.loads(done.stdout)
        except ValueError:
            module = {"Error": done.last_words()}
        if "Error" in module:
            raise Unavailable(f"Go cannot get its source ({module['Error'].strip().splitlines()[-1]})")
        if module.get("Sum") != tool.module_hash:
            raise Refused(
                f"The source of {tool.describe()} has the hash {module.get('Sum')} instead of {tool.module_hash}, so it is "
                "not built: find out who serves it (go env GOPROXY), or put a good one on PATH."
            )
        linker = f"-s -w -X {tool.version_variable}=v{tool.version}"
        flags = ["-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", linker, "-o", str(program)]
        done = self.world.run([go, "build", *flags, tool.package], Path(module["Dir"]))
        if done.status != 0:
            raise Unavailable(f"Go cannot build it ({done.last_words()})")
        return "built by Go"

    def _download(self, tool: pins.Tool, program: Path, no_build: Unavailable) -> str:
        address = tool.archive.format(version=tool.version, platform=self.platform)
        say(f"{tool.describe()}: {no_build}; downloading {address}")
        try:
            archive = self.world.fetch(address)
            expected, source = self._checksum(tool, address)
        except Unavailable as no_download:
            raise Refused(
                f"{tool.describe()} is not on PATH and cannot be installed, because {no_build} and {no_download}: "
                f"install Go, or go online, or put {tool.accepted()} on PATH."
            ) from no_download
        found = hashlib.sha256(archive).hexdigest()
        if found != expected:
            raise Refused(
                f"{address} has the SHA-256 {found} instead of {expected} ({source}), so nothing is installed: "
                f"try again, or put {tool.accepted()} on PATH."
            )
        program.write_bytes(unpack(archive, tool.member.format(platform=self.platform)))
        program.chmod(0o755)
        return f"downloaded, checked against {source}"

    def _checksum(self, tool: pins.Tool, address: str) -> tuple[str, str]:
        """The SHA-256 that the archive must have, and who says so."""
        if self.platform in tool.checksums:
            return tool.checksums[self.platform], "the pinned checksum"
        published = tool.published.format(version=tool.version, platform=self.platform)
        for line in self.world.fetch(published).decode(errors="replace").splitlines():
            checksum, _, name = line.partition(" ")
            if name.strip(" *") == address.rpartition("/")[2]:
                return checksum, f"{published}, as none is pinned for {self.platform}"
        raise Unavailable(f"{published} has no checksum for {self.platform}")


def parse_version(text: str) -> pins.Version | None:
    """The first ``v1.2.3`` or ``v1.2`` in what a program printed."""
    match = re.search(r"\bv?(\d+)\.(\d+)(?:\.(\d+))?", text)
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def unpack(archive: bytes, member: str) -> bytes:
    """One file of a tar.gz.

    Raises:
        Refused: it is not in there.
    """
    try:
        with tarfile.open(fileobj=BytesIO(archive), mode="r:gz") as tar:
            content = tar.extractfile(member)
            if content:
                return content.read()
    except (KeyError, tarfile.TarError) as cause:
        raise Refused(f"The archive has no readable {member} ({cause}): report this as a bug.") from cause
    raise Refused(f"In the archive {member} is not a file: report this as a bug.")


def this_platform() -> str:
    """``linux-amd64``, in the words of Go, which both vendors use."""
    machine = platform.machine().lower()
    return f"{sys.platform}-{_ARCHITECTURES.get(machine, machine)}"


def this_machine() -> Installer:
    """Finds on PATH, installs into ``.tools/bin``."""
    return Installer(PLACE, os.environ.get("PATH", os.defpath), this_platform(), Machine())


def say(text: str) -> None:
    """Progress goes to stderr at once, since a build takes minutes."""
    print(text, file=sys.stderr, flush=True)


def main(words: Sequence[str] | None = None, installer: Installer | None = None) -> int:
    """Provide the tools named on the command line.

    Args:
        words: the command line, by default this process's.
        installer: by default one for this machine.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(description="Find helm and kubeconform, or install them into .tools/bin.")
    parser.add_argument("tools", nargs="+", choices=sorted(pins.TOOLS), help="which ones")
    wanted = parser.parse_args(words).tools
    installer = installer or this_machine()
    failed = False
    for name in wanted:
        try:
            say(installer.provide(pins.TOOLS[name]))
        except Refused as cause:
            say(str(cause))
            failed = True
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
