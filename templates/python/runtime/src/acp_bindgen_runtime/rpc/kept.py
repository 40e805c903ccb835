"""Text of which the end is kept."""

from __future__ import annotations

import codecs
from typing import Final

_MARK: Final = 0xC0
_CONTINUES: Final = 0x80
"""The first two bits of a byte that does not begin a character."""


class KeptText:
    """The last bytes of a text in UTF-8, as they come in. What is none is replaced.

    Attributes:
        is_truncated: Whether the beginning is lost.
    """

    __slots__ = ("_decoder", "_kept", "_limit", "is_truncated")

    def __init__(self, limit: int) -> None:
        """Keep so many bytes."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._kept = bytearray()
        self._limit = limit
        self.is_truncated = False

    def __str__(self) -> str:
        """Give what is kept."""
        return self._kept.decode()

    def add(self, more: bytes, *, is_last: bool = False) -> None:
        """Take what comes next. It begins and ends anywhere, also in a character."""
        self._kept += self._decoder.decode(more, is_last).encode()
        begin = len(self._kept) - self._limit
        if begin > 0:
            self.is_truncated = True
            while begin < len(self._kept) and self._kept[begin] & _MARK == _CONTINUES:
                begin += 1
            del self._kept[:begin]
