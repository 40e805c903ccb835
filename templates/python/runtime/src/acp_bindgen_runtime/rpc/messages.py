"""Connections over messages in place of bytes."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterable, Awaitable, Callable
from typing import Any, TypeAlias

from .transport import Receiver

AnyMessage: TypeAlias = dict[str, Any] | list[dict[str, Any]]
"""A message as parsed JSON: a request, a notification, a response, or a batch of them."""


class MessageTransport:
    """A transport over messages that are parsed JSON, such as those of a queue."""

    def __init__(
        self,
        incoming: AsyncIterable[AnyMessage],
        send: Callable[[AnyMessage], Awaitable[object]],
        close: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """Take messages from an iterable, and give them to a function, one by one.

        Args:
            incoming: What comes in. Its end is that of the connection.
            send: Sends a message. More are sent once it is done.
            close: Is told that nothing more is sent.
        """
        self._incoming = incoming
        self._send = send
        self._close = close
        self._reading: asyncio.Task[None] | None = None
        self._resumed: asyncio.Event | None = None

    def start(self, receiver: Receiver, /) -> None:
        """Begin to give what comes in."""
        self._reading = asyncio.get_running_loop().create_task(self._read(receiver))

    async def _read(self, receiver: Receiver) -> None:
        failure: BaseException | None = None
        try:
            async for message in self._incoming:
                receiver.receive(json.dumps(message, allow_nan=False).encode() + b"\n")
                if self._resumed is not None:
                    await self._resumed.wait()
        except Exception as error:  # noqa: BLE001
            failure = error
        receiver.end(failure)

    def pause(self) -> None:
        """Give nothing more for now."""
        if self._resumed is None:
            self._resumed = asyncio.Event()

    def resume(self) -> None:
        """Go on."""
        if self._resumed is not None:
            self._resumed.set()
            self._resumed = None

    def stop(self) -> None:
        """Give nothing more."""
        if self._reading is not None:
            self._reading.cancel()

    async def write(self, data: bytes, /) -> None:
        """Send what lines say."""
        for line in data.splitlines():
            await self._send(json.loads(line))

    async def close(self) -> None:
        """Say that nothing more goes out."""
        self.stop()
        if self._close is not None:
            with contextlib.suppress(Exception):
                await self._close()
