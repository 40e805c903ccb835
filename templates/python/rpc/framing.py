"""From bytes to lines."""

from __future__ import annotations

from typing import Final

TOO_LONG: Final = None
"""Stands for a line over the limit; what it said is lost."""


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

    def receive(self, data: bytes) -> list[bytes | None]:
        """Take what was read, and give the lines that end in it."""
        lines: list[bytes | None] = []
        lines += data.split(b"\n")
        rest = lines.pop() or b""
        if lines and (self._pieces or self._is_skipping):
            # The line that was held ends here.
            held = self._hold(lines[0] or b"")
            lines[:1] = held or self.end()
            self._is_skipping = False
        if len(data) > self._limit:
            lines = [self._limited(line) for line in lines]
        return lines + self._hold(rest) if rest else lines

    def end(self) -> list[bytes | None]:
        """Give what is held: there will be no more. A last line without an end counts."""
        pieces, is_skipping = self._pieces, self._is_skipping
        self._pieces, self._held, self._is_skipping = [], 0, False
        return [b"".join(pieces)] if pieces and not is_skipping else []

    def _limited(self, line: bytes | None) -> bytes | None:
        is_over = line is not None and len(line) > self._limit
        return TOO_LONG if is_over else line

    def _hold(self, piece: bytes) -> list[bytes | None]:
        """Keep the beginning of a line. One that is too long is said to be so once."""
        if not piece or self._is_skipping:
            return []
        self._pieces.append(piece)
        self._held += len(piece)
        if self._held <= self._limit:
            return []
        self._pieces, self._held, self._is_skipping = [], 0, True
        return [TOO_LONG]
