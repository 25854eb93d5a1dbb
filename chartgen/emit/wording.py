"""What the outputs for readers say about a field beyond its description, in one wording.

values.yaml, the JSON Schema and the reference show the same facts; a user who meets one should recognise the other.
"""

from __future__ import annotations

import re

from chartgen.schema import model


def deprecation(field: model.Field) -> str:
    """The sentence that tells a user to stop using a field; empty for one in use."""
    return "" if field.deprecated is None else retirement(field.deprecated)


def retirement(deprecated: model.Deprecation) -> str:
    """The same sentence for a key that may be no field any more."""
    text = f"Deprecated since {deprecated.since}"
    if deprecated.reason:
        text += f": {deprecated.reason}"
    text = _closed(text)
    use = deprecated.use
    if not use:
        return text
    return f"{text} Use {use} instead." if " " not in use else f"{text} {_closed(use[0].upper() + use[1:])}"


def members(field: model.Field) -> str:
    """The sentence that lists an enum; empty where the description names every member already."""
    named = [str(member) for member in field.type.enum if member not in ("", None)]
    if not named or all(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", field.description) for name in named):
        return ""
    return f"One of: {', '.join(named)}."


def _closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
