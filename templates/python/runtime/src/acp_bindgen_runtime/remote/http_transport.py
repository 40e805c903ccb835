"""What sends a client's requests."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import httpcore
import httpx

from .http_sockets import Sockets

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterable, AsyncIterator, Generator

_IDLE: Final = 5.0
"""After how many seconds without a request a connection of HTTP is closed."""

_FAILURES: Final = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
)


class SocketTransport(httpx.AsyncBaseTransport):
    """Sends requests straight to servers, over sockets of asyncio."""

    def __init__(self, tls: ssl.SSLContext, *, http1: bool, http2: bool) -> None:
        """Speak one version of HTTP, or what the server has of both."""
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=None,
            keepalive_expiry=_IDLE,
            http1=http1,
            http2=http2,
            network_backend=Sockets(),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. The answer is neither read nor closed yet."""
        url = request.url
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=url.raw_scheme,
                host=url.raw_host,
                port=url.port,
                target=url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx():
            answer = await self._pool.handle_async_request(asked)
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Body(answer)
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx():
            pieces: AsyncIterable[bytes] = self._answer.aiter_stream()
            async for piece in pieces:
                yield piece

    async def aclose(self) -> None:
        with _as_httpx():
            await self._answer.aclose()


@contextlib.contextmanager
def _as_httpx() -> Generator[None, None, None]:
    """Say in httpx's terms what went wrong: it has the same names for it."""
    try:
        yield
    except _FAILURES as error:
        kind = getattr(httpx, type(error).__name__, httpx.TransportError)
        raise kind(str(error)) from error
