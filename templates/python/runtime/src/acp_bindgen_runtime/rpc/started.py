"""Calls that were begun, and can be cancelled so that the peer has its say."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine, Generator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from .link import Link

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")

R = TypeVar("R")


class Mark:
    """Where a call that was begun leaves its id, and the connection it goes by."""

    __slots__ = ("call",)

    def __init__(self) -> None:
        """Begin before it is sent."""
        self.call: tuple[Link, bytes] | None = None


STARTED: Final[contextvars.ContextVar[Mark | None]] = contextvars.ContextVar(
    "started", default=None
)
"""The mark of the call that is begun in this task."""


class Call(Generic[R]):
    """A call that goes on by itself until it is answered, or cancelled.

    `call = Call(peer.method(…))` begins it, and `await call` gives the answer. Whoever stops
    waiting, after a timeout for one, has not cancelled it: `await call.cancel()` does, and gives
    what the peer answers to that. The end of an `async with` cancels what has no answer yet,
    without waiting.
    """

    __slots__ = ("_mark", "_task")

    def __init__(self, call: Coroutine[Any, Any, R]) -> None:
        """Begin a call, within a running event loop."""
        self._mark = Mark()
        token = STARTED.set(self._mark)
        try:
            self._task = asyncio.ensure_future(call)
        finally:
            STARTED.reset(token)

    def __await__(self) -> Generator[Any, None, R]:
        """Wait for the answer."""
        return asyncio.shield(self._task).__await__()

    async def __aenter__(self) -> Self:
        """Give the call."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Cancel the call, if it has no answer yet."""
        if not self._task.done():
            self._task.cancel()
            await asyncio.wait((self._task,))
            if not self._task.cancelled():
                # Nobody is left to tell.
                self._task.exception()

    @property
    def is_done(self) -> bool:
        """Whether it is answered, or failed."""
        return self._task.done()

    async def cancel(self) -> R:
        """Tell the peer that the answer is no longer wanted, and wait for what it answers.

        Raises:
            RequestError: The peer answered with an error: in most cases that it was cancelled.
            CancelledError: It was not sent yet, and never is.
        """
        if not self._task.done():
            link, call = self._mark.call or (None, b"")
            if link is not None and link.calls.find(call) is not None:
                link.send_cancellation(call)
            else:
                self._task.cancel()
        return await self
