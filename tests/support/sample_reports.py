"""Reports made by hand: one that passes, and one with a finding of every kind and text that every form has to escape."""

from __future__ import annotations

from dataclasses import replace

from chartgen.harness.report import Numbers, Repeat, Report, Section, Target
from chartgen.harness.results import Result, State
from chartgen.harness.share import Share

VALID, INVALID, SKIPPED, ERROR = State.VALID, State.INVALID, State.SKIPPED, State.ERROR
CASES = ("array/0007", "array/0008", "profile/k3s/helm4/kube1.37", "refusal/0001")
POLICY = "charts/gpu-operator/templates/policy/clusterpolicy.yaml"
# What XML, HTML, Markdown tables, workflow commands and paths each take for something else.
ODD = '<b>50%</b> & "x" | `y`, at a::b,\r\n  second line \x1b[0m </script> \N{SNOWMAN}'
DIFF = "--- helm\n+++ oracle\n@@ -1,2 +1,2 @@\n a: 1\n-b: true\n+b: <none>"


def passing() -> Report:
    """Every case is valid, and something was skipped."""
    results = [Result(case, "renders", VALID) for case in CASES]
    results += [Result(CASES[2], "nulls", VALID), Result(CASES[3], "refuses", VALID)]
    results += [Result(case, "expectations", SKIPPED, "", "no profile") for case in CASES[:2]]
    targets = [Target("1.29", "v4.3.1"), Target("1.37", "v4.3.1"), Target("1.37", "v4.3.1"), Target("1.37", "v3.22.0")]
    return Report(
        chart="charts/gpu-operator (gpu-operator 1.2.3)",
        tools=("helm v4.3.1", "helm v3.22.0", "kubeconform v0.7.0"),
        cases=CASES,
        repeats={case: Repeat(f"helm template {case} --set 'a=b'", f"kept/{case}.yaml", f"a: {case}\n") for case in CASES},
        results=tuple(sorted(results, key=lambda result: result.order)),
        documents=40,
        distinct=12,
        seconds=2.5,
        folder="charts/gpu-operator",
        kubes=("1.29", "1.37"),
        helms=("v4.3.1", "v3.22.0"),
        targets=dict(zip(CASES, targets, strict=True)),
        phases={"render": 2.0, "judge": 0.5},
        reused=1,
        numbers=Numbers(conditions=7, assignments=Share(15, 16), rules=Share(3, 3)),
        sections=(
            Section("files", "Template files", "A file.", ("File", "Conditions", "Covered"), (("a|b.yaml", 7, Share(15, 16)),)),
            Section("arrays", "Arrays", "An array.", ("Strength", "Seconds"), ((2, 0.25), (3, 10.0))),
            Section("none", "Nothing", "Not done.", ("Column",), ()),
        ),
        commit="0123abc",
        again=("charts/gpu-operator", "--kube", "1.29", "--kube", "1.37"),
    )  # fmt: skip


def failing() -> Report:
    """Two cases with one finding that both have, one of them with another, and a case that could not be judged."""
    report = passing()
    found = [
        Result(
            "array/0007", "oracle", INVALID, "ClusterPolicy/policy", "spec.x: helm has 1, the oracle 2", POLICY, DIFF
        ),
        Result(
            "array/0008", "oracle", INVALID, "ClusterPolicy/policy", "spec.x: helm has 1, the oracle 2", POLICY, DIFF
        ),
        Result("array/0008", "nulls", INVALID, "ConfigMap/<x>", ODD),
        Result("profile/k3s/helm4/kube1.37", "kubeconform", ERROR, "", "kubeconform was killed by signal 9"),
    ]
    return replace(report, results=tuple(sorted([*report.results, *found], key=lambda result: result.order)))


def stopped() -> Report:
    """Nothing wrong until the run was interrupted, when one case was left."""
    report = passing()
    kept = tuple(result for result in report.results if result.case != "refusal/0001")
    return replace(report, results=kept, stopped="interrupted")
