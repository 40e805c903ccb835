"""A process and what it has started."""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
from typing import Final

_LOOK: Final = 0.05
"""How often is looked whether anything is left, in seconds."""


class Group:
    """The processes of a group, which its first one leads. On Windows there are none.

    What is left of it when the program exits is told to end.
    """

    __slots__ = ("_is_left", "_leader")

    def __init__(self, leader: int) -> None:
        """Know the process that leads it."""
        self._leader = leader
        # Its number may be another's once nothing of it is left.
        self._is_left = sys.platform != "win32"
        atexit.register(self.send, "SIGTERM")

    def send(self, name: str | None) -> bool:
        """Send a signal to all of it, or none. Says whether anyone is left."""
        if sys.platform != "win32" and self._is_left:
            import signal

            try:
                os.killpg(self._leader, getattr(signal, name) if name else 0)
            except OSError:
                self.forget()
        return self._is_left

    async def gone(self, patience: float) -> None:
        """Wait until nothing of it is left, but not longer than this."""
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while self.send(None) and loop.time() < end:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK)

    def forget(self) -> None:
        """Send no more signals."""
        self._is_left = False
        atexit.unregister(self.send)
