"""Ways to use the chart: together they bring every value of it to life.

A value matters in some of them only: those of a driver's DaemonSet where no operator runs, those of a GPUCluster where one is
deployed. Who tries values tries them in each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chartgen.harness.cases.assignments import API

_DRA = {f"{API}resource.k8s.io/v1/DeviceClass": True}
_MONITORING = {f"{API}monitoring.coreos.com/v1": True}
_CREATED = {
    "devicePlugin.config.create": True,
    "devicePlugin.config.name": "plugin",
    "devicePlugin.config.data": {"a": "version: v1"},
    "devicePlugin.config.default": "a",
    "migManager.config.create": True,
    "migManager.config.name": "mig",
    "migManager.config.data": {"config.yaml": "version: v1"},
    "dcgmExporter.config.create": True,
    "dcgmExporter.config.name": "metrics",
    "dcgmExporter.config.data": "A, gauge, b",
}
_OPERANDS = {"dcgm.enabled": True, "nodeStatusExporter.enabled": True}
_DISCOVERY = {
    "node-feature-discovery.master.enableTaints": True,
    "node-feature-discovery.topologyUpdater.enable": True,
    "node-feature-discovery.topologyUpdater.createCRDs": True,
    "node-feature-discovery.prometheus.enable": True,
    **{
        f"node-feature-discovery.{program}.networkPolicy.enabled": True
        for program in ("master", "worker", "topologyUpdater", "gc")
    },
    **{f"node-feature-discovery.{program}.podDisruptionBudget.enable": True for program in ("master", "gc")},
}
_ALL_OF_OPERATOR = {
    "operator.cleanupCRD": True,
    "operator.replicas": 2,
    "operator.podDisruptionBudget.enabled": True,
    "operator.networkPolicy.enabled": True,
    "operator.metrics.serviceMonitor.enabled": True,
    "namespace.create": True,
    "userRoles.create": True,
    "nfd.nodefeaturerules": True,
    **_MONITORING,
}

CONTEXTS: Mapping[str, Mapping[str, Any]] = {
    "defaults": {},
    "everything on": {
        **_ALL_OF_OPERATOR,
        "crds.install": "templates",
        "sandboxWorkloads.enabled": True,
        "gds.enabled": True,
        "gdrcopy.enabled": True,
        **_OPERANDS,
        **_DISCOVERY,
    },
    "no operator": {
        "operator.enabled": False,
        "cluster.os": "ubuntu22.04",
        "cluster.kernelVersion": "5.15.0-119-generic",
        "dcgmExporter.serviceMonitor.enabled": True,
        **_MONITORING,
        **_OPERANDS,
        **_CREATED,
    },
    "configurations": _CREATED,
    "NVIDIADriver": {"driver.nvidiaDriverCRD.enabled": True},
    "GPUCluster": {
        "clusterPolicy.deployCR": False,
        "gpuCluster.deployCR": True,
        "driver.nvidiaDriverCRD.enabled": True,
        **_DRA,
    },
    "no operator, other": {
        "operator.enabled": False,
        "cluster.containerRuntime": "crio",
        "cluster.os": "rhel9",
        "cluster.kernelVersion": "5.14.0-503.el9",
        "cluster.openshiftVersion": "4.20",
        "driver.usePrecompiled": True,
        "driver.version": "580",
    },
    "no operator, modules": {
        "operator.enabled": False,
        "cluster.os": "sles15.6",
        "gds.enabled": True,
        "gdrcopy.enabled": True,
        "driver.rdma.enabled": True,
    },
    "no operator, Driver Toolkit": {
        "operator.enabled": False,
        "cluster.os": "rhcos4.20",
        "cluster.openshiftVersion": "4.20",
        "cluster.driverToolkit.osVersion": "418.94",
    },
    "no operator, pools": {
        "operator.enabled": False,
        "cluster.nodePools": [
            {"name": "jammy", "nodeSelector": {"pool": "a"}, "os": "ubuntu22.04"},
            {"name": "nine", "nodeSelector": {"pool": "b"}, "os": "rhel9.4", "containerRuntime": "crio"},
        ],
    },
    "OpenShift": {"platform.openshift": True, "operator.cleanupCRD": True},
}
