"""CEL as the API server evaluates it in the rules of a CRD: the language, its optional values, and the functions for strings.

Of what Kubernetes adds to the language, lists and regular expressions are added here; quantities, URLs, IP addresses and the
like are not, and an expression that needs them is `Unrunnable` and not true.

The library is that of the CEL project itself; this is the one module that knows it.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness.tools import ToolMissing

# Functions and names of Kubernetes' own that are not here, as its documentation groups them.
_MISSING = frozenset([
    "authorizer", "cidr", "format", "ip", "isCIDR", "isIP", "isQuantity", "isSemver", "isURL", "jsonpatch", "lists", "math",
    "quantity", "semver", "sets", "url",
])  # fmt: skip
_UNDECLARED = re.compile(r"undeclared reference to '(\w+)'")
_POSITION = re.compile(r"^ERROR: <input>:\d+:\d+: ", re.MULTILINE)
# Errors that belong to the language: the API server meets them, too, and refuses the object.
_RUNTIME = ("NOT_FOUND: ", "UNKNOWN: Index error", "INVALID_ARGUMENT: divide by zero", "OUT_OF_RANGE: ")


class Unrunnable(Exception):
    """An expression that cannot be evaluated here.

    Attributes:
        reason: why.
        is_known: whether it needs a function that Kubernetes has and this harness does not; else nobody knows.
    """

    def __init__(self, reason: str, *, is_known: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_known = is_known


class Failed(Exception):
    """An expression came to no value, as it would in the API server; the message says why."""


@dataclass(frozen=True)
class Expression:
    """A compiled expression.

    Attributes:
        text: as it was written.
        program: what the library made of it.
    """

    text: str
    program: Any

    def evaluate(self, variables: Mapping[str, Any]) -> Any:
        """Its value.

        Args:
            variables: ``self`` and perhaps ``oldSelf``, made of dicts with string keys, lists and scalars.

        Raises:
            Failed: there is none.
            Unrunnable: the library cannot tell.
        """
        value = self.program.eval(data=dict(variables))
        plain = value.plain_value()
        if value.type() != _library("cel").Type.ERROR:
            return plain
        if plain.startswith(_RUNTIME):
            raise Failed(plain.partition(": ")[2])
        raise Unrunnable(plain.partition(": ")[2])


@functools.cache
def compiled(text: str) -> Expression:
    """An expression, compiled once.

    Raises:
        Unrunnable: it is no CEL, or needs what is not here.
    """
    try:
        return Expression(text, _environment().compile(text))
    except RuntimeError as cause:
        said = str(cause)
        names = sorted(set(_UNDECLARED.findall(said)) & _MISSING)
        if names:
            raise Unrunnable(f"{', '.join(names)} is not known here", is_known=True) from cause
        raise Unrunnable(_POSITION.sub("", said.removeprefix("INVALID_ARGUMENT: ")).splitlines()[0]) from cause


@functools.cache
def _library(name: str) -> Any:
    """A module of the library, which comes with the extra ``validate`` and which nothing but judging needs.

    Raises:
        ToolMissing: it is not installed.
    """
    try:
        return importlib.import_module(f"cel_expr_python.{name}")
    except ImportError as cause:
        raise ToolMissing("the library for CEL is not installed: run `pip install 'chartgen[validate]'`") from cause


@functools.cache
def _environment() -> Any:
    """The language with everything that rules may use."""
    cel = _library("cel")
    extensions = [
        _library("ext.ext_strings").ExtStrings(),
        _library("ext.ext_optional").ExtOptional(),
        _library("ext.ext_bindings").ExtBindings(),
    ]
    variables = {"self": cel.Type.DYN, "oldSelf": cel.Type.DYN}
    return cel.NewEnv(variables=variables, extensions=extensions, functions=_functions(cel))


def _functions(cel: Any) -> list[Any]:
    """The functions that Kubernetes adds for lists and regular expressions."""
    items, text, any_type = cel.Type.List(cel.Type.DYN), cel.Type.STRING, cel.Type.DYN

    def method(name: str, returns: Any, parameters: list[Any], does: Callable[..., Any]) -> Any:
        overload = cel.Overload(id=f"own_{name}", return_type=returns, parameters=parameters, is_member=True, impl=does)
        return cel.FunctionDecl(name, [overload])

    return [
        method("isSorted", cel.Type.BOOL, [items], lambda values: values == sorted(values)),
        method("sum", any_type, [items], sum),
        method("min", any_type, [items], min),
        method("max", any_type, [items], max),
        method("find", text, [text, text], _find),
        method("findAll", cel.Type.List(text), [text, text], _find_all),
    ]


def _find(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    return found[0] if found else ""


def _find_all(text: str, pattern: str) -> list[str]:
    return [found[0] for found in re.finditer(pattern, text)]
