"""Servers, as clients see them."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncGenerator, Mapping
from http.cookiejar import CookieJar
from typing import ClassVar
from urllib.parse import urlsplit, urlunsplit

from .endpoint import Endpoint
from .limits import Limits
from .lines import LineTransport

_SCHEMES = {"ws": "http", "wss": "https"}


class WebSocketRemote:
    """A server that can be connected to, many times.

    Attributes:
        url: Where it is.
        headers: What each request is sent with, such as `Authorization`.
        limits: How much is taken.
        cookies: The cookies that it has set. They are sent with each request.
        tls: How its certificate is judged, if not as usual.
    """

    endpoint: ClassVar[Endpoint]
    """What the protocol says about the way of its messages."""

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        cookies: CookieJar | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Know a server by its URL. One without a path gets the protocol's."""
        parts = urlsplit(url)
        scheme = _SCHEMES.get(parts.scheme, parts.scheme)
        if scheme not in _SCHEMES.values() or not parts.hostname:
            raise ValueError(f"not a URL of HTTP or a WebSocket: {url}")
        path = parts.path or self.endpoint.path
        self.url = urlunsplit((scheme, parts.netloc, path, parts.query, ""))
        self.headers = dict(headers or {})
        self.limits = limits or Limits()
        self.cookies = CookieJar() if cookies is None else cookies
        self.tls = tls

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncGenerator[LineTransport, None]:
        """Connect. At the end the connection is closed.

        Raises:
            HttpError: The server refuses it.
            ConnectionLostError: The server cannot be reached.
        """
        transport = await self.open()
        try:
            yield transport
        finally:
            await transport.close()

    async def open(self) -> LineTransport:
        """Make the transport of a connection."""
        from .websocket_client import open_websocket

        return await open_websocket(self)
