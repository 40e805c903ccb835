"""Decodes messages by the names of their types, and encodes them again."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from acp import Codec, DecodeError, codecs


class Message(msgspec.Struct):
    """A message as it is spelled, or its text, and the name of its type in the schema."""

    type: str
    value: msgspec.Raw = msgspec.Raw(b"")
    text: str | None = None


def codec_of(name: str) -> Codec[Any]:
    """Find the codec of a type."""
    for suffix in ("", "Type"):
        codec = getattr(codecs, f"{name}{suffix}Codec", None)
        if isinstance(codec, Codec):
            return codec
    raise LookupError(f"there is no type `{name}`")


def decoded(line: bytes, *, strict: bool) -> tuple[object, Codec[Any]]:
    """Decode the message on a line."""
    message = msgspec.json.decode(line, type=Message)
    codec = codec_of(message.type)
    data = message.value if message.text is None else message.text
    return codec.decode(data, strict=strict), codec


def answer(line: bytes, *, strict: bool) -> bytes:
    """Say what becomes of the message on a line."""
    path = ""
    try:
        value, codec = decoded(line, strict=strict)
        return b'{"ok": true, "value": %b}' % codec.encode(value)
    except DecodeError as error:
        path, text = error.path, str(error)
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return json.dumps({"ok": False, "path": path, "error": text}).encode()


def answers(*, strict: bool) -> None:
    """Answer each line on standard input with one on standard output."""
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.buffer.write(answer(line, strict=strict) + b"\n")
            sys.stdout.buffer.flush()


def bench(times: int, file: str) -> None:
    """Decode all lines of a file so many times, and print the messages a second."""
    messages = []
    for line in Path(file).read_bytes().splitlines():
        if line.strip():
            message = msgspec.json.decode(line, type=Message)
            messages.append((codec_of(message.type).decode, bytes(message.value)))
    start = time.perf_counter()
    for _ in range(times):
        for decode, data in messages:
            decode(data)
    seconds = time.perf_counter() - start
    print(f"{times * len(messages) / seconds:.0f}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            answers(strict=False)
        case ["--strict"]:
            answers(strict=True)
        case ["--bench", times, file]:
            bench(int(times), file)
        case _:
            sys.exit("usage: wire [--strict | --bench N FILE]")
