"""Schema folders written out in a test."""

from support.schema_folders import load, mistakes

__all__ = ["load", "mistakes"]
