"""Keys that users write and no release reads, and keys that a release once had.

The table is what was found in real users' values files, and what NVIDIA's documents get wrong.
"""

from __future__ import annotations

import functools
from typing import Any

import jsonschema_rs
import pytest
from support import judged
from support.judged import Rendered

from chartgen import yamlio
from chartgen.components import validations

KEYS: dict[str, dict[str, Any]] = yamlio.load((judged.ROOT / "tests" / "data" / "keys.yaml").read_text())
STRAYS = judged.schema().strays
MISPLACED = [path for path, stray in STRAYS.items() if stray.retired is None]
RETIRED = [path for path, stray in STRAYS.items() if stray.retired is not None]
# A value that the key does not hold is as telling as one that it would.
CONTENTS: tuple[Any, ...] = (True, "x", 1, {"a": 1}, [])


def values(path: str, value: Any) -> dict[str, Any]:
    return judged.nested({path: value})


@functools.cache
def validator() -> Any:
    return jsonschema_rs.validator_for((judged.CHART / "values.schema.json").read_text())


def takes(given: dict[str, Any]) -> bool:
    """Whether values.schema.json takes values."""
    return bool(validator().is_valid(given))


@pytest.mark.parametrize("path", KEYS["refused"])
def test_refused_with_the_hint(rendered4: Rendered, path: str) -> None:
    """The sentence names the key and what was meant; helm and Python say the same."""
    given = values(path, CONTENTS[len(path) % len(CONTENTS)])
    (sentence,) = rendered4.refusals(given)
    assert sentence.startswith(f"{path} is not a value; ")
    assert KEYS["refused"][path] in sentence
    assert validations.refused(judged.schema(), judged.context(given)) == [sentence]


def test_the_sentence_of_the_commonest(rendered: Rendered) -> None:
    """Word for word, whatever helm."""
    assert rendered.refusals(values("driver.maxParallelUpgrades", 5)) == [
        "driver.maxParallelUpgrades is not a value; did you mean driver.upgradePolicy.maxParallelUpgrades?"
    ]


def test_null_is_a_header_line_left_over(rendered: Rendered) -> None:
    """A key without content asks for nothing."""
    given = values("toolkit.toolkit", None) | values("driver.driver", None)
    assert rendered.refusals(given) == []


@pytest.mark.parametrize("path", [*KEYS["deprecated"], *KEYS["accepted"]])
def test_accepted(rendered4: Rendered, path: str) -> None:
    """A key that a release had renders, and so does one that upstream's values.yaml has and no template reads."""
    assert rendered4.refusals(values(path, {**KEYS["deprecated"], **KEYS["accepted"]}[path])) == []


@pytest.mark.parametrize("path", MISPLACED)
def test_each_misplaced_key_is_refused(path: str) -> None:
    """Whatever it holds gets past the JSON Schema, to the sentence; null is no content."""
    for content in CONTENTS:
        given = values(path, content)
        assert takes(given), content
        assert validations.refused(judged.schema(), judged.context(given)) == [STRAYS[path].text]
    assert takes(values(path, None))
    assert validations.refused(judged.schema(), judged.context(values(path, None))) == []


@pytest.mark.parametrize("path", RETIRED)
def test_each_retired_key_is_taken(path: str) -> None:
    """With any content, and refused by nothing."""
    for content in (*CONTENTS, None):
        given = values(path, content)
        assert takes(given), content
        assert validations.refused(judged.schema(), judged.context(given)) == []


def test_all_retired_keys_at_once(rendered: Rendered) -> None:
    """None of them changes what is rendered."""
    everything = judged.nested({key: {"a": 1} for key in RETIRED})
    assert rendered.objects(everything) == rendered.objects({})


def test_no_field_is_called_a_stray() -> None:
    """What is a value is none of these, and no sentence about it can mislead."""
    paths = {field.path for field in judged.schema().walk()}
    assert not paths & set(STRAYS)
