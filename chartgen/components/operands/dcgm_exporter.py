"""The DCGM exporter: GPU metrics for Prometheus, from a DCGM of its own or from the host engine where that runs.

Its pods have no token, unless something is set for which the exporter asks the API server: labels or UIDs of the pods
that use a GPU, or a metrics list that it reads from a ConfigMap itself.
"""

from __future__ import annotations

from chartgen.components.operands import access, dcgm, host, monitoring
from chartgen.components.operands.workload import Workload, container, daemonset, host_path, static, variable
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
_MONITOR = "dcgmExporter.serviceMonitor"
_POD_LABELS, _POD_UID = (conditions.On(f"dcgmExporter.{name}") for name in ("enablePodLabels", "enablePodUID"))
_OWN_LIST = conditions.Set("dcgmExporter.config.name")
_JOBS = conditions.On("dcgmExporter.hpcJobMapping.enabled")
_JOB_FILES = Value("dcgmExporter.hpcJobMapping.directory", "/var/lib/dcgm-exporter/job-mapping")
_ALLOWED_LABELS = "dcgmExporter.podLabelAllowlistRegex"
_ENV = "dcgmExporter.env"
_SWITCHES = tuple(f"DCGM_EXPORTER_KUBERNETES_ENABLE_POD_{name}" for name in ("LABELS", "UID"))
_READS_PODS = conditions.any_of(
    _POD_LABELS, _POD_UID, *(conditions.Variable(_ENV, name, "(?i)^true$") for name in _SWITCHES)
)
_FROM_API = "DCGM_EXPORTER_CONFIGMAP_DATA"
_LIST_FROM_API = conditions.all_of(
    conditions.Variable(_ENV, _FROM_API, "."), conditions.negate(conditions.Variable(_ENV, _FROM_API, "^none$"))
)


def _env() -> Node:
    metrics = When(_OWN_LIST, f"{_FILES}/{_LIST}", f"{_FILES}/dcp-metrics-included.csv")
    allowed = variable("DCGM_EXPORTER_KUBERNETES_POD_LABEL_ALLOWLIST_REGEX", helpers.commas(_ALLOWED_LABELS))
    own: tuple[Node, ...] = (
        variable("DCGM_EXPORTER_LISTEN", f":{_PORT}"),
        variable("DCGM_EXPORTER_KUBERNETES", "true"),
        variable("DCGM_EXPORTER_COLLECTORS", metrics),
        host.NODE_NAME,
        When(dcgm.ENABLED, variable("DCGM_REMOTE_HOSTENGINE_INFO", f"{dcgm.NAME}:{dcgm.PORT}")),
        When(_JOBS, variable("DCGM_HPC_JOB_MAPPING_DIR", _JOB_FILES)),
        When(_POD_LABELS, variable(_SWITCHES[0], "true")),
        When(_POD_UID, variable(_SWITCHES[1], "true")),
        When(conditions.Set(_ALLOWED_LABELS), allowed),
    )
    return EnvMerge("dcgmExporterEnv", (own, _ENV))


def _container() -> Node:
    probe: dict[str, Node] = {"httpGet": {"path": "/health", "port": _PORT}, "initialDelaySeconds": 45}
    listed: Node = {"name": "metrics-config", "mountPath": f"{_FILES}/{_LIST}", "subPath": _LIST, "readOnly": True}
    return container(
        _VALUES,
        _NAME,
        helpers.image(_VALUES, "nvcr.io/nvidia/k8s"),
        args=Value("dcgmExporter.args"),
        env=_env(),
        ports=[{"name": "metrics", "containerPort": _PORT}],
        livenessProbe={**probe, "periodSeconds": 5},
        readinessProbe=probe,
        volumeMounts=[
            {"name": "pod-gpu-resources", "mountPath": f"{_KUBELET}/pod-resources", "readOnly": True},
            When(_JOBS, {"name": "hpc-job-mapping", "mountPath": _JOB_FILES, "readOnly": True}),
            When(_OWN_LIST, listed),
        ],
    )


def _volumes() -> tuple[Node, ...]:
    listed: Node = {"name": Value("dcgmExporter.config.name"), "items": [{"key": _LIST, "path": _LIST}]}
    return (
        host_path("pod-gpu-resources", join(Value("hostPaths.kubeletRootDir", _KUBELET), "/pod-resources")),
        host_path("run-nvidia", "/run/nvidia"),
        When(_JOBS, host_path("hpc-job-mapping", _JOB_FILES, "DirectoryOrCreate")),
        When(_OWN_LIST, {"name": "metrics-config", "configMap": listed}),
    )


def manifest() -> Manifest:
    """All objects of the exporter."""
    workload = Workload(
        values=_VALUES,
        name=_NAME,
        enabled=_ENABLED,
        deploy="dcgm-exporter",
        metadata_annotations={"openshift.io/scc": _NAME},
        pod_annotations="dcgmExporter.annotations",
        init_containers=(host.toolkit_validation(),),
        containers=(_container(),),
        volumes=_volumes(),
        images=("validator", _VALUES),
        gpus=(_NAME,),
        host_network="dcgmExporter.hostNetwork",
        pod={
            "hostPID": When(conditions.On("dcgmExporter.hostPID"), True),
            "automountServiceAccountToken": When(conditions.any_of(_READS_PODS, _LIST_FROM_API), True, False),
        },
    )
    labels: dict[str, Node] = {"app": _NAME}
    service = {name: Value(f"dcgmExporter.service.{name}") for name in ("type", "internalTrafficPolicy")}
    monitored = static(conditions.all_of(_ENABLED, conditions.On(f"{_MONITOR}.enabled")))
    role = [access.USE_PRIVILEGED, access.rule("", ["configmaps"], ["get", "list"])]
    reading = conditions.all_of(_ENABLED, _READS_PODS)
    documents = (
        *access.documents(_VALUES, _NAME, _ENABLED, role=role, labels=labels),
        *access.cluster_grant(_VALUES, _NAME, reading, f"{_NAME}-read-pods", [access.READ_PODS], labels),
        access.privileged_scc(_VALUES, _NAME, _ENABLED, allowHostPID=False, allowHostPorts=True),
        monitoring.service(_NAME, static(_ENABLED), "gpu-metrics", _PORT, **service),
        monitoring.service_monitor(_NAME, monitored, "gpu-metrics", "app", _MONITOR),
        monitoring.rules(_NAME, _NAME, static(_ENABLED), dcgm.SERIES),
        daemonset(workload),
    )
    return Manifest("components/dcgm-exporter.yaml", "The DCGM exporter, where no operator runs it.", documents)
