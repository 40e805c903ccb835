"""Decodes and encodes messages with generated codecs and with the official models, in turns.

usage: codecs.py [ROUNDS], with the generated package as `ours` and the official one as `acp`.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from acp.schema import SessionNotification
from ours.codecs import SessionNotificationCodec

COUNT = 10_000


def notification(update: dict[str, Any]) -> bytes:
    """The params of an update, as agents write them."""
    params = {"sessionId": "sess_abc123def456", "update": update}
    return json.dumps(params, separators=(",", ":")).encode()


def chunk(index: int) -> bytes:
    """A text chunk of 200 bytes."""

    def message(text: str) -> bytes:
        content = {"type": "text", "text": text}
        return notification({"sessionUpdate": "agent_message_chunk", "content": content})

    prose = "The quick brown fox jumps over the lazy dog, then writes a test. "
    return message(f"{index} {prose * 4}"[: 200 - len(message(""))])


def tool_call(index: int) -> bytes:
    """A tool call of about 4 KB."""
    line = '    let value = compute(&input, "key")?;\n'
    note = {"type": "text", "text": "Changing how values are made."}
    return notification(
        {
            "sessionUpdate": "tool_call",
            "toolCallId": f"call_{index}",
            "title": "Edit src/main.rs",
            "kind": "edit",
            "status": "in_progress",
            "content": [
                {"type": "content", "content": note},
                {
                    "type": "diff",
                    "path": "/src/main.rs",
                    "oldText": line * 35,
                    "newText": line * 36,
                },
            ],
            "locations": [{"path": "/src/main.rs", "line": 42}],
            "rawInput": {"path": "/src/main.rs", "edits": [{"start": 40, "end": 75}]},
        }
    )


def forgiven(index: int) -> bytes:
    """A text chunk with something in it that is forgiven."""
    return chunk(index).replace(b'"text":', b'"annotations":5,"text":')


def compare(what: str, messages: list[bytes], rounds: int) -> None:
    """Print the median time of each way to decode and to encode, and what that makes."""
    ours = [SessionNotificationCodec.decode(message) for message in messages]
    theirs = [SessionNotification.model_validate_json(message) for message in messages]

    def parsed_and_validated(message: bytes) -> SessionNotification:
        return SessionNotification.model_validate(json.loads(message))

    def dumped(value: SessionNotification) -> str:
        return value.model_dump_json(by_alias=True, exclude_none=True)

    ways: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
        "json.loads": (json.loads, messages),
        "our decode": (SessionNotificationCodec.decode, messages),
        "their model_validate_json": (SessionNotification.model_validate_json, messages),
        "their model_validate of json.loads": (parsed_and_validated, messages),
        "our encode": (SessionNotificationCodec.encode, ours),
        "their model_dump_json": (dumped, theirs),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (run, values) in ways.items():
            start = time.perf_counter()
            for value in values:
                run(value)
            times[name].append((time.perf_counter() - start) / len(values))
    median = {name: statistics.median(taken) for name, taken in times.items()}
    print(f"{len(messages)} {what}, {len(messages[0])} bytes")
    for name, taken in median.items():
        print(f"  {name:36} {taken * 1e9:8.0f} ns each")
    for of, to in [
        ("json.loads", "our decode"),
        ("their model_validate_json", "our decode"),
        ("their model_validate of json.loads", "our decode"),
        ("their model_dump_json", "our encode"),
    ]:
        print(f"  {to}: {median[of] / median[to]:.1f} times as fast as {of}")


def imports(rounds: int) -> None:
    """Print how long it takes to import each package in a new process, beyond that process."""
    times: dict[str, list[float]] = {"pass": [], "import ours": [], "import acp": []}
    for _ in range(rounds):
        for program, taken in times.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], check=True)
            taken.append(time.perf_counter() - start)
    bare = statistics.median(times.pop("pass"))
    for program, taken in times.items():
        print(f"  {program:36} {(statistics.median(taken) - bare) * 1e3:8.1f} ms")


def main() -> None:
    """Measure all."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    print(f"load {os.getloadavg()[0]:.2f}")
    imports(rounds)
    compare("text chunks", [chunk(index) for index in range(COUNT)], rounds)
    compare("tool calls", [tool_call(index) for index in range(COUNT // 20)], rounds)
    compare("forgiven chunks", [forgiven(index) for index in range(COUNT // 20)], rounds)


if __name__ == "__main__":
    main()
