"""Adding a component takes one module and one schema file: a made-up one gets its DaemonSet, values, schema and docs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support import helms

from chartgen import files, yamlio
from chartgen.components import chart as components
from chartgen.components.operands import access
from chartgen.components.operands.workload import Workload, daemonset, host_path, pull_policy, variable
from chartgen.emit import chart, sources
from chartgen.harness import tools
from chartgen.schema import conditions, loader, paths
from chartgen.tree import helpers
from chartgen.tree.context import Context
from chartgen.tree.evaluate import Evaluator
from chartgen.tree.nodes import EnvMerge, Manifest, Value

ROOT = Path(__file__).resolve().parents[2]

SCHEMA = """\
name: fanController
description: Keeps the fans of GPU nodes at the speed their load needs.
type: object
properties:
  enabled: {type: boolean, default: true, unset: true, description: Runs the fan controller.}
  repository: {type: imageRepository, default: nvcr.io/example}
  image: {type: imageName, default: fan-controller}
  version: {type: imageVersion, default: v1}
  imagePullPolicy: {type: pullPolicy, default: IfNotPresent}
  imagePullSecrets: {type: pullSecrets, default: []}
  env: {type: env, default: []}
  resources: {type: resources, default: {}}
  workload: {type: workload}
"""


def _manifest() -> Manifest:
    """What a component's module holds."""
    enabled = conditions.On("fanController.enabled")
    container = {
        "name": "fan-controller",
        "image": helpers.image("fanController", "nvcr.io/example"),
        "imagePullPolicy": pull_policy("fanController.imagePullPolicy"),
        "env": EnvMerge("fanControllerEnv", ((variable("INTERVAL", "10s"),), "fanController.env")),
        "resources": Value("fanController.resources"),
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": "sys", "mountPath": "/sys"}],
    }
    workload = Workload(
        values="fanController",
        name="fan-controller",
        account="fan-controller",
        enabled=enabled,
        deploy="driver",
        containers=(container,),
        volumes=(host_path("sys", "/sys"),),
        images=("fanController",),
    )
    role = [access.rule("", ["pods"], ["get"])]
    documents = (*access.documents("fanController", "fan-controller", enabled, role=role), daemonset(workload))
    return Manifest("components/fan-controller.yaml", "The fan controller.", documents)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chart with the made-up component."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "schemas", folder / "schemas")
    (folder / "schemas" / "fanController.yaml").write_text(SCHEMA)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(components, "OPERANDS", (*components.OPERANDS, _manifest()))
        files.write_tree(folder / "chart", chart.emit(loader.load(folder / "schemas"), sources.read(ROOT)))
    return folder


def test_values_schema_and_docs(made: Path) -> None:
    """Its values are in values.yaml and in the chart's README, its types in the JSON Schema."""
    values = yamlio.load((made / "chart" / "values.yaml").read_text())
    schema = json.loads((made / "chart" / "values.schema.json").read_text())
    assert values["fanController"]["version"] == "v1"
    assert schema["properties"]["fanController"]["additionalProperties"] is False
    assert "fanController.version" in (made / "chart" / "README.md").read_text()


@pytest.mark.parametrize("major", helms.MAJORS)
def test_helm_renders_what_the_tree_says(made: Path, tmp_path: Path, major: str) -> None:
    """Its DaemonSet and permissions are rendered where no operator runs, and equal the evaluation."""
    user = {
        "operator": {"enabled": False},
        "driver": {"enabled": False},
        "fanController": {"version": 2, "env": [{"name": "INTERVAL", "value": 5}], "resources": {"limits": {"cpu": 1}}},
    }
    file = tmp_path / "values.yaml"
    file.write_text(yamlio.dump(user))
    helm = helms.find(major, tmp_path)
    done = helm.render(tools.RenderRequest(made / "chart", (file,), "gpu-operator", "gpu"))
    assert done.status == 0, done.report()
    rendered = {one["kind"]: one for one in yamlio.load_all(done.stdout) if one["metadata"]["name"] == "fan-controller"}
    assert sorted(rendered) == ["DaemonSet", "Role", "RoleBinding", "ServiceAccount"]
    container = rendered["DaemonSet"]["spec"]["template"]["spec"]["containers"][0]
    assert container["image"] == "nvcr.io/example/fan-controller:2"
    assert container["env"] == [{"name": "INTERVAL", "value": "5"}]
    assert container["resources"] == {"limits": {"cpu": 1}}


def test_a_component_fits_on_a_page() -> None:
    """What is more than that is shared, and belongs to a builder. The driver is a page and a half, in front of its parts."""
    folder = Path(access.__file__).parent
    sizes = {path.stem: len(path.read_text().splitlines()) for path in folder.glob("*.py")}
    components_ = [name for name in sizes if "def manifest" in (folder / f"{name}.py").read_text()]
    assert len(components_) > 12
    assert [name for name in components_ if sizes[name] > 120] == ["driver"]


def test_an_unknown_path_is_told_with_the_near_miss(made: Path) -> None:
    """A misspelt path in a module fails generation and suggests the path that was meant."""
    schema = loader.load(made / "schemas")
    with pytest.raises(paths.UnknownPath, match=r"did you mean fanController\.version\?"):
        Evaluator(paths.Index.of(schema), Context({})).node(Value("fanController.versoin"))
