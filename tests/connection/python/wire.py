"""The other end of a connection, line by line."""

from __future__ import annotations

import asyncio
import json
import socket
import unittest
from contextlib import suppress
from typing import Any

from acp import (
    Agent,
    AgentSideConnection,
    Client,
    ClientSideConnection,
    ConnectionOptions,
    ContentBlock,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
    RequestPermissionOutcome,
    RequestPermissionResponse,
    StopReason,
    StreamTransport,
)


class Wire:
    """Reads and writes lines where the peer would be."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take the streams."""
        self.reader = reader
        self.writer = writer

    async def receive(self) -> Any:
        """Give the next line, or `None` at the end."""
        line = await asyncio.wait_for(self.reader.readline(), 60)
        return json.loads(line) if line else None

    async def raw(self, text: str) -> None:
        """Send a text and a line end."""
        self.writer.write(text.encode() + b"\n")
        await self.writer.drain()

    async def send(self, *messages: dict[str, Any]) -> None:
        """Send messages."""
        await self.raw("\n".join(json.dumps({"jsonrpc": "2.0", **it}) for it in messages))

    async def close(self) -> None:
        """End it."""
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()

    def end(self) -> None:
        """Say that nothing more comes."""
        self.writer.write_eof()


OPEN: list[Wire | AgentSideConnection | ClientSideConnection] = []


async def pair() -> tuple[Wire, StreamTransport]:
    """Connect a wire."""
    near, far = socket.socketpair()
    for end in (near, far):
        for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, buffer, 1 << 15)
    wire = Wire(*await asyncio.open_connection(sock=near))
    OPEN.append(wire)
    return wire, StreamTransport(*await asyncio.open_connection(sock=far))


class Case(unittest.IsolatedAsyncioTestCase):
    """A test that closes what it opened."""

    async def asyncTearDown(self) -> None:
        """Close both ends."""
        while OPEN:
            await OPEN.pop().close()


class Quiet(Client):
    """A client that does what it must."""

    async def session_update(self, request: Any, context: Any) -> None:
        """Take note of nothing."""

    async def request_permission(self, request: Any, context: Any) -> RequestPermissionResponse:
        """Allow nothing."""
        return RequestPermissionResponse(outcome=RequestPermissionOutcome.cancelled())


class Plain(Agent):
    """An agent that does what it must."""

    async def initialize(self, request: Any, context: Any) -> InitializeResponse:
        """Speak version 1."""
        return InitializeResponse(protocol_version=1)

    async def authenticate(self, request: Any, context: Any) -> None:
        """Let everyone in."""

    async def new_session(self, request: Any, context: Any) -> NewSessionResponse:
        """Open a session."""
        return NewSessionResponse(session_id="s")

    async def prompt(self, request: Any, context: Any) -> PromptResponse:
        """End the turn."""
        return PromptResponse(stop_reason=StopReason.END_TURN)

    async def cancel(self, request: Any, context: Any) -> None:
        """Stop nothing."""


async def client(
    handler: Client | None = None, options: ConnectionOptions | None = None
) -> tuple[Wire, ClientSideConnection]:
    """Give a client, and what its agent would read and write."""
    wire, transport = await pair()
    connection = ClientSideConnection(handler or Quiet(), transport, options)
    OPEN.append(connection)
    return wire, connection


async def agent(
    handler: Agent | None = None, options: ConnectionOptions | None = None
) -> tuple[Wire, AgentSideConnection]:
    """Give an agent, and what its client would read and write."""
    wire, transport = await pair()
    connection = AgentSideConnection(handler or Plain(), transport, options)
    OPEN.append(connection)
    return wire, connection


def update(text: str) -> dict[str, Any]:
    """Make an update."""
    chunk = {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": text},
    }
    return {"method": "session/update", "params": {"sessionId": "s", "update": chunk}}


PROMPT = {"sessionId": "s", "prompt": [{"type": "text", "text": "hi"}]}
DONE = {"stopReason": "end_turn"}
TEXT: list[ContentBlock] = [ContentBlock.text("hi")]


async def settled() -> None:
    """Let everything that can happen happen."""
    await asyncio.sleep(0.02)
