"""The DCGM exporter: GPU metrics for Prometheus, from a DCGM of its own or from the host engine where that runs.

Its pods have no token, unless something is set for which the exporter asks the API server: labels or UIDs of the pods
that use a GPU, or a metrics list that it reads from a ConfigMap itself.
"""

from __future__ import annotations

from chartgen.components.operands import access, dcgm, monitoring
from chartgen.components.operands.workload import (
    Workload,
    daemonset,
    from_field,
    host_path,
    pull_policy,
    static,
    toolkit_validation,
    variable,
)
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, Value, When, join

_NAME = "nvidia-dcgm-exporter"
_VALUES = "dcgmExporter"
_ENABLED = conditions.On("dcgmExporter.enabled")
_PORT = 9400
_FILES = "/etc/dcgm-exporter"
_LIST = "dcgm-metrics.csv"
_KUBELET = "/var/lib/kubelet"

_POD_LABELS, _POD_UID = (conditions.On(f"dcgmExporter.{name}") for name in ("enablePodLabels", "enablePodUID"))
_OWN_LIST = conditions.Set("dcgmExporter.config.name")
_JOBS = conditions.On("dcgmExporter.hpcJobMapping.enabled")
_JOB_FILES = Value("dcgmExporter.hpcJobMapping.directory", "/var/lib/dcgm-exporter/job-mapping")
_ALLOWED_LABELS = "dcgmExporter.podLabelAllowlistRegex"


def _set_true(name: str) -> conditions.Variable:
    return conditions.Variable("dcgmExporter.env", name, "(?i)^true$")


_READS_PODS = conditions.any_of(
    _POD_LABELS,
    _POD_UID,
    _set_true("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS"),
    _set_true("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID"),
)
_LIST_FROM_API = conditions.all_of(
    conditions.Variable("dcgmExporter.env", "DCGM_EXPORTER_CONFIGMAP_DATA", "."),
    conditions.negate(conditions.Variable("dcgmExporter.env", "DCGM_EXPORTER_CONFIGMAP_DATA", "^none$")),
)


def _env() -> Node:
    own: tuple[Node, ...] = (
        variable("DCGM_EXPORTER_LISTEN", f":{_PORT}"),
        variable("DCGM_EXPORTER_KUBERNETES", "true"),
        variable(
            "DCGM_EXPORTER_COLLECTORS", When(_OWN_LIST, f"{_FILES}/{_LIST}", f"{_FILES}/dcp-metrics-included.csv")
        ),
        from_field("NODE_NAME", "spec.nodeName"),
        When(dcgm.ENABLED, variable("DCGM_REMOTE_HOSTENGINE_INFO", f"{dcgm.NAME}:{dcgm.PORT}")),
        When(_JOBS, variable("DCGM_HPC_JOB_MAPPING_DIR", _JOB_FILES)),
        When(_POD_LABELS, variable("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS", "true")),
        When(_POD_UID, variable("DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID", "true")),
        When(
            conditions.Set(_ALLOWED_LABELS),
            variable("DCGM_EXPORTER_KUBERNETES_POD_LABEL_ALLOWLIST_REGEX", helpers.commas(_ALLOWED_LABELS)),
        ),
    )
    return EnvMerge("dcgmExporterEnv", (own, "dcgmExporter.env"))


def _container() -> Node:
    probe: dict[str, Node] = {"httpGet": {"path": "/health", "port": _PORT}, "initialDelaySeconds": 45}
    listed: Node = {"name": "metrics-config", "mountPath": f"{_FILES}/{_LIST}", "subPath": _LIST, "readOnly": True}
    return {
        "name": _NAME,
        "image": helpers.image(_VALUES, "nvcr.io/nvidia/k8s"),
        "imagePullPolicy": pull_policy("dcgmExporter.imagePullPolicy"),
        "args": Value("dcgmExporter.args"),
        "env": _env(),
        "ports": [{"name": "metrics", "containerPort": _PORT}],
        "livenessProbe": {**probe, "periodSeconds": 5},
        "readinessProbe": probe,
        "resources": Value("dcgmExporter.resources"),
        "securityContext": {"privileged": True},
        "volumeMounts": [
            {"name": "pod-gpu-resources", "mountPath": f"{_KUBELET}/pod-resources", "readOnly": True},
            When(_JOBS, {"name": "hpc-job-mapping", "mountPath": _JOB_FILES, "readOnly": True}),
            When(_OWN_LIST, listed),
        ],
    }


def _volumes() -> tuple[Node, ...]:
    items: Node = [{"key": _LIST, "path": _LIST}]
    listed: Node = {"name": Value("dcgmExporter.config.name"), "items": items}
    return (
        host_path("pod-gpu-resources", join(Value("hostPaths.kubeletRootDir", _KUBELET), "/pod-resources")),
        host_path("run-nvidia", "/run/nvidia"),
        When(_JOBS, host_path("hpc-job-mapping", _JOB_FILES, "DirectoryOrCreate")),
        When(_OWN_LIST, {"name": "metrics-config", "configMap": listed}),
    )


def _series() -> dict[str, Node]:
    """Series that dashboards of OpenShift know for accelerators of every vendor. DCGM counts in MiB and MHz."""
    found = [
        ("accelerator_gpu_utilization", "DCGM_FI_DEV_GPU_UTIL"),
        ("accelerator_memory_used_bytes", "DCGM_FI_DEV_FB_USED * 1048576"),
        ("accelerator_memory_total_bytes", "DCGM_FI_DEV_FB_TOTAL * 1048576"),
        ("accelerator_power_usage_watts", "DCGM_FI_DEV_POWER_USAGE"),
        ("accelerator_temperature_celsius", "DCGM_FI_DEV_GPU_TEMP"),
        ("accelerator_sm_clock_hertz", "DCGM_FI_DEV_SM_CLOCK * 1000000"),
        ("accelerator_memory_clock_hertz", "DCGM_FI_DEV_MEM_CLOCK * 1000000"),
    ]
    return monitoring.records("dcgm.accelerator.metrics", "30s", {"vendor": "nvidia"}, found)


def manifest() -> Manifest:
    """All objects of the exporter."""
    labels: dict[str, Node] = {"app": _NAME}
    mount: dict[str, Node] = {"mountPath": "/run/nvidia", "mountPropagation": "HostToContainer"}
    monitor = "dcgmExporter.serviceMonitor"
    workload = Workload(
        values=_VALUES,
        name=_NAME,
        account=_NAME,
        enabled=_ENABLED,
        deploy="dcgm-exporter",
        metadata_annotations={"openshift.io/scc": _NAME},
        pod_annotations="dcgmExporter.annotations",
        init_containers=(toolkit_validation("run-nvidia", mount),),
        containers=(_container(),),
        volumes=_volumes(),
        images=("validator", _VALUES),
        nri=(_NAME,),
        runtime_class=True,
        host_network="dcgmExporter.hostNetwork",
        pod={
            "hostPID": When(conditions.On("dcgmExporter.hostPID"), True),
            "automountServiceAccountToken": When(conditions.any_of(_READS_PODS, _LIST_FROM_API), True, False),
        },
    )
    role = [access.USE_PRIVILEGED, access.rule("", ["configmaps"], ["get", "list"])]
    read_pods = [access.rule("", ["pods"], ["get", "list", "watch"])]
    reading = conditions.all_of(_ENABLED, _READS_PODS)
    documents = (
        *access.documents(_VALUES, _NAME, _ENABLED, role=role, labels=labels),
        *access.cluster_grant(_VALUES, _NAME, reading, f"{_NAME}-read-pods", read_pods, labels),
        access.privileged_scc(_VALUES, _NAME, _ENABLED, allowHostPID=False, allowHostPorts=True),
        monitoring.service(
            _NAME,
            static(_ENABLED),
            "gpu-metrics",
            _PORT,
            type=Value("dcgmExporter.service.type"),
            internalTrafficPolicy=Value("dcgmExporter.service.internalTrafficPolicy"),
        ),
        monitoring.service_monitor(
            _NAME,
            static(conditions.all_of(_ENABLED, conditions.On(f"{monitor}.enabled"))),
            "gpu-metrics",
            "app",
            monitor,
        ),
        monitoring.rules(_NAME, _NAME, static(_ENABLED), _series()),
        daemonset(workload),
    )
    return Manifest("components/dcgm-exporter.yaml", "The DCGM exporter, where no operator runs it.", documents)
