"""Checks that what msgspec decodes by itself is right.

    python fast_path.py PACKAGE CORPUS_FOLDER

Every message of the wire corpus is decoded by msgspec alone, with nothing to help it where a
type is marked for generated code. It may refuse a valid message: generated code takes that
over. It must not accept an invalid one, nor encode a valid one as anything but the corpus says.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import msgspec


class NotNative(Exception):
    """Generated code would decode this."""


def refuse(ty: type, value: object) -> object:
    raise NotNative(ty.__name__)


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal: `1` and `1.0` are, `1` and `true` are not."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, float) or isinstance(b, float):
        return float(a) == float(b)
    return bool(a == b)


def check(types: Any, line: str) -> str | None:
    """The fault of an entry, `""` if msgspec decodes it rightly, `None` if it does not."""
    entry = json.loads(line)
    name = entry["type"]
    ty = getattr(types, f"_{name}", getattr(types, name, None))
    if ty is None:
        return None
    # The spelling matters, not only the value.
    start = line.index('"value": ') + len('"value": ')
    _, end = json.JSONDecoder().raw_decode(line, start)
    message = line[start:end].encode()
    try:
        value = msgspec.json.decode(message, type=ty, dec_hook=refuse)
    except (msgspec.DecodeError, NotNative):
        return None
    if "reject" in entry or "strict" in entry:
        return f"accepted as {value!r}"
    encoded = json.loads(msgspec.json.encode(value))
    expected = entry.get("encoded", entry["value"])
    return "" if same(encoded, expected) else f"encoded as {encoded}"


def main(package: str, folder: str) -> int:
    types = importlib.import_module(f"{package}.types")
    accepted = valid = faults = 0
    for path in sorted(Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
            if not line.strip():
                continue
            valid += "reject" not in json.loads(line)
            fault = check(types, line)
            if fault:
                faults += 1
                print(f"{path.name}:{number}: {fault}")
            accepted += fault == ""
    print(f"{accepted} of {valid} valid messages without generated code")
    return 1 if faults or not accepted else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
