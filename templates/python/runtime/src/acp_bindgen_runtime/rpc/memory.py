"""Two ends of a connection in one program."""

from __future__ import annotations

import asyncio
from collections import deque

from .transport import Receiver, Transport

_LIMIT = 64 * 1024


def pair() -> tuple[Transport, Transport]:
    """Give two transports within a running event loop: what one writes, the other reads.

    Who writes waits while the other end does not read.
    """
    near, far = _End(), _End()
    near.far, far.far = far, near
    return near, far


class _End:
    """One of two ends.

    Attributes:
        far: The other one.
    """

    far: _End

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._receiver: Receiver | None = None
        self._data: deque[bytes] = deque()
        self._size = 0
        self._writers: list[asyncio.Future[None]] = []
        self._is_paused = False
        self._is_stopped = False
        self._is_at_end = False
        self._is_scheduled = False

    def start(self, receiver: Receiver, /) -> None:
        """Begin to give what comes in."""
        self._receiver = receiver
        self._schedule()

    def pause(self) -> None:
        """Give nothing more for now."""
        self._is_paused = True

    def resume(self) -> None:
        """Go on."""
        self._is_paused = False
        self._schedule()

    def stop(self) -> None:
        """Give nothing more. What the other end writes from now on is lost."""
        self._is_stopped = True
        self._data.clear()
        self._size = 0
        self._wake()

    def write(self, data: bytes, /) -> asyncio.Future[None] | None:
        """Write bytes."""
        return self.far.take(data)

    async def close(self) -> None:
        """Say that nothing more goes out."""
        self.stop()
        self.far.finish()

    def take(self, data: bytes) -> asyncio.Future[None] | None:
        """Take what the other end writes. What it gives is to be waited for."""
        if self._is_stopped:
            message = "the other end is closed"
            raise BrokenPipeError(message)
        self._data.append(data)
        self._size += len(data)
        self._schedule()
        if self._size <= _LIMIT:
            return None
        space = self._loop.create_future()
        self._writers.append(space)
        return space

    def finish(self) -> None:
        """Take nothing more."""
        self._is_at_end = True
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._give)

    def _give(self) -> None:
        self._is_scheduled = False
        receiver = self._receiver
        if receiver is None or self._is_paused or self._is_stopped:
            return
        if self._data:
            data = self._data.popleft()
            self._size -= len(data)
            receiver.receive(data)
            self._schedule()
        elif self._is_at_end:
            self._receiver = None
            receiver.end(None)
        if self._size <= _LIMIT:
            self._wake()

    def _wake(self) -> None:
        writers, self._writers = self._writers, []
        for writer in writers:
            if not writer.done():
                writer.set_result(None)
