"""Objects of the chart without an operator carry what every object of a release does, and their pods do not."""

from __future__ import annotations

from support import judged

from chartgen.components import chart

GIVEN = {
    "operator": {"enabled": False},
    "cluster": {"os": "ubuntu22.04"},
    "dcgm": {"enabled": True},
    "nodeStatusExporter": {"enabled": True},
    "nfd": {"enabled": False},
    "commonLabels": {"team": "ml", "app": "not-this"},
    "commonAnnotations": {"example.com/owner": "ml"},
}


def test_every_object_has_the_labels_of_the_release() -> None:
    """The instance, the user's common labels and annotations; a label that a selector depends on is not replaced."""
    found = chart.objects(judged.schema(), judged.context(GIVEN))
    assert len(found) > 60
    for one in found:
        metadata = one["metadata"]
        name = f"{one['kind']}/{metadata['name']}"
        assert metadata["labels"]["app.kubernetes.io/instance"], name
        assert metadata["labels"]["team"] == "ml", name
        assert metadata["annotations"]["example.com/owner"] == "ml", name
        if one["kind"] == "DaemonSet":
            selector = one["spec"]["selector"]["matchLabels"]
            template = one["spec"]["template"]["metadata"]["labels"]
            assert selector.items() <= template.items(), name
            assert selector["app"] == metadata["labels"]["app"] == metadata["name"], name
            assert "team" not in template, name
