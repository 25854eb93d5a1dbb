"""Text that a terminal, a page and an XML parser can take: control characters are shown and not obeyed.

Values and messages may hold any character, on purpose: odd ones are among the cases.
"""

from __future__ import annotations

import re

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"} | {
    0x7F: "\N{SYMBOL FOR DELETE}"
}
# What neither XML 1.0 nor UTF-8 can hold.
_IMPOSSIBLE = re.compile("[\ud800-\udfff\ufffe\uffff]")


def text(raw: str) -> str:
    """The text with pictures of its control characters, but for tabs and line feeds."""
    return _IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", raw.translate(_PICTURES))
