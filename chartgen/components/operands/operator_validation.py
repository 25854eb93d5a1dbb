"""The validator: goes through a node's GPU stack in order, and leaves a file for each part that works.

Other operands wait for these files. The checks of CUDA and of the device plugin may start a pod of their own; what that
needs to know of image, pull secrets and runtime class reaches them as environment.
"""

from __future__ import annotations

from chartgen.components.operands import access, host
from chartgen.components.operands.workload import (
    VALIDATION_FILES,
    Workload,
    container,
    daemonset,
    either,
    from_field,
    runtime_class,
    variable,
)
from chartgen.schema import conditions
from chartgen.tree import helpers
from chartgen.tree.nodes import EnvMerge, Manifest, Node, Value, When

_NAME = "nvidia-operator-validator"
_POLICY = Value("validator.imagePullPolicy")
_SECRETS = ("validator.imagePullSecrets", "global.imagePullSecrets")
_WAIT = "echo all validations are successful; while true; do sleep 86400; done"
_WORKLOAD: tuple[Node, ...] = (
    variable("VALIDATOR_IMAGE", host.VALIDATOR_IMAGE),
    variable("VALIDATOR_IMAGE_PULL_POLICY", Value("validator.imagePullPolicy", "")),
    When(
        conditions.any_of(*(conditions.Set(path) for path in _SECRETS)),
        variable("VALIDATOR_IMAGE_PULL_SECRETS", helpers.commas(*_SECRETS)),
    ),
)
_IDENTITY: tuple[Node, ...] = (
    host.NODE_NAME,
    from_field("OPERATOR_NAMESPACE", "metadata.namespace"),
)


def _workload_env() -> tuple[Node, ...]:
    runtime = runtime_class()
    return (*_WORKLOAD, When(runtime.condition, variable("VALIDATOR_RUNTIME_CLASS", runtime.node)))


def _container(name: str, args: Node, env: Node, **members: Node) -> Node:
    """A container with the validator in it."""
    members["securityContext"] = {"privileged": True, "runAsUser": 0}
    mounts: Node = [host.VALIDATED_MOUNT]
    image = host.VALIDATOR_IMAGE
    return container("validator", name, image, command=["sh", "-c"], args=args, env=env, volumeMounts=mounts, **members)


def _check(component: str, env: tuple[Node, ...]) -> Node:
    """The init container that checks one component."""
    merged = EnvMerge(f"operatorValidator{component.capitalize()}Env", (env, f"validator.{component}.env"))
    return _container(f"{component}-validation", ["nvidia-validator"], merged, imagePullPolicy=_POLICY)


def _checks() -> tuple[Node, ...]:
    waits, component = variable("WITH_WAIT", "false"), "COMPONENT"
    driver_mounts = (host.ROOT_MOUNT, host.VALIDATED_DRIVER_MOUNT, host.VALIDATED_MOUNT, host.DEV_CHAR_MOUNT)
    plugin = (
        variable(component, "plugin"),
        waits,
        variable("WITH_WORKLOAD", "false"),
        variable("MIG_STRATEGY", Value("mig.strategy", "")),
        *_IDENTITY,
    )
    return (
        host.driver_validation("operatorValidatorDriverEnv", driver_mounts, _POLICY),
        _check(
            "toolkit",
            (variable("NVIDIA_VISIBLE_DEVICES", "all"), waits, variable(component, "toolkit"), host.ROOT_ENV),
        ),
        _check("cuda", (waits, variable(component, "cuda"), *_IDENTITY, host.ROOT_ENV, *_workload_env())),
        When(conditions.On("devicePlugin.enabled"), _check("plugin", (*plugin, host.ROOT_ENV, *_workload_env()))),
    )


def _waiting() -> Node:
    """What runs once all is checked, and takes back what was said when it ends."""
    forget: Node = {"exec": {"command": ["/bin/sh", "-c", f"rm -f {VALIDATION_FILES}/*-ready"]}}
    env = EnvMerge("operatorValidatorEnv", ((host.ROOT_ENV,), "validator.env"))
    return _container(_NAME, either("validator.args", [_WAIT]), env, lifecycle={"preStop": forget})


def manifest() -> Manifest:
    """All objects of the validator, which cannot be switched off."""
    workload = Workload(
        values="validator",
        name=_NAME,
        enabled=conditions.ALWAYS,
        deploy="operator-validator",
        part_of="gpu-operator",
        init_containers=_checks(),
        containers=(_waiting(),),
        volumes=(host.VALIDATIONS_VOLUME, host.driver_volume(), host.ROOT_VOLUME, host.DEV_CHAR_VOLUME),
        images=("validator",),
        gpus=("toolkit-validation",),
        host_network="validator.hostNetwork",
    )
    read = ["get", "list", "watch"]
    write = ["create", *read, "update", "patch", "delete"]
    role = [access.USE_PRIVILEGED, access.rule("", ["pods"], write), access.rule("apps", ["daemonsets"], read)]
    # Pods that a check starts belong to the owner of the DaemonSet.
    owners = ["clusterpolicies/finalizers", "nvidiadrivers/finalizers"]
    cluster_role = [access.READ_NODES, access.rule("nvidia.com", owners, write)]
    documents = (
        *access.documents("validator", _NAME, conditions.ALWAYS, role=role, cluster_role=cluster_role),
        access.privileged_scc("validator", _NAME, conditions.ALWAYS),
        daemonset(workload),
    )
    return Manifest("components/operator-validation.yaml", "The validator, where no operator runs it.", documents)
