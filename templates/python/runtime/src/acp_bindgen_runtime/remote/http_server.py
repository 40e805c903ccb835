"""A server's connection over HTTP."""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from typing import TYPE_CHECKING

from msgspec import UNSET

from ..errors import ConnectionClosedError, ConnectionLostError
from ..rpc.message import NOTHING, Message
from .endpoint import is_request, singles
from .event_stream import EventStream, Hold
from .limits import COST
from .lines import LineTransport
from .request import OPENING
from .sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .endpoint import Endpoint
    from .limits import Limits
    from .request import Request


class LimitError(Exception):
    """A limit does not let a message in. What it says is for the peer."""


class HttpConnection(LineTransport):
    """A connection whose messages come in as requests and go out on streams.

    Attributes:
        request: What opened it.
        opened: The answer to that, and whether it is an error.
    """

    def __init__(self, request: Request, endpoint: Endpoint, limits: Limits) -> None:
        """Begin to open a connection."""
        super().__init__(endpoint)
        self.request = request
        self.opened: asyncio.Future[tuple[bytes, bool]] = self._loop.create_future()
        self._limits = limits
        self._context = contextvars.copy_context()
        self._context.run(OPENING.set, request)
        self._sessions = Sessions(endpoint, limits.sessions)
        self._main = EventStream(limits.buffered, self._overflowed)
        self._streams: dict[str, EventStream] = {}
        # Messages that the connection does not take yet.
        self._held: deque[tuple[bytes, asyncio.Future[bool]]] = deque()
        self._held_size = 0
        self._known = asyncio.Event()
        self._readers = 0
        self._last = self._loop.time()
        self._idling = self._loop.call_later(limits.idle, self._check_idle)

    # What comes in.

    async def take(self, line: bytes, message: Message, session: str | None) -> bool:
        """Give a message to the connection. Says whether that has taken it.

        Args:
            line: The message.
            message: What it says.
            session: The session that it was sent from.

        Raises:
            LimitError: There is no space for it.
        """
        if self.is_over:
            return False
        self._last = self._loop.time()
        if is_request(message) and not self._sessions.has_space_for(message, session):
            limit = self._limits.sessions
            raise LimitError(f"more than {limit} sessions (limit `sessions`)")
        if self._held or not self.can_give:
            limit = self._limits.buffered
            if self._held_size + len(line) + COST > limit:
                raise LimitError(f"more than {limit} bytes wait (limit `buffered`)")
            waiting: asyncio.Future[bool] = self._loop.create_future()
            self._note(message, session)
            self._held.append((line, waiting))
            self._held_size += len(line) + COST
            return await waiting
        self._note(message, session)
        self.give(line)
        return True

    def give(self, message: bytes) -> None:
        """Give a message to the connection, in the context of that."""
        self._context.run(super().give, message)

    def _note(self, message: Message, session: str | None) -> None:
        if is_request(message) and self._sessions.ask(message, session):
            self._tell_known()

    def _changed(self) -> None:
        super()._changed()
        while self._held and (self.can_give or self.is_over):
            line, waiting = self._held.popleft()
            self._held_size -= len(line) + COST
            if not self.is_over:
                self.give(line)
            if not waiting.done():
                waiting.set_result(not self.is_over)

    # What goes out.

    def write(self, data: bytes, /) -> Awaitable[None] | None:
        """Write lines, each to the stream that it belongs on."""
        self._last = self._loop.time()
        for line in data.split(b"\n")[:-1]:
            for text, message in singles(line):
                self._route(text, message)
        full = [it for it in (self._main, *self._streams.values()) if it.is_full]
        return self._patiently(_space(full)) if full and not self.is_over else None

    def _route(self, line: bytes, message: Message | None) -> None:
        if message is None:
            self._main.push(line)
        elif message.method is not UNSET:
            self._stream(self.endpoint.session_of(message.params)).push(line)
        else:
            self._answer(line, message)

    def _answer(self, line: bytes, message: Message) -> None:
        """Write a response where its request was sent from."""
        sessions = self._sessions
        asked = sessions.answer(message)
        if asked is None:
            self._main.push(line)
            return
        if asked.method == self.endpoint.opens and not self.opened.done():
            self.opened.set_result((line, message.error is not NOTHING))
            return
        opened = sessions.opened(asked, message)
        ended = sessions.ended(asked, message)
        if asked.opens_new and not sessions.is_opening:
            self._settle_unknown()
        if opened is not None:
            self._main.push(line, Hold(self._stream(opened)))
            self._tell_known()
        elif self.endpoint.opens_session(asked.method):
            self._main.push(line)
        elif ended is not None:
            self._stream_for(ended).push(line)
        else:
            known = asked.session if sessions.knows(asked.session) else None
            self._stream(known).push(line)
        if ended is not None and ended in self._streams:
            self._streams[ended].finish()
            self._forget_streams()

    def _settle_unknown(self) -> None:
        """Have what was said of sessions that did not come go where the rest goes."""
        for session, stream in list(self._streams.items()):
            if not self._sessions.knows(session) and not stream.is_finished:
                del self._streams[session]
                stream.move_to(self._main)

    def _stream(self, session: str | None) -> EventStream:
        """Give the stream of a session that is open, or may be; else the connection's."""
        if session is None:
            return self._main
        found = self._streams.get(session)
        is_there = found is not None and not found.is_finished
        if is_there or self._sessions.knows(session):
            return self._stream_for(session)
        has_space = len(self._streams) < self._limits.sessions
        if self._sessions.is_opening and has_space:
            return self._stream_for(session)
        return self._main

    def _stream_for(self, session: str) -> EventStream:
        found = self._streams.get(session)
        if found is None or found.is_finished:
            found = EventStream(self._limits.buffered, self._overflowed)
            self._streams[session] = found
        return found

    def _forget_streams(self) -> None:
        """Forget streams that ended, but for those that somebody may still read."""
        over = [name for name, it in self._streams.items() if it.is_finished]
        for name in over:
            is_left = not self._streams[name].size
            if is_left or len(self._streams) > self._limits.sessions:
                del self._streams[name]

    def _overflowed(self) -> None:
        limit = self._limits.buffered
        message = f"more than {limit} bytes wait for a reader (limit `buffered`)"
        self.fail(ConnectionLostError(message))

    # Streams.

    async def find_stream(self, session: str | None) -> EventStream | None:
        """Give the stream of the connection or of a session, if that is known in time."""
        if session is None:
            return self._main
        deadline = self._loop.time() + self._limits.session_wait
        while not self._sessions.knows(session) and not self.is_over:
            if session in self._streams and self._streams[session].is_finished:
                # The session has ended, and the last was not read.
                return self._streams[session]
            left = deadline - self._loop.time()
            if left <= 0:
                return None
            known = self._known
            try:
                await asyncio.wait_for(known.wait(), left)
            except asyncio.TimeoutError:
                continue
        return None if self.is_over else self._stream_for(session)

    def _tell_known(self) -> None:
        known, self._known = self._known, asyncio.Event()
        known.set()

    async def read(
        self,
        stream: EventStream,
        send: Callable[[bytes], Awaitable[None]],
        gone: asyncio.Future[None],
    ) -> None:
        """Give a reader, who is there already, what is on a stream."""
        self._readers += 1
        try:
            await stream.read(send, self._limits.keep_alive, gone)
        finally:
            stream.leave()
            self._readers -= 1
            self._last = self._loop.time()
            self._forget_streams()

    def _check_idle(self) -> None:
        if self.is_over:
            return
        limit = self._limits.idle
        now = self._loop.time()
        due = (now if self._readers else self._last) + limit
        if due <= now:
            message = f"nothing happened for {limit:g} s (limit `idle`)"
            self.fail(ConnectionLostError(message))
        else:
            self._idling = self._loop.call_later(due - now, self._check_idle)

    # The end.

    def delete(self) -> None:
        """End the connection because the client wants that."""
        self.end(ConnectionClosedError("the client closed the connection"))
        self._finish("")

    def fail(self, error: ConnectionLostError) -> None:
        """End the connection, and say why where somebody reads."""
        self.end(error)
        self._finish(str(error))

    def stop(self) -> None:
        """Give nothing more."""
        super().stop()
        self._idling.cancel()
        self._tell_known()

    async def close(self) -> None:
        """End the streams once they are read."""
        self._finish("")
        await super().close()

    def _finish(self, reason: str) -> None:
        for stream in (self._main, *self._streams.values()):
            stream.finish(reason)


async def _space(streams: list[EventStream]) -> None:
    for stream in streams:
        await stream.space()
