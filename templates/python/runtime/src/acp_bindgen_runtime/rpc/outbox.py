"""From messages to bytes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .transport import Transport


class Outbox:
    """Messages on their way out, one a line. What is sent together is written together.

    Attributes:
        answers: How many answers wait to be written.
        is_closed: Whether nothing more is taken.
    """

    __slots__ = (
        "_changed",
        "_failed",
        "_is_scheduled",
        "_limit",
        "_lines",
        "_loop",
        "_senders",
        "_size",
        "_transport",
        "_writing",
        "answers",
        "is_closed",
    )

    def __init__(
        self,
        transport: Transport,
        limit: int,
        changed: Callable[[], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Let senders wait while more than `limit` bytes are waiting.

        `changed` is called when there is space again, `failed` when nothing can be written any
        more.
        """
        self._transport = transport
        self._limit = limit
        self._changed = changed
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._lines: list[bytes] = []
        self._size = 0
        self._senders: list[asyncio.Future[None]] = []
        self._writing: asyncio.Task[None] | None = None
        self._is_scheduled = False
        self.is_closed = False
        self.answers = 0

    def has_space(self) -> bool:
        """Whether a sender may send at once. Others come first."""
        return self._size <= self._limit and not self._senders

    async def space(self) -> None:
        """Wait until it may have changed whether a sender may send."""
        if self._size > self._limit and not self.is_closed:
            waiter: asyncio.Future[None] = self._loop.create_future()
            self._senders.append(waiter)
            await waiter

    def push(self, line: bytes) -> None:
        """Add a line, with its end."""
        if self.is_closed:
            return
        if line.find(b"\n", 0, -1) >= 0:
            # JSON that is passed on as it is may have line breaks.
            line = line[:-1].replace(b"\n", b" ") + b"\n"
        self._lines.append(line)
        self._size += len(line)
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._write)

    def answer(self, line: bytes) -> None:
        """Add a line that answers something."""
        self.answers += 1
        self.push(line)

    async def close(self) -> None:
        """Wait until everything is written, and close the output."""
        while self._lines or self._writing is not None:
            self._write()
            if self._writing is not None:
                await asyncio.wait((self._writing,))
        self.drop()
        await self._transport.close()

    def drop(self) -> None:
        """Take nothing more."""
        self.is_closed = True
        self._lines.clear()
        self._size = 0
        self.answers = 0
        self.wake()

    def _write(self) -> None:
        self._is_scheduled = False
        if self._writing is not None or not self._lines:
            return
        data = b"".join(self._lines)
        self._lines.clear()
        self._size = 0
        self.answers = 0
        try:
            written = self._transport.write(data)
        except Exception as error:  # noqa: BLE001
            self._fail(error)
            return
        if written is not None:
            self._writing = self._loop.create_task(self._wait(written))
        self.wake()

    async def _wait(self, written: Awaitable[None]) -> None:
        """Wait for space, and go on."""
        try:
            await written
        except Exception as error:  # noqa: BLE001
            self._fail(error)
        finally:
            self._writing = None
            self._write()

    def _fail(self, error: BaseException) -> None:
        self.drop()
        self._failed(error)

    def wake(self) -> None:
        """Have those who wait for space look again whether they may send."""
        senders, self._senders = self._senders, []
        for sender in senders:
            if not sender.done():
                sender.set_result(None)
        self._changed()
