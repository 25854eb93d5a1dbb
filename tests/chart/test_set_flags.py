"""What a user's flags and values files do to the chart, asked of the real helm.

The chart is taken as it is committed and rendered by each Helm that is installed. Expectations are written by hand: they
do not come from the description that the chart was generated from.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chartgen import yamlio
from chartgen.harness import tools

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "charts" / "gpu-operator"
HOME = ROOT / ".cache" / "helm"

# Strings that YAML readers, templates or quotes could turn into something else.
NASTY = (
    "y", "no", "on", "true", "null", "~", "0123", "1e3", "580.10", "1_000", "0x1f", "12:30", "2026-01-01", ".inf",
    "{{ x }}", "{{- end }}", "a: b", "a #b", "- a", "&a", "*a", "!a", "|", ">-", "%a", "@a", "`a`", "{a}", "[a]", "?",
    "it's", 'a"b', "a\\b", "a\\nb", "a\nb", "a\n\n  b\n", " a ", "\ta", "$a", "<a>&amp;", "ä\u2028\U0001f600", "---", "#",
)  # fmt: skip
COMPONENTS = (
    "validator", "driver", "toolkit", "devicePlugin", "dcgm", "dcgmExporter", "gfd", "migManager", "nodeStatusExporter",
    "gds", "gdrcopy", "vgpuManager", "vgpuDeviceManager", "vfioManager", "kataManager", "sandboxDevicePlugin",
    "kataSandboxDevicePlugin", "ccManager",
)  # fmt: skip


@dataclass(frozen=True)
class Chart:
    """The chart, under one Helm."""

    helm: tools.Helm
    scratch: Path

    def template(self, *flags: str, values: Mapping[str, Any] | str | None = None) -> subprocess.CompletedProcess[str]:
        """``helm template`` with flags, and a values file."""
        command = [str(self.helm.program), "template", "gpu-operator", str(CHART), "--namespace", "gpu"]
        command += ["--kube-version", "1.37.0", "--api-versions", "resource.k8s.io/v1/DeviceClass", *flags]
        if values is not None:
            file = self.scratch / "values.yaml"
            file.write_text(values if isinstance(values, str) else yamlio.dump(values))
            command += ["--values", str(file)]
        environment = tools.helm_environment(HOME)
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def objects(self, *flags: str, values: Mapping[str, Any] | str | None = None) -> list[dict[str, Any]]:
        """What it renders, as a cluster would read it."""
        done = self.template(*flags, values=values)
        assert done.returncode == 0, done.stderr
        return yamlio.load_all(done.stdout)

    def policy(self, *flags: str, values: Mapping[str, Any] | str | None = None) -> dict[str, Any]:
        """The spec of the ClusterPolicy that it renders."""
        specs = [each["spec"] for each in self.objects(*flags, values=values) if each["kind"] == "ClusterPolicy"]
        assert len(specs) == 1
        spec: dict[str, Any] = specs[0]
        return spec

    def refusal(self, *flags: str, values: Mapping[str, Any] | str | None = None) -> str:
        """Why it does not render."""
        done = self.template(*flags, values=values)
        assert done.returncode != 0
        assert done.stdout == ""
        return done.stderr


def _helms() -> tuple[tools.Helm | None, ...]:
    try:
        return tools.find_helms(ROOT, HOME)
    except tools.ToolMissing:
        return (None,)


@pytest.fixture(params=_helms(), ids=lambda helm: helm.version if helm else "no-helm")
def chart(request: pytest.FixtureRequest, tmp_path: Path) -> Chart:
    """The chart, under each major version of Helm that is installed."""
    if request.param is None:
        pytest.fail(
            "helm is neither on PATH nor in .tools/bin: run `make tools`, which installs it there", pytrace=False
        )
    return Chart(request.param, tmp_path)


def at(tree: Any, path: str) -> Any:
    """The value at a dotted path."""
    for key in path.split("."):
        tree = tree[key]
    return tree


def nested(path: str, value: Any) -> dict[str, Any]:
    """Values that hold `value` at a dotted path."""
    for key in reversed(path.split(".")):
        value = {key: value}
    found: dict[str, Any] = value
    return found


def nulls(tree: Any, path: str = "") -> list[str]:
    """Paths of nulls inside an object."""
    if tree is None:
        return [path]
    members: list[tuple[Any, Any]] = []
    if isinstance(tree, dict):
        members = list(tree.items())
    elif isinstance(tree, list):
        members = list(enumerate(tree))
    return [found for key, member in members for found in nulls(member, f"{path}.{key}")]


def merged(below: Any, above: Any) -> Any:
    """Values laid over others, as Helm does it."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{key: merged(below.get(key), value) for key, value in above.items()}}


# ---- kindly read ----


@pytest.mark.parametrize(
    ("flags", "values", "path", "expected"),
    [
        (["--set", "driver.version=580"], None, "driver.version", "580"),
        (["--set", "driver.version=20260101"], None, "driver.version", "20260101"),
        (["--set-string", "driver.version=580.10"], None, "driver.version", "580.10"),
        ([], "driver: {version: 580}", "driver.version", "580"),
        ([], "driver: {version: 20260101}", "driver.version", "20260101"),
        ([], "driver: {version: '580.10'}", "driver.version", "580.10"),
        ([], "driver: {manager: {version: 20260101}}", "driver.manager.version", "20260101"),
        ([], 'toolkit: {enabled: "false"}', "toolkit.enabled", False),
        (["--set-string", "toolkit.enabled=false"], None, "toolkit.enabled", False),
        ([], 'dcgm: {enabled: "true"}', "dcgm.enabled", True),
        (["--set-string", "driver.rdma.enabled=true"], None, "driver.rdma.enabled", True),
        (
            ["--set", "toolkit.env[0].name=X,toolkit.env[0].value=true"],
            None,
            "toolkit.env",
            [{"name": "X", "value": "true"}],
        ),
        (
            [],
            "toolkit: {env: [{name: A, value: false}, {name: B, value: 20260101}, {name: C, value: -1}]}",
            "toolkit.env",
            [{"name": "A", "value": "false"}, {"name": "B", "value": "20260101"}, {"name": "C", "value": "-1"}],
        ),
        (["--set", "daemonsets.labels.team=true"], None, "daemonsets.labels.team", "true"),
        ([], "daemonsets: {labels: {number: 20260101}}", "daemonsets.labels.number", "20260101"),
        ([], "daemonsets: {rollingUpdate: {maxUnavailable: 2}}", "daemonsets.rollingUpdate.maxUnavailable", "2"),
        ([], "driver: {upgradePolicy: {maxUnavailable: 2}}", "driver.upgradePolicy.maxUnavailable", 2),
        ([], "driver: {upgradePolicy: {maxUnavailable: 30%}}", "driver.upgradePolicy.maxUnavailable", "30%"),
        ([], "driver: {startupProbe: {periodSeconds: 20260101}}", "driver.startupProbe.periodSeconds", 20260101),
        ([], "gfd: {resources: {limits: {cpu: 2, memory: 20260101}}}", "gfd.resources.limits.memory", 20260101),
        (["--set", "toolkit.imagePullSecrets={a,b}"], None, "toolkit.imagePullSecrets", ["a", "b"]),
        ([], "toolkit: {imagePullSecrets: [{name: a}, b]}", "toolkit.imagePullSecrets", ["a", "b"]),
    ],
)
def test_kindly_read(chart: Chart, flags: list[str], values: str | None, path: str, expected: Any) -> None:
    """Values that spell what is meant arrive as the type that the ClusterPolicy wants."""
    found = at(chart.policy(*flags, values=values), path)
    assert found == expected
    assert type(found) is type(expected)


def test_quoted_switches_count_in_conditions(chart: Chart) -> None:
    """To a template any string is true; "false" must be false there as well."""
    kinds = [each["kind"] for each in chart.objects("--set-string", "clusterPolicy.deployCR=false")]
    assert "Deployment" in kinds
    assert "ClusterPolicy" not in kinds


def test_empty_is_absent(chart: Chart) -> None:
    """``--set key=`` takes a value away, an enum's or a pattern's too."""
    keys = ("toolkit.imagePullPolicy", "mig.strategy", "driver.repoConfig.configMapName", "hostPaths.kubeletRootDir")
    spec = chart.policy(*(word for key in keys for word in ("--set", f"{key}=")))
    assert "imagePullPolicy" not in spec["toolkit"]
    assert nulls(spec) == []


# ---- refused ----


def test_wrong_types_are_refused_by_path(chart: Chart) -> None:
    """Each value of a wrong type is named, all of them at once."""
    said = chart.refusal(
        "--set", "validator.driver.env.name=X",
        "--set", "validator.image.repository=example.com",
        "--set-string", "nfd.enabled=false",
        "--set", "toolkit.enabled=maybe",
        "--set", "driver.kernelModuleType=closed",
        "--set", "driver.startupProbe.periodSeconds=0",
        "--set", "gfd.env[0].value=1",
        "--set", "gfd.args={null}",
        values="driver: {version: 580.10}",
    )  # fmt: skip
    for line in (
        "at '/driver/version': got number, want null or integer or string",
        "at '/validator/driver/env': got object, want null or array",
        "at '/validator/image': got object, want null or string",
        "at '/nfd/enabled': got string, want boolean",
        "at '/toolkit/enabled': value must be one of true, false, 'true', 'false'",
        "at '/driver/kernelModuleType': value must be one of 'auto', 'open', 'proprietary'",
        "at '/driver/startupProbe/periodSeconds': minimum: got 0, want 1",
        "at '/gfd/env/0': missing property 'name'",
        "at '/gfd/args/0': got null, want string",
    ):
        assert line in said


def named(each: dict[str, Any], kind: str, name: str) -> bool:
    """Whether an object is of this kind and name; subcharts have others of the kind."""
    return bool(each["kind"] == kind and each["metadata"]["name"] == name)


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("menager.env", ""),
        ("toolkit.toolkits.env", "/toolkit"),
        ("driver.maxParallelUpgrade", "/driver"),
        ("driver.upgradePolicy.gpuPodDeletions.force", "/driver/upgradePolicy"),
        ("driver.upgradePolicy.drain.forced", "/driver/upgradePolicy/drain"),
        ("daemonsets.tolerations[0].keys", "/daemonsets/tolerations/0"),
        ("toolkit.env[0].valueFrom", "/toolkit/env/0"),
        ("toolkit.imagePullSecrets[0].names", "/toolkit/imagePullSecrets/0"),
        ("operator.resources.limit", "/operator/resources"),
        ("operator.affinity.nodeAffinity.required", "/operator/affinity/nodeAffinity"),
        ("draDriver.gpus.kubeletPlugin.healthcheck.prt", "/draDriver/gpus/kubeletPlugin/healthcheck"),
    ],
)
def test_unknown_keys_are_refused_by_name(chart: Chart, key: str, place: str) -> None:
    """A misspelt key fails at any level, with its name and its place."""
    rest = re.sub(r"\[0\]", "/0", key).replace(".", "/")[len(place) :]
    name = rest.strip("/").split("/")[0]
    assert f"at '{place}': additional properties '{name}' not allowed" in chart.refusal("--set", f"{key}=1")


def test_what_a_parent_chart_sends_is_let_through(chart: Chart) -> None:
    """The key of a dependency's condition, and global values of other charts."""
    chart.policy("--set", "enabled=true,global.storageClass=fast,global.postgresql.auth=x")


# ---- null ----

TOP_LEVEL = sorted(yamlio.load((CHART / "values.yaml").read_text())) if CHART.exists() else ["no-chart"]
# Values that make each custom resource be there.
STACKS: Mapping[str, dict[str, Any]] = {
    "ClusterPolicy": {},
    "GPUCluster": {
        "clusterPolicy": {"deployCR": False},
        "gpuCluster": {"deployCR": True},
        # An NVIDIADriver names its image: no environment of the operator stands in for it.
        "driver": {"nvidiaDriverCRD": {"enabled": True}, "repository": "r", "image": "driver", "version": "580"},
    },
}


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("key", TOP_LEVEL)
def test_a_top_level_null_still_renders(chart: Chart, key: str, stack: str) -> None:
    """`null` for a whole map clears it; the rest renders, and nothing prints null."""
    found = chart.objects(values=merged({key: None}, STACKS[stack]))
    assert [path for each in found for path in nulls(each)] == []
    assert stack in {each["kind"] for each in found} or key == "clusterPolicy"


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_nulls_at_a_depth_still_render(chart: Chart, depth: int, stack: str) -> None:
    """`null` for everything that has a default, at one depth of values.yaml."""
    defaults = yamlio.load((CHART / "values.yaml").read_text())
    defaults["nfd"] = None  # Helm itself reads nfd.enabled, which must be a boolean
    defaults["clusterPolicy"] = None

    def cleared(tree: dict[str, Any], left: int) -> dict[str, Any]:
        if left == 1:
            return dict.fromkeys(tree)
        # A seccomp profile without its type is none: Kubernetes wants that member.
        below = {key: value for key, value in tree.items() if isinstance(value, dict) and key != "seccompProfile"}
        return {key: cleared(value, left - 1) for key, value in below.items() if value}

    switches = {"clusterPolicy": {"deployCR": True}, **STACKS[stack]}
    found = chart.objects(values=merged(cleared(defaults, depth), switches))
    assert [path for each in found for path in nulls(each)] == []
    assert stack in {each["kind"] for each in found}


# ---- strings ----


def test_every_string_survives(chart: Chart) -> None:
    """Strings in maps, lists and scalars reach the ClusterPolicy as they are."""
    by_key = {f"k{number}": text for number, text in enumerate(NASTY)}
    env = [{"name": f"N{number}", "value": text} for number, text in enumerate(NASTY)]
    spec = chart.policy(
        values={
            "daemonsets": {"labels": by_key, "annotations": by_key, "priorityClassName": "1e3"},
            "toolkit": {"env": env, "args": list(NASTY), "imagePullSecrets": list(NASTY)},
            "dcgmExporter": {"annotations": by_key, "serviceMonitor": {"additionalLabels": by_key}},
            "driver": {"virtualTopology": {"config": "0123"}, "secretEnv": "1234"},
            "sandboxWorkloads": {"defaultWorkload": "container"},
        }
    )
    assert by_key.items() <= spec["daemonsets"]["labels"].items()
    assert by_key.items() <= spec["daemonsets"]["annotations"].items()
    assert spec["daemonsets"]["priorityClassName"] == "1e3"
    assert spec["toolkit"]["env"] == env
    assert spec["toolkit"]["args"] == list(NASTY)
    assert spec["toolkit"]["imagePullSecrets"] == list(NASTY)
    assert spec["dcgmExporter"]["annotations"] == by_key
    assert spec["dcgmExporter"]["serviceMonitor"]["additionalLabels"] == by_key
    assert spec["driver"]["virtualTopology"]["config"] == "0123"
    assert spec["driver"]["secretEnv"] == "1234"


@pytest.mark.parametrize("first", range(0, len(NASTY), len(COMPONENTS)))
def test_every_string_survives_in_images(chart: Chart, first: int) -> None:
    """Repository, image and version of every component, as they are."""
    texts = dict(zip(COMPONENTS, (f"{text}a" for text in NASTY[first:]), strict=False))
    versions = dict(zip(COMPONENTS, NASTY[first:], strict=False))
    values = {name: {"repository": versions[name], "image": texts[name], "version": versions[name]} for name in texts}
    spec = chart.policy(values=values)
    found = {name: {key: spec[name].get(key) for key in values[name]} for name in values}
    assert found == values


def test_strings_survive_in_the_operator_pod(chart: Chart) -> None:
    """Annotations, node selector and environment of the operator, as they are."""
    by_key = {f"k{number}": text for number, text in enumerate(NASTY)}
    env = [{"name": f"N{number}", "value": text} for number, text in enumerate(NASTY)]
    values = {"operator": {"annotations": by_key, "nodeSelector": by_key, "env": env}}
    (deployment,) = (each for each in chart.objects(values=values) if named(each, "Deployment", "gpu-operator"))
    pod = deployment["spec"]["template"]
    assert by_key.items() <= pod["metadata"]["annotations"].items()
    assert by_key.items() <= pod["spec"]["nodeSelector"].items()
    assert all(each in pod["spec"]["containers"][0]["env"] for each in env)


def test_numbers_are_strings_in_the_operator_pod(chart: Chart) -> None:
    """A node selector or a variable given as a number or a switch is text in a pod, however large the number."""
    values = (
        "operator: {nodeSelector: {a: true, b: 20260101}, env: [{name: A, value: 20260101}, {name: B, value: false}]}"
    )
    (deployment,) = (each for each in chart.objects(values=values) if named(each, "Deployment", "gpu-operator"))
    pod = deployment["spec"]["template"]["spec"]
    assert {"a": "true", "b": "20260101"}.items() <= pod["nodeSelector"].items()
    env = pod["containers"][0]["env"]
    assert [each for each in env if each["name"] in ("A", "B")] == [
        {"name": "A", "value": "20260101"},
        {"name": "B", "value": "false"},
    ]
