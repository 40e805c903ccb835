"""A client's connection over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import httpx
from msgspec import UNSET

from ..errors import CallError, ConnectionLostError, RequestError
from ..rpc.message import NOTHING, Message, read
from ..rpc.running import answer as response
from ..rpc.running import failure
from .asked import Asked
from .endpoint import is_request, is_response, singles
from .errors import HttpError, why
from .http_pool import HttpPool
from .http_refusal import said, whole
from .http_streams import ClientStream, is_unknown
from .lines import LineTransport, cancelled

if TYPE_CHECKING:
    from .http_remote import HttpRemote
    from .sse import Event

_PATIENCE = 3.0
# How long nothing has to come on the streams of a connection that is lost, so that nothing is still
# on its way.
_QUIET = 0.5
_UNKNOWN = 404


class HttpTransport(LineTransport):
    """A connection whose messages go out as requests and come in on streams."""

    def __init__(self, remote: HttpRemote) -> None:
        """Connect to a server. The first message opens the connection."""
        super().__init__(remote.endpoint)
        self._remote = remote
        self._pool = HttpPool(remote)
        self._name: str | None = None
        self._version: str | None = None
        self._main: ClientStream | None = None
        self._streams: dict[str, ClientStream] = {}
        self._all: set[ClientStream] = set()
        # The sessions whose streams broke.
        self._closed: set[str] = set()
        self._losing: asyncio.Task[None] | None = None
        # Calls without an answer, and calls of the server with the sessions they came from.
        self._calls: dict[bytes, Asked] = {}
        self._served: dict[bytes, str] = {}

    # What goes out.

    async def send(self, lines: list[bytes]) -> None:
        """Send messages, one after another. What was answered makes way for the next."""
        for line in lines:
            for text, message in singles(line):
                await self._try(text, message or Message())

    async def _try(self, line: bytes, message: Message) -> None:
        """Send a message, and see to what comes of it."""
        try:
            await self._send(line, message)
        except httpx.TimeoutException:
            limit = self._remote.limits.opening
            text = f"a request was not taken in {limit:g} s (limit `opening`)"
            self.end(ConnectionLostError(text))
        except httpx.TransportError as error:
            self.end(ConnectionLostError(f"a request failed: {why(error)}"))
        except CallError as error:
            await self._refused(message, error)

    async def _send(self, line: bytes, message: Message) -> None:
        """Send a message.

        Raises:
            CallError: The server does not take it.
        """
        session = self._session(message)
        if session is not None and not session.isprintable():
            raise CallError("the id of the session cannot be sent in a header")
        method = str(message.method)
        opens = is_request(message) and self.endpoint.opens_session(method)
        reopens = is_request(message) and self.endpoint.reopens_session(method)
        if is_request(message):
            if session in self._closed and not opens:
                raise ConnectionLostError("the event stream of the session has ended")
            asked = Asked(self.endpoint, method, session)
            asked.is_new = is_new = asked.reopens and session not in self._streams
            self._calls[bytes(message.id)] = asked
            if method == self.endpoint.opens and self._name is None:
                await self._open(line, message)
                return
            if is_new and session is not None:
                await asyncio.wait((self._stream(session).is_sent,))
            elif session in self._streams and not opens:
                await self._opened(self._streams[session])
        answer = await self._pool.post(line, self._headers(session))
        status = answer.status_code
        if status == _UNKNOWN and reopens and session is not None:
            # To this server a session is one only once it is open.
            await answer.aclose()
            session = None
            answer = await self._pool.post(line, self._headers(session))
            status = answer.status_code
        if status == _UNKNOWN and session is None and self._name is not None:
            self._name = None
            refusal = await self._refusal(answer)
            text = f"the server has no such connection: {refusal.message}"
            self.end(ConnectionLostError(text))
        elif not answer.is_success:
            raise await self._refusal(answer)

    async def _open(self, line: bytes, message: Message) -> None:
        """Open the connection, and its stream before the answer is handed on."""
        limit = self._remote.limits.opening
        try:
            body = await asyncio.wait_for(self._ask(line), limit)
        except asyncio.TimeoutError:
            self.end(ConnectionLostError(f"no answer in {limit:g} s (limit `opening`)"))
            return
        except ConnectionLostError as error:
            self.end(error)
            return
        found = read(body)
        if not isinstance(found, Message) or not is_response(found):
            self.end(ConnectionLostError("the server answered with no response"))
            return
        if self._name is None and found.error is NOTHING:
            text = f"the server answered without `{self.endpoint.connection}`"
            self.end(ConnectionLostError(text))
            return
        if self._name is not None:
            self._version = self.endpoint.version_in(found.result)
            self._main = self._new_stream(None)
            try:
                await self._opened(self._main)
            except CallError as error:
                self._fail(message, error)
                self.end(error)
                return
        self._calls.pop(bytes(message.id), None)
        await self._hand(body)

    async def _ask(self, line: bytes) -> bytes:
        """Ask for a connection. That has a name before its answer has come whole."""
        answer = await self._pool.ask(line, self._headers(None))
        if not answer.is_success:
            raise await self._refusal(answer)
        self._name = answer.headers.get(self.endpoint.connection)
        return await whole(answer, self._remote.limits.body)

    async def _refusal(self, answer: httpx.Response) -> HttpError:
        limit = self._remote.limits.body
        return HttpError(answer.status_code, await said(answer, limit))

    def _headers(self, session: str | None) -> dict[str, str]:
        headers: dict[str, str] = {}
        if self._name is not None:
            headers[self.endpoint.connection] = self._name
            if self.endpoint.version is not None and self._version is not None:
                headers[self.endpoint.version.header] = self._version
        if session is not None and self.endpoint.session is not None:
            headers[self.endpoint.session.header] = session
        return headers

    def _session(self, message: Message) -> str | None:
        """Give the session that a message is sent from."""
        if is_response(message):
            return self._served.pop(bytes(message.id), None)
        return self.endpoint.session_of(message.params)

    async def _refused(self, message: Message, error: CallError) -> None:
        """Tell who waits that a message was not taken."""
        if is_request(message) or message.method is not UNSET:
            self._fail(message, error)
        elif message.id is not NOTHING:
            # The server still waits for an answer.
            instead = failure(RequestError.internal_error(detail=str(error)))
            line = response(bytes(message.id), instead)
            with contextlib.suppress(httpx.TransportError):
                answer = await self._pool.post(line, self._headers(None))
                await answer.aclose()

    def _fail(self, message: Message, error: CallError) -> None:
        self._calls.pop(bytes(message.id), None)
        if self.receiver is not None:
            calls = [bytes(message.id)] if message.id is not NOTHING else []
            self.receiver.fail(calls, error)

    # What comes in.

    def _stream(self, session: str) -> ClientStream:
        """Give the stream of a session."""
        found = self._streams.get(session)
        if found is None:
            self._closed.discard(session)
            found = self._streams[session] = self._new_stream(session)
        return found

    def _new_stream(self, session: str | None) -> ClientStream:
        async def give(event: Event) -> None:
            await self._take(event, session)

        limit = self._remote.limits.body
        stream = self._pool.stream(self._headers(session), give, limit)
        self._all.add(stream)

        def ended(reason: asyncio.Future[Exception]) -> None:
            self._all.discard(stream)
            if not reason.cancelled():
                self._stream_ended(stream, session, reason.result())

        stream.ended.add_done_callback(ended)
        return stream

    async def _opened(self, stream: ClientStream) -> None:
        """Wait until a stream is open.

        Raises:
            CallError: The server does not give it.
        """
        limit = self._remote.limits.opening
        if not stream.opened.done():
            await asyncio.wait((stream.opened,), timeout=limit)
        if not stream.opened.done():
            text = f"no event stream in {limit:g} s (limit `opening`)"
            raise ConnectionLostError(text)
        error = stream.opened.result()
        if error is not None:
            raise error

    async def _take(self, event: Event, session: str | None) -> None:
        """Take what came on a stream."""
        message = read(event.data)
        if isinstance(message, Message):
            if is_request(message):
                of = self.endpoint.session_of(message.params) or session
                if of is not None:
                    self._served[bytes(message.id)] = of
            elif is_response(message) and not await self._answered(event, message):
                return
        await self._hand(event.data)

    async def _answered(self, event: Event, message: Message) -> bool:
        """See to what an answer changes. Says whether it is handed on."""
        asked = self._calls.pop(bytes(message.id), None)
        if asked is None:
            return True
        is_error = message.error is not NOTHING
        if self.endpoint.opens_session(asked.method):
            if is_error:
                if asked.is_new:
                    await self._forget(asked.session, at_once=True)
                return True
            session = asked.opened(message)
            if session is None:
                return True
            stream = self._streams.get(session)
            if stream is not None and await stream.is_unknown():
                # To this server it was no session yet. Nothing else is asked twice.
                self._streams.pop(session, None)
                stream = None
            if stream is None:
                stream = self._stream(session)
            try:
                await self._opened(stream)
            except CallError as error:
                self._fail(message, error)
                return False
            await stream.has_given(event.after or 0, self._remote.limits.session_wait)
        elif self.endpoint.closes_session(asked.method) and not is_error:
            await self._forget(asked.session, at_once=False)
        return True

    async def _forget(self, session: str | None, *, at_once: bool) -> None:
        """Know of a session no longer. Its stream ends."""
        stream = None if session is None else self._streams.pop(session, None)
        if stream is not None and at_once:
            await stream.close()

    async def _hand(self, message: bytes) -> None:
        """Hand a message on, once the connection takes it."""
        if await self.space():
            self.give(message)

    def _stream_ended(
        self, stream: ClientStream, session: str | None, reason: Exception
    ) -> None:
        """See to what the end of a stream changes. It is not opened again."""
        if self.is_over:
            # The end of the connection fails all calls.
            return
        if session is None:
            self._losing = self._loop.create_task(self._lose(reason))
        elif self._streams.get(session) is stream:
            del self._streams[session]
            self._closed.add(session)
            # What comes while a session is opened again comes on its stream, too: but at servers
            # to which it is none before that.
            was_unknown = is_unknown(stream.opened.result())
            calls = [
                call
                for call, asked in self._calls.items()
                if asked.session == session
                and not asked.opens_new
                and not (was_unknown and asked.reopens)
            ]
            for call in calls:
                del self._calls[call]
            self.lost.update(calls)
            if self.receiver is not None and calls:
                is_refused = isinstance(reason, HttpError)
                error = reason if is_refused else ConnectionLostError(*reason.args)
                self.receiver.fail(calls, error)

    async def _lose(self, reason: Exception) -> None:
        """End the connection, after what came before on any stream."""
        await asyncio.gather(*(stream.rest(_QUIET) for stream in list(self._all)))
        self.end(reason)

    # The end.

    async def close(self) -> None:
        """Close the connection at the server, too."""
        self.stop()
        headers, name = self._headers(None), self._name
        self._name = None
        try:
            if name is not None:
                with contextlib.suppress(asyncio.TimeoutError, httpx.TransportError):
                    await asyncio.wait_for(self._pool.delete(headers), _PATIENCE)
        finally:
            await cancelled(self._losing)
            for stream in list(self._all):
                await stream.close()
            await self._pool.close()
            await super().close()
