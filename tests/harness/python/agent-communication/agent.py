"""A server with two agents: one gives its input back, the other does what its input says.

It is on standard input and output, or if it is given options, on a port.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from acp import (
    Agent,
    AgentsCapability,
    ClientPeer,
    Implementation,
    InitializedNotification,
    InitializeRequest,
    InitializeResponse,
    ListAgentsRequest,
    ListAgentsResponse,
    RequestError,
    RunAgentRequest,
    RunAgentResponse,
    RunMeta,
    Server,
    ServerCapabilities,
    ServerContext,
    run_server,
    server_app,
)
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

if TYPE_CHECKING:
    from collections.abc import Sequence


class Harness(Server):
    """The server."""

    def __init__(self) -> None:
        """Begin with nothing that runs."""
        # Wakes the runs that wait.
        self.bell = asyncio.Event()

    async def initialize(
        self, request: InitializeRequest, context: ServerContext
    ) -> InitializeResponse:
        """Speak one version, whatever was asked for."""
        return InitializeResponse(
            protocol_version="2025-06-18",
            capabilities=ServerCapabilities(agents=AgentsCapability()),
            server_info=Implementation(name="harness", version="1"),
        )

    async def initialized(self, request: InitializedNotification, context: ServerContext) -> None:
        """Wake the runs that wait. It is the only notification that a server takes."""
        self.bell.set()
        self.bell = asyncio.Event()

    async def list_agents(
        self, request: ListAgentsRequest, context: ServerContext
    ) -> ListAgentsResponse:
        """Tell of both."""
        echo = Agent(
            name="echo",
            description="Gives its input back.",
            input_schema=True,
            output_schema=True,
        )
        obey = Agent(
            name="obey",
            description="Does what its input says.",
            input_schema={"type": "string"},
            output_schema=True,
        )
        return ListAgentsResponse(agents=[echo, obey])

    async def run_agent(
        self, request: RunAgentRequest, context: ServerContext
    ) -> RunAgentResponse:
        """Do what the first word says."""
        if request.name == "echo":
            return RunAgentResponse(output=request.input)
        word, *counts = str(request.input).split(" ")
        run = Run(request, context.client)
        if word == "updates":
            for _ in range(number(counts, 0, 1)):
                await run.say("x" * number(counts, 1, 20))
        elif word == "fs":
            for _ in range(number(counts, 0, 1)):
                if await run.ask("_fetch") != "hello":
                    raise RequestError.internal_error()
        elif word == "perm":
            await run.say(await run.ask("_ask"))
        elif word == "throw":
            raise ValueError("thrown")
        elif word == "throwcode":
            raise RequestError(-32042, "custom", {"x": 1})
        elif word == "panic":
            # What would end any other program.
            sys.exit("panic")
        elif word == "drop":
            return cast("RunAgentResponse", None)
        elif word == "slow":
            await self.bell.wait()
            return RunAgentResponse(output=None)
        elif word == "bad":
            await run.say(json.dumps(await run.refusals(), separators=(",", ":")))
        return RunAgentResponse(output={"text": run.text})


class Run:
    """A run, and what it gave so far."""

    def __init__(self, request: RunAgentRequest, client: ClientPeer) -> None:
        """Begin with an empty text."""
        self.client = client
        self.meta = request.meta if isinstance(request.meta, RunMeta) else RunMeta()
        self.text = ""

    async def say(self, text: str) -> None:
        """Send a piece of the output."""
        self.text += text
        token = self.meta.progress_token
        if isinstance(token, (str, int)):
            await self.client.run_progress(token, delta={"text": text})

    async def ask(self, method: str) -> str:
        """Ask the client what the protocol does not know."""
        answer = (await self.client.request(method, {}))["answer"]
        if not isinstance(answer, str):
            raise RequestError.internal_error()
        return answer

    async def refusals(self) -> list[int | None]:
        """Give the codes of the errors that calls which are wrong get."""
        codes: list[int | None] = []
        for method in ("no/such_method", "_fetch", "_no_such_extension"):
            try:
                await self.client.request(method, {})
            except RequestError as error:
                codes.append(error.code)
            else:
                codes.append(None)
        return codes


def number(counts: Sequence[str], at: int, otherwise: int) -> int:
    """Give a number of an input."""
    return int(counts[at]) if at < len(counts) else otherwise


async def listen() -> None:
    """Serve over WebSockets until standard input ends."""
    app = server_app(lambda _: Harness())
    config = uvicorn.Config(cast("Any", app), port=0, lifespan="off", log_config=None)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(
        lambda: H11Protocol(config, state, {}, loop), "127.0.0.1", 0
    )
    port = listening.sockets[0].getsockname()[1]
    sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{port}/"}) + "\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.buffer.read)
    await app.drain(2.0)
    listening.close()


if __name__ == "__main__":
    asyncio.run(listen() if len(sys.argv) > 1 else run_server(Harness()))
