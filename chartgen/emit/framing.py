"""Text-shaped files: frames of ``frames/``, filled with prepared data."""

from __future__ import annotations

from chartgen import frames

# The output is YAML and text, never HTML.
_ENVIRONMENT = frames.environment("chartgen.emit", autoescape=False)


def render(frame: str, **data: object) -> str:
    """A frame with data in it; a name that is not given is an error."""
    return _ENVIRONMENT.get_template(frame).render(**data)
