"""Control characters are shown and not obeyed."""

from __future__ import annotations

from xml.etree import ElementTree

from chartgen.harness.reports import printable


def test_control_characters_become_pictures():
    """Tabs and line feeds stay, and so does all other text."""
    assert printable.text("a\tb\nc\r\x1b[31md\x00\x7f é ☃ 𝄞 <&>") == "a\tb\nc␍␛[31md␀␡ é ☃ 𝄞 <&>"


def test_every_character_can_be_written():
    """As UTF-8 and as XML, and is read again as it was written."""
    every = printable.text("".join(map(chr, range(0x11000))))
    element = ElementTree.Element("a")
    element.text = every
    written = ElementTree.tostring(element, encoding="utf-8")
    assert ElementTree.fromstring(written).text == every
