"""What a process writes to standard error."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")

_CHUNK: Final = 64 * 1024
_LINES: Final = 20
_BYTES: Final = 4096
_WAITING: Final = 1000


class Stderr:
    """Reads lines. `async for` gives them, and the last ones are kept.

    Attributes:
        is_piped: Whether the program takes the lines.
    """

    __slots__ = (
        "_changed",
        "_is_ended",
        "_is_released",
        "_lines",
        "_reading",
        "_tail",
        "is_piped",
    )

    def __init__(self, reader: asyncio.StreamReader, *, is_piped: bool) -> None:
        """Begin to read."""
        self.is_piped = is_piped
        self._tail: deque[bytes] = deque(maxlen=_LINES)
        self._lines: deque[str] = deque(maxlen=10 * _WAITING)
        self._changed = asyncio.Event()
        self._is_released = not is_piped
        self._is_ended = False
        self._reading = asyncio.ensure_future(self._read(reader))

    def __aiter__(self) -> Self:
        """Give each line, once, to whoever asks first."""
        return self

    async def __anext__(self) -> str:
        """Give the next line, without its end."""
        while not self._lines:
            if self._is_ended:
                raise StopAsyncIteration
            await self._change()
        line = self._lines.popleft()
        self._changed.set()
        return line

    @property
    def last_lines(self) -> list[str]:
        """The last lines: at most 20, and not more than 4 KiB."""
        kept: list[bytes] = []
        size = 0
        for line in reversed(self._tail):
            size += len(line) + 1
            if size > _BYTES:
                break
            kept.append(line)
        return [line.decode(errors="replace") for line in reversed(kept)]

    async def rest(self) -> None:
        """Wait until all is read that the process has written, but not for others to write."""
        self.release()
        await asyncio.wait((self._reading,), timeout=0.5)

    def release(self) -> None:
        """Read on even if nobody takes the lines."""
        self._is_released = True
        self._changed.set()

    async def close(self) -> None:
        """Read nothing more."""
        await self.rest()
        self._reading.cancel()
        await asyncio.wait((self._reading,))

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        held = b""
        try:
            while piece := await reader.read(_CHUNK):
                *lines, held = (held + piece).split(b"\n")
                for line in lines:
                    await self._take(line)
                if len(held) > _CHUNK:
                    await self._take(held)
                    held = b""
            if held:
                await self._take(held)
        finally:
            self._is_ended = True
            self._changed.set()

    async def _take(self, line: bytes) -> None:
        line = line.removesuffix(b"\r")
        self._tail.append(line[-_BYTES + 1 :])
        if not self.is_piped:
            return
        while len(self._lines) >= _WAITING and not self._is_released:
            await self._change()
        self._lines.append(line.decode(errors="replace"))
        self._changed.set()
