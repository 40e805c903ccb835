"""The agent of `agent.py`, on a free port: HTTP/2, and HTTP/1.1 with WebSockets beside it."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from acp import AgentSideConnection, PromptRequest, PromptResponse, agent_app, remote
from agent import Harness
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.asyncio.tcp_server import TCPServer
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.protocol import h2
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

if TYPE_CHECKING:
    from acp import AgentContext
    from hypercorn.typing import ASGIFramework

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DRAIN = 2.0
LIMITS = {"sessionWait": "session_wait", "keepAlive": "keep_alive"}


class RemoteHarness(Harness):
    """The agent of one connection."""

    connections = 0
    turns = 0

    def __init__(self, connection: AgentSideConnection) -> None:
        """Tell when the connection has ended."""
        super().__init__()
        self.connection = connection
        self.watching = asyncio.create_task(self.watch())

    async def watch(self) -> None:
        """Wait for the end."""
        RemoteHarness.connections += 1
        reason = await self.connection.wait_closed()
        RemoteHarness.connections -= 1
        tell(f"connection ended: {reason}")

    async def ext_method(self, method: str, params: Any, context: AgentContext) -> Any:
        """Tell how much there is to do, too."""
        if method != "_alive":
            return await super().ext_method(method, params, context)
        tasks = len(asyncio.all_tasks()) + threading.active_count()
        return {"connections": self.connections, "handlers": self.turns, "tasks": tasks}

    async def prompt(self, request: PromptRequest, context: AgentContext) -> PromptResponse:
        """Tell when a prompt is cancelled."""
        RemoteHarness.turns += 1
        try:
            return await super().prompt(request, context)
        finally:
            RemoteHarness.turns -= 1
            if context.is_cancelled:
                tell("cancelled session/prompt")


class Listener(asyncio.Protocol):
    """A connection of which it is not known yet what is spoken on it."""

    def __init__(self, servers: Servers) -> None:
        """Leave it to a server."""
        self.servers = servers
        self.data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first bytes."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Look at the first bytes."""
        self.data += data
        if len(self.data) < len(PREFACE) and PREFACE.startswith(self.data):
            return
        is_two = self.data.startswith(PREFACE)
        protocol = self.servers.two() if is_two else self.servers.one()
        self.transport.set_protocol(protocol)
        protocol.connection_made(self.transport)
        protocol.data_received(self.data)


class Buffer(h2.StreamBuffer):
    """What waits to be sent on a stream: hypercorn 0.18 takes more however much there is."""

    async def pop(self, max_length: int) -> bytes:
        """Take what is sent, and let more in only where there is space."""
        data = bytes(self.buffer[:max_length])
        del self.buffer[:max_length]
        if len(self.buffer) < h2.BUFFER_LOW_WATER:
            await self._paused.set()
        if not self.buffer:
            await self._is_empty.set()
        return data


class Servers:
    """One application, served by two servers: uvicorn has no HTTP/2, hypercorn waits for no pong."""

    def __init__(self, app: remote.App, limits: remote.Limits) -> None:
        """Serve an application."""
        self.app = app
        self.loop = asyncio.get_running_loop()
        self.one_config = uvicorn.Config(
            cast("Any", app),
            lifespan="off",
            log_config=None,
            ws="websockets-sansio",
            ws_max_size=2 * limits.body,
            ws_ping_interval=limits.ping,
            # A pong comes after all that was sent before it.
            ws_ping_timeout=15 * limits.ping,
        )
        self.one_config.load()
        self.one_state = ServerState()
        self.two_config = Config()
        self.two_config.errorlog = None
        h2.StreamBuffer = Buffer  # type: ignore[misc]
        # It would end streams, too.
        self.two_config.keep_alive_max_requests = 1 << 62
        self.context = WorkerContext(None)

    def one(self) -> asyncio.Protocol:
        """Serve HTTP/1.1."""
        return H11Protocol(self.one_config, self.one_state, {}, self.loop)

    def two(self) -> asyncio.Protocol:
        """Serve HTTP/2."""
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(), self.connected)

    async def connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve a connection."""
        app = ASGIWrapper(cast("ASGIFramework", self.app))
        config, context = self.two_config, self.context
        await TCPServer(app, self.loop, config, context, {}, reader, writer)


def tell(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def server_options(options: dict[str, Any]) -> remote.ServerOptions:
    """Read the options."""
    limits = {LIMITS.get(name, name): it for name, it in options.get("limits", {}).items()}
    token = options.get("token")

    def authenticate(request: remote.Request) -> str:
        # After the token, there may be a name.
        given, _, name = (request.header("authorization") or "").partition(":")
        if given == "Bearer forbidden":
            raise remote.RefusedError(403, "this token is forbidden")
        if given != f"Bearer {token}":
            raise remote.RefusedError(401, "the header `Authorization` has no token")
        return name

    return remote.ServerOptions(
        limits=remote.Limits(**limits),
        allowed_hosts=options.get("hosts"),
        origins=options.get("origins", []),
        authenticate=authenticate if token is not None else None,
        http1=options.get("http1", False),
    )


async def main(options: remote.ServerOptions) -> None:
    """Serve until standard input ends."""
    app = agent_app(RemoteHarness, options)
    loop = asyncio.get_running_loop()
    servers = Servers(app, options.limits)
    listening = await loop.create_server(lambda: Listener(servers), "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{port}/acp"}) + "\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.buffer.read)
    await app.drain(DRAIN)
    listening.close()


if __name__ == "__main__":
    given = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    asyncio.run(main(server_options(given)))
