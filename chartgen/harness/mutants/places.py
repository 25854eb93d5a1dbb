"""Which files of a chart a kind of fault can be made in, by their path."""

from __future__ import annotations


def is_manifest(file: str) -> bool:
    """A template that makes objects."""
    return _is_rendered(file) and file.endswith(".yaml") and not is_rules(file)


def is_helpers(file: str) -> bool:
    """What templates share."""
    return _is_rendered(file) and file.endswith(".tpl")


def is_rules(file: str) -> bool:
    """The template that refuses values."""
    return _is_rendered(file) and file.rpartition("/")[2] == "validations.yaml"


def is_notes(file: str) -> bool:
    """What Helm tells a person after an installation."""
    return _is_rendered(file) and file.rpartition("/")[2] == "NOTES.txt"


def is_defaults(file: str) -> bool:
    """The default values."""
    return file.rpartition("/")[2] == "values.yaml"


def is_values_schema(file: str) -> bool:
    """The schema of values."""
    return file.rpartition("/")[2] == "values.schema.json"


def is_crd(file: str) -> bool:
    """A CustomResourceDefinition of the folder that Helm installs from."""
    return f"/{file}".rpartition("/")[0].endswith("/crds") and file.endswith(".yaml")


def is_chart_file(file: str) -> bool:
    """What Helm knows of the chart as a whole."""
    return file.rpartition("/")[2] == "Chart.yaml"


def _is_rendered(file: str) -> bool:
    return "/templates/" in f"/{file}"
