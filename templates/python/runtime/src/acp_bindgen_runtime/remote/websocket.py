"""Messages over a WebSocket, one a text frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ..errors import ConnectionLostError
from .lines import LineTransport, cancelled
from .opening_watch import OpeningWatch

if TYPE_CHECKING:
    import asyncio

    from ..rpc import Receiver
    from .endpoint import Endpoint

TOO_BIG: Final = 1009
"""The code of who closes a WebSocket because a message is too long."""


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

    def __init__(
        self,
        socket: Socket,
        endpoint: Endpoint,
        opening: float,
        *,
        is_server: bool,
        first: bytes | None = None,
    ) -> None:
        """Connect over a WebSocket, of which a first message may have been received.

        The answer to what opens the connection may take so many seconds.
        """
        super().__init__(endpoint)
        self._socket = socket
        self._first = first
        self._opening = OpeningWatch(endpoint, opening, self._late)
        asked, answered = self._opening.asked, self._opening.answered
        self._see_received, self._see_sent = (
            (asked, answered) if is_server else (answered, asked)
        )
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
                self._take(self._first)
                self._first = None
            while await self.space():
                text = await self._socket.receive()
                if text is not None:
                    self._take(text.encode())
        except Exception as error:  # noqa: BLE001
            failure = error
        self.end(failure)

    def _take(self, line: bytes) -> None:
        self._see_received(line)
        self.give(line)

    async def send(self, lines: list[bytes]) -> None:
        """Send messages, one after another."""
        for line in lines:
            self._see_sent(line)
            await self._socket.send(line.decode())

    def _late(self, error: ConnectionLostError) -> None:
        self.leave(error, 1001)

    def leave(self, error: ConnectionLostError, code: int) -> None:
        """End the connection, and tell the other end why by a code and the error's message."""
        self._code = code
        self._reason = str(error)
        self.end(error)

    async def close(self) -> None:
        """Close the WebSocket."""
        self.stop()
        self._opening.stop()
        await cancelled(self._reading)
        await self._socket.close(self._code, self._reason)
        await super().close()


def closed(code: int | None, reason: str | None) -> ConnectionLostError:
    """Say that a WebSocket was closed."""
    shown = f" ({code})" if code is not None else ""
    because = f": {reason}" if reason else ""
    return ConnectionLostError(f"the WebSocket was closed{shown}{because}")
