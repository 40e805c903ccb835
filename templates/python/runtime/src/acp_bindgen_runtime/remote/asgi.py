"""What is said to a server that speaks ASGI."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from .request import Request

Event: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Event]]
Send: TypeAlias = Callable[[Event], Awaitable[None]]
Headers: TypeAlias = list[tuple[str, str]]

INVALID = -32600
UNREADABLE = -32700
HTTP1 = frozenset({"1.0", "1.1"})
STOPPED = 408
"""The status of a request that has stopped coming in."""

_PATIENCE = 10.0


class Received:
    """What comes of a request.

    It is read to its end before the request is answered: there are servers that close all of a
    connection of HTTP/2 if more comes of a request that was answered.

    Attributes:
        is_gone: Whether the client has left, and gets no answer: there are servers that never end
            giving it one.
    """

    def __init__(self, receive: Receive) -> None:
        """Receive a request."""
        self.is_gone = False
        self._receive = receive
        self._is_read = False

    async def __call__(self) -> Event:
        """Give what comes next."""
        event = await self._receive()
        self.is_gone = self.is_gone or event["type"] == "http.disconnect"
        is_more = event["type"] == "http.request" and event.get("more_body", False)
        self._is_read = self._is_read or not is_more
        return event

    async def discard(self, limit: int) -> None:
        """Read what is left, but not too much, and only as long as it comes."""
        with contextlib.suppress(asyncio.TimeoutError):
            while not self._is_read and limit > 0:
                event = await asyncio.wait_for(self(), _PATIENCE)
                limit -= len(event.get("body", b""))


class AnswerError(Exception):
    """An answer that ends a request.

    Attributes:
        status: Its status.
        headers: Its headers.
        body: Its body.
    """

    def __init__(
        self, status: int, headers: Headers | None = None, body: bytes = b""
    ) -> None:
        """Answer a request."""
        super().__init__(status)
        self.status = status
        self.headers = headers or []
        self.body = body

    async def give(self, send: Send, *, prefix: str = "http") -> None:
        """Give the answer."""
        length = ("content-length", str(len(self.body)))
        await send(
            {
                "type": f"{prefix}.response.start",
                "status": self.status,
                "headers": encoded([*self.headers, length]),
            }
        )
        await send({"type": f"{prefix}.response.body", "body": self.body})


def refusal(
    status: int,
    message: str,
    *,
    code: int = INVALID,
    headers: Headers | None = None,
) -> AnswerError:
    """Say what is wrong with a request."""
    error = {"code": code, "message": message}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    kind = ("content-type", "application/json")
    return AnswerError(status, [kind, *(headers or [])], body)


def request_of(scope: Event) -> Request:
    """Give what is asked for."""
    peer = scope.get("client")
    return Request(
        method=str(scope.get("method", "GET")),
        path=str(scope["path"]),
        headers=[
            (_text(name).lower(), _text(value)) for name, value in scope["headers"]
        ],
        peer=(str(peer[0]), int(peer[1])) if peer else None,
    )


def is_at(scope: Event, path: str) -> bool:
    """Whether a request is for a path, wherever the application is mounted."""
    asked, root = str(scope["path"]), str(scope.get("root_path", ""))
    if not root:
        return asked == path
    rest = asked.removeprefix(root)
    # It may also be mounted at the path itself.
    return rest in {path, "", "/"}


def encoded(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Write headers."""
    return [(name.encode(), value.encode()) for name, value in headers]


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
