"""Servers that speak HTTP, as clients see them."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Literal

from ..errors import ConnectionLostError
from .client import WebSocketRemote
from .errors import HttpError
from .limits import Limits
from .lines import LineTransport

_FORBIDDEN = (401, 403)


class HttpRemote(WebSocketRemote):
    """A server that can be connected to, many times.

    Attributes:
        url: Where it is.
        headers: What each request is sent with, such as `Authorization`.
        limits: How much is taken.
        cookies: The cookies that it has set. They are sent with each request.
        tls: How its certificate is judged, if not as usual.
        over: What is spoken: `auto` is a WebSocket, or HTTP where the server has none.
        http1: Whether HTTP/1.1 is spoken to a URL that begins with `http:`, instead of HTTP/2.
    """

    def __init__(
        self,
        url: str,
        *,
        over: Literal["auto", "http", "websocket"] = "auto",
        headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        cookies: CookieJar | None = None,
        tls: ssl.SSLContext | None = None,
        http1: bool = False,
    ) -> None:
        """Know a server by its URL. One without a path gets the protocol's."""
        super().__init__(url, headers=headers, limits=limits, cookies=cookies, tls=tls)
        self.over = over
        self.http1 = http1

    async def open(self) -> LineTransport:
        """Make the transport of a connection."""
        if self.over != "http":
            try:
                return await super().open()
            except (HttpError, ConnectionLostError, ModuleNotFoundError) as error:
                if self.over == "websocket":
                    raise
                if isinstance(error, HttpError) and error.status in _FORBIDDEN:
                    raise
        from .http_client import HttpTransport

        return HttpTransport(self)
