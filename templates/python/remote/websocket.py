"""Messages over a WebSocket, one a text frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..errors import ConnectionLostError
from .lines import LineTransport, cancelled

if TYPE_CHECKING:
    import asyncio

    from ..rpc import Receiver


class Socket(Protocol):
    """A WebSocket that is open."""

    async def receive(self) -> str | None:
        """Give the next message, or `None` for one that is no text.

        Raises:
            ConnectionLostError: The WebSocket is closed.
        """
        ...

    async def send(self, text: str, /) -> None:
        """Send a message.

        Raises:
            ConnectionLostError: The WebSocket is closed.
        """
        ...

    async def close(self, code: int, reason: str, /) -> None:
        """Close the WebSocket. It does not raise."""
        ...


class WebSocketTransport(LineTransport):
    """A connection over a WebSocket."""

    def __init__(self, socket: Socket, first: bytes | None = None) -> None:
        """Connect over a WebSocket, of which a first message may have been received."""
        super().__init__()
        self._socket = socket
        self._first = first
        self._reading: asyncio.Task[None] | None = None
        self._code = 1000
        self._reason = ""

    def start(self, receiver: Receiver, /) -> None:
        """Begin to give what comes in."""
        super().start(receiver)
        self._reading = self._loop.create_task(self._read())

    async def _read(self) -> None:
        failure: BaseException | None = None
        try:
            if self._first is not None:
                self.give(self._first)
                self._first = None
            while await self.space():
                text = await self._socket.receive()
                if text is not None:
                    self.give(text.encode())
        except Exception as error:  # noqa: BLE001
            failure = error
        self.end(failure)

    async def send(self, lines: list[bytes]) -> None:
        """Send messages, one after another."""
        for line in lines:
            await self._socket.send(line.decode())

    def leave(self, error: ConnectionLostError, code: int) -> None:
        """End the connection, and tell the other end why by a code and the error's message."""
        self._code = code
        self._reason = str(error)
        self.end(error)

    async def close(self) -> None:
        """Close the WebSocket."""
        self.stop()
        await cancelled(self._reading)
        await self._socket.close(self._code, self._reason)
        await super().close()


def closed(code: int | None, reason: str | None) -> ConnectionLostError:
    """Say that a WebSocket was closed."""
    shown = f" ({code})" if code is not None else ""
    because = f": {reason}" if reason else ""
    return ConnectionLostError(f"the WebSocket was closed{shown}{because}")
