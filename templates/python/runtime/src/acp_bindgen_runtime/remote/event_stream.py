"""The streams of a server's connection."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from .limits import COST
from .sse import ALIVE, OPEN, farewell, written

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_HIGH = 256 * 1024
_CHUNK = 64 * 1024


class Hold:
    """What an event waits for: that another stream's reader was given so many events."""

    __slots__ = ("count", "reader", "stream")

    def __init__(self, stream: EventStream) -> None:
        """Wait for all events that the stream has now."""
        self.stream = stream
        self.reader = stream.reader
        self.count = stream.count

    @property
    def is_on(self) -> bool:
        """Whether it still has to be waited for: not for a reader that left."""
        stream = self.stream
        is_here = stream.is_read and stream.reader == self.reader
        return is_here and stream.given < self.count


class EventStream:
    """Messages that wait for a reader, in order.

    Attributes:
        size: How many bytes wait, as the limits count them.
        is_finished: Whether nothing is added any more.
        is_read: Whether there is a reader. Who reads says so first, and leaves at last.
        reader: How many readers there were before this one, or the next.
        given: How many events this reader was given.
        changed: Is done when something happens. Another one is there for what happens next.
    """

    def __init__(self, limit: int, overflowed: Callable[[], None]) -> None:
        """Call `overflowed` when more than `limit` bytes wait and nobody reads."""
        self._limit = limit
        self._overflowed = overflowed
        self._waiting: deque[tuple[bytes, Hold | None]] = deque()
        self.is_finished = False
        self._reason = ""
        self._loop = asyncio.get_running_loop()
        self.changed: asyncio.Future[None] = self._loop.create_future()
        self.size = 0
        self.is_read = False
        self.reader = 0
        self.given = 0
        # Those that are given or about to be.
        self._taken = 0

    @property
    def count(self) -> int:
        """How many events the reader, or the next one, gets up to now."""
        return self._taken + len(self._waiting)

    def push(self, line: bytes, hold: Hold | None = None) -> None:
        """Add a message."""
        self.add(written(line, None if hold is None else hold.count), hold)

    def add(self, event: bytes, hold: Hold | None) -> None:
        """Add an event."""
        if self.is_finished:
            return
        self._waiting.append((event, hold))
        self.size += len(event) + COST
        self._notify()
        if not self.is_read and self.size > self._limit:
            self._overflowed()

    def move_to(self, other: EventStream) -> None:
        """Have what waits here wait in another stream."""
        for event, hold in self._waiting:
            other.add(event, hold)
        self._waiting.clear()
        self.size = 0

    def finish(self, reason: str = "") -> None:
        """End the stream once everything in it was read, and say why if that is a failure."""
        if not self.is_finished:
            self.is_finished = True
            self._reason = reason
            self._notify()

    @property
    def is_full(self) -> bool:
        """Whether who writes has to wait for the reader."""
        return self.is_read and not self.is_finished and self.size > _HIGH

    async def space(self) -> None:
        """Wait until there is space for more, or nobody reads."""
        while self.is_full:
            await asyncio.wait((self.changed,))

    async def read(
        self,
        send: Callable[[bytes], Awaitable[None]],
        keep_alive: float,
        gone: asyncio.Future[None],
    ) -> None:
        """Give the reader everything, until the stream ends or the reader is gone."""
        await send(OPEN)
        while not gone.done():
            chunk = self._take()
            if chunk:
                await send(chunk)
                self.given = self._taken
                self._notify()
            elif self.is_finished:
                break
            elif not await self._news(keep_alive, gone):
                await send(ALIVE)
        if self._reason and not gone.done():
            await send(farewell(self._reason))

    def leave(self) -> None:
        """Take note that the reader leaves."""
        self.is_read = False
        self.reader += 1
        self.given = self._taken = 0
        self._notify()

    def _take(self) -> bytes:
        """Take events that may be given now."""
        events: list[bytes] = []
        size = 0
        while self._waiting and size < _CHUNK:
            event, hold = self._waiting[0]
            if hold is not None and hold.is_on and not self.is_finished:
                break
            self._waiting.popleft()
            events.append(event)
            size += len(event)
        self.size -= size + len(events) * COST
        self._taken += len(events)
        return b"".join(events)

    async def _news(self, seconds: float, gone: asyncio.Future[None]) -> bool:
        """Wait for news. Says whether there were some."""
        hold = self._waiting[0][1] if self._waiting else None
        streams = [self] if hold is None else [self, hold.stream]
        changes = [it.changed for it in streams]
        done, _ = await asyncio.wait(
            (*changes, gone), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
        )
        return bool(done)

    def _notify(self) -> None:
        """Wake all who wait, and have others wait anew."""
        changed, self.changed = self.changed, self._loop.create_future()
        changed.set_result(None)
