"""Trees in a chart of their own: printed, rendered by a real helm, and evaluated.

The fields that the trees read are those of ``small_schema``, one of every form. The chart has no defaults, so that helm
hands a user's values to the templates as they are, nulls included.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen import yamlio
from chartgen.harness import compare, manifests, tools
from chartgen.schema import loader, model
from chartgen.schema.paths import Index
from chartgen.tree import evaluate, gotext, helper_texts
from chartgen.tree.context import Context
from chartgen.tree.nodes import Document, Manifest, Node

NAME = "throwaway"
_FACTS = {"name": NAME, "version": "1.2.3+four", "appVersion": "v5"}
SCHEMA: model.Schema = loader.load(Path(__file__).parent / "small_schema")
INDEX = Index.of(SCHEMA)
# APIs that the cluster of these tests serves.
APIS = ("resource.k8s.io/v1", "resource.k8s.io/v1/DeviceClass")
# Files of the chart, for trees that read them.
FILES: Mapping[str, str] = {"files/plain.txt": "one\ntwo {{ x }}\n", "files/map.yaml": "a:\n  b: 1\n  c: [x, 'y']\n"}
_HELPERS = "".join(
    f'{{{{- define "{NAME}.{name}" -}}}}\n{definition.go.replace("CHART", NAME)}\n{{{{- end }}}}\n'
    for name, definition in helper_texts.DEFINITIONS.items()
)


@dataclass(frozen=True)
class Told:
    """What one side says a tree yields: the value, or that there is none."""

    there: bool
    value: Any = None


def manifest(number: int, tree: Node) -> Manifest:
    """A template file whose one object has the tree as its member ``tree``.

    It is not the last member: helm trims a document, and with it a string that ends in empty lines.
    """
    given = {"apiVersion": "v1", "kind": "Case", "metadata": {"name": f"tree-{number}"}, "tree": tree, "end": 1}
    return Manifest(f"tree-{number}.yaml", "A tree.", (Document(given),))


def printed(tree: Node) -> str:
    """The template of a tree, without the lines that every one of these templates has."""
    text = gotext.manifest(manifest(0, tree), INDEX, NAME)
    for always in ("{{- /*\nA tree.\n*/ -}}\n", "apiVersion: v1\nkind: Case\nmetadata:\n  name: tree-0\n", "end: 1\n"):
        text = text.replace(always, "")
    return text


def context(values: Mapping[str, Any]) -> Context:
    """What the templates of the throwaway chart see."""
    return Context(
        values=values,
        release_name="some-release",
        namespace="some-namespace",
        chart_name=_FACTS["name"],
        chart_version=_FACTS["version"],
        app_version=_FACTS["appVersion"],
        api_versions=frozenset(APIS),
    )


def evaluated(tree: Node, values: Mapping[str, Any]) -> Told:
    """What evaluation says."""
    found = evaluate.Evaluator(INDEX, context(values)).document(manifest(0, tree).documents[0])
    assert found is not None
    return Told("tree" in found, found.get("tree"))


@dataclass(frozen=True)
class Workshop:
    """Where throwaway charts are built, and the helm that renders them.

    Attributes:
        helm: the real program.
        folder: overwritten by every render.
    """

    helm: tools.Helm
    folder: Path

    def rendered(self, trees: Sequence[Node], values: Mapping[str, Any]) -> list[Told]:
        """What helm makes of each tree, all in one chart.

        Raises:
            Refused: it makes nothing of one of them.
        """
        done = self.render([manifest(number, tree) for number, tree in enumerate(trees)], values)
        if done.status != 0:
            number = re.search(r"tree-(\d+)\.yaml", done.stderr)
            raise Refused(f"{done.stderr}\n{_shown(trees[int(number[1])]) if number else ''}")
        documents = manifests.Reader().read(done).documents
        assert not [document.problem for document in documents if document.problem], done.stdout
        by_name = {document.name: document.object for document in documents}
        found = [by_name[f"tree-{number}"] for number in range(len(trees))]
        return [Told("tree" in one, one.get("tree")) for one in found]

    def render(self, given: Sequence[Manifest], values: Mapping[str, Any]) -> tools.Run:
        """Print template files into a chart and render it."""
        chart = self.folder / "chart"
        shutil.rmtree(chart, ignore_errors=True)
        files = {f"templates/{one.file}": gotext.manifest(one, INDEX, NAME) for one in given}
        files |= {
            "Chart.yaml": yamlio.dump({"apiVersion": "v2", **_FACTS}),
            "templates/_helpers.tpl": _HELPERS,
            **FILES,
        }
        for path, text in files.items():
            (chart / path).parent.mkdir(parents=True, exist_ok=True)
            (chart / path).write_text(text)
        (self.folder / "values.yaml").write_text(yamlio.dump(dict(values)))
        values_files = (self.folder / "values.yaml",)
        request = tools.RenderRequest(chart, values_files, "some-release", "some-namespace", api_versions=APIS)
        return self.helm.render(request)

    def disagreements(self, trees: Sequence[Node], values: Mapping[str, Any]) -> list[str]:
        """Where helm and evaluation differ, each told with the tree and its template."""
        try:
            theirs = self.rendered(trees, values)
        except Refused as refused:
            return [str(refused)]
        found: list[str] = []
        for tree, helms in zip(trees, theirs, strict=True):
            for path, left, right in compare.differences(vars(helms), vars(evaluated(tree, values))):
                found.append(f"{path}: helm {left}, evaluated {right}\n{_shown(tree)}")
        return found


class Refused(Exception):
    """Helm cannot render a tree."""


def _shown(tree: Node) -> str:
    return f"{tree}\n{printed(tree)}"
