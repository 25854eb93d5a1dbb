"""Fingerprints: what an outcome depends on, as a short text that changes when any of it does."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

from chartgen.harness.case import Case
from chartgen.profiles import Profile

_PACKAGE = Path(__file__).resolve().parents[1]
_SIZE = 16
_LEFT_OUT = ("__pycache__",)


def of_folders(folders: Iterable[Path]) -> str:
    """The names and contents of all files below some folders; links are followed, bytecode is not read."""
    digest = hashlib.blake2b(digest_size=_SIZE)
    for folder in folders:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            if not any(part in _LEFT_OUT for part in file.parts):
                digest.update(f"{file.relative_to(folder)}\0".encode())
                digest.update(hashlib.blake2b(file.read_bytes(), digest_size=_SIZE).digest())
        digest.update(b"\1")
    return digest.hexdigest()


def of_harness() -> str:
    """The code that judges: this whole package, since trees and evaluation are in it."""
    return of_folders([_PACKAGE])


def of_modules(*modules: ModuleType) -> str:
    """The source of some modules."""
    return of_texts(*(inspect.getsource(module) for module in modules))


def of_texts(*texts: str) -> str:
    """Some texts in this order."""
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=_SIZE).hexdigest()


def of_case(case: Case) -> str:
    """A case with the contents of its files."""
    files = [file.read_text(encoding="utf-8") for file in case.files]
    return of_texts(json.dumps(_plain(case), sort_keys=True, ensure_ascii=False), *files)


def _plain(value: Any) -> Any:
    """Records as JSON has them. A profile is its file, which is hashed by itself, and what is built on other files."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        left_out = ("body", "summary", "title") if isinstance(value, Profile) else ()
        return {
            item.name: _plain(getattr(value, item.name))
            for item in dataclasses.fields(value)
            if item.name not in left_out
        }
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
