"""Hook Jobs: CRDs before an upgrade, CRDs and the GPUCluster before an uninstallation.

Each hook brings its own account and the few permissions it needs, as hooks of a lower weight. So it works where nothing
of the release exists yet: Argo CD takes pre-upgrade for PreSync and runs it first on a first sync, before the CRDs and
before the operator's account. There is no pre-install hook: with Helm the ``crds/`` folder does that work, and a hook
for both events would run twice under Argo CD's one PreSync.

The pods meet the restricted Pod Security Standard, since the namespace gets its labels from the operator that is not
there yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chartgen.components import crds, metadata
from chartgen.components.operator import IMAGE, NAME, NODE_SELECTOR, PULL_SECRETS, TOLERATIONS
from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.schema.model import Schema
from chartgen.tree import helpers
from chartgen.tree.nodes import Builtin, Document, Manifest, Node, Value, When

_API = "rbac.authorization.k8s.io"
_CRDS = ("apiextensions.k8s.io", "customresourcedefinitions")
_GPU_CLUSTER = "gpu-cluster"


@dataclass(frozen=True)
class Hook:
    """A Job that runs at one point of a release's life.

    Attributes:
        name: what it does; the Job is called ``gpu-operator-<name>``.
        about: what opens its file.
        event: Helm's name for the point.
        weight: its place among the hooks of that event; its account and permissions come one before.
        condition: when it is rendered.
        rules: what it may do.
        command: the program in the operator's image.
        args: its arguments.
        files: contents of a ConfigMap that is mounted at `crds.MOUNT`.
        files_when: when there is such a ConfigMap.
    """

    name: str
    about: str
    event: str
    weight: int
    condition: Condition
    rules: Sequence[Node]
    command: Sequence[str]
    args: Sequence[Node] = ()
    files: Mapping[str, Node] = field(default_factory=dict)
    files_when: Condition = conditions.NEVER

    @property
    def job(self) -> str:
        """Name of the Job."""
        return f"{NAME}-{self.name}"


def manifests(schema: Schema) -> list[Manifest]:
    """The files of ``operator/hooks/``."""
    return [_manifest(hook) for hook in _hooks(schema)]


def _hooks(schema: Schema) -> tuple[Hook, ...]:
    return (
        Hook(
            name="upgrade-crd",
            about="Before an upgrade: brings the CRDs up to date, which Helm does not do.",
            event="pre-upgrade",
            weight=1,
            condition=conditions.all_of(conditions.On("operator.upgradeCRD"), crds.FOLDER, crds.ANY_WANTED),
            rules=[_rule(*_CRDS, ["create"]), _rule(*_CRDS, ["get", "update"], crds.names())],
            command=["/usr/bin/manage-crds"],
            args=crds.arguments("apply"),
            files=crds.file_data(schema),
            files_when=crds.FILES_WANTED,
        ),
        Hook(
            name="cleanup-gpucluster",
            about="Before an uninstallation: deletes the GPUCluster while the operator can still finish its work on it.",
            event="pre-delete",
            weight=0,
            condition=conditions.On("gpuCluster.deployCR"),
            rules=[_rule("nvidia.com", "gpuclusters", ["get", "delete"], [_GPU_CLUSTER])],
            command=["/usr/bin/cleanup-gpuclusters", "--gpucluster-name", _GPU_CLUSTER],
        ),
        Hook(
            name="cleanup-crd",
            about="Before an uninstallation: deletes the CRDs, and every object of their kinds with them.",
            event="pre-delete",
            # After the GPUCluster is gone.
            weight=1,
            condition=conditions.all_of(crds.CLEANED, crds.ANY_WANTED),
            rules=[_rule(*_CRDS, ["delete"], crds.names())],
            command=["/usr/bin/manage-crds"],
            args=crds.arguments("delete"),
            files=crds.file_data(schema),
            files_when=crds.FILES_WANTED,
        ),
    )


def _rule(group: str, resource: str, verbs: Sequence[str], names: Node = ()) -> Node:
    named: dict[str, Node] = {"resourceNames": names} if names != () else {}
    return {"apiGroups": [group], "resources": [resource], **named, "verbs": list(verbs)}


def _manifest(hook: Hook) -> Manifest:
    account, role, binding = (f"{hook.job}-hook-{part}" for part in ("sa", "role", "binding"))
    before = metadata.hook(hook.event, hook.weight - 1)
    trees: list[dict[str, Node]] = [
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": metadata.namespaced(account, annotations=before),
        },
        {
            "apiVersion": f"{_API}/v1",
            "kind": "ClusterRole",
            "metadata": metadata.cluster(role, annotations=before),
            "rules": hook.rules,
        },
        {
            "apiVersion": f"{_API}/v1",
            "kind": "ClusterRoleBinding",
            "metadata": metadata.cluster(binding, annotations=before),
            "roleRef": {"apiGroup": _API, "kind": "ClusterRole", "name": role},
            "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": Builtin.NAMESPACE}],
        },
    ]
    documents = [Document(tree, hook.condition) for tree in trees]
    if hook.files:
        files: dict[str, Node] = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": metadata.namespaced(_files(hook), annotations=before),
            "data": hook.files,
        }
        documents.append(Document(files, conditions.all_of(hook.condition, hook.files_when)))
    documents.append(Document(_job(hook, account), hook.condition))
    return Manifest(f"operator/hooks/{hook.name}.yaml", hook.about, tuple(documents))


def _files(hook: Hook) -> str:
    return f"{hook.job}-hook-files"


def _job(hook: Hook, account: str) -> dict[str, Node]:
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata.namespaced(hook.job, annotations=metadata.hook(hook.event, hook.weight)),
        "spec": {
            "backoffLimit": Value("operator.hooks.backoffLimit"),
            "activeDeadlineSeconds": Value("operator.hooks.activeDeadlineSeconds"),
            "template": {
                "metadata": {
                    "name": hook.job,
                    "labels": helpers.merged_labels(metadata.COMPONENT, "operator.hooks.podLabels"),
                    "annotations": Value("operator.hooks.podAnnotations"),
                },
                "spec": _pod(hook, account),
            },
        },
    }


def _pod(hook: Hook, account: str) -> dict[str, Node]:
    container: dict[str, Node] = {
        "name": hook.name,
        "image": IMAGE,
        "imagePullPolicy": Value("operator.imagePullPolicy"),
        "command": hook.command,
        **({"args": hook.args} if hook.args else {}),
        "resources": Value("operator.hooks.resources"),
        "securityContext": Value("operator.hooks.securityContext"),
    }
    pod: dict[str, Node] = {
        "serviceAccountName": account,
        "restartPolicy": "OnFailure",
        "imagePullSecrets": PULL_SECRETS,
        "priorityClassName": Value("operator.hooks.priorityClassName"),
        "securityContext": Value("operator.hooks.podSecurityContext"),
        "containers": [container],
        "nodeSelector": NODE_SELECTOR,
        "affinity": Value("operator.hooks.affinity"),
        "tolerations": TOLERATIONS,
    }
    if hook.files:
        mount: Node = {"name": "crds", "mountPath": crds.MOUNT, "readOnly": True}
        volume: Node = {"name": "crds", "configMap": {"name": _files(hook)}}
        container["volumeMounts"] = When(hook.files_when, [mount])
        pod["volumes"] = When(hook.files_when, [volume])
    return pod
