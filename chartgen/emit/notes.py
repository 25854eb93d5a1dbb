"""NOTES.txt: what Helm tells after an installation or upgrade.

It is the one place where a user learns of what did not stop helm and yet matters: values that no longer do anything,
combinations with a catch, objects that must exist beforehand, labels and tolerations that nodes need. Everything said
depends on the values; the sentences about them come from the schema, from the rules, and from the tables below. Reads
are nil-safe as everywhere, so that a null among the values neither fails nor prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chartgen.components import validations
from chartgen.components.operands import driver_settings
from chartgen.emit import wording
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition, On, Set, all_of, any_of, negate, off
from chartgen.schema.model import UNSET, Field, Kind, Schema
from chartgen.tree import expressions, guards
from chartgen.tree.expressions import Scope

_POLICY = On("clusterPolicy.deployCR")
_BY_RESOURCE = On("driver.nvidiaDriverCRD.enabled")
_SANDBOXES = On("sandboxWorkloads.enabled")
_KATA = conditions.Equals("sandboxWorkloads.mode", "kata")
_KUBEVIRT = conditions.Equals("sandboxWorkloads.mode", "kubevirt")
_WITH_DRIVER = all_of(On("driver.enabled"), negate(_BY_RESOURCE))

# What a ClusterPolicy, or the chart itself without an operator, brings to the nodes; in the order they come up.
_OF_POLICY: Sequence[tuple[Condition, str]] = (
    (_WITH_DRIVER, "driver"),
    (all_of(_WITH_DRIVER, On("gds.enabled")), "GPUDirect Storage"),
    (all_of(_WITH_DRIVER, On("gdrcopy.enabled")), "GDRCopy"),
    (On("toolkit.enabled"), "container toolkit"),
    (conditions.ALWAYS, "validator"),
    (On("devicePlugin.enabled"), "device plugin"),
    (On("gfd.enabled"), "GPU feature discovery"),
    (On("migManager.enabled"), "MIG manager"),
    (On("dcgm.enabled"), "DCGM"),
    (On("dcgmExporter.enabled"), "DCGM exporter"),
    (On("nodeStatusExporter.enabled"), "node status exporter"),
    (all_of(_SANDBOXES, On("vfioManager.enabled")), "VFIO manager"),
    (all_of(_SANDBOXES, On("vgpuManager.enabled")), "vGPU manager"),
    (all_of(_SANDBOXES, On("vgpuDeviceManager.enabled")), "vGPU device manager"),
    (all_of(_SANDBOXES, On("sandboxDevicePlugin.enabled"), _KUBEVIRT), "sandbox device plugin"),
    (all_of(_SANDBOXES, On("kataSandboxDevicePlugin.enabled"), _KATA), "Kata device plugin"),
    (all_of(_SANDBOXES, On("ccManager.enabled"), _KATA), "CC manager"),
)
_OF_CLUSTER: Sequence[tuple[Condition, str]] = (
    (conditions.ALWAYS, "DRA driver"),
    (On("draDriver.computeDomains.enabled"), "compute domains"),
    (On("dcgm.enabled"), "DCGM"),
    (On("dcgmExporter.enabled"), "DCGM exporter"),
)
# What is on by default and was switched off, with what that leaves to the nodes.
_SWITCHED_OFF: Sequence[tuple[Condition, str]] = (
    (off("driver.enabled"), "driver: the GPU nodes need one of their own"),
    (
        all_of(_POLICY, off("toolkit.enabled")),
        "container toolkit: the container runtime of the GPU nodes has to know NVIDIA's already",
    ),
    (
        all_of(_POLICY, off("devicePlugin.enabled")),
        "device plugin: nodes offer no nvidia.com/gpu, unless something else announces it",
    ),
    (all_of(_POLICY, off("gfd.enabled")), "GPU feature discovery: nodes get no labels like nvidia.com/gpu.product"),
    (all_of(_POLICY, off("migManager.enabled")), "MIG manager: the label nvidia.com/mig.config has no effect"),
    (off("dcgmExporter.enabled"), "DCGM exporter: no GPU metrics"),
    (all_of(_POLICY, off("cdi.enabled")), "CDI: GPUs are handed out by the runtime class alone"),
    (
        all_of(On("driver.enabled"), _BY_RESOURCE, off("driver.nvidiaDriverCRD.deployDefaultCR")),
        "default NVIDIADriver: GPU nodes have no driver until you create an NVIDIADriver",
    ),
)
# Objects that values name and that have to be there. One that is missing stops the whole policy, not its own part alone.
_NEEDED: Sequence[tuple[str, str, Condition]] = (
    ("Secret", "driver.secretEnv", On("driver.enabled")),
    ("Secret", "driver.licensingConfig.secretName", On("driver.enabled")),
    ("ConfigMap", "driver.licensingConfig.configMapName", On("driver.enabled")),
    ("ConfigMap", "driver.repoConfig.configMapName", On("driver.enabled")),
    ("ConfigMap", "driver.certConfig.name", On("driver.enabled")),
    ("ConfigMap", "driver.kernelModuleConfig.name", On("driver.enabled")),
    ("ConfigMap", "driver.virtualTopology.config", On("driver.enabled")),
    ("ConfigMap", "devicePlugin.config.name", all_of(_POLICY, off("devicePlugin.config.create"))),
    (
        "ConfigMap",
        "migManager.config.name",
        all_of(
            _POLICY,
            off("migManager.config.create"),
            # The operator creates this one when it is not there.
            negate(conditions.Equals("migManager.config.name", "default-mig-parted-config")),
        ),
    ),
    ("ConfigMap", "migManager.gpuClientsConfig.name", _POLICY),
    ("ConfigMap", "dcgmExporter.config.name", off("dcgmExporter.config.create")),
    ("ConfigMap", "vgpuDeviceManager.config.name", all_of(_POLICY, _SANDBOXES)),
    ("ConfigMap", "vgpuManager.kernelModuleConfig.name", all_of(_POLICY, _SANDBOXES, On("vgpuManager.enabled"))),
)


def data(schema: Schema, scope: Scope) -> dict[str, Any]:
    """What the frame of NOTES.txt is filled with.

    Args:
        schema: its deprecated values, retired keys and rules are told.
        scope: the fields that paths are looked up in.
    """
    runs = conditions.On("operator.enabled")
    return {
        "static": expressions.condition(negate(runs), scope),
        "static_driver": expressions.condition(all_of(negate(runs), driver_settings.ENABLED), scope),
        "labels_nodes": expressions.condition(On("cluster.labelNodes"), scope),
        "policy": expressions.condition(all_of(runs, _POLICY), scope),
        "cluster": expressions.condition(all_of(runs, On("gpuCluster.deployCR")), scope),
        "driver": expressions.condition(
            all_of(runs, On("driver.enabled"), _BY_RESOURCE, On("driver.nvidiaDriverCRD.deployDefaultCR")), scope
        ),
        "of_policy": _lines(_OF_POLICY, scope),
        "of_cluster": _lines(_OF_CLUSTER, scope),
        "off": _lines(_SWITCHED_OFF, scope),
        "needed": [
            {
                "opening": "\n".join(guards.opening(all_of(condition, Set(path)), scope, "")),
                "kind": kind,
                "path": path,
                "name": expressions.raw(path, scope),
            }
            for kind, path, condition in _NEEDED
        ],
        "nfd": expressions.condition(On("nfd.enabled"), scope),
        "nri": expressions.condition(all_of(runs, _POLICY, On("cdi.nriPluginEnabled")), scope),
        "runtime_class": expressions.condition(all_of(runs, _POLICY, off("cdi.nriPluginEnabled")), scope),
        "unlabelled": expressions.condition(
            all_of(
                off("platform.openshift"),
                negate(all_of(negate(runs), Set("cluster.openshiftVersion"))),
                off("namespace.create"),
                negate(all_of(runs, _POLICY, On("psa.enabled"))),
            ),
            scope,
        ),
        "tests": expressions.condition(all_of(runs, On("tests.enabled")), scope),
        "warnings": _lines([(check.condition, check.text) for check in validations.warnings(schema)], scope),
        "deprecated": _lines(list(deprecations(schema)), scope),
    }


def deprecations(schema: Schema) -> Iterator[tuple[Condition, str]]:
    """Each deprecated value and retired key: when it is in use, and what to do about it."""
    for top in schema.fields.values():
        yield from _deprecated(top)
    for stray in schema.strays.values():
        if stray.retired is not None:
            yield conditions.Given(stray.path), f"{stray.path}: {wording.retirement(stray.retired)}"


def _deprecated(field: Field) -> Iterator[tuple[Condition, str]]:
    if field.deprecated is None:
        for child in field.children:
            yield from _deprecated(child)
        return
    yield any_of(*_in_use(field)), f"{field.path}: {wording.deprecation(field)}"


def _in_use(field: Field) -> Iterator[Condition]:
    """What tells that somebody set a field, as far as its default lets one see it."""
    if field.type.kind is Kind.OBJECT and field.children:
        for child in field.children:
            yield from _in_use(child)
    elif field.default is UNSET:
        yield Set(field.path)
    elif isinstance(field.default, bool):
        yield off(field.path) if field.default else On(field.path)


def _lines(entries: Sequence[tuple[Condition, str]], scope: Scope) -> list[dict[str, str]]:
    return [
        {
            "opening": "" if condition == conditions.ALWAYS else "\n".join(guards.opening(condition, scope, "")),
            "text": expressions.literal(text),
        }
        for condition, text in entries
    ]
