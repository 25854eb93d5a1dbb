"""What an object does against its schema, one sentence for each mistake: the path, what is there, what is expected.

Of a schema that offers a choice, only the branch that was meant is told: the one that an object of this type may take.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from chartgen.errors import meant
from chartgen.harness import compare

_MOST_SHOWN = 8
_ARTICLES = {
    "array": "a list",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}
_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minProperties": "at least {} members",
    "maxProperties": "at most {} members",
}


def violations(validator: jsonschema_rs.Validator, schema: Mapping[str, Any], content: Any) -> tuple[str, ...]:
    """The sentences, in the order of their paths; after the first few there is only a count.

    Args:
        validator: made of `schema`.
        schema: for the names that a wrong one may have been meant to be.
        content: an object; keys that are not strings are taken as the API server would take them.
    """
    try:
        errors = list(validator.iter_errors(content))
    except ValueError:  # keys that are numbers or booleans
        content = with_string_keys(content)
        errors = list(validator.iter_errors(content))
    teller = _Teller(schema, content)
    said = sorted({sentence for error in errors for sentence in teller.told(error)})
    more = len(said) - _MOST_SHOWN
    return (*said[:_MOST_SHOWN], f"and {more} more mistakes") if more > 0 else tuple(said)


def with_string_keys(value: Any) -> Any:
    """A value as JSON has it: every key is a string."""
    if isinstance(value, Mapping):
        return {_key(key): with_string_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_string_keys(item) for item in value]
    return value


def _key(key: Any) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


@dataclass(frozen=True)
class _Teller:
    """Puts errors into words.

    Attributes:
        schema: what was judged by.
        content: what was judged.
    """

    schema: Mapping[str, Any]
    content: Any

    def told(self, error: jsonschema_rs.ValidationError) -> Iterator[str]:
        """What one error of the validator says."""
        path = self._path(error)
        match error.kind:
            case jsonschema_rs.ValidationErrorKind.AdditionalProperties(unexpected=names):
                known = _at(self.schema, error.schema_path[:-1]).get("properties", {})
                for name in names:
                    yield f"{compare.join(path, name)} is not known here{_meant(name, known)}"
            case jsonschema_rs.ValidationErrorKind.Required(property=name):
                yield f"{compare.join(path, name)} is missing"
            case (
                jsonschema_rs.ValidationErrorKind.AnyOf(context=branches)
                | jsonschema_rs.ValidationErrorKind.OneOfNotValid(context=branches)
            ):
                yield from self._choice(error, branches)
            case _:
                yield f"{path or 'the object'} is {compare.show(error.instance)}, and {_expected(error)} is expected"

    def _choice(
        self, error: jsonschema_rs.ValidationError, branches: Sequence[Sequence[jsonschema_rs.ValidationError]]
    ) -> Iterator[str]:
        """What is wrong by the branch that was meant; when the type fits none, all types that would."""
        fitting = [branch for branch in branches if branch and not any(_of_type(each, error) for each in branch)]
        if fitting:
            for each in min(fitting, key=len):
                yield from self.told(each)
            return
        types = [name for branch in branches for each in branch for name in _types(each)]
        found = compare.show(error.instance)
        yield f"{self._path(error) or 'the object'} is {found}, and {_any_of(types)} is expected"

    def _path(self, error: jsonschema_rs.ValidationError) -> str:
        """Where an error is. The validator gives numbers for list items and also for keys that look like numbers."""
        path, value = "", self.content
        for key in error.instance_path:
            if isinstance(value, list) and isinstance(key, int):
                path, value = f"{path}[{key}]", value[key]
            else:
                path, value = compare.join(path, key), value.get(str(key))
        return path


def _of_type(each: jsonschema_rs.ValidationError, whole: jsonschema_rs.ValidationError) -> bool:
    """Whether a branch fails because the value as a whole has another type."""
    return bool(_types(each)) and list(each.instance_path) == list(whole.instance_path)


def _types(error: jsonschema_rs.ValidationError) -> list[str]:
    kind = error.kind
    return list(kind.types) if isinstance(kind, jsonschema_rs.ValidationErrorKind.Type) else []


def _expected(error: jsonschema_rs.ValidationError) -> str:
    """What should be there, as the end of a sentence."""
    kind = error.kind
    match kind:
        case jsonschema_rs.ValidationErrorKind.Type(types=types):
            return _any_of(types)
        case jsonschema_rs.ValidationErrorKind.Enum(options=options):
            return f"one of {', '.join(compare.show(option) for option in options)}"
        case jsonschema_rs.ValidationErrorKind.Constant(expected_value=value):
            return compare.show(value)
        case jsonschema_rs.ValidationErrorKind.Pattern(pattern=pattern):
            return f"what matches {pattern}"
        case jsonschema_rs.ValidationErrorKind.Format(format=name):
            return f"a {name}"
        case jsonschema_rs.ValidationErrorKind.UniqueItems():
            return "each item once"
        case jsonschema_rs.ValidationErrorKind.MultipleOf(multiple_of=factor):
            return f"a multiple of {factor}"
        case jsonschema_rs.ValidationErrorKind.OneOfMultipleValid():
            return "what fits one choice alone" if error.instance is not None else "a value"
    if kind.name in _BOUNDS:
        return _BOUNDS[kind.name].format(kind.value)
    return f"what agrees with its schema ({error.message})"


def _any_of(types: Iterable[str]) -> str:
    """Types as words; null is left out where there is a choice, since to the API server it is the same as nothing."""
    names = sorted(set(types) - {"null"}) or ["null"]
    return " or ".join(_ARTICLES.get(name, name) for name in names)


def _meant(name: str, known: Mapping[str, Any]) -> str:
    hint = meant(name, known)
    return f"; {hint}" if hint else ""


def _at(schema: Mapping[str, Any], path: Sequence[str | int]) -> Mapping[str, Any]:
    """A part of a schema; empty when there is none at the path."""
    part: Any = schema
    for key in path:
        is_there = key in part if isinstance(part, Mapping) else isinstance(key, int) and key < len(part)
        if not is_there:
            return {}
        part = part[key]
    return part if isinstance(part, Mapping) else {}
