"""Habits of many charts that are no faults: of each a small chart, which no check has anything to say against."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chartgen.harness import graph
from chartgen.harness.check import EachDocument
from chartgen.harness.checks import images, labels, names, pod_parts, template_leftovers
from chartgen.harness.checks.hooks import Hooks
from chartgen.harness.checks.namespaces import Namespaces
from chartgen.harness.checks.references import References
from chartgen.harness.given import EachDocumentUnlessGiven
from chartgen.harness.judge import Judge
from chartgen.harness.memo import Memo
from chartgen.harness.results import State
from chartgen.harness.schemas import Custom

OBJECTS = Memo(graph.nodes)
CHECKS = (
    EachDocument("names", names.judge),
    EachDocumentUnlessGiven("labels", labels.judge),
    EachDocumentUnlessGiven("images", images.judge),
    EachDocumentUnlessGiven("pod-parts", pod_parts.judge),
    EachDocumentUnlessGiven("template-leftovers", template_leftovers.judge),
    Namespaces(Judge(None, Custom(None, {}, {}))),
    References(OBJECTS),
    Hooks(OBJECTS),
)

# The certificate of a webhook is made by a Job and put into the configuration by another one.
WEBHOOK = """
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: rel-admission}
    webhooks: [{name: check.things.example.com, clientConfig: {service: {name: rel-admission, namespace: gpu-operator, path: /}}}]
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: rel-admission, namespace: gpu-operator}
    spec: {selector: {app: rel}, ports: [{port: 443, targetPort: webhook}]}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: rel, namespace: gpu-operator}
    spec:
      selector: {matchLabels: {app: rel}}
      template:
        metadata: {labels: {app: rel}}
        spec:
          containers:
            - {name: c, image: "a/b:1", ports: [{name: webhook, containerPort: 8443}], volumeMounts: [{name: cert, mountPath: /c}]}
          volumes: [{name: cert, secret: {secretName: rel-admission}}]
    ---
    apiVersion: v1
    kind: ServiceAccount
    metadata:
      name: rel-admission
      namespace: gpu-operator
      annotations:
        helm.sh/hook: pre-install,pre-upgrade,post-install,post-upgrade
        helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
    ---
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: rel-admission-create
      namespace: gpu-operator
      annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}
    spec:
      template:
        spec:
          serviceAccountName: rel-admission
          restartPolicy: OnFailure
          containers: [{name: create, image: "a/certgen:v1", args: [create, "--namespace=$(NS)", --secret-name=rel-admission]}]
    ---
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: rel-admission-patch
      namespace: gpu-operator
      annotations: {helm.sh/hook: "post-install,post-upgrade", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}
    spec:
      template:
        spec:
          serviceAccountName: rel-admission
          restartPolicy: OnFailure
          containers: [{name: patch, image: "a/certgen:v1", args: [patch, --secret-name=rel-admission]}]
    """

# A password that a hook makes, which its Role alone names.
PASSWORD = """
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata: {name: init, namespace: gpu-operator, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: before-hook-creation}}
    rules: [{apiGroups: [""], resources: [secrets], resourceNames: [the-password], verbs: [get]}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: init, namespace: gpu-operator, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: before-hook-creation}}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: init}
    subjects: [{kind: ServiceAccount, name: init, namespace: gpu-operator}]
    ---
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: init, namespace: gpu-operator, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: before-hook-creation}}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: init, namespace: gpu-operator, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: before-hook-creation}}
    spec: {template: {spec: {serviceAccountName: init, containers: [{name: c, image: "quay.io/a/b:v2"}]}}}
    ---
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: db, namespace: gpu-operator}
    spec:
      serviceName: db
      selector: {matchLabels: {app: db}}
      template:
        metadata: {labels: {app: db}}
        spec:
          containers:
            - name: c
              image: a/b:1
              env: [{name: P, valueFrom: {secretKeyRef: {name: the-password, key: auth}}}]
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: db, namespace: gpu-operator}
    spec: {clusterIP: None, selector: {app: db}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: db-primary, namespace: gpu-operator}
    spec: {selector: {app: db, role: primary}}
    """

# An operator with its custom resource, Services of the control plane, dashboards and alerts; no object says its namespace.
MONITORING = """
    apiVersion: monitoring.coreos.com/v1
    kind: Prometheus
    metadata: {name: rel}
    spec: {image: "quay.io/prometheus/prometheus:v3.1.0", version: v3.1.0, serviceMonitorSelector: {matchLabels: {release: rel}}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: prometheus, labels: {self: "true"}}
    spec: {selector: {operator.prometheus.io/name: rel}, ports: [{name: web, port: 9090, targetPort: web}]}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: operator}
    spec:
      selector: {matchLabels: {app: operator}}
      template:
        metadata: {labels: {app: operator}}
        spec: {containers: [{name: c, image: "quay.io/a/operator:v1", args: [--kubelet-service=kube-system/rel-kubelet]}]}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: rel-dns, namespace: kube-system, labels: {k: dns}}
    spec: {clusterIP: None, selector: {k8s-app: kube-dns}, ports: [{name: metrics, port: 9153, targetPort: 9153}]}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: kubelet}
    spec: {namespaceSelector: {matchNames: [kube-system]}, selector: {matchLabels: {k8s-app: kubelet}}, endpoints: [{port: https-metrics}]}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: ServiceMonitor
    metadata: {name: prometheus}
    spec: {selector: {matchLabels: {self: "true"}}, endpoints: [{port: web}]}
    ---
    apiVersion: monitoring.coreos.com/v1
    kind: PrometheusRule
    metadata: {name: alerts}
    spec: {groups: [{name: g, rules: [{alert: A, expr: "up == 0", labels: {severity: "{{ $labels.x }}"}, annotations: {d: "{{ $value | humanize }}"}}]}]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: dashboard, labels: {grafana_dashboard: "1"}}
    data: {board.json: '{"title": "{{namespace}}", "x": null}', run.sh: "if true; then\\n\\techo {{ $x }}\\nfi\\n"}
    """

# A certificate of cert-manager, a metrics API, roles of other namespaces.
EXTENSION = """
    apiVersion: cert-manager.io/v1
    kind: Certificate
    metadata: {name: serving}
    spec: {secretName: serving-cert, issuerRef: {kind: Issuer, name: own}}
    ---
    apiVersion: cert-manager.io/v1
    kind: Issuer
    metadata: {name: own}
    spec: {selfSigned: {}}
    ---
    apiVersion: apiregistration.k8s.io/v1
    kind: APIService
    metadata: {name: v1beta1.metrics.k8s.io}
    spec: {service: {name: server, namespace: gpu-operator}}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: server}
    spec: {selector: {app: server}, ports: [{port: 443, targetPort: https}]}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec:
      selector: {matchLabels: {app: server}}
      template:
        metadata: {labels: {app: server}, annotations: {checksum: abc}}
        spec:
          containers:
            - name: c
              image: a/b:1
              ports: [{name: https, containerPort: 1}]
              volumeMounts: [{name: a, mountPath: /a}, {name: b, mountPath: /b}]
          volumes:
            - {name: a, secret: {secretName: serving-cert}}
            - name: b
              projected:
                sources:
                  - {serviceAccountToken: {path: token}}
                  - {configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}}
                  - {secret: {name: peers, optional: true}}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: server, namespace: kube-system}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: extension-apiserver-authentication-reader}
    subjects: [{kind: ServiceAccount, name: default, namespace: gpu-operator}]
    ---
    apiVersion: networking.k8s.io/v1
    kind: Ingress
    metadata: {name: server}
    spec:
      tls: [{hosts: [a.example.com], secretName: a-tls}]
      rules: [{host: a.example.com, http: {paths: [{path: /, backend: {service: {name: redirect, port: {name: use-annotation}}}}]}}]
    """

# What `helm create` makes: no namespaces, a test without a tag.
STARTER = """
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: rel}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: rel}
    spec: {type: ClusterIP, selector: {app.kubernetes.io/name: rel}, ports: [{port: 80, targetPort: http, name: http}]}
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: rel}
    spec:
      selector: {matchLabels: {app.kubernetes.io/name: rel}}
      template:
        metadata: {labels: {app.kubernetes.io/name: rel}}
        spec:
          serviceAccountName: rel
          containers:
            - {name: c, image: "nginx:1.16.0", ports: [{name: http, containerPort: 80}], livenessProbe: {httpGet: {path: /, port: http}}}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: rel-test-connection, annotations: {helm.sh/hook: test}}
    spec: {restartPolicy: Never, containers: [{name: wget, image: busybox, command: [wget], args: ["rel:80"]}]}
    """


@pytest.mark.parametrize("chart", [WEBHOOK, PASSWORD, MONITORING, EXTENSION, STARTER])
def test_a_habit_is_no_fault(case, rendered, chart):
    """With the chart's defaults alone."""
    plain = replace(case, files=(), profile=None)
    said = [finding for check in CHECKS for finding in check.run(plain, rendered(chart))]
    assert [finding for finding in said if finding.state is not State.VALID] == []
    assert len(said) == len(CHECKS)


@pytest.mark.parametrize(
    ("chart", "old", "new"),
    [
        (WEBHOOK, "--secret-name=rel-admission]}]\n    ---", "--secret-name=x]}]\n    ---"),
        (PASSWORD, "resourceNames: [the-password]", "resourceNames: [a-password]"),
        (PASSWORD, "role: primary", "rule: primary"),
        (MONITORING, "operator.prometheus.io/name: rel", "app: other"),
        (EXTENSION, "secretName: serving-cert, issuerRef", "secretName: cert, issuerRef"),
        (EXTENSION, "name: use-annotation", "name: https"),
        (STARTER, "helm.sh/hook: test", "x: y"),
    ],
)
def test_what_excuses_it_counts(case, rendered, chart, old, new):
    """Without it each is a fault."""
    assert old in chart
    plain = replace(case, files=(), profile=None)
    broken = chart.replace(old, new).replace("patch, --secret-name=rel-admission", "patch, --secret-name=x")
    said = [finding for check in CHECKS for finding in check.run(plain, rendered(broken))]
    assert [finding for finding in said if finding.state is State.INVALID]
