"""The clean-up after the release is gone: a Job that takes back from nodes what the master wrote.

All of it is a hook that runs after the uninstall, its permissions included. It finds the master's marks on nodes by
``master.instance``, and runs where the master may run.
"""

from __future__ import annotations

from chartgen.components.nfd import parts
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import Document, Manifest, Node, Value

_SUFFIX = "-prune"
_WANTED = conditions.On("postDeleteCleanup")
_HOOK: Node = {"helm.sh/hook": "post-delete", "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded"}
_RULES: tuple[Node, ...] = (parts.rule("", ["nodes", "nodes/status"], "get", "patch", "update", "list"),)


def manifests() -> list[Manifest]:
    """The files of the clean-up."""
    about_job = "Takes back from nodes what the master wrote, after the release was uninstalled."
    return [
        Manifest("prune/job.yaml", about_job, (Document(_job(), _WANTED),)),
        Manifest("prune/rbac.yaml", "The account of the clean-up Job, and what it may do.", _access()),
    ]


def _access() -> tuple[Document, ...]:
    account: dict[str, Node] = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {
            "name": parts.name(_SUFFIX),
            "namespace": parts.NAMESPACE,
            "labels": parts.labels(),
            "annotations": _HOOK,
        },
    }
    role = parts.role("ClusterRole", _SUFFIX, _RULES, parts.name(_SUFFIX), _WANTED, annotations=_HOOK)
    return Document(account, _WANTED), *role


def _job() -> dict[str, Node]:
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": parts.name(_SUFFIX),
            "namespace": parts.NAMESPACE,
            "labels": parts.labels(),
            "annotations": _HOOK,
        },
        "spec": {
            # For clusters whose Helm was interrupted before it could delete the Job.
            "ttlSecondsAfterFinished": 3600,
            "template": {"metadata": {"labels": parts.labels({"role": "prune"})}, "spec": _pod()},
        },
    }


def _pod() -> dict[str, Node]:
    return {
        "serviceAccountName": parts.name(_SUFFIX),
        "imagePullSecrets": helpers.pull_secrets("imagePullSecrets", of_pod=True),
        "securityContext": parts.restricted("master.podSecurityContext"),
        "restartPolicy": "Never",
        "containers": [
            {
                "name": "nfd-master",
                "image": parts.image(),
                "imagePullPolicy": Value("image.pullPolicy"),
                "command": ["nfd-master"],
                "args": ["-prune", parts.instance_flag()],
                "resources": Value("master.resources"),
                "securityContext": Value("master.securityContext"),
            }
        ],
        "nodeSelector": Value("master.nodeSelector"),
        "affinity": Value("master.affinity"),
        "tolerations": parts.tolerations("master.tolerations"),
    }
