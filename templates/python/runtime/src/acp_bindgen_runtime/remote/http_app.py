"""A server's HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from ..errors import ConnectionClosedError, ConnectionLostError
from ..rpc import Transport
from ..rpc.message import Message, read
from .app import ServerOptions, WebSocketApp
from .asgi import (
    HTTP1,
    STOPPED,
    UNREADABLE,
    AnswerError,
    Event,
    Receive,
    Send,
    encoded,
    refusal,
)
from .endpoint import Endpoint, is_request, is_response
from .event_stream import EventStream
from .http_server import HttpConnection, LimitError
from .lines import cancelled, one_line, within
from .registry import Registry
from .request import Request

_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"
_ALLOWED: Final = ("GET", "POST", "DELETE")


class HttpApp(WebSocketApp):
    """An application for servers that speak ASGI: it serves connections.

    A connection is opened by a request, or is a WebSocket. Over HTTP, messages come in as
    requests, and go out on streams: one of the connection, and one of each session.
    """

    def __init__(
        self,
        connect: Callable[[Transport], object],
        options: ServerOptions | None = None,
    ) -> None:
        """Make a connection over each transport. It is made within the event loop."""
        super().__init__(connect, options)
        self._registry = Registry()

    async def http(
        self, scope: Event, request: Request, receive: Receive, send: Send
    ) -> None:
        """Answer a request.

        Raises:
            AnswerError: It is answered at once.
        """
        if request.method not in _ALLOWED:
            allow = ("allow", ", ".join(_ALLOWED))
            raise refusal(405, f"not {request.method}", headers=[allow])
        if scope["http_version"] in HTTP1 and not self.options.http1:
            message = (
                "this server speaks HTTP/2; whoever runs it can turn on HTTP/1.1 with the "
                "option `http1`"
            )
            raise refusal(505, message)
        if request.method == "POST":
            await self._post(request, receive)
        elif request.method == "GET":
            await self._get(request, receive, send)
        else:
            self._find(request).delete()
            raise AnswerError(202)

    def _find(self, request: Request) -> HttpConnection:
        """Find the connection that a request is for."""
        name = request.header(self.endpoint.connection)
        if name is None:
            raise refusal(400, f"the header `{self.endpoint.connection}` is missing")
        found = self._registry.find(name, request.identity)
        if found is None:
            message = (
                f"no connection has the id in the header `{self.endpoint.connection}`"
            )
            raise refusal(404, message)
        return found

    async def _post(self, request: Request, receive: Receive) -> None:
        kind = (request.header("content-type") or "").partition(";")[0]
        if kind.strip().lower() != _JSON:
            raise refusal(415, f"the header `Content-Type` must be `{_JSON}`")
        has_name = request.header(self.endpoint.connection) is not None
        found = self._find(request) if has_name else None
        line, message = _message(await self._body(request, receive))
        if message.method == self.endpoint.opens:
            if found is not None:
                raise refusal(
                    400, f"`{self.endpoint.opens}` on a connection that is open"
                )
            if not is_request(message):
                raise refusal(400, f"`{self.endpoint.opens}` must be a request")
            await self._open(request, line, message, receive)
        # It may have ended meanwhile.
        connection = self._find(request)
        session = _session(request, message, self.endpoint)
        try:
            is_taken = await connection.take(line, message, session)
        except LimitError as error:
            raise refusal(503, str(error)) from None
        if not is_taken:
            raise refusal(404, "the connection has ended")
        raise AnswerError(202)

    async def _body(self, request: Request, receive: Receive) -> bytes:
        """Read what was sent."""
        limit = self.options.limits.body
        too_long = refusal(413, f"a body of more than {limit} bytes (limit `body`)")
        length = request.header("content-length") or ""
        if length.isdecimal() and int(length) > limit:
            raise too_long
        pieces: list[bytes] = []
        size = 0
        while True:
            event = await self._next(receive)
            if event["type"] != "http.request":
                raise refusal(400, "the request ended early")
            piece: bytes = event.get("body", b"")
            size += len(piece)
            if size > limit:
                raise too_long
            pieces.append(piece)
            if not event.get("more_body", False):
                return b"".join(pieces)

    async def _next(self, receive: Receive) -> Event:
        """Receive the next piece of a body."""
        limit = self.options.limits.reading
        try:
            return await within(limit, receive())
        except asyncio.TimeoutError:
            message = f"nothing came of the body for {limit:g} s (limit `reading`)"
            raise refusal(STOPPED, message) from None

    async def _open(
        self, request: Request, line: bytes, message: Message, receive: Receive
    ) -> None:
        """Open a connection."""
        self._check_room()
        limit = self.options.limits.opening
        connection = HttpConnection(request, self.endpoint, self.options.limits)
        gone = asyncio.ensure_future(_gone(receive))
        try:
            self._connected(connection, request)
            await connection.take(line, message, None)
            await asyncio.wait(
                (connection.opened, connection.ended, gone),
                timeout=limit,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            gone.cancel()
            if not connection.opened.done():
                connection.end(ConnectionLostError("it was not opened"))
        if not connection.opened.done():
            what = (
                f"no answer to `{self.endpoint.opens}` in {limit:g} s (limit `opening`)"
            )
            raise refusal(504, what)
        body, is_error = connection.opened.result()
        headers = [("content-type", _JSON)]
        if is_error:
            connection.end(ConnectionClosedError("it was not opened"))
            await asyncio.wait((connection.ended,), timeout=limit)
        else:
            headers.append((self.endpoint.connection, self._registry.add(connection)))
        raise AnswerError(200, headers, body)

    async def _get(self, request: Request, receive: Receive, send: Send) -> None:
        accept = (request.header("accept") or "").lower()
        kinds = [kind.partition(";")[0].strip() for kind in accept.split(",")]
        if _EVENTS not in kinds:
            raise refusal(406, f"the header `Accept` must have `{_EVENTS}`")
        connection = self._find(request)
        rule = self.endpoint.session
        session = None if rule is None else request.header(rule.header)
        gone = asyncio.ensure_future(_gone(receive))
        try:
            stream = await connection.find_stream(session)
            if gone.done():
                return
            reading = asyncio.ensure_future(
                self._read(request, connection, stream, send, gone)
            )
            try:
                await asyncio.wait((reading, gone), return_when=asyncio.FIRST_COMPLETED)
            finally:
                # There are servers that never end sending to who is gone.
                if not reading.done():
                    await cancelled(reading)
            if not reading.cancelled():
                reading.result()
        finally:
            gone.cancel()

    async def _read(
        self,
        request: Request,
        connection: HttpConnection,
        stream: EventStream | None,
        send: Send,
        gone: asyncio.Future[None],
    ) -> None:
        """Give a stream."""
        if stream is None:
            name = "" if self.endpoint.session is None else self.endpoint.session.header
            raise refusal(404, f"no session has the id in the header `{name}`")
        if stream.is_read:
            raise refusal(409, "the stream has a reader already")
        stream.is_read = True
        is_begun = False
        kind = [("content-type", _EVENTS), ("cache-control", "no-store")]
        headers = encoded([*kind, *self.origins.allowance(request)])

        async def give(chunk: bytes) -> None:
            nonlocal is_begun
            if not is_begun:
                is_begun = True
                start = {"type": "http.response.start", "status": 200}
                await send({**start, "headers": headers})
            event = {"type": "http.response.body", "body": chunk, "more_body": True}
            await send(event)

        await connection.read(stream, give, gone)
        if not gone.done():
            await send({"type": "http.response.body", "body": b""})


def _message(body: bytes) -> tuple[bytes, Message]:
    """Read a body. What it has is given as one line, too."""
    try:
        body.decode()
    except UnicodeDecodeError:
        raise refusal(400, "the body is not UTF-8", code=UNREADABLE) from None
    found = read(body)
    if found is None:
        raise refusal(400, "the body is not JSON", code=UNREADABLE)
    if isinstance(found, list):
        message = "batches are for standard input and output, and for WebSockets"
        raise refusal(501, message)
    if not isinstance(found, Message):
        raise refusal(400, "the body is no message of JSON-RPC")
    return one_line(body), found


def _session(request: Request, message: Message, endpoint: Endpoint) -> str | None:
    """Give the session that a message was sent from."""
    rule = endpoint.session
    if rule is None:
        return None
    header = request.header(rule.header)
    named = None if is_response(message) else endpoint.session_of(message.params)
    if named is not None and header is None:
        raise refusal(400, f"the header `{rule.header}` is missing")
    if named is not None and named != header:
        message_ = f"the header `{rule.header}` and `{rule.property}` disagree"
        raise refusal(400, message_)
    is_named = endpoint.opens_session(str(message.method)) or is_response(message)
    return named if is_named else header


async def _gone(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
