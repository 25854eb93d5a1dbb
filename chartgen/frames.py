"""Frames: text files with Jinja's marks as ``[[ ]]`` and ``[% %]``, since the braces are Helm's. What is put in is prepared in Python."""

from __future__ import annotations

from collections.abc import Callable

import jinja2


def environment(
    package: str, *, autoescape: bool, finalize: Callable[[object], object] | None = None
) -> jinja2.Environment:
    """Reads the frames in the folder ``frames/`` of a package; a name that is not given is an error.

    Args:
        package: whose frames.
        autoescape: whether they are HTML, so that what is put in is escaped.
        finalize: changes everything that is put in.
    """
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package, "frames"),
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
        autoescape=autoescape,  # noqa: S701 - true for HTML; YAML and text would be spoilt by it
        finalize=finalize,
    )
