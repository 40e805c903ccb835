"""How long the opening of a connection over a WebSocket may take."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..errors import ConnectionLostError
from .endpoint import is_request, is_response, singles

if TYPE_CHECKING:
    from collections.abc import Callable

    from .endpoint import Endpoint


class OpeningWatch:
    """Waits for the answer to the request that opens a connection."""

    def __init__(
        self,
        endpoint: Endpoint,
        seconds: float,
        late: Callable[[ConnectionLostError], None],
    ) -> None:
        """Call `late` if that takes longer."""
        self._opens = endpoint.opens
        self._seconds = seconds
        self._late = late
        self._is_done = self._opens is None
        self._id: bytes | None = None
        self._timer: asyncio.TimerHandle | None = None

    def asked(self, line: bytes) -> None:
        """See what the client sends."""
        if self._is_done or self._id is not None:
            return
        for _, message in singles(line):
            if message is None or not is_request(message):
                continue
            if message.method == self._opens:
                self._id = bytes(message.id)
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._seconds, self._give_up)

    def answered(self, line: bytes) -> None:
        """See what the server sends."""
        if self._is_done or self._id is None:
            return
        for _, message in singles(line):
            if message is None or not is_response(message):
                continue
            if bytes(message.id) == self._id:
                self.stop()

    def stop(self) -> None:
        """Wait no longer."""
        self._is_done = True
        if self._timer is not None:
            self._timer.cancel()

    def _give_up(self) -> None:
        text = f"no answer to `{self._opens}` in {self._seconds:g} s (limit `opening`)"
        self._late(ConnectionLostError(text))
