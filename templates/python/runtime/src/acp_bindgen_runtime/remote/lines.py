"""What all transports of messages have in common."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from ..rpc.message import read

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine

    from ..rpc import Receiver
    from .endpoint import Endpoint

T = TypeVar("T")

_PATIENCE = 2.0


class LineTransport:
    """Gives a connection its messages as lines, and takes lines of it.

    Attributes:
        endpoint: What the protocol says about the way of its messages.
        ended: Is done when the connection is over and everything was written.
        is_over: Whether the connection takes nothing more.
        receiver: The connection, once that has started.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        """Begin without a connection."""
        self.endpoint = endpoint
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self.receiver: Receiver | None = None
        self.is_over = False
        # Calls that failed although the server may have them.
        self.lost: set[bytes] = set()
        self._is_paused = False
        self._may_give = asyncio.Event()
        # Done when what is not written yet no longer will be.
        self._given_up: asyncio.Future[None] = self._loop.create_future()

    def start(self, receiver: Receiver, /) -> None:
        """Begin to give what comes in."""
        self.receiver = receiver
        self._changed()

    def pause(self) -> None:
        """Give nothing more for now."""
        self._is_paused = True
        self._changed()

    def resume(self) -> None:
        """Go on."""
        self._is_paused = False
        self._changed()

    def stop(self) -> None:
        """Give nothing more. What was not written after a while will not be."""
        if not self.is_over:
            self.is_over = True
            self._loop.call_later(_PATIENCE, self.give_up)
            self._changed()

    def write(self, data: bytes, /) -> Awaitable[None] | None:
        """Write lines."""
        return self._patiently(self.send(data.split(b"\n")[:-1]))

    async def send(self, lines: list[bytes]) -> None:
        """Send messages, one after another."""
        raise NotImplementedError

    async def close(self) -> None:
        """Take note that everything is written."""
        self.stop()
        self.give_up()
        if not self.ended.done():
            self.ended.set_result(None)

    def give_up(self) -> None:
        """Write nothing more."""
        if not self._given_up.done():
            self._given_up.set_result(None)

    @property
    def can_give(self) -> bool:
        """Whether the connection takes messages now."""
        return self.receiver is not None and not self._is_paused and not self.is_over

    async def space(self) -> bool:
        """Wait until the connection takes messages. Says whether it ever will again."""
        while not self.is_over and not self.can_give:
            await self._may_give.wait()
        return not self.is_over

    def give(self, message: bytes) -> None:
        """Give a message to the connection, which takes messages now."""
        if self.receiver is not None:
            self.receiver.receive(one_line(message) + b"\n")

    def end(self, failure: BaseException | None) -> None:
        """Tell the connection that nothing more comes."""
        if self.receiver is not None and not self.is_over:
            self.receiver.end(failure)
        self.stop()

    def _changed(self) -> None:
        if self.can_give or self.is_over:
            self._may_give.set()
        else:
            self._may_give.clear()

    async def _patiently(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something until it is done, or what is written is given up."""
        task = asyncio.current_task()

        def give_up(_: object) -> None:
            if task is not None:
                task.cancel()

        self._given_up.add_done_callback(give_up)
        try:
            await work
        except asyncio.CancelledError:
            if not self._given_up.done():
                raise
        finally:
            self._given_up.remove_done_callback(give_up)


def one_line(message: bytes) -> bytes:
    """Write JSON without line breaks. What is no JSON does not become JSON by it."""
    if b"\n" not in message:
        return message
    instead = b"\0" if read(message) is None else b" "
    return message.replace(b"\n", instead)


async def cancelled(task: asyncio.Task[Any] | None) -> None:
    """Cancel a task, and wait for its end."""
    if task is not None and task is not asyncio.current_task():
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await task


if sys.version_info >= (3, 11):

    async def within(seconds: float | None, work: Awaitable[T]) -> T:
        """Wait for something, without a task of its own, but not longer than this."""
        async with asyncio.timeout(seconds):
            return await work

else:

    async def within(seconds: float | None, work: Awaitable[T]) -> T:
        """Wait for something, but not longer than this."""
        return await asyncio.wait_for(work, seconds)
