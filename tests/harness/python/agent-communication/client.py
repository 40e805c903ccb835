"""Starts a server or connects to a URL, has an agent run, and prints each step as a line of JSON."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from acp import (
    CallError,
    Client,
    ClientCapabilities,
    ClientContext,
    ConnectionClosedError,
    Implementation,
    RequestError,
    RunMeta,
    RunProgressNotification,
    ServerPeer,
    connect_server,
    spawn_server,
)
from acp.runtime.support import plain

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


class Harness(Client):
    """The client."""

    def __init__(self) -> None:
        """Begin without updates."""
        self.updates = 0
        self.is_verbose = os.environ.get("VERBOSE") == "1"
        # Whether the server left before the end.
        self.is_left = False

    async def run_progress(self, request: RunProgressNotification, context: ClientContext) -> None:
        """Count a piece."""
        self.updates += 1
        if self.is_verbose:
            show({"update": request.delta})

    async def step(self, name: str, call: Awaitable[T]) -> T | None:
        """Wait for a step, and print what came of it."""
        self.updates = 0
        start = time.perf_counter()
        result: T | None = None
        outcome: dict[str, Any] = {}
        try:
            result = await call
            outcome["result"] = result
        except RequestError as error:
            outcome["error"] = error.to_dict()
        except CallError as error:
            outcome["error"] = {"message": str(error)}
            self.is_left = self.is_left or isinstance(error, ConnectionClosedError)
        seconds = time.perf_counter() - start
        show({"step": name, "updates": self.updates, "seconds": seconds, **outcome})
        return result

    async def talk(self, server: ServerPeer) -> bool:
        """Say whether the conversation came to its end."""
        client = Implementation(name="harness", version="1")
        call = server.initialize(
            "2025-06-18", capabilities=ClientCapabilities(), client_info=client
        )
        if await self.step("initialize", call) is None:
            return False
        await server.initialized()
        if await self.step("agents/list", server.list_agents()) is None:
            return False
        for count, text in enumerate(json.loads(os.environ.get("PROMPTS", "[]")), 1):
            run = server.run_agent(
                "obey", input=text, meta=RunMeta(progress_token=f"t{count}")
            )
            answered = asyncio.ensure_future(self.step("agents/run", run))
            if text == "slow":
                # What waits is woken at once.
                await asyncio.sleep(0)
                await server.initialized()
            await answered
        return not self.is_left


def show(line: dict[str, Any]) -> None:
    """Print a line."""
    sys.stdout.write(msgspec.json.encode(line, enc_hook=plain).decode() + "\n")
    sys.stdout.flush()


async def main(command: list[str]) -> int:
    """Have the conversation. Gives the exit status."""
    client = Harness()
    if "://" in command[0]:
        far = connect_server(client, command[0])
    else:
        far = spawn_server(client, *command)
    try:
        async with far as server:
            return 0 if await client.talk(server) else 1
    except CallError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--"]
    if not words:
        sys.exit("usage: client -- COMMAND…")
    sys.exit(asyncio.run(main(words)))
