"""What objects name and choose is there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness import graph, reference_table
from chartgen.harness.checks.references import References
from chartgen.harness.memo import Memo
from chartgen.harness.results import State

CHART = """
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: web, namespace: gpu-operator}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings, namespace: gpu-operator}
    data: {a.yaml: x, LEVEL: info}
    ---
    apiVersion: v1
    kind: Secret
    metadata: {name: token, namespace: gpu-operator}
    stringData: {key: x}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, namespace: gpu-operator}
    spec:
      selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: In, values: [front, back]}]}
      template:
        metadata: {labels: {app: web, tier: front}}
        spec:
          serviceAccountName: web
          priorityClassName: system-node-critical
          imagePullSecrets: [{name: of-the-cluster}]
          topologySpreadConstraints: [{labelSelector: {matchLabels: {app: web}}}]
          volumes:
            - {name: a, configMap: {name: settings, items: [{key: a.yaml, path: a}]}}
            - {name: b, projected: {sources: [{secret: {name: token, items: [{key: key, path: b}]}}]}}
            - {name: c, secret: {secretName: made-later}}
            - {name: d, configMap: {name: maybe, optional: true}}
            - {name: e, persistentVolumeClaim: {claimName: disk}}
          initContainers:
            - {name: i, envFrom: [{configMapRef: {name: settings}}]}
          containers:
            - name: c
              ports: [{name: http, containerPort: 80}]
              env: [{name: L, valueFrom: {configMapKeyRef: {name: settings, key: LEVEL}}}]
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: certificates, namespace: gpu-operator}
    spec: {template: {spec: {containers: [{name: c, args: [--secret-name=made-later]}]}}}
    ---
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: disk, namespace: gpu-operator}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: web, namespace: gpu-operator, labels: {monitored: "yes"}}
    spec: {selector: {app: web}, ports: [{name: web, port: 443, targetPort: http}, {name: raw, port: 81, targetPort: 81}]}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata: {name: reader, namespace: gpu-operator}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: reader, namespace: gpu-operator}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
    subjects: [{kind: ServiceAccount, name: web, namespace: gpu-operator}, {kind: User, name: jane}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata: {name: viewer}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
    subjects: [{kind: ServiceAccount, name: prometheus, namespace: monitoring}]
    ---
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: web, namespace: gpu-operator}
    spec: {selector: {matchLabels: {app: web}}}
    ---
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: web, namespace: gpu-operator}
    spec: {podSelector: {matchLabels: {app: web}}, ingress: [{ports: [{port: http}]}]}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: web, namespace: monitoring}
    spec:
      namespaceSelector: {matchNames: [gpu-operator]}
      selector: {matchLabels: {monitored: "yes"}}
      endpoints: [{port: web}]
    ---
    apiVersion: networking.k8s.io/v1
    kind: Ingress
    metadata: {name: web, namespace: gpu-operator}
    spec: {rules: [{http: {paths: [{backend: {service: {name: web, port: {name: web}}}}]}}]}
    ---
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: web, namespace: gpu-operator}
    spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
    ---
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: web}
    webhooks: [{name: a.b.c, clientConfig: {service: {name: web, namespace: gpu-operator}}}]
    ---
    apiVersion: apiregistration.k8s.io/v1
    kind: APIService
    metadata: {name: v1.example.com}
    spec: {service: {name: web, namespace: gpu-operator, port: 81}}
    ---
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: store, namespace: gpu-operator}
    spec:
      serviceName: store
      selector: {matchLabels: {app: store}}
      template: {metadata: {labels: {app: store}}, spec: {runtimeClassName: nvidia, containers: [{name: c}]}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: store, namespace: gpu-operator}
    spec: {clusterIP: None, selector: {app: store, statefulset.kubernetes.io/pod-name: store-0}}
    ---
    apiVersion: nvidia.com/v1
    kind: ClusterPolicy
    metadata: {name: policy}
    spec:
      operator: {runtimeClass: nvidia}
      devicePlugin: {config: {name: settings, default: LEVEL}}
      migManager: {config: {name: default-mig-parted-config}}
      dcgmExporter: {config: {name: ""}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: dns, namespace: kube-system}
    spec: {selector: {k8s-app: kube-dns}}
    ---
    apiVersion: example.com/v1
    kind: Database
    metadata: {name: main, namespace: gpu-operator}
    spec: {replicas: 1}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: database, namespace: gpu-operator}
    spec: {selector: {example.com/database: main}}
    """


def said(case, rendered, text: str, values: dict | None = None) -> list[tuple[str, str]]:
    """What the check says against a render."""
    found = References(Memo(graph.nodes)).run(replace(case, files=(), values=values or {}), rendered(text))
    return [(each.subject, each.message) for each in found if each.state is State.INVALID]


def test_a_chart_whose_parts_are_all_there_is_fine(case, rendered):
    """What the cluster, an operator, a Job or another release provides is no fault."""
    assert said(case, rendered, CHART) == []


WEB = "Deployment/web"
POD = "spec.template.spec"


@pytest.mark.parametrize(
    ("old", "new", "subject", "message"),
    [
        ("Name: web\n", "Name: wep\n", WEB, f"{POD}.serviceAccountName names ServiceAccount wep, and nothing renders it"),
        ("system-node-critical", "own", WEB, f"{POD}.priorityClassName names PriorityClass own, and nothing renders it"),
        ("items: [{key: a.yaml", "items: [{key: b.yaml", WEB, "configMap.name needs the key b.yaml of ConfigMap/settings"),
        ("key: LEVEL}", "key: LEVELS}", WEB, "needs the key LEVELS of ConfigMap/settings, which has LEVEL, a.yaml"),
        ("items: [{key: key", "items: [{key: nokey", WEB, "secret.name needs the key nokey of Secret/token"),
        ("configMap: {name: settings, it", "configMap: {name: sets, it", WEB, "volumes[0].configMap.name names ConfigMap sets"),
        ("configMapRef: {name: settings}", "configMapRef: {name: x}", WEB, "envFrom[0].configMapRef.name names ConfigMap x"),
        ("configMapRef: {name: settings}", "configMapRef: {name: ''}", WEB, "configMapRef.name names no ConfigMap"),
        ("--secret-name=made-later", "--secret-name=other", WEB, "secret.secretName names Secret made-later"),
        (", optional: true", "", WEB, "volumes[3].configMap.name names ConfigMap maybe"),
        ("claimName: disk", "claimName: disc", WEB, "names PersistentVolumeClaim disc"),
        ("{app: web}, matchEx", "{app: wep}, matchEx", WEB, "spec.selector (app=wep, tier In front back) does not choose"),
        ("values: [front, back]", "values: [back]", WEB, "does not choose its own pods, whose labels are app=web, tier=front"),
        ("labelSelector: {matchLabels: {app: web}", "labelSelector: {matchLabels: {app: x}", WEB, "does not choose its own"),
        ("targetPort: http", "targetPort: https", "Service/web", "spec.ports[0].targetPort is the port https, and none"),
        ("selector: {app: web}, ports", "selector: {app: x}, ports", "Service/web", "(app=x) chooses none of the pods"),
        ("kind: Role, name: reader", "kind: Role, name: writer", "RoleBinding/reader", "names Role writer"),
        ("ClusterRole, name: view}", "ClusterRole, name: sight}", "ClusterRoleBinding/viewer", "names ClusterRole sight"),
        (
            "name: web, namespace: gpu-operator}, {kind: User",
            "name: web, namespace: default}, {kind: User",
            "RoleBinding/reader",
            "subjects[0].name names ServiceAccount web in default, and it is in gpu-operator",
        ),
        (
            "name: web, namespace: gpu-operator}, {kind: User",
            "name: wep, namespace: gpu-operator}, {kind: User",
            "RoleBinding/reader",
            "subjects[0].name names ServiceAccount wep, and nothing renders it",
        ),
        ("name: web, namespace: gpu-operator}, {kind: User", "name: web}, {kind: User", "RoleBinding/reader", "subjects[0].name names ServiceAccount web without its namespace"),
        ("kind: Role, name: reader}", "kind: role, name: reader}", "RoleBinding/reader", "roleRef.kind is 'role', and must be Role or ClusterRole"),
        ("kind: ClusterRole, name: view", "kind: Role, name: view", "ClusterRoleBinding/viewer", "roleRef.kind is 'Role', and must be ClusterRole"),
        ("{kind: User, name: jane}", "{kind: Users, name: jane}", "RoleBinding/reader", "subjects[1].kind is 'Users'"),
        ("apiGroup: rbac.authorization.k8s.io, kind: Role,", "apiGroup: rbac, kind: Role,", "RoleBinding/reader", "roleRef.apiGroup is 'rbac'"),
        ("spec: {selector: {matchLabels: {app: web}}}", "spec: {selector: {matchLabels: {app: x}}}", "PodDisruptionBudget/web", "none of the pods"),
        ("podSelector: {matchLabels: {app: web}}", "podSelector: {matchLabels: {app: x}}", "NetworkPolicy/web", "none of the pods"),
        ("{port: http}]}]", "{port: https}]}]", "NetworkPolicy/web", "spec.ingress[0].ports[0].port is the port https"),
        ('matchLabels: {monitored: "yes"}', 'matchLabels: {monitored: "no"}', "ServiceMonitor/web", "none of the services"),
        ("matchNames: [gpu-operator]", "matchNames: [monitoring]", "ServiceMonitor/web", "services of the namespace gpu-operator alone"),
        ("endpoints: [{port: web}]", "endpoints: [{port: http}]", "ServiceMonitor/web", "spec.endpoints[0].port is the port http"),
        ("service: {name: web, port: {name: web}}", "service: {name: wep, port: {name: web}}", "Ingress/web", "names Service wep"),
        ("service: {name: web, port: {name: web}}", "service: {name: web, port: {name: http}}", "Ingress/web", "needs the port http of Service/web"),
        ("kind: Deployment, name: web", "kind: Deployment, name: wep", "HorizontalPodAutoscaler/web", "names Deployment wep"),
        ("kind: Deployment, name: web", "kind: StatefulSet, name: web", "HorizontalPodAutoscaler/web", "names StatefulSet web"),
        ("port: 443", "port: 444", "ValidatingWebhookConfiguration/web", "needs the port 443 of Service/web"),
        ("gpu-operator, port: 81}", "gpu-operator, port: 82}", "APIService/v1.example.com", "needs the port 82 of Service/web"),
        ("service: {name: web, namespace: gpu-operator}", "service: {name: web, namespace: x}", "ValidatingWebhookConfiguration/web", "in x, and it is in gpu-operator"),
        ("serviceName: store", "serviceName: shop", "StatefulSet/store", "spec.serviceName names Service shop"),
        ("runtimeClass: nvidia}", "runtimeClass: other}", "StatefulSet/store", "names RuntimeClass nvidia"),
        ("{app: store, stateful", "{app: x, stateful", "Service/store", "chooses none of the pods"),
        ("default: LEVEL", "default: level", "ClusterPolicy/policy", "spec.devicePlugin.config.name needs the key level of ConfigMap/settings"),
        ("name: default-mig-parted-config", "name: settings", "ClusterPolicy/policy", "needs the key config.yaml of ConfigMap/settings"),
        ("dcgmExporter: {config: {name: \"\"}}", "dcgmExporter: {config: {name: m}}", "ClusterPolicy/policy", "names ConfigMap m"),
        ("example.com/database: main", "example.com/database: mein", "Service/database", "chooses none of the pods"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused(case, rendered, old, new, subject, message):
    """One change each, and the finding says who names what."""
    assert old in CHART
    [(found, told)] = said(case, rendered, CHART.replace(old, new))
    assert found == subject
    assert message in told


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("ServiceAccount", "web"),
        ("ConfigMap", "settings"),
        ("Role", "reader"),
        ("Service", "store"),
        ("Secret", "token"),
    ],
)
def test_an_object_that_goes_is_missed(case, rendered, kind, name):
    """By each that names it."""
    parts = CHART.split("---")
    kept = [part for part in parts if f"kind: {kind}\n    metadata: {{name: {name}," not in part]
    assert len(kept) == len(parts) - 1
    assert all(
        f"{kind} {name}, and nothing renders it" in message for _, message in said(case, rendered, "---".join(kept))
    )
    assert said(case, rendered, "---".join(kept))


def test_what_the_users_values_name_is_theirs(case, rendered):
    """As a word of its own, also in a text, or as an expression that comes to it."""
    chart = CHART.replace("configMapRef: {name: settings}", "configMapRef: {name: own-config}")
    assert said(case, rendered, chart, {"config": {"name": "own-config"}}) == []
    assert said(case, rendered, chart, {"extra": "envFrom: own-config\n"}) == []
    assert said(case, rendered, chart, {"name": "{{ .Release.Name }}-config"}) == []
    assert len(said(case, rendered, chart, {"name": "my-own-config-2"})) == 1


def test_what_the_user_does_not_want_created_is_theirs(case, rendered):
    """Under the name that the chart would have given it; another part's `create` says nothing of it."""
    chart = CHART.replace("metadata: {name: web, namespace: gpu-operator}", "metadata: {name: wet, namespace: x}", 1)
    assert len(said(case, rendered, chart)) == 2
    assert said(case, rendered, chart, {"web": {"serviceAccount": {"create": False}}}) == []
    assert said(case, rendered, chart, {"rbac": {"create": "false"}}) == []
    assert len(said(case, rendered, chart, {"service": {"create": False}, "serviceAccount": {"create": True}})) == 2


def test_a_secret_that_is_filled_later_may_lack_keys(case, rendered):
    """A ConfigMap may not."""
    assert said(case, rendered, CHART.replace("    stringData: {key: x}\n", "")) == []
    assert len(said(case, rendered, CHART.replace("    data: {a.yaml: x, LEVEL: info}\n", ""))) == 3


def test_a_selector_without_pods_in_its_namespace_proves_nothing(case, rendered):
    """An operator of another release makes them."""
    text = "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: x}\nspec: {selector: {a: b}}\n"
    assert said(case, rendered, text) == []


def test_every_row_of_the_table_can_be_read():
    """A row for a kind that is misspelt would look at nothing."""
    table = reference_table.table()
    assert len(table.references) > 50
    assert all(kind[0].isupper() for row in table.references for _, kind in row.types)
    assert all(row.to is not None or row.name for row in table.references)
