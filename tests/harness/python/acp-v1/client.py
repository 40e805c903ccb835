"""Starts an agent, talks with it, and prints each step as a line of JSON."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from acp import (
    AgentPeer,
    AuthMethodAgent,
    CallError,
    Client,
    ClientCapabilities,
    ClientContext,
    ClientSideConnection,
    ConnectionClosedError,
    ConnectionOptions,
    ContentBlock,
    FileSystemCapabilities,
    ReadTextFileRequest,
    ReadTextFileResponse,
    RequestError,
    RequestPermissionOutcome,
    RequestPermissionRequest,
    RequestPermissionResponse,
    SessionNotification,
    rpc,
    spawn_agent,
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
        # Whether the agent left before the end.
        self.is_left = False

    async def session_update(self, request: SessionNotification, context: ClientContext) -> None:
        """Count an update."""
        self.updates += 1
        if getattr(getattr(request.update, "content", None), "text", None) == "nap":
            await asyncio.sleep(0.001)
        if self.is_verbose:
            show({"update": request.update})

    async def request_permission(
        self, request: RequestPermissionRequest, context: ClientContext
    ) -> RequestPermissionResponse:
        """Choose the first option."""
        if any(option.option_id == "never" for option in request.options):
            tell("asked session/request_permission")
            try:
                await asyncio.Event().wait()
            finally:
                tell("cancelled session/request_permission")
        if not request.options:
            return RequestPermissionResponse(outcome=RequestPermissionOutcome.cancelled())
        first = request.options[0].option_id
        return RequestPermissionResponse(outcome=RequestPermissionOutcome.selected(first))

    async def read_text_file(
        self, request: ReadTextFileRequest, context: ClientContext
    ) -> ReadTextFileResponse:
        """Read the only file."""
        return ReadTextFileResponse(content="hello")

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

    async def open_session(self, agent: AgentPeer) -> str | None:
        """Open a session, or open again one that the environment names."""
        known = os.environ.get("LOAD")
        if known is not None:
            folder = os.environ.get("FOLDER", "/replay/3")
            call = agent.load_session([], cwd=folder, session_id=known)
            load = asyncio.ensure_future(self.step("session/load", call))
            if os.environ.get("EARLY") == "1":
                await asyncio.sleep(0)
                prompt = agent.prompt(known, prompt=[ContentBlock.text("early")])
                await self.step("session/prompt", prompt)
            if await load is not None:
                return known
        session = await self.step("session/new", agent.new_session("/", mcp_servers=[]))
        return None if session is None else session.session_id

    async def talk(self, agent: ClientSideConnection) -> bool:
        """Say whether the conversation came to its end."""
        files = FileSystemCapabilities(read_text_file=True, write_text_file=False)
        capabilities = ClientCapabilities(fs=files)
        initialized = await self.step(
            "initialize", agent.initialize(1, client_capabilities=capabilities)
        )
        if initialized is None:
            return False
        methods = [it.id for it in initialized.auth_methods if isinstance(it, AuthMethodAgent)]
        method = methods[0] if methods else "none"
        await self.step("authenticate", agent.authenticate(method))
        session = await self.open_session(agent)
        if session is None:
            return False
        for _ in range(int(os.environ.get("ROUND_TRIPS", "0"))):
            # Of these nothing is printed.
            await agent.prompt(session, prompt=[ContentBlock.text("updates 0")])
        for text in json.loads(os.environ.get("PROMPTS", "[]")):
            if text == "idle":
                await self.step("closed", why_closed(agent))
                continue
            if text == "branch":
                branched = agent.branch_session(session, cwd="/early")
                branch = await self.step("session/branch", branched)
                if branch is None:
                    return False
                session = branch.session_id
                continue
            call = agent.prompt(session, prompt=[ContentBlock.text(text)])
            answered = asyncio.ensure_future(self.step("session/prompt", call))
            if text == "slow":
                # What waits to be cancelled is cancelled at once.
                await asyncio.sleep(0)
                await agent.cancel(session)
            await answered
        return not self.is_left


async def why_closed(connection: ClientSideConnection) -> None:
    """Wait for the end of a connection, and raise its reason."""
    reason = await connection.wait_closed()
    if reason is not None:
        raise reason


def tell(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def observe(observed: rpc.Observed) -> None:
    """Print what goes wrong."""
    if isinstance(observed, (rpc.Sent, rpc.Received)):
        return
    line = {"seen": type(observed).__name__.lower()}
    for name in ("method", "path", "reason", "id"):
        if hasattr(observed, name):
            value = getattr(observed, name)
            line[name] = msgspec.Raw(value) if name == "id" else value
    show(line)


def show(line: dict[str, Any]) -> None:
    """Print a line."""
    # Not all that is shown is a struct.
    sys.stdout.write(msgspec.json.encode(line, enc_hook=plain).decode() + "\n")
    sys.stdout.flush()


async def main(command: list[str]) -> int:
    """Have the conversation. Gives the exit status."""
    client = Harness()
    is_observed = os.environ.get("OBSERVED") == "1"
    options = ConnectionOptions(observe=observe if is_observed else None)
    async with spawn_agent(client, *command, options=options) as agent:
        is_in_order = await client.talk(agent)
    for thread in threading.enumerate()[1:]:
        # One of asyncio's waits for the process, which has just ended.
        thread.join(10)
    left = [*(asyncio.all_tasks() - {asyncio.current_task()}), *threading.enumerate()[1:]]
    if left:
        tell(f"left behind: {left}")
    return 0 if is_in_order and not left else 1


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--"]
    if not words:
        sys.exit("usage: client -- COMMAND…")
    sys.exit(asyncio.run(main(words)))
