"""A server on standard input and output, which does what the first block of a run says.

With `SIDE=relay`, it is a relay.
"""

from __future__ import annotations

import asyncio
import os

from acp import (
    Abilities,
    AbilitiesFiles,
    Block,
    BlockPlain,
    DropRequest,
    HelloRequest,
    HelloResponse,
    PingRequest,
    Relay,
    RelayContext,
    RunRequest,
    RunResponse,
    SaveRequest,
    Server,
    ServerContext,
    StartRelayRequest,
    StartRelayResponse,
    WaitRequest,
    WaitResponse,
    run_relay,
    run_server,
)


class Harness(Server):
    """The server."""

    async def hello(self, request: HelloRequest, context: ServerContext) -> HelloResponse:
        """Say something wrong of the version, which the connection has to correct."""
        response = HelloResponse(speaking=9)
        if request.name == "picture":
            response.welcome = Block.picture("p")
        elif request.name == "boast":
            response.abilities = Abilities(files=AbilitiesFiles(read=True))
        else:
            response.abilities = Abilities(pictures=True)
        return response

    async def ping(self, request: PingRequest, context: ServerContext) -> None:
        """Answer."""

    async def run(self, request: RunRequest, context: ServerContext) -> RunResponse:
        """Do what the first block says."""
        block = request.blocks[0] if request.blocks else None
        word = block.text if isinstance(block, BlockPlain) else ""
        response = RunResponse(ended="done")
        if word == "sleep":
            await asyncio.Event().wait()
        elif word == "version":
            response.note = Block.plain(str(context.protocol_version))
        elif word == "picture":
            response.note = Block.picture("p")
        elif word == "confirm":
            answer = await context.client.confirm(request.job)
            response.ended = "yes" if answer.yes else "no"
        return response

    async def wait(self, request: WaitRequest, context: ServerContext) -> WaitResponse:
        """Wait until this is cancelled."""
        await asyncio.Event().wait()
        raise AssertionError

    async def drop(self, request: DropRequest, context: ServerContext) -> None:
        """Answer."""

    async def save(self, request: SaveRequest, context: ServerContext) -> None:
        """Answer."""


class Passing(Relay):
    """The relay."""

    async def start_relay(
        self, request: StartRelayRequest, context: RelayContext
    ) -> StartRelayResponse:
        """Say back what it is told."""
        return StartRelayResponse(from_=request.to)


if __name__ == "__main__":
    if os.environ.get("SIDE") == "relay":
        asyncio.run(run_relay(Passing()))
    else:
        asyncio.run(run_server(Harness()))
