"""Text-shaped files: frames of ``frames/``, filled with prepared data. Jinja's marks are ``[[ ]]`` and ``[% %]``, since Helm's are braces."""

from __future__ import annotations

import jinja2

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("chartgen.emit", "frames"),
    variable_start_string="[[",
    variable_end_string="]]",
    block_start_string="[%",
    block_end_string="%]",
    comment_start_string="[#",
    comment_end_string="#]",
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,  # noqa: S701 - the output is YAML and text, never HTML
)


def render(frame: str, **data: object) -> str:
    """A frame with data in it; a name that is not given is an error."""
    return _ENVIRONMENT.get_template(frame).render(**data)
