"""What the parts of the driver's DaemonSet share: conditions, names, images, environment.

There are three ways to a kernel module: compiled in the driver container, compiled by OpenShift's Driver Toolkit beside
it, or taken from an image that was made for one kernel. They exclude each other, and the last one needs no packages.
"""

from __future__ import annotations

from chartgen.components.operands import pools
from chartgen.components.operands.workload import OPENSHIFT, variable
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import helpers
from chartgen.tree.nodes import Digest, Helper, Node, Value, When, extend

NAME = "nvidia-driver-daemonset"
ACCOUNT = "nvidia-driver"
COMPONENT = {"app.kubernetes.io/component": "nvidia-driver"}

# With NVIDIADriver resources in charge, an operator passes over this driver as a whole. A chart without one makes the driver
# that the default NVIDIADriver would be, where that is wanted.
BY_RESOURCE = conditions.On("driver.nvidiaDriverCRD.enabled")
ENABLED = conditions.all_of(
    conditions.On("driver.enabled"),
    conditions.any_of(conditions.negate(BY_RESOURCE), conditions.On("driver.nvidiaDriverCRD.deployDefaultCR")),
)
PRECOMPILED = conditions.On("driver.usePrecompiled")
COMPILED = conditions.negate(PRECOMPILED)
TOOLKIT = conditions.all_of(COMPILED, conditions.Set("cluster.driverToolkit.osVersion"))
TOOLKIT_IMAGE_UNKNOWN = conditions.all_of(TOOLKIT, conditions.negate(conditions.Set("cluster.driverToolkit.image")))
RDMA = conditions.On("driver.rdma.enabled")
HOST_MOFED = conditions.all_of(RDMA, conditions.On("driver.rdma.useHostMofed"))
GDS = conditions.On("gds.enabled")
GDRCOPY = conditions.On("gdrcopy.enabled")
TRUSTED_CA = conditions.all_of(OPENSHIFT, COMPILED, conditions.Set("cluster.proxy.trustedCA"))

OS = Value("cluster.os")
KERNEL = Value("cluster.kernelVersion")
TOOLKIT_OS = Value("cluster.driverToolkit.osVersion")
TOOLKIT_IMAGE = Value("cluster.driverToolkit.image")

APP = When(TOOLKIT, helpers.object_name(NAME, TOOLKIT_OS), NAME)
OBJECT_NAME = When(
    PRECOMPILED, pools.named(NAME, KERNEL, OS), When(TOOLKIT, pools.named(NAME, TOOLKIT_OS), pools.named(NAME))
)

# A ClusterPolicy's arguments stand in place of the usual one, those of an NVIDIADriver follow it.
_NO_ARGS = conditions.negate(conditions.Set("driver.args"))
ARGS = extend([When(conditions.any_of(BY_RESOURCE, _NO_ARGS), "init")], Value("driver.args"))

RESOURCES = Value("driver.resources")
PRIVILEGED: Node = {"privileged": True, "seLinuxOptions": {"level": "s0"}}


def runs_on(*systems: str) -> Condition:
    """The nodes have one of these operating systems."""
    return conditions.Matches("cluster.os", f"^({'|'.join(systems)})[0-9.]*$")


DEBIAN = runs_on("debian", "ubuntu")
RED_HAT = runs_on("centos", "ol", "rhcos", "rhel", "rocky")
SUSE = runs_on("sl-micro", "sles")


def image() -> Helper:
    """The driver's image, which is made for an operating system, and a precompiled one for a kernel too."""
    return helpers.driver_image("driver", "nvcr.io/nvidia", When(PRECOMPILED, KERNEL, ""), OS)


def module_image(values: str) -> Helper:
    """The image of another kernel module that is compiled beside the driver."""
    return helpers.driver_image(values, "nvcr.io/nvidia/cloud-native", "", OS)


# Whoever looks for the host's root directory somewhere else than at /.
HOST_ROOT: Node = When(
    conditions.all_of(
        conditions.Set("hostPaths.rootFS"), conditions.negate(conditions.Equals("hostPaths.rootFS", "/"))
    ),
    variable("HOST_ROOT", Value("hostPaths.rootFS")),
)
RDMA_ENV: tuple[Node, ...] = (
    When(RDMA, variable("GPU_DIRECT_RDMA_ENABLED", "true")),
    When(HOST_MOFED, variable("USE_HOST_MOFED", "true")),
)
SECRET_ENV: Node = When(
    conditions.all_of(COMPILED, conditions.Set("driver.secretEnv")),
    [{"secretRef": {"name": Value("driver.secretEnv")}}],
)

# What a change of reinstalls the driver. The driver manager and the driver container leave an installed driver alone while
# this stays the same: resources, probes and labels are not in it.
_INSTALLED: dict[str, Node] = {
    "image": image(),
    "manager": helpers.image("driver.manager", "nvcr.io/nvidia/cloud-native"),
    "managerEnv": Value("driver.manager.env"),
    "kernelModuleType": Value("driver.kernelModuleType"),
    "args": ARGS,
    "env": Value("driver.env"),
    "secretEnv": Value("driver.secretEnv"),
    "rdma": When(RDMA, {"hostMofed": Value("driver.rdma.useHostMofed")}),
    "gds": When(GDS, {"image": module_image("gds"), "env": Value("gds.env")}),
    "gdrcopy": When(GDRCOPY, {"image": module_image("gdrcopy"), "env": Value("gdrcopy.env")}),
    "configs": {
        "repo": Value("driver.repoConfig.configMapName"),
        "cert": Value("driver.certConfig.name"),
        "licensing": Value("driver.licensingConfig.configMapName"),
        "licensingSecret": Value("driver.licensingConfig.secretName"),
        "nls": Value("driver.licensingConfig.nlsEnabled"),
        "topology": Value("driver.virtualTopology.config"),
        "kernelModule": Value("driver.kernelModuleConfig.name"),
        "keys": Value("cluster.configMaps"),
    },
    "openshift": When(
        OPENSHIFT,
        {
            "version": Value("cluster.openshiftVersion"),
            "proxy": Value("cluster.proxy"),
            "toolkit": When(TOOLKIT, Value("cluster.driverToolkit")),
        },
    ),
    "hostRoot": Value("hostPaths.rootFS"),
}
DIGEST = variable("DRIVER_CONFIG_DIGEST", Digest("driverDigest", _INSTALLED))
