"""Servers that a test plays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from serving import Remote, listening

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Fake:
    """A request to a server that a test plays."""

    def __init__(self, scope: Any, receive: Any, send: Any) -> None:
        """Take a request."""
        self.verb = scope.get("method", "WEBSOCKET")
        self.version = scope.get("http_version")
        self.headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.receive = receive
        self.send = send
        self.message: dict[str, Any] = {}

    def header(self, name: str) -> str | None:
        """Give a header."""
        return self.headers.get(name)

    @property
    def method(self) -> str:
        """The method of the message."""
        return str(self.message.get("method", ""))

    async def read(self) -> None:
        """Read the message."""
        body, is_more = b"", True
        while is_more:
            event = await self.receive()
            body += event.get("body", b"")
            is_more = event.get("more_body", False)
        self.message = json.loads(body) if body else {}

    async def give(self, status: int, result: Any = None, *headers: tuple[str, str]) -> None:
        """Answer, with a response if there is a result."""
        response = {"jsonrpc": "2.0", "id": self.message.get("id"), "result": result}
        body = b"" if result is None else json.dumps(response).encode()
        given = [(name.encode(), value.encode()) for name, value in headers]
        kind = "websocket.http" if self.verb == "WEBSOCKET" else "http"
        start = {"type": f"{kind}.response.start", "status": status, "headers": given}
        await self.send(start)
        await self.send({"type": f"{kind}.response.body", "body": body})

    async def stream(self) -> None:
        """Begin a stream."""
        kind = [(b"content-type", b"text/event-stream")]
        await self.send({"type": "http.response.start", "status": 200, "headers": kind})

    async def event(self, message: dict[str, Any]) -> None:
        """Send a message on a stream."""
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        body = b"data: " + data + b"\n\n"
        await self.send({"type": "http.response.body", "body": body, "more_body": True})

    async def left(self) -> None:
        """Wait until who asks is gone."""
        while (await self.receive())["type"] != "http.disconnect":
            pass


class Faked(Remote):
    """Tests with servers that they play."""

    async def fake(self, answer: Callable[[Fake], Awaitable[None]]) -> tuple[str, list[Fake]]:
        """Serve a function."""
        asked: list[Fake] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "lifespan":
                return
            asked.append(Fake(scope, receive, send))
            if scope["type"] == "websocket":
                await asked[-1].give(404)
            else:
                await asked[-1].read()
                await answer(asked[-1])

        return await self.stack.enter_async_context(listening(app)), asked
