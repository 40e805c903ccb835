"""The pings of a client's WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from websockets.exceptions import ConnectionClosed

from ..errors import ConnectionLostError

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.asyncio.client import ClientConnection


class Pings:
    """Asks the other end of a WebSocket for signs of life, again and again.

    Those of `websockets` take nothing but a pong for one. But a pong comes after all that was sent
    before it, which may wait for a handler for longer than a pong may take.
    """

    def __init__(self, connection: ClientConnection, seconds: float) -> None:
        """Ask as often as this, once it is started."""
        self._connection = connection
        self._seconds = seconds
        self._gone: Callable[[ConnectionLostError], None] | None = None
        self._loop = asyncio.get_running_loop()
        # While no message is waited for, no sign of life can come in.
        self._is_waiting = False
        self._is_heard = True
        self._asking: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def start(self, gone: Callable[[ConnectionLostError], None]) -> None:
        """Begin, and call `gone` if nothing comes in until it is asked again."""
        self._gone = gone
        self._timer = self._loop.call_later(self._seconds, self._look)

    async def next(self) -> str | bytes:
        """Wait for the next message.

        Raises:
            ConnectionClosed: The WebSocket is closed.
        """
        self._is_waiting = self._is_heard = True
        try:
            return await self._connection.recv()
        finally:
            self._is_waiting = False

    def stop(self) -> None:
        """Ask no more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._asking is not None:
            self._asking.cancel()

    def _look(self) -> None:
        if self._gone is not None and self._is_waiting and not self._is_heard:
            text = f"no sign of life in {self._seconds:g} s (limit `ping`)"
            self._gone(ConnectionLostError(text))
            return
        self._timer = self._loop.call_later(self._seconds, self._look)
        self._is_heard = False
        if self._asking is None or self._asking.done():
            self._asking = self._loop.create_task(self._ask())

    async def _ask(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            # A pong may still come after `stop`, and websockets 13 marks what was cancelled.
            await asyncio.shield(await self._connection.ping())
            self._is_heard = True
