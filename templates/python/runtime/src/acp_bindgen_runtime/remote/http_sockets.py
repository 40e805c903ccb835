"""The sockets under a client's requests.

Those that httpx has by itself take turns of the event loop and calls of the system for each piece
that they read or write, and send the head and the body of a request one by one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any, Final

import httpcore

from .lines import within

if TYPE_CHECKING:
    import ssl

_HIGH: Final = 64 * 1024
"""How many bytes wait to be read, or are kept to be written together with what comes next."""

_NEXT_ADDRESS: Final = 0.25
"""After how many seconds the next address of a host is tried, too."""


class Sockets(httpcore.AsyncNetworkBackend):
    """Connects to hosts by what asyncio has."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect. Neither the address of this end nor options can be chosen."""
        loop = asyncio.get_running_loop()
        # Other event loops try one address after another.
        is_usual = isinstance(loop, asyncio.BaseEventLoop)
        options: dict[str, Any] = (
            {"happy_eyeballs_delay": _NEXT_ADDRESS} if is_usual else {}
        )
        with _failing(httpcore.ConnectTimeout, httpcore.ConnectError):
            transport, arriving = await asyncio.wait_for(
                loop.create_connection(_Arriving, host, port, **options), timeout
            )
            return _Socket(transport, arriving)


class _Arriving(asyncio.Protocol):
    """What comes in on a socket, until it is read.

    Attributes:
        is_read: Whether somebody waits for what comes.
        is_ended: Whether the peer sends nothing more.
        is_lost: Whether the socket is closed.
        error: Why it is, if that is a failure.
        space: Is done once more can be written. Without it, that is so now.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._news: asyncio.Future[None] | None = None
        self._is_paused = False
        self.transport: asyncio.Transport | None = None
        self.is_ended = False
        self.is_lost = False
        self.error: Exception | None = None
        self.space: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._pieces.append(data)
        self._size += len(data)
        if self._size > _HIGH and self.transport is not None and not self._is_paused:
            self._is_paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self.is_ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        self.error = exc
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        self.space = self._loop.create_future()

    def resume_writing(self) -> None:
        space, self.space = self.space, None
        if space is not None and not space.done():
            space.set_result(None)

    @property
    def is_read(self) -> bool:
        return self._news is not None

    @property
    def has_news(self) -> bool:
        """Whether there is something to be read, or the end."""
        return bool(self._pieces) or self.is_ended or self.is_lost

    async def news(self) -> None:
        """Wait until there is something to be read, or the end."""
        while not self.has_news:
            self._news = self._loop.create_future()
            try:
                await self._news
            finally:
                self._news = None

    async def written(self) -> None:
        """Wait until more can be written."""
        while self.space is not None:
            await asyncio.wait((self.space,))

    def take(self, limit: int) -> bytes:
        """Give at most so many bytes of what there is."""
        if not self._pieces:
            return b""
        piece = self._pieces.popleft()
        if len(piece) > limit:
            self._pieces.appendleft(piece[limit:])
            piece = piece[:limit]
        self._size -= len(piece)
        if self._is_paused and self._size <= _HIGH and self.transport is not None:
            self._is_paused = False
            self.transport.resume_reading()
        return piece

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)


class _Socket(httpcore.AsyncNetworkStream):
    """A socket that is connected."""

    def __init__(self, transport: asyncio.Transport, arriving: _Arriving) -> None:
        self._transport = transport
        self._arriving = arriving
        self._loop = asyncio.get_running_loop()
        # What is written together, before anything is waited for.
        self._leaving: list[bytes] = []

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        arriving = self._arriving
        if not arriving.has_news:
            self._flush()
            with _failing(httpcore.ReadTimeout, httpcore.ReadError):
                await within(timeout, arriving.news())
        piece = arriving.take(max_bytes)
        if not piece and not arriving.is_ended:
            raise httpcore.ReadError from arriving.error
        return piece

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if not buffer:
            return
        if not self._leaving:
            self._loop.call_soon(self._flush)
        self._leaving.append(buffer)
        arriving = self._arriving
        if arriving.is_read or len(buffer) > _HIGH:
            self._flush()
        with _failing(httpcore.WriteTimeout, httpcore.WriteError):
            if arriving.space is not None:
                await within(timeout, arriving.written())
        if self._transport.is_closing():
            raise httpcore.WriteError from arriving.error

    def _flush(self) -> None:
        if self._leaving and not self._transport.is_closing():
            self._transport.write(b"".join(self._leaving))
        self._leaving.clear()

    async def aclose(self) -> None:
        self._leaving.clear()
        self._transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self._flush()
        try:
            with _failing(httpcore.ConnectTimeout, httpcore.ConnectError):
                securing = self._loop.start_tls(
                    self._transport,
                    self._arriving,
                    ssl_context,
                    server_hostname=server_hostname,
                )
                transport = await asyncio.wait_for(securing, timeout)
        except BaseException:
            await self.aclose()
            raise
        if transport is None:
            raise httpcore.ConnectError("the connection has ended")
        self._arriving.transport = transport
        return _Socket(transport, self._arriving)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            # Nobody has asked for anything: it is the end.
            return self._arriving.has_news
        return self._transport.get_extra_info(info)


@contextlib.contextmanager
def _failing(
    late: type[Exception], broken: type[Exception]
) -> Generator[None, None, None]:
    """Say in httpcore's terms what went wrong."""
    try:
        yield
    except asyncio.TimeoutError as error:
        raise late from error
    except OSError as error:
        raise broken(str(error)) from error
