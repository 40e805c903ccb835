"""A client's WebSockets."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from ..errors import ConnectionLostError
from .cookies import cookie_header, keep_cookies
from .errors import HttpError, message_of
from .pings import Pings
from .websocket import TOO_BIG, WebSocketTransport, closed

if TYPE_CHECKING:
    from .client import WebSocketRemote

_PATIENCE = 2.0
_GONE = 1001


async def open_websocket(remote: WebSocketRemote) -> WebSocketTransport:
    """Open a WebSocket to a server.

    Raises:
        HttpError: The server refuses it, and the status says why.
        ConnectionLostError: There is no server, or it speaks something else.
    """
    url, jar, limits = remote.url, remote.cookies, remote.limits
    secure: dict[str, Any] = {} if remote.tls is None else {"ssl": remote.tls}
    try:
        socket = await _Connect(
            url.replace("http", "ws", 1),
            additional_headers={**remote.headers, **cookie_header(jar, url)},
            compression=None,
            open_timeout=limits.opening,
            ping_interval=None,
            close_timeout=_PATIENCE,
            max_size=limits.body,
            user_agent_header=None,
            **secure,
        )
    except InvalidStatus as error:
        answer = error.response
        keep_cookies(jar, url, answer.headers.get_all("Set-Cookie"))
        raise HttpError(
            answer.status_code, message_of(bytes(answer.body or b""))
        ) from error
    except TimeoutError as error:
        if error.errno is not None:
            raise ConnectionLostError(f"no WebSocket: {error}") from error
        text = f"no WebSocket in {limits.opening:g} s (limit `opening`)"
        raise ConnectionLostError(text) from None
    except (InvalidHandshake, OSError, EOFError) as error:
        raise ConnectionLostError(f"no WebSocket: {error}") from error
    if socket.response is not None:
        keep_cookies(jar, url, socket.response.headers.get_all("Set-Cookie"))
    pings = Pings(socket, limits.ping)
    ours = _Socket(socket, pings)
    transport = WebSocketTransport(
        ours, remote.endpoint, limits.opening, is_server=False
    )
    pings.start(functools.partial(transport.leave, code=_GONE))
    return transport


class _Connect(connect):
    """Opens a WebSocket where its URL says, and nowhere else that an answer points to."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


class _Socket:
    """A WebSocket of `websockets`."""

    def __init__(self, connection: ClientConnection, pings: Pings) -> None:
        self._connection = connection
        self._pings = pings

    async def receive(self) -> str | None:
        try:
            message = await self._pings.next()
        except ConnectionClosed as error:
            raise _closed(error) from error
        return message if isinstance(message, str) else None

    async def send(self, text: str, /) -> None:
        try:
            await self._connection.send(text)
        except ConnectionClosed as error:
            raise _closed(error) from error

    async def close(self, code: int, reason: str, /) -> None:
        self._pings.stop()
        await self._connection.close(code, reason)


def _closed(error: ConnectionClosed) -> ConnectionLostError:
    """Say who closed a WebSocket, and why."""
    said = error.rcvd if error.rcvd_then_sent or error.sent is None else error.sent
    if said is None:
        return closed(1006, None)
    is_ours = said is error.sent and said.code == TOO_BIG
    reason = f"{said.reason} (limit `body`)" if is_ours else said.reason
    return closed(said.code, reason)
