"""The forms of a report: a closed set of names, and what makes each."""

from __future__ import annotations

from enum import Enum

from chartgen.harness.report import Report
from chartgen.harness.reports import cobertura, document, github, html, junit, lcov, sarif, text


class Format(Enum):
    """A form of a report; the value is what ``--format`` calls it."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    GITHUB = "github"
    HTML = "html"
    LCOV = "lcov"
    COBERTURA = "cobertura"


_RENDERERS = {
    Format.TEXT: text.render,
    Format.JSON: document.render,
    Format.JUNIT: junit.render,
    Format.SARIF: sarif.render,
    Format.GITHUB: github.render,
    Format.HTML: html.render,
    Format.LCOV: lcov.render,
    Format.COBERTURA: cobertura.render,
}


def render(form: Format, report: Report) -> str:
    """A report in a form."""
    return _RENDERERS[form](report)
