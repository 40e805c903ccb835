"""From bytes to lines."""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

KEPT: Final = 64 * 1024
"""How much is kept of a line over the limit."""


class TooLong(Struct, frozen=True, gc=False):
    """A line over the limit.

    Attributes:
        head: How it begins. The rest is lost.
    """

    head: bytes


Line: TypeAlias = bytes | TooLong


class Framing:
    """Cuts a stream of bytes into lines, whatever the pieces it comes in.

    A line over the limit is not held.
    """

    __slots__ = ("_held", "_is_skipping", "_limit", "_pieces")

    def __init__(self, limit: int) -> None:
        """Take lines of at most so many bytes."""
        # One more for a carriage return.
        self._limit = limit + 1
        self._pieces: list[bytes] = []
        self._held = 0
        self._is_skipping = False

    def receive(self, data: bytes) -> list[Line]:
        """Take what was read, and give the lines that end in it."""
        pieces = data.split(b"\n")
        rest = pieces.pop()
        lines: list[Line] = [*pieces]
        if pieces and (self._pieces or self._is_skipping):
            # The line that was held ends here.
            held = self._hold(pieces[0])
            lines[:1] = held or self.end()
            self._is_skipping = False
        if len(data) > self._limit:
            lines = [self._limited(line) for line in lines]
        return lines + self._hold(rest) if rest else lines

    def end(self) -> list[Line]:
        """Give what is held: there will be no more. A last line without an end counts."""
        pieces, is_skipping = self._pieces, self._is_skipping
        self._pieces, self._held, self._is_skipping = [], 0, False
        return [b"".join(pieces)] if pieces and not is_skipping else []

    def _limited(self, line: Line) -> Line:
        if isinstance(line, TooLong) or len(line) <= self._limit:
            return line
        return TooLong(line[:KEPT])

    def _hold(self, piece: bytes) -> list[Line]:
        """Keep the beginning of a line. One that is too long is said to be so once."""
        if not piece or self._is_skipping:
            return []
        self._pieces.append(piece)
        self._held += len(piece)
        if self._held <= self._limit:
            return []
        head = b"".join(self._pieces)[:KEPT]
        self._pieces, self._held, self._is_skipping = [], 0, True
        return [TooLong(head)]


def is_utf8(line: bytes) -> bool:
    """Whether bytes are text."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
