"""The start scripts, run by a shell: they take over the driver's place, and become the process."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from chartgen.components.chart import OPERANDS

READY = "IS_HOST_DRIVER=false\nNVIDIA_DRIVER_ROOT=/run/nvidia/driver\nDRIVER_ROOT_CTR_PATH=/driver-root\n"
SCRIPTS = {
    document.tree["metadata"]["name"]: document.tree["data"]["entrypoint.sh"]
    for manifest in OPERANDS
    for document in manifest.documents
    if document.tree["kind"] == "ConfigMap" and "entrypoint.sh" in document.tree.get("data", {})
}


def started(script: str, folder: Path, program: str, modules: str = "", env: dict[str, str] | None = None) -> list[str]:
    """What the process finds: its arguments and its environment, one a line.

    Args:
        script: its text; the places of the host in it are moved to `folder`.
        folder: of the test.
        program: that the script becomes.
        modules: names of loaded kernel modules, in one string.
        env: further environment of the container.
    """
    (folder / "driver-ready").write_text(READY)
    (folder / "modules").write_text("".join(f"{name} 16384 0 - Live 0x0\n" for name in modules.split()))
    for name, text in ((program, '#!/bin/sh\necho "args:$*"\nenv\n'), ("sleep", "#!/bin/sh\n")):
        (folder / name).write_text(text)
        (folder / name).chmod(stat.S_IRWXU)
    moved = script.replace("/run/nvidia/validations", str(folder)).replace("/proc/modules", str(folder / "modules"))
    ran = subprocess.run(
        ["/bin/sh", "-c", moved],
        env={"PATH": f"{folder}{os.pathsep}{os.defpath}", **(env or {})},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("nvidia-container-toolkit-entrypoint", "nvidia-toolkit"),
        ("nvidia-device-plugin-entrypoint", "nvidia-device-plugin"),
        ("nvidia-mig-manager-entrypoint", "nvidia-mig-manager"),
    ],
)
def test_the_process_knows_the_driver(name: str, program: str, tmp_path: Path) -> None:
    """It starts without arguments, and everything in the file is in its environment."""
    found = started(SCRIPTS[name], tmp_path, program)
    assert "args:" in found
    assert set(READY.splitlines()) <= set(found[found.index("args:") :])


@pytest.mark.parametrize(
    ("modules", "env", "wanted"),
    [
        ("nvidia", {}, set()),
        ("nvidia gdrdrv", {}, {"GDRCOPY_ENABLED=true"}),
        ("nvidia_fs", {}, {"GDS_ENABLED=true", "MOFED_ENABLED=true"}),
        ("nvidia_fs", {"MOFED_ENABLED": "false"}, {"GDS_ENABLED=true", "MOFED_ENABLED=false"}),
        ("gdrdrv", {"GDRCOPY_ENABLED": "false"}, {"GDRCOPY_ENABLED=false"}),
        ("my_gdrdrv gdrdrv2 nvidia_fs_other", {}, set()),
    ],
)
def test_the_device_plugin_looks_what_is_loaded(
    modules: str, env: dict[str, str], wanted: set[str], tmp_path: Path
) -> None:
    """A module that is loaded switches its feature on, where no value has said anything."""
    found = started(SCRIPTS["nvidia-device-plugin-entrypoint"], tmp_path, "nvidia-device-plugin", modules, env)
    features = {line for line in found if line.partition("=")[0] in ("GDRCOPY_ENABLED", "GDS_ENABLED", "MOFED_ENABLED")}
    assert features == wanted


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_script_waits_for_the_driver(name: str, tmp_path: Path) -> None:
    """Without the file it sleeps and looks again; here the sleep brings the file."""
    ready = tmp_path / "driver-ready"
    program = SCRIPTS[name].rstrip().splitlines()[-1].split()[1]
    for tool, text in ((program, "#!/bin/sh\nenv\n"), ("sleep", f'#!/bin/sh\necho "FROM_SLEEP=$1" > {ready}\n')):
        (tmp_path / tool).write_text(text)
        (tmp_path / tool).chmod(stat.S_IRWXU)
    moved = SCRIPTS[name].replace("/run/nvidia/validations", str(tmp_path))
    path = f"{tmp_path}{os.pathsep}{os.defpath}"
    ran = subprocess.run(
        ["/bin/sh", "-c", moved], env={"PATH": path}, capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.splitlines()[0] == f"waiting for {ready}"
    assert "FROM_SLEEP=5" in ran.stdout.splitlines()
