"""Checks that what msgspec decodes by itself is what generated code would make of it.

    python fast_path.py PACKAGE CORPUS_FOLDER

Every message of the wire corpus, and every message that is wrong or odd in one place of it, is
decoded by msgspec alone, with generated code only for what is marked for it. Where that
accepts, generated code alone has to accept it, too, strictly, and make an equal value of it.
msgspec may refuse a valid message: generated code takes that over.

And what is forgiven with the help of msgspec, twice over, is what generated code alone forgives:
the same value, or the same error, and the same places are told.
"""

from __future__ import annotations

import copy
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.0,
    1.5,
    2**63,
    2**64,
    10**40,
    1e300,
    "",
    "x",
    "1",
    "\U0001f600",
    [],
    [None],
    {},
    {"type": "x"},
]


def variations(value: Any) -> Iterator[Any]:
    """Give a value with something odd in each of its places, one at a time."""
    yield value
    yield from ODD
    if isinstance(value, dict):
        for key, member in value.items():
            rest = {other: value[other] for other in value if other != key}
            yield rest
            # Only the wire name is the name of a property.
            snake = "".join(f"_{each.lower()}" if each.isupper() else each for each in key)
            yield {**rest, f"{snake.strip('_')}": member}
            for variation in variations(member):
                yield {**rest, key: variation}
                yield {key: variation, **rest}
        yield {**value, "unknown": [{}]}
    if isinstance(value, list):
        for index, item in enumerate(value):
            for variation in variations(item):
                yield [*value[:index], variation, *value[index + 1 :]]
        yield value * 2


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


def fault(package: Any, codec: Any, message: str) -> str | None:
    """What is wrong with what msgspec makes of a message: `""` for nothing, `None` if it refuses."""
    value = json.loads(message)
    before = copy.deepcopy(value)
    try:
        slow = codec.convert(value, strict=True)
    except package.DecodeError as error:
        slow = error
    if not same(before, value):
        return "what was given has changed"
    try:
        fast = codec._prepare()(message)
    except (msgspec.MsgspecError, ValueError, OverflowError):
        return None
    if isinstance(slow, package.DecodeError):
        return f"accepted, but {slow}"
    if type(fast) is not type(slow) or fast != slow:
        return f"{fast} is not {slow}"
    first, second = json.loads(codec.encode(fast)), json.loads(codec.encode(slow))
    return "" if same(first, second) else f"{first} is not {second}"


def outcome(package: Any, decode: Any, message: Any) -> tuple[Any, list[str]]:
    """What is made of a message, and what is told of it."""
    dropped: list[str] = []
    try:
        made = decode(message, on_dropped=lambda error: dropped.append(str(error)), path=("p",))
    except package.DecodeError as error:
        return str(error), dropped
    return (type(made), made), dropped


def differs(package: Any, codec: Any, message: str) -> str | None:
    """What is forgiven in another way with the help of msgspec than without it, if anything."""
    slow = outcome(package, codec.convert, json.loads(message))
    for _ in range(2):
        quick = outcome(package, codec.decode, message)
        if quick != slow:
            return f"{quick} is not {slow}"
        if isinstance(slow[0], tuple):
            first, second = (json.loads(codec.encode(it[0][1])) for it in (quick, slow))
            if not same(first, second):
                return f"{first} is not {second}"
    return None


def main(name: str, folder: str) -> int:
    package = importlib.import_module(name)
    accepted = tried = faults = 0
    for path in sorted(Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
            if not line.strip():
                continue
            entry = json.loads(line)
            codec = getattr(package.codecs, f"{entry['type']}Codec", None)
            if codec is None or "nesting" in path.name or "deep" in entry["name"]:
                continue
            # What is given as a text is about how texts are read.
            if "value" not in entry:
                continue
            seen = set()
            for variation in variations(entry["value"]):
                message = json.dumps(variation)
                if message in seen:
                    continue
                seen.add(message)
                tried += 1
                found = fault(package, codec, message)
                is_fast = found == ""
                found = found or differs(package, codec, message)
                accepted += is_fast
                if found:
                    faults += 1
                    print(f"{path.name}:{number}: {entry['type']} {message}: {found}")
    print(f"{accepted} of {tried} messages without generated code")
    return 1 if faults or not accepted else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
