"""The script by which kubelet learns that the driver is loaded, and the validator which features it has to check."""

from __future__ import annotations

from chartgen.components.operands import driver_settings as driver
from chartgen.components.operands.workload import VALIDATION_FILES, static
from chartgen.tree.nodes import Builtin, Document

CONFIG_MAP = "nvidia-driver-startup-probe"
_SCRIPT = f"""\
#!/bin/sh
# Succeeds once the driver is loaded and answers, and then leaves word of it for the validator.
set -eu

validations={VALIDATION_FILES}
ready="$validations/.driver-ctr-ready"
daemons="$validations/.driver-daemons-status"

mkdir -p "$validations"

if [ ! -f /sys/module/nvidia/refcnt ]; then
  echo "the kernel module nvidia is not loaded"
  exit 1
fi

# Drivers that start daemons (fabric manager, topology daemon) say here how far those are; others have no such file.
if [ -f "$daemons" ]; then
  status=$(cat "$daemons")
  if [ "$status" != Ready ]; then
    echo "the daemons of the driver are not ready: $status"
    exit 1
  fi
fi

nvidia-smi

# Under its own name only when it is complete.
cat > "$ready.tmp" <<EOF
GDRCOPY_ENABLED: ${{GDRCOPY_ENABLED:-false}}
GDS_ENABLED: ${{GDS_ENABLED:-false}}
GPU_DIRECT_RDMA_ENABLED: ${{GPU_DIRECT_RDMA_ENABLED:-false}}
EOF
mv "$ready.tmp" "$ready"
"""


def config_map() -> Document:
    """The ConfigMap with the script."""
    return Document(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
                "name": CONFIG_MAP,
                "namespace": Builtin.NAMESPACE,
                "labels": {"app": driver.NAME, **driver.COMPONENT},
            },
            "data": {"startup-probe.sh": _SCRIPT},
        },
        static(driver.ENABLED),
    )
