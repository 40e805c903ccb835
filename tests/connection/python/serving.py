"""Servers of the tests of remote connections: what a client sees of them, byte by byte."""

from __future__ import annotations

import asyncio
import json
import socket
import unittest
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

import httpx
from acp import (
    Agent,
    AgentCapabilities,
    AgentContext,
    AgentSideConnection,
    AuthenticateRequest,
    CancelNotification,
    CloseSessionRequest,
    CloseSessionResponse,
    ConnectionOptions,
    ContentBlock,
    InitializeRequest,
    InitializeResponse,
    LoadSessionRequest,
    LoadSessionResponse,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    RequestError,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionUpdate,
    StopReason,
    agent_app,
    remote,
)
from hypercorn.asyncio import serve
from hypercorn.config import Config

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from hypercorn.typing import Framework

CAN_CLOSE = SessionCapabilities(close=SessionCloseCapabilities())
CONNECTION = "acp-connection-id"
SESSION = "acp-session-id"
INITIALIZE = {"id": 0, "method": "initialize", "params": {"protocolVersion": 1}}
NEW = {"id": 1, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}}


def prompt(text: str, session: str = "s1", number: int = 2) -> dict[str, Any]:
    """Write a prompt."""
    params = {"sessionId": session, "prompt": [{"type": "text", "text": text}]}
    return {"id": number, "method": "session/prompt", "params": params}


class Echo(Agent):
    """An agent that does what its prompts say, and remembers it."""

    def __init__(self, connection: AgentSideConnection | None = None) -> None:
        """Begin without sessions."""
        self.connection = connection
        self.opening = remote.opening()
        self.cancelled: list[str] = []
        self.handled: list[str] = []
        self.sessions = 0

    async def initialize(
        self, request: InitializeRequest, context: AgentContext
    ) -> InitializeResponse:
        """Say hello, unless the client is not welcome."""
        name = request.client_info.name if request.client_info else ""
        if name == "unwelcome":
            raise RequestError(-32001, "not you")
        if name == "slow":
            await asyncio.Event().wait()
        able = AgentCapabilities(load_session=True, session_capabilities=CAN_CLOSE)
        return InitializeResponse(protocol_version=1, agent_capabilities=able)

    async def new_session(
        self, request: NewSessionRequest, context: AgentContext
    ) -> NewSessionResponse:
        """Open a session, and say something in it first, or never open it."""
        self.sessions += 1
        session = f"s{self.sessions}"
        if request.cwd == "/early":
            await say(context, session, "early")
        elif request.cwd == "/wait":
            await asyncio.Event().wait()
        return NewSessionResponse(session_id=session)

    async def load_session(
        self, request: LoadSessionRequest, context: AgentContext
    ) -> LoadSessionResponse:
        """Replay three updates."""
        if request.session_id == "missing":
            raise RequestError.invalid_params()
        for text in "abc":
            await say(context, request.session_id, text)
        return LoadSessionResponse()

    async def authenticate(self, request: AuthenticateRequest, context: AgentContext) -> None:
        """Let everyone in."""

    async def cancel(self, request: CancelNotification, context: AgentContext) -> None:
        """Remember it."""
        self.handled.append("cancel")

    async def close_session(
        self, request: CloseSessionRequest, context: AgentContext
    ) -> CloseSessionResponse:
        """Close any session."""
        return CloseSessionResponse()

    async def prompt(self, request: PromptRequest, context: AgentContext) -> PromptResponse:
        """Do what the first word says."""
        text = getattr(request.prompt[0], "text", "")
        word, *rest = text.split()
        self.handled.append(text)
        try:
            if word == "wait":
                await asyncio.Event().wait()
            elif word == "sleep":
                await asyncio.sleep(0.2)
            elif word == "say":
                await say(context, request.session_id, "x" * int(rest[0]))
            elif word == "read":
                file = await context.client.read_text_file(request.session_id, path="/x")
                await say(context, request.session_id, file.content)
            elif word == "many":
                for number in range(int(rest[0])):
                    await say(context, request.session_id, str(number))
        except asyncio.CancelledError:
            self.cancelled.append(word)
            raise
        return PromptResponse(stop_reason=StopReason.END_TURN)

    async def ext_notification(self, method: str, params: Any, context: AgentContext) -> None:
        """Wait for good."""
        await asyncio.Event().wait()

    async def ext_method(self, method: str, params: Any, context: AgentContext) -> Any:
        """Give back what was said."""
        return {"echoed": params}


async def say(context: AgentContext, session: str, text: str) -> None:
    """Send a text."""
    update = SessionUpdate.agent_message_chunk(ContentBlock.text(text))
    await context.client.session_update(session, update=update)


class Served:
    """A server, and what it made."""

    def __init__(self, app: remote.App, url: str) -> None:
        """Know where it is."""
        self.app = app
        self.url = url
        self.agents: list[Echo] = []


@asynccontextmanager
async def server(
    options: remote.ServerOptions | None = None,
    connections: ConnectionOptions | None = None,
    *,
    mount: str = "",
    requests: int = 1000,
) -> AsyncGenerator[Served, None]:
    """Serve the agent on a free port."""

    def agent(connection: AgentSideConnection) -> Echo:
        served.agents.append(Echo(connection))
        return served.agents[-1]

    app = agent_app(agent, options, connections)
    async with listening(app, mount=mount, requests=requests) as url:
        served = Served(app, url)
        try:
            yield served
        finally:
            await app.drain(0)


@asynccontextmanager
async def listening(
    app: object, *, mount: str = "", requests: int = 1000
) -> AsyncGenerator[str, None]:
    """Serve an application on a free port, and give the URL of the endpoint."""
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}{mount}/acp"
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.root_path = mount
    config.accesslog, config.errorlog, config.loglevel = None, "-", "WARNING"
    config.graceful_timeout = 0.1
    config.keep_alive_max_requests = requests
    stopped = asyncio.Event()
    serving = asyncio.create_task(
        serve(cast("Framework", app), config, shutdown_trigger=stopped.wait)
    )
    try:
        yield url
    finally:
        stopped.set()
        await asyncio.wait_for(serving, 60)


class Client:
    """Speaks HTTP, message by message."""

    def __init__(self, http: httpx.AsyncClient, url: str, *, http1: bool) -> None:
        """Speak with a server."""
        self.http = http
        self.http1 = http1
        self.url = url
        self.headers: dict[str, str] = {}

    async def post(
        self, message: object, session: str | None = None, **headers: str | None
    ) -> httpx.Response:
        """Send a message, or a body as it is."""
        if isinstance(message, dict):
            message = json.dumps({"jsonrpc": "2.0", **message}).encode()
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return await self.http.post(
            self.url, content=body, headers=self._headers(session, "content-type", headers)
        )

    async def open(self, **headers: str) -> httpx.Response:
        """Open the connection."""
        answer = await self.post(INITIALIZE, **headers)
        if CONNECTION in answer.headers:
            self.headers[CONNECTION] = answer.headers[CONNECTION]
        return answer

    async def delete(self, **headers: str | None) -> httpx.Response:
        """Close the connection."""
        return await self.http.delete(self.url, headers=self._headers(None, "", headers))

    async def get(self, session: str | None = None, **headers: str | None) -> httpx.Response:
        """Ask for a stream that is not given."""
        given = self._headers(session, "accept", headers)
        return await self.http.get(self.url, headers=given)

    @asynccontextmanager
    async def stream(self, session: str | None = None) -> AsyncGenerator[Stream, None]:
        """Read a stream, over a connection of HTTP of its own: what is left is reset by its end."""
        given = self._headers(session, "accept", {})
        async with (
            httpx.AsyncClient(http1=self.http1, http2=not self.http1, timeout=60) as http,
            http.stream("GET", self.url, headers=given) as answer,
        ):
            assert answer.status_code == 200, await answer.aread()
            yield Stream(answer)

    def _headers(
        self, session: str | None, kind: str, headers: dict[str, str | None]
    ) -> dict[str, str]:
        usual = {"content-type": "application/json", "accept": "text/event-stream"}
        given: dict[str, str | None] = {**self.headers, SESSION: session}
        given.update({name: value for name, value in usual.items() if name == kind})
        given.update({name.replace("_", "-"): value for name, value in headers.items()})
        return {name: value for name, value in given.items() if value is not None}


class Stream:
    """A stream of events."""

    def __init__(self, answer: httpx.Response) -> None:
        """Read it from an answer."""
        self.answer = answer
        self._lines = answer.aiter_lines()
        self.comments: list[str] = []

    async def next(self) -> tuple[Any, int | None] | None:
        """Give the next message and after how many it comes, or `None` at the end."""
        data: Any = None
        after: int | None = None
        async for line in self._lines:
            if line.startswith(":"):
                self.comments.append(line[1:].strip())
            elif line.startswith("after: "):
                after = int(line[7:])
            elif line.startswith("data: "):
                data = json.loads(line[6:])
            elif data is not None:
                return data, after
        return None

    async def message(self) -> Any:
        """Give the next message."""
        found = await asyncio.wait_for(self.next(), 60)
        return found and found[0]


class Remote(unittest.IsolatedAsyncioTestCase):
    """A test with servers and clients."""

    async def asyncSetUp(self) -> None:
        """Begin without any."""
        self.stack = AsyncExitStack()

    async def asyncTearDown(self) -> None:
        """Close what was opened, the last first."""
        await self.stack.aclose()

    async def serve(self, **options: Any) -> Served:
        """Start a server."""
        limits = options.pop("limits", {})
        names = ["mount", "requests", "connections"]
        more = {name: options.pop(name) for name in names if name in options}
        options["limits"] = remote.Limits(**limits)
        started = server(remote.ServerOptions(**options), **more)
        return await self.stack.enter_async_context(started)

    async def client(self, served: Served, *, http1: bool = False) -> Client:
        """Make a client of a server."""
        http = httpx.AsyncClient(http1=http1, http2=not http1, timeout=60)
        return Client(await self.stack.enter_async_context(http), served.url, http1=http1)

    async def opened(self, served: Served) -> Client:
        """Make a client with a connection and its session `s1`."""
        client = await self.client(served)
        await client.open()
        self.assertEqual((await client.post(NEW)).status_code, 202)
        return client


async def settled(condition: Any) -> None:
    """Wait until something holds."""
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never held")
