"""The pins: which helm and kubeconform are good enough, which exact ones are installed, and what they must hash to.

``helm`` is Helm 4 and ``helm3`` is Helm 3, because the chart has to render the same under both. Any Helm 4 and any Helm 3
from 3.14 on will do, as people have them; what `binaries` installs is one exact version.

To raise a pin: the version; the module's hash, which ``go mod download -json MODULE@VERSION`` prints as ``Sum``; the archives'
checksums, which the vendor's release page gives. Where an archive has none here, the one published beside it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Version = tuple[int, int, int]


@dataclass(frozen=True)
class Tool:
    """A program, which versions of it are good, and where the pinned one comes from.

    Attributes:
        name: its name in ``.tools/bin``, by which everything here calls it.
        names: the names it may have on PATH, best first.
        version: the one installed when PATH has none that is good.
        lowest: the first good version on PATH.
        below: the first version that is too new.
        ask: arguments that make it print its version.
        module: Go module, and ``package`` the program in it.
        module_hash: Go's hash of that module at that version, as in go.sum.
        version_variable: what the linker sets, so that a build knows its own version.
        archive: address of the release archive; ``member`` is the program in it.
        checksums: SHA-256 of the archive for each platform.
        published: address of the vendor's checksum of that archive, used for platforms not in ``checksums``.
    """

    name: str
    names: tuple[str, ...]
    version: str
    lowest: Version
    below: Version
    ask: tuple[str, ...]
    module: str
    package: str
    module_hash: str
    version_variable: str
    archive: str
    member: str
    published: str
    checksums: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> str:
        """``helm3 v3.22.0``."""
        return f"{self.name} v{self.version}"

    def accepts(self, version: Version) -> bool:
        """Whether a version found on PATH will do."""
        return self.lowest <= version < self.below

    def accepted(self) -> str:
        """What will do, for a sentence."""
        return f"a {self.name} from {spell(self.lowest)} up to but not including {spell(self.below)}"


def spell(version: Version) -> str:
    """``4.3.1``."""
    return ".".join(str(number) for number in version)


HELM = Tool(
    name="helm",
    names=("helm", "helm4"),
    version="4.3.1",
    lowest=(4, 0, 0),
    below=(5, 0, 0),
    ask=("version", "--short"),
    module="helm.sh/helm/v4",
    package="./cmd/helm",
    module_hash="h1:UndCoLe9UPmNoL7IvWzaUXveL7T5t/ijoorEmgJdI9g=",
    version_variable="helm.sh/helm/v4/internal/version.version",
    archive="https://get.helm.sh/helm-v{version}-{platform}.tar.gz",
    member="{platform}/helm",
    published="https://get.helm.sh/helm-v{version}-{platform}.tar.gz.sha256sum",
)
HELM3 = Tool(
    name="helm3",
    names=("helm3", "helm"),
    version="3.22.0",
    lowest=(3, 14, 0),
    below=(4, 0, 0),
    ask=("version", "--short"),
    module="helm.sh/helm/v3",
    package="./cmd/helm",
    module_hash="h1:n1if5iQgHYsujPAcO5oonH/KiSNUmqmUF0iGVjSF3AU=",
    version_variable="helm.sh/helm/v3/internal/version.version",
    archive="https://get.helm.sh/helm-v{version}-{platform}.tar.gz",
    member="{platform}/helm",
    published="https://get.helm.sh/helm-v{version}-{platform}.tar.gz.sha256sum",
    checksums={
        "darwin-amd64": "bd1d09f316558dda23698527859600936fed1371021ce0f2272d66b2fdcfa69c",
        "darwin-arm64": "4c9982a6cdeb458b60258df66b55398ca5b19293f6877faffe2909ad6f23dfe0",
        "linux-amd64": "1e4ab49e429626cf6c6958d914248b78c9730803c2751b87627e171dc800e7bb",
        "linux-arm64": "f14e804dfee240f55525b667488fe9adca349e63e00c9af634c0beb1421ac310",
    },
)
KUBECONFORM = Tool(
    name="kubeconform",
    names=("kubeconform",),
    version="0.7.0",
    lowest=(0, 7, 0),
    below=(1, 0, 0),
    ask=("-v",),
    module="github.com/yannh/kubeconform",
    package="./cmd/kubeconform",
    module_hash="h1:ZFfniR8VChrWQxaxTUGnNrxw8RIDkjVBrjdhXSamwjw=",
    version_variable="main.version",
    archive="https://github.com/yannh/kubeconform/releases/download/v{version}/kubeconform-{platform}.tar.gz",
    member="kubeconform",
    published="https://github.com/yannh/kubeconform/releases/download/v{version}/CHECKSUMS",
    checksums={
        "darwin-amd64": "c6771cc894d82e1b12f35ee797dcda1f7da6a3787aa30902a15c264056dd40d4",
        "darwin-arm64": "b5d32b2cb77f9c781c976b20a85e2d0bc8f9184d5d1cfe665a2f31a19f99eeb9",
        "linux-amd64": "c31518ddd122663b3f3aa874cfe8178cb0988de944f29c74a0b9260920d115d3",
        "linux-arm64": "cc907ccf9e3c34523f0f32b69745265e0a6908ca85b92f41931d4537860eb83c",
    },
)
TOOLS = {tool.name: tool for tool in (HELM, HELM3, KUBECONFORM)}
