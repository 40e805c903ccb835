"""Requests for connections, as servers see them."""

from __future__ import annotations

import contextvars
from typing import Any, Final

from msgspec import Struct


class Request(Struct, kw_only=True):
    """A request of HTTP; that which opened a connection, for one.

    Attributes:
        method: Its method. Who opens a WebSocket asks with `GET`.
        path: The path that was asked for.
        headers: Its headers, with their names in lower case.
        peer: The address and the port that it came from, if there is one.
        identity: Who asks, as the hook `authenticate` says.
    """

    method: str
    path: str
    headers: list[tuple[str, str]]
    peer: tuple[str, int] | None = None
    identity: Any = None

    def header(self, name: str) -> str | None:
        """Give the value of a header, whatever the case of its name."""
        name = name.lower()
        return next((value for key, value in self.headers if key == name), None)

    def all(self, name: str) -> list[str]:
        """Give all values of a header, whatever the case of its name."""
        name = name.lower()
        return [value for key, value in self.headers if key == name]

    @property
    def origin(self) -> str | None:
        """The origin of the page that asks, if one does."""
        return self.header("origin")

    def __repr__(self) -> str:
        """Show what is asked for. Headers may be secrets."""
        return f"<Request {self.method} {self.path}>"


class RefusedError(Exception):
    """What the hook `authenticate` raises to refuse a request.

    Attributes:
        status: The status that is answered: 401 if nobody is known, 403 if who asks may not.
        message: What is said of it.
        challenge: The header `WWW-Authenticate` of a 401.
    """

    def __init__(self, status: int, message: str, *, challenge: str = "Bearer") -> None:
        """Refuse a request."""
        super().__init__(status, message)
        self.status = status
        self.message = message
        self.challenge = challenge


OPENING: Final[contextvars.ContextVar[Request | None]] = contextvars.ContextVar(
    "opening", default=None
)
"""The request that opened the connection at hand."""


def opening() -> Request | None:
    """Give the request that opened the connection whose handler is being made, or runs.

    Elsewhere, and where a connection was not opened by a request, there is none.
    """
    return OPENING.get()
