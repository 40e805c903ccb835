"""From bytes to lines."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Excess(Struct, frozen=True, gc=False):
    """A piece of a line over the limit, which is not held.

    Attributes:
        piece: What comes next of it.
        is_last: Whether the line ends here.
    """

    piece: bytes
    is_last: bool


Line: TypeAlias = bytes | Excess


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
            lines[:1] = [*self._hold(pieces[0]), *self.end()]
        if len(data) > self._limit:
            lines = [self._limited(line) for line in lines]
        return lines + self._hold(rest) if rest else lines

    def end(self) -> list[Line]:
        """Give what is held: there will be no more. A last line without an end counts."""
        pieces, is_skipping = self._pieces, self._is_skipping
        self._pieces, self._held, self._is_skipping = [], 0, False
        if is_skipping:
            return [Excess(b"", is_last=True)]
        return [b"".join(pieces)] if pieces else []

    def _limited(self, line: Line) -> Line:
        if isinstance(line, Excess) or len(line) <= self._limit:
            return line
        return Excess(line, is_last=True)

    def _hold(self, piece: bytes) -> list[Line]:
        """Keep the beginning of a line. Gives what is too much."""
        if not piece:
            return []
        if self._is_skipping:
            return [Excess(piece, is_last=False)]
        self._pieces.append(piece)
        self._held += len(piece)
        if self._held <= self._limit:
            return []
        pieces, self._pieces = self._pieces, []
        self._held, self._is_skipping = 0, True
        return [Excess(piece, is_last=False) for piece in pieces]


def is_utf8(line: bytes) -> bool:
    """Whether bytes are text."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
