"""Both judges on the same documents: the real kubeconform, and the validator of this process.

Whole objects are changed at random, each in one place: a value of another kind, a member too many, one too few.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from chartgen import yamlio
from chartgen.harness import manifests, schemas, session
from chartgen.harness.judge import Judge
from chartgen.harness.second_opinion import SecondOpinion

MUTANTS = 500
KUBES = ("1.29", "1.37")
CHART = Path(__file__).resolve().parents[2] / "charts" / "gpu-operator"
CLUSTER_POLICY = """
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: cluster-policy}
spec:
  operator: {defaultRuntime: containerd, labels: {a: b}}
  daemonsets: {updateStrategy: RollingUpdate, rollingUpdate: {maxUnavailable: "1"}, tolerations: [{key: a, operator: Exists}]}
  dcgm: {enabled: true, hostPort: 5555, env: [{name: A, value: b}], resources: {limits: {cpu: "1", memory: 1}}}
  dcgmExporter: {}
  devicePlugin: {}
  gfd: {}
  nodeStatusExporter: {}
  toolkit: {}
  driver: {enabled: false, startupProbe: {periodSeconds: 10}, upgradePolicy: {maxUnavailable: 25%, drain: {force: false}}}
"""
DAEMON_SET = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: a, namespace: b, labels: {c: d}}
spec:
  selector: {matchLabels: {c: d}}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}}
  template:
    metadata: {labels: {c: d}, annotations: {e: "f"}}
    spec:
      nodeSelector: {g: "true"}
      tolerations: [{key: h, operator: Exists, effect: NoSchedule}]
      volumes: [{name: v, hostPath: {path: /v, type: Directory}}, {name: w, emptyDir: {}}, {name: c, configMap: {name: c, defaultMode: 0755}}]
      containers:
        - name: i
          image: j
          args: [k, l]
          env: [{name: M, value: "1"}, {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
          ports: [{name: http, containerPort: 80}]
          livenessProbe: {httpGet: {path: /, port: http}, periodSeconds: 5}
          resources: {limits: {cpu: 100m, memory: 1Gi}}
          securityContext: {privileged: true, capabilities: {add: [SYS_ADMIN]}}
          volumeMounts: [{name: v, mountPath: /v, mountPropagation: Bidirectional}]
"""
OTHERS = """
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: a}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: v1
kind: Service
metadata: {name: a, namespace: b}
spec: {type: ClusterIP, selector: {c: d}, ports: [{name: http, port: 80, targetPort: http}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: a, namespace: b}
spec: {maxUnavailable: 1, selector: {matchLabels: {c: d}}}
---
apiVersion: v1
kind: Secret
metadata: {name: a, creationTimestamp: "2024-01-01T00:00:00Z"}
data: {a: YQ==}
"""
VALUES = (
    None,
    True,
    1,
    -1,
    1.5,
    "",
    "a",
    "2024-01-01T00:00:00Z",
    [],
    {},
    [1],
    {"a": 1},
    "0400",
    "é",
    "1e3",
    "yes",
    "1",
)


@pytest.fixture
def opinion(toolbox: session.Toolbox) -> SecondOpinion:
    """The real kubeconform, and the CRDs of our chart."""
    custom = schemas.write_custom(CHART, toolbox.scratch / "crds")
    return SecondOpinion(Judge(toolbox.builtins, custom), toolbox.validator, toolbox.scratch)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each member and item: what it is in, and its key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def mutant(original: dict[str, Any], random_: random.Random) -> str:
    """An object that is changed in one place, as YAML; its kind stays."""
    changed = copy.deepcopy(original)
    parent, key = random_.choice(
        [(parent, key) for parent, key in places(changed) if key not in ("apiVersion", "kind")]
    )
    match random_.randrange(3):
        case 0 if isinstance(parent, dict):
            del parent[key]
        case 1 if isinstance(parent, dict):
            parent[random_.choice(["extra", "1", f"{key}s"])] = random_.choice(VALUES)
        case _:
            parent[key] = random_.choice(VALUES)
    return yamlio.dump(changed) if random_.random() < 0.5 else yaml.safe_dump(changed, allow_unicode=True)


def test_both_say_the_same(opinion):
    """Of every mutant, for the oldest and the newest Kubernetes; many are bad, and many are not."""
    originals = [*yamlio.load_all(OTHERS), yamlio.load(DAEMON_SET), yamlio.load(CLUSTER_POLICY)]
    random_ = random.Random(7)
    texts = {mutant(random_.choice(originals), random_) for _ in range(MUTANTS)}
    assert opinion.ask(texts, KUBES) == {}
    bad = [text for text in texts if opinion.judge.judge(manifests.document("", text), KUBES[1])]
    assert len(texts) / 6 < len(bad) < len(texts) * 5 / 6


def test_the_originals_are_good(opinion):
    """What is changed is valid as it stands."""
    texts = [DAEMON_SET, CLUSTER_POLICY, *OTHERS.split("---\n")]
    assert opinion.ask(texts, KUBES) == {}
    assert [opinion.judge.judge(manifests.document("", text), "1.29") for text in texts] == [()] * len(texts)
