"""Faults that charts for this operator were seen with, planted into ours one by one: each is found, by the check that is there for it.

Without its fault each case passes, so that it is the fault which is found.
"""

from __future__ import annotations

import re

import pytest
from support import planted
from support.charts import DRA
from support.planted import NFD, OWN, Change, Planted

POLICY = f"{OWN}policy/clusterpolicy.yaml"
RULES = f"{OWN}validations.yaml"
HELPERS = f"{OWN}_helpers.tpl"
HOOK = f"{OWN}operator/hooks/cleanup-gpucluster.yaml"
DEPLOYMENT = f"{OWN}operator/deployment.yaml"
SCHEMA = "values.schema.json"
DIGEST = "sha256:" + "0" * 64


def no_rule(words: str) -> Change:
    """Takes away the rule whose message has some words."""
    return Change(
        RULES, re.compile(rf'  \{{\{{- \$broken = append \$broken "[^"]*{re.escape(words)}[^"]*" \}}\}}\n'), ""
    )


FAULTS = (
    Planted(
        "a quoted false counts as true",
        (Change(f"{OWN}operator/securitycontextconstraints.yaml", re.compile(r"\(eq \(toString \(\.Values\.platform\)\.openshift\) \"true\"\)"), ".Values.platform.openshift"),),
        ("oracle",),
        {"platform.openshift": "false"},
    ),
    Planted(
        "a switch that Helm reads takes a quoted word, which Helm ignores",
        (Change(SCHEMA, re.compile(r"(?<=not the quoted words\.\", )\"type\": \"boolean\""), '"enum": [true, false, "true", "false"]'),),
        ("refuses",),
        {"nfd.enabled": "false"},
        "nfd.enabled",
    ),
    Planted(
        "the values of a subchart's switch are not asked for",
        (Change("Chart.yaml", "    condition: nfd.enabled\n", ""),),
        ("oracle",),
        {"nfd.enabled": False},
    ),
    Planted(
        "a word that YAML reads as false is printed as it is",
        (Change(POLICY, re.compile(r"    \{\{- with \(\.Values\.toolkit\)\.imagePullPolicy \}\}\n.*\n    \{\{- end \}\}\n"), "    imagePullPolicy: no\n"),),
        ("custom-resources",),
    ),
    Planted(
        "a map that is null is read from",
        (Change(POLICY, "((.Values.devicePlugin).mps).root", ".Values.devicePlugin.mps.root"),),
        ("renders",),
        {"devicePlugin": None},
    ),
    Planted(
        "a null is printed",
        (
            Change(
                DEPLOYMENT,
                re.compile(r"      \{\{- with \(\.Values\.operator\)\.nodeSelector \}\}\n      nodeSelector:\n.*\n      \{\{- end \}\}\n"),
                "      nodeSelector: {{ toJson .Values.operator.nodeSelector }}\n",
            ),
        ),
        ("nulls",),
        {"operator.nodeSelector": None},
    ),
    Planted(
        "a subchart prints nulls by default",
        (
            Change(
                f"{NFD}master/deployment.yaml",
                re.compile(r"  \{\{- if not \(kindIs \"invalid\" \(\.Values\.master\)\.revisionHistoryLimit\) \}\}\n.*\n  \{\{- end \}\}\n"),
                "  revisionHistoryLimit: {{ .Values.master.revisionHistoryLimit }}\n",
            ),
        ),
        ("nulls",),
    ),
    Planted(
        "a digest is joined with a colon",
        (Change(HELPERS, '(hasPrefix "sha256:" . | ternary "@" ":")', '":"'),),
        ("images",),
        {"operator.version": DIGEST},
    ),
    Planted(
        "a version that YAML has cut down to a number is taken",
        (Change(SCHEMA, '"imageVersion": {"type": ["string", "integer", "null"]}', '"imageVersion": {"type": ["string", "number", "null"]}'),),
        ("refuses",),
        {"driver.version": 580.1},
        "driver.version",
    ),
    Planted(
        "references that are maps become the text of a Go map",
        (Change(HELPERS, "      {{- $names = append $names .name }}\n", "      {{- $names = append $names (toString .) }}\n"),),
        ("template-leftovers",),
        {"operator.imagePullSecrets": [{"name": "x"}]},
    ),
    Planted(
        "a registry for all images has no effect",
        (Change(HELPERS, "{{- if and $registry (eq $repository $default) }}", "{{- if false }}"),),
        ("oracle",),
        {"global.imageRegistry": "mirror.example.com"},
    ),
    Planted(
        "a default of the CRD is not written",
        (Change(POLICY, re.compile(r"    nriPluginEnabled: .*\n"), ""),),
        ("drift",),
    ),
    Planted(
        "a CRD has a default that the chart does not know",
        (Change("crds/nvidia.com_clusterpolicies.yaml", "                    useOpenKernelModules:\n", "                    useOpenKernelModules:\n                      default: false\n"),),
        ("drift",),
    ),
    Planted(
        "a ConfigMap is made without a name",
        (
            Change(f"{OWN}config/mig-parted.yaml", "  ((.Values.migManager).config).name\n", ""),
            no_rule("the MIG manager's ConfigMap is to be created, but it has no name"),
        ),
        ("refuses",),
        {"migManager.config.create": True, "migManager.config.data": {"config.yaml": "a"}},
        "migManager.config.name",
    ),
    Planted(
        "a ConfigMap lacks the key that is read",
        (no_rule("the MIG manager reads the key config.yaml"),),
        ("refuses",),
        {"migManager.config.create": True, "migManager.config.name": "a", "migManager.config.data": {"x": "a"}},
        "migManager.config.data",
    ),
    Planted(
        "a word that the CRD refuses is taken",
        (Change(SCHEMA, re.compile(r'(?<="strategy": )(\{"description": "[^"]*", )"enum": \["none", [^\]]*\]'), '{"type": ["string", "null"]'),),
        ("refuses",),
        {"mig.strategy": "some"},
        "mig.strategy",
    ),
    Planted(
        "a switch is left out when it is off",
        (Change(POLICY, re.compile(r"    enabled: \{\{ eq \(toString \(\.Values\.sandboxDevicePlugin\)\.enabled\) \"true\" \}\}\n"), ""),),
        ("oracle",),
    ),
    Planted(
        "labels of the user repeat one of the chart's",
        (
            Change(
                DEPLOYMENT,
                re.compile(r"(?<=  labels:\n)    (?=\{\{- include \"gpu-operator\.labels\" \(list \. \(dict \"app\.kubernetes\.io/component\" \"gpu-operator\" \"nvidia\.com)"),
                "    app.kubernetes.io/name: mine\n    ",
            ),
        ),
        ("duplicate-keys",),
    ),
    Planted(
        "a hook runs without a security context",
        (Change(HOOK, re.compile(r"      \{\{- with \(\(\.Values\.operator\)\.hooks\)\.podSecurityContext \}\}\n(?:.*\n){2}      \{\{- end \}\}\n"), ""),),
        ("pod-security",),
        {"gpuCluster.deployCR": True, "clusterPolicy.deployCR": False, "driver.nvidiaDriverCRD.enabled": True},
        apis=(DRA,),
    ),
    Planted(
        "a hook runs without limits",
        (Change(HOOK, re.compile(r"          \{\{- with \(\(\.Values\.operator\)\.hooks\)\.resources \}\}\n(?:.*\n){2}          \{\{- end \}\}\n"), ""),),
        ("oracle",),
        {"gpuCluster.deployCR": True, "clusterPolicy.deployCR": False, "driver.nvidiaDriverCRD.enabled": True},
        apis=(DRA,),
    ),
    Planted(
        "a hook is there for those who have nothing to clean up",
        (Change(HOOK, ' (eq (toString (.Values.gpuCluster).deployCR) "true")', ""),),
        ("oracle",),
    ),
    Planted(
        "names are the same in every release",
        (Change(f"{NFD}_helpers.tpl", "{{- $start := $root.Values.fullnameOverride | default $given", '{{- $start := "nfd"'),),
        ("oracle",),
    ),
    Planted(
        "a label that YAML reads as a boolean has no quotes",
        (Change(DEPLOYMENT, "      app: gpu-operator\n", "      app: y\n"),),
        ("kubeconform",),
    ),
    Planted(
        "an image's version has no quotes",
        (Change(POLICY, re.compile(r'(?<=    \{\{- with include "gpu-operator\.text" \(\.Values\.driver\)\.version \}\}\n    version: \{\{ \. )\| quote '), ""),),
        ("custom-resources",),
        {"driver.version": "580"},
    ),
    Planted(
        "a driver that the operator refuses for ever",
        (no_rule("the operator accepts open kernel modules only"),),
        ("refuses",),
        {"driver.nvidiaDriverCRD.enabled": True, "gds.enabled": True, "driver.kernelModuleType": "proprietary"},
        "driver.kernelModuleType",
    ),
    Planted(
        "a probe on which the operator fails",
        (no_rule("the driver container takes a startup probe only"),),
        ("refuses",),
        {"driver.livenessProbe": {"periodSeconds": 5}},
        "driver.livenessProbe",
    ),
    Planted(
        "a key that only looks like the switch is taken",
        (no_rule("gpuCluster.enabled is not a value"),),
        ("refuses",),
        {"gpuCluster.enabled": True},
        "gpuCluster.enabled",
    ),
    Planted(
        "a misspelt key is taken",
        (Change(SCHEMA, re.compile(r'"additionalProperties": false(?=\n  \},\n  "gds": \{\n)'), '"additionalProperties": true'),),
        ("refuses",),
        {"driver.enabeld": False},
        "enabeld",
    ),
    Planted(
        "a value that the operator would act on does not arrive",
        (Change(POLICY, re.compile(r"    \{\{- with \(\.Values\.daemonsets\)\.podSecurityContext \}\}\n(?:.*\n){2}    \{\{- end \}\}\n"), ""),),
        ("oracle",),
        {"daemonsets.podSecurityContext": {"runAsNonRoot": False}},
    ),
    Planted(
        "a documented value is read by nobody",
        (Change(POLICY, '((.Values.devicePlugin).mps).root | default "/run/nvidia/mps"', '"/run/nvidia/mps"'),),
        ("oracle",),
        {"devicePlugin.mps.root": "/other"},
    ),
    Planted(
        "a map that selects nodes is read by nobody",
        (Change(f"{OWN}policy/nvidiadriver.yaml", re.compile(r"  \{\{- with \(\(\.Values\.driver\)\.nvidiaDriverCRD\)\.nodeSelector \}\}\n(?:.*\n){2}  \{\{- end \}\}\n"), ""),),
        ("oracle",),
        {"driver.nvidiaDriverCRD.enabled": True, "driver.nvidiaDriverCRD.default": False, "driver.nvidiaDriverCRD.nodeSelector": {"a": "b"}},
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """Everything that judging needs."""
    return planted.ground(tmp_path_factory.mktemp("planted"))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found(ground, tmp_path, fault):
    """By the check that is there for it, and not without the fault."""
    assert ground.without(fault) == []
    assert set(fault.found_by) <= {result.check for result in ground.with_fault(fault, tmp_path)}
