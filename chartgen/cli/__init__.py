"""The command line: a module for each command. `main` is here and not empty space, since it is what packages install as ``chartgen``."""

from chartgen.cli.program import cli, main

__all__ = ["cli", "main"]
