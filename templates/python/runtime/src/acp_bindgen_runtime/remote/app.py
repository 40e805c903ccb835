"""A server's WebSockets."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import secrets
from collections.abc import Awaitable, Callable, Collection
from typing import Any, ClassVar

from msgspec import Struct

from ..errors import ConnectionClosedError, ConnectionLostError, RequestError
from ..rpc import Transport
from ..rpc.message import NULL, Message, read
from ..rpc.running import answer, failure
from .asgi import (
    HTTP1,
    STOPPED,
    AnswerError,
    Event,
    Receive,
    Received,
    Send,
    encoded,
    is_at,
    refusal,
    request_of,
)
from .endpoint import Endpoint, is_request
from .limits import Limits
from .lines import LineTransport, one_line
from .origins import Origins
from .request import OPENING, RefusedError, Request
from .websocket import TOO_BIG, WebSocketTransport, closed

_RETRY_AFTER = "5"
_ENDING = 5.0
_NORMAL = 1000


class ServerOptions(Struct, frozen=True, kw_only=True):
    """Choices about a server.

    Attributes:
        path: The path of the endpoint; without one, the protocol's.
        limits: How much is taken.
        allowed_hosts: The hosts that it takes requests for, such as `example.com` or
            `example.com:8443`; `*` are all. Without this, only `localhost` and the addresses
            127.0.0.1 and ::1: a page can give its own host the address of this machine.
        origins: The origins whose pages may ask, beside the server's own: such as
            `https://example.com`, or `*` for all.
        authenticate: Sees each request before anything is done for it. It raises
            `RefusedError`, or returns who asks: only they may use the connections that they
            opened, and `opening().identity` is that.
        http1: Whether HTTP/1.1 is served beside HTTP/2, for development. WebSockets always are.
        drain: How long a server that ends waits for what it is asked, in seconds.
    """

    path: str | None = None
    limits: Limits = Limits()
    allowed_hosts: Collection[str] | None = None
    origins: Collection[str] = ()
    authenticate: Callable[[Request], Awaitable[Any] | Any] | None = None
    http1: bool = False
    drain: float = 10.0


class WebSocketApp:
    """An application for servers that speak ASGI: each WebSocket is a connection."""

    endpoint: ClassVar[Endpoint]
    """What the protocol says about the way of its messages."""

    def __init__(
        self,
        connect: Callable[[Transport], object],
        options: ServerOptions | None = None,
    ) -> None:
        """Make a connection over each transport. It is made within the event loop."""
        self.options = options or ServerOptions()
        path = self.options.path
        self.path = self.endpoint.path if path is None else path
        self._connect = connect
        hosts, origins = self.options.allowed_hosts, self.options.origins
        self.origins = Origins(hosts, origins, self.endpoint)
        self._transports: set[LineTransport] = set()
        # Those that may still become connections.
        self._opening = 0
        self._is_draining = False

    async def __call__(
        self,
        scope: Any,
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        """Answer a request. Each server has types of its own for what ASGI is."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._http(scope, receive, send)

    async def drain(self, seconds: float | None = None) -> None:
        """Open no connections, and end those that are open once their requests are answered.

        Args:
            seconds: How long to wait for them; without it, as long as the options say.
        """
        self._is_draining = True
        seconds = self.options.drain if seconds is None else seconds
        transports = list(self._transports)
        idle = [
            asyncio.ensure_future(it.receiver.wait_idle())
            for it in transports
            if it.receiver is not None
        ]
        if idle:
            await asyncio.wait(idle, timeout=seconds)
        for waiting in idle:
            waiting.cancel()
        for transport in transports:
            self._leave(transport)
        if transports:
            await asyncio.wait([it.ended for it in transports], timeout=_ENDING)

    def _leave(self, transport: LineTransport) -> None:
        error = ConnectionLostError("the server ends")
        if isinstance(transport, WebSocketTransport):
            transport.leave(error, 1001)
        else:
            transport.end(error)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.drain()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _admit(self, scope: Event) -> Request:
        """Decide who is let in.

        Raises:
            AnswerError: Who asks is not.
        """
        request = request_of(scope)
        self.origins.check(request)
        if request.method == "OPTIONS" and self.origins.allowance(request):
            raise AnswerError(204, self.origins.preflight(request))
        if self.options.authenticate is not None:
            try:
                request.identity = self.options.authenticate(request)
                if inspect.isawaitable(request.identity):
                    request.identity = await request.identity
            except RefusedError as error:
                headers = [("www-authenticate", error.challenge)]
                headers = headers if error.status == 401 else []  # noqa: PLR2004
                raise refusal(error.status, error.message, headers=headers) from None
        limit = self.options.limits.headers
        if len(request.headers) > limit:
            raise refusal(431, f"more than {limit} headers (limit `headers`)")
        if not is_at(scope, self.path):
            raise refusal(404, "nothing is served at this path")
        return request

    def _check_room(self) -> None:
        """Raise the answer to who wants to open a connection and cannot."""
        retry = [("retry-after", _RETRY_AFTER)]
        if self._is_draining:
            raise refusal(503, "the server ends", headers=retry)
        limit = self.options.limits.connections
        if len(self._transports) + self._opening >= limit:
            message = f"more than {limit} connections (limit `connections`)"
            raise refusal(503, message, headers=retry)

    def _connected(self, transport: LineTransport, request: Request) -> None:
        """Begin a connection."""
        self._transports.add(transport)
        transport.ended.add_done_callback(lambda _: self._transports.discard(transport))
        context = contextvars.copy_context()
        context.run(OPENING.set, request)
        try:
            context.run(self._connect, transport)
        except BaseException:
            self._transports.discard(transport)
            raise

    async def _http(self, scope: Event, receive: Receive, send: Send) -> None:
        """Answer a request that is no WebSocket."""
        received = Received(receive)
        try:
            request = await self._admit(scope)
            await self.http(scope, request, received, send)
        except AnswerError as given:
            if given.status != STOPPED:
                # What is over the limit is most often not far over it.
                await received.discard(2 * self.options.limits.body)
            elif scope["http_version"] in HTTP1:
                given.headers.append(("connection", "close"))
            if received.is_gone:
                return
            given.headers += self.origins.granted(request_of(scope))
            await given.give(send)

    async def http(
        self, scope: Event, request: Request, receive: Receive, send: Send
    ) -> None:
        """Answer a request.

        Raises:
            AnswerError: It is answered at once.
        """
        raise refusal(426, "only WebSockets", headers=[("upgrade", "websocket")])

    async def _websocket(self, scope: Event, receive: Receive, send: Send) -> None:
        await receive()
        try:
            request = await self._admit(scope)
            self._check_room()
        except AnswerError as given:
            if "websocket.http.response" in scope.get("extensions", {}):
                await given.give(send, prefix="websocket.http")
            else:
                await send({"type": "websocket.close"})
            return
        self._opening += 1
        socket = _Socket(receive, send, self.options.limits.body)
        try:
            first = await self._first(socket, send)
        except (ConnectionClosedError, OSError):
            return
        finally:
            self._opening -= 1
        opening = self.options.limits.opening
        transport = WebSocketTransport(
            socket, self.endpoint, opening, is_server=True, first=first
        )
        self._connected(transport, request)
        try:
            await asyncio.shield(transport.ended)
        except asyncio.CancelledError:
            self._leave(transport)
            raise

    async def _first(self, socket: _Socket, send: Send) -> bytes | None:
        """Give the message that opens a connection.

        Raises:
            ConnectionLostError: There is none.
        """
        name = self.endpoint.connection
        headers = [(name, secrets.token_urlsafe(32))] if name else []
        await send({"type": "websocket.accept", "headers": encoded(headers)})
        opens = self.endpoint.opens
        if opens is None:
            return None
        limit = self.options.limits.opening
        try:
            text = await asyncio.wait_for(socket.text(), limit)
        except asyncio.TimeoutError:
            reason = f"no `{opens}` in {limit:g} s (limit `opening`)"
            await socket.close(1002, reason)
            raise closed(1002, reason) from None
        line = one_line(text.encode())
        message = read(line)
        request = NULL
        if isinstance(message, Message) and is_request(message):
            if message.method == opens:
                return line
            request = bytes(message.id)
        detail = f"the first message must be the request `{opens}`"
        error = RequestError.invalid_request(detail=detail)
        await socket.send(answer(request, failure(error)).decode())
        await socket.close(1002, detail)
        raise closed(1002, detail)


class _Socket:
    """A WebSocket of a server that speaks ASGI."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive = receive
        self._send = send
        self._limit = limit
        self._is_closed = False

    async def text(self) -> str:
        """Give the next message that is text."""
        while (text := await self.receive()) is None:
            pass
        return text

    async def receive(self) -> str | None:
        event = await self._receive()
        if event["type"] != "websocket.receive":
            self._is_closed = True
            if event.get("code") == _NORMAL:
                told = "connection closed: the peer closed the WebSocket"
                raise ConnectionClosedError(told)
            code, said = event.get("code"), event.get("reason")
            if code == TOO_BIG:
                # What serves the program has closed it, or the peer.
                limits = "limit `body`, or what serves this program takes less"
                said = f"{said or 'a message was too long'} ({limits})"
            raise closed(code, said)
        text: str | None = event.get("text")
        limit = self._limit
        if text is not None and len(text) > limit // 4 and len(text.encode()) > limit:
            reason = f"a message of more than {limit} bytes (limit `body`)"
            await self.close(TOO_BIG, reason)
            raise closed(TOO_BIG, reason)
        return text

    async def send(self, text: str, /) -> None:
        if self._is_closed:
            raise closed(None, None)
        try:
            await self._send({"type": "websocket.send", "text": text})
        except Exception as error:
            self._is_closed = True
            raise closed(None, str(error)) from error

    async def close(self, code: int, reason: str, /) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        # A reason has 123 bytes at most.
        shown = reason.encode()[:123].decode(errors="ignore")
        event = {"type": "websocket.close", "code": code, "reason": shown}
        with contextlib.suppress(Exception):
            # The other end may be gone.
            await self._send(event)
