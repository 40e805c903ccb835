"""Print how many of the names that programs import from a package it has, and those that it has not."""

import ast
import pathlib
import sys

import acp

names = {
    alias.name
    for program in sys.argv[1:]
    for node in ast.walk(ast.parse(pathlib.Path(program).read_text(encoding="utf-8")))
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "acp"
    for alias in node.names
}
missing = sorted(name for name in names if not hasattr(acp, name))
print(len(names) - len(missing), "of", len(names), *missing)
